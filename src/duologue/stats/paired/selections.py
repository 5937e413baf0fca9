"""Two bots selected or not on the same turns: McNemar as evidence, with the interval that inverts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from duologue.stats.paired.mcnemar import mcnemar_test, paired_difference
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to
from duologue.stats.rates.intervals import Interval, exact_limits


@dataclass(frozen=True, slots=True)
class PairedSelections:
    """How often only one of two bots was selected, out of ``n`` turns; the null is no difference.

    ``exact`` is the binomial test of the turns that select one of them, ``mid-p`` the less cautious McNemar
    test. The interval holds the differences of the two selection rates that the test does not reject, given
    on how many turns the bots differ: it excludes 0 exactly when the test rejects.
    """

    only_first: int
    only_second: int
    n: int
    method: Literal["exact", "mid-p"] = "mid-p"

    @property
    def differing(self) -> int:
        """Turns that select only one of the two."""
        return self.only_first + self.only_second

    @property
    def p_value(self) -> float:
        """Two-sided; 1 where the bots never differ."""
        if self.differing == 0:
            return 1.0
        return mcnemar_test(self.only_first, self.only_second, method=self.method).p_value

    def interval_at(self, level: float) -> Interval:
        """Of the difference; where the bots never differ, that of Bonett and Price."""
        if self.differing == 0:
            return paired_difference(0, 0, self.n, 0, level=level).interval
        share = self.differing / self.n
        limits = exact_limits if self.method == "exact" else _mid_p_limits
        low, high = limits(self.only_first, self.differing, level)
        return Interval(share * (2 * low - 1), share * (2 * high - 1), level, f"mcnemar, {self.method}")


def _mid_p_limits(successes: int, n: int, level: float) -> tuple[float, float]:
    """The rates at which a mid-p tail is as large as allowed, by bisection."""
    tails = 1 - level  # of twice a tail

    def upper(rate: float) -> float:
        return float(chance_from([successes, successes + 1], n, rate).sum())

    def lower(rate: float) -> float:
        return float(chance_up_to([successes - 1, successes], n, rate).sum())

    low = 0.0 if successes == 0 else _crossing(lambda rate: upper(rate) > tails)
    high = 1.0 if successes == n else _crossing(lambda rate: lower(rate) <= tails)
    return low, high


def _crossing(is_above: Callable[[float], bool]) -> float:
    """Where a statement about a rate becomes true, as the rate grows."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if is_above(middle) else (middle, high)
    return (low + high) / 2
