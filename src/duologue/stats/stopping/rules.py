"""Rules for stopping a comparison of two bots early, and exactly what each of them does.

A rule says, after every judgment, at which numbers of wins to stop and with what verdict. Its operating
characteristics (errors, power, expected number of judgments) follow by dynamic programming over the number
of wins: exact, for any rule, at any true win rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_probability
from duologue.stats.rates.binomial_distribution import Floats, Ints


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """When to stop, by the number of judgments ``n`` (the index, from 0) and the wins of the first bot.

    The first bot is declared better from ``first_from[n]`` wins on, the second up to ``second_upto[n]``;
    from ``futile_from[n]`` up to ``futile_upto[n]`` nothing is expected to come of going on. At
    ``most`` judgments it is over in any case.
    """

    first_from: Ints
    second_upto: Ints
    futile_from: Ints
    futile_upto: Ints

    @property
    def most(self) -> int:
        """The largest number of judgments."""
        return len(self.first_from) - 1


@dataclass(frozen=True, slots=True)
class OperatingCharacteristics:
    """What a stopping rule does when the first bot's true win rate is ``rate``.

    The four chances add up to 1: a verdict for either bot, stopping for futility, and reaching the
    largest number without any of these.
    """

    rate: float
    first_better: float
    second_better: float
    futile: float
    undecided: float
    expected: float
    """Mean number of judgments when the study ends."""
    median: int
    nine_in_ten: int
    """Nine studies in ten end by then."""
    verdict_at: Floats
    """Chance of a verdict for either bot after exactly so many judgments."""

    @property
    def verdict(self) -> float:
        """Chance of a verdict: the error of the rule at a rate of one half, and its power elsewhere."""
        return self.first_better + self.second_better


def no_rule(most: int) -> StoppingRule:
    """The rule that never stops before ``most`` judgments and then says nothing: a start for others.

    Raises:
        DesignError: There is no judgment to make.
    """
    if most < 1:
        raise DesignError(f"a rule needs at least one judgment; got {most}.")
    n = np.arange(most + 1, dtype=np.int64)
    return StoppingRule(
        first_from=n + 1, second_upto=np.full_like(n, -1), futile_from=n + 1, futile_upto=np.full_like(n, -1)
    )


def operating_characteristics(
    rule: StoppingRule, rates: Sequence[float]
) -> tuple[OperatingCharacteristics, ...]:
    """What a stopping rule does at each true win rate, exactly.

    Example:
        >>> never = no_rule(5)
        >>> (result,) = operating_characteristics(never, [0.5])
        >>> result.expected, result.undecided
        (5.0, 1.0)
    """
    for rate in rates:
        require_probability(rate, "the win rate")
    return tuple(_summary(rate, _ends(rule, rate)) for rate in rates)


def _ends(rule: StoppingRule, rate: float) -> Floats:
    """Chance of each end (first better, second better, futile, undecided) after each number of judgments."""
    step = np.array([1 - rate, rate])
    first_from, second_upto = rule.first_from.tolist(), rule.second_upto.tolist()
    futile_from, futile_upto = rule.futile_from.tolist(), rule.futile_upto.tolist()
    ends = np.zeros((4, rule.most + 1))
    lowest, running = 0, np.ones(1)  # chance of k = lowest, … wins and of not having stopped
    for n in range(1, rule.most + 1):
        running = np.convolve(running, step)
        highest = lowest + len(running) - 1
        if first_from[n] <= highest:
            cut = max(first_from[n] - lowest, 0)
            ends[0, n] = running[cut:].sum()
            running = running[:cut]
        if second_upto[n] >= lowest:
            cut = second_upto[n] + 1 - lowest
            ends[1, n] = running[:cut].sum()
            running = running[cut:]
            lowest += cut
        if futile_from[n] <= futile_upto[n]:
            futile = running[max(futile_from[n] - lowest, 0) : max(futile_upto[n] + 1 - lowest, 0)]
            ends[2, n] = futile.sum()
            futile[:] = 0.0
        if not running.size:
            return ends
    ends[3, rule.most] = running.sum()
    return ends


def _summary(rate: float, ends: Floats) -> OperatingCharacteristics:
    over = ends.sum(axis=0)
    by_then = np.cumsum(over)
    chances = ends.sum(axis=1)
    return OperatingCharacteristics(
        rate=rate,
        first_better=float(chances[0]),
        second_better=float(chances[1]),
        futile=float(chances[2]),
        undecided=float(chances[3]),
        expected=float((over * np.arange(len(over))).sum()),
        median=int(np.argmax(by_then >= 0.5 - 1e-12)),
        nine_in_ten=int(np.argmax(by_then >= 0.9 - 1e-12)),
        verdict_at=ends[0] + ends[1],
    )
