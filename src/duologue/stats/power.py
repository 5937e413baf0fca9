"""How often a binomial test finds what is there: exact power, by its rejection region.

The exact two-sided test is the one of ``scipy.stats.binomtest`` and R's ``binom.test`` ("minlike"):
the p-value of a count is the chance of every count that is no likelier. Its region is two tails, so
power is one ``cdf`` and one ``sf`` per number of judgments, never a loop over tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from duologue.errors import DesignError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BinomialTest = Literal["exact", "mid-p", "equal-tail"]
"""Minlike exact test; the same with half the weight of what was seen; twice the smaller tail."""

_AS_LIKELY = 1 + 1e-7
"""Counts whose chances differ by less than this factor count as equally likely (as in scipy and R)."""


@dataclass(frozen=True, slots=True)
class RejectionRegion:
    """The counts at which a test rejects: up to ``low`` and from ``high``, one of each per n.

    ``low`` is -1 and ``high`` is n + 1 where no count in that tail is enough.
    """

    n: Ints
    low: Ints
    high: Ints

    def chance(self, p: float) -> Floats:
        """Chance of falling into the region when each judgment succeeds with probability ``p``."""
        below = stats.binom.cdf(self.low, self.n, p)
        above = stats.binom.sf(self.high - 1, self.n, p)
        return np.asarray(below + above, dtype=np.float64)


def exact_binomial_power(n: int, p: float, *, null: float = 0.5, alpha: float = 0.05) -> float:
    """Chance that the exact two-sided binomial test of ``n`` judgments rejects ``null`` when ``p`` is true.

    Power is saw-toothed in ``n``: one judgment more can lower it. At ``p = null`` it is the size of the
    test, which never exceeds ``alpha``. Assumes independent judgments; inflate n by a design effect
    when annotators or dialogues are judged more than once.

    Args:
        n: Number of judgments; 0 never rejects.
        p: True chance of a success (a win).
        null: The chance under the hypothesis tested.
        alpha: Level of the test.

    Raises:
        DesignError: ``n`` is negative, or a probability is out of range.

    Example:
        >>> round(exact_binomial_power(196, 0.6), 4)
        0.7721
    """
    return float(binomial_power_curve([n], p, null=null, alpha=alpha)[0])


def binomial_power_curve(
    n: ArrayLike, p: float, *, null: float = 0.5, alpha: float = 0.05, test: BinomialTest = "exact"
) -> Floats:
    """Exact power of a two-sided binomial test at each number of judgments in ``n``.

    Example:
        >>> binomial_power_curve([196, 210], 0.6).round(2).tolist()
        [0.77, 0.81]
    """
    require_probability(p, "the true rate")
    return binomial_region(n, null=null, alpha=alpha, test=test).chance(p)


def binomial_region(
    n: ArrayLike, *, null: float = 0.5, alpha: float = 0.05, test: BinomialTest = "exact"
) -> RejectionRegion:
    """The counts at which a two-sided binomial test of ``null`` rejects, for each number of judgments.

    Example:
        >>> region = binomial_region([100])
        >>> int(region.low[0]), int(region.high[0])
        (39, 61)
    """
    require_open_probability(null, "the null rate")
    require_open_probability(alpha, "alpha")
    judgments = np.atleast_1d(np.asarray(n, dtype=np.int64))
    if judgments.size and judgments.min() < 0:
        raise DesignError(f"the number of judgments must not be negative; got {judgments.min()}.")
    if test == "exact" and null != 0.5:
        return _minlike_region(judgments, null, alpha)
    weight_of_seen = 0.5 if test == "mid-p" else 1.0
    low = _tail_end(judgments, null, alpha / 2, weight_of_seen)
    high = judgments - _tail_end(judgments, 1 - null, alpha / 2, weight_of_seen)
    return RejectionRegion(n=judgments, low=low, high=high)


def _tail_end(n: Ints, null: float, level: float, weight_of_seen: float) -> Ints:
    """Largest count whose lower tail, its own chance weighted, is at most ``level`` (-1 if none)."""

    def tail(count: Ints) -> Floats:
        whole = stats.binom.cdf(count, n, null)
        return np.asarray(whole - (1 - weight_of_seen) * stats.binom.pmf(count, n, null))

    end = np.asarray(stats.binom.ppf(level, n, null), dtype=np.int64)
    while (short := (end < n) & (tail(end + 1) <= level)).any():
        end = end + short
    while (over := (end >= 0) & (tail(end) > level)).any():
        end = end - over
    return end


def _minlike_region(n: Ints, null: float, alpha: float) -> RejectionRegion:
    """The largest set of least likely counts whose chance is at most ``alpha``.

    Starts from the half of the equal-tailed region that is a set of least likely counts, and takes in
    the next likeliest count (both, when equally likely) for as long as alpha allows.
    """
    tails = binomial_region(n, null=null, alpha=alpha, test="equal-tail")
    low, high = tails.low, tails.high

    def pmf(count: Ints) -> Floats:
        return np.asarray(stats.binom.pmf(count, n, null), dtype=np.float64)

    # Leave out what is likelier than a count that is not in: the region must be one of least likely counts.
    while (odd := (low >= 0) & (pmf(low) > pmf(high - 1) * _AS_LIKELY)).any():
        low = low - odd
    while (odd := (high <= n) & (pmf(high) > pmf(low + 1) * _AS_LIKELY)).any():
        high = high + odd
    while True:
        below, above = pmf(low + 1), pmf(high - 1)
        wider_low = low + (below <= above * _AS_LIKELY)
        wider_high = high - (above <= below * _AS_LIKELY)
        chance = stats.binom.cdf(wider_low, n, null) + stats.binom.sf(wider_high - 1, n, null)
        fits = (chance <= alpha) & (wider_low < wider_high)
        if not fits.any():
            return RejectionRegion(n=n, low=low, high=high)
        low, high = np.where(fits, wider_low, low), np.where(fits, wider_high, high)


def require_probability(value: float, name: str) -> None:
    """Refuse a number that is not a probability.

    Raises:
        DesignError: ``value`` is not between 0 and 1.
    """
    if not 0 <= value <= 1:
        raise DesignError(f"{name} must lie between 0 and 1; got {value:g}.")


def require_open_probability(value: float, name: str) -> None:
    """Refuse a number that is not a probability strictly between 0 and 1.

    Raises:
        DesignError: ``value`` is not strictly between 0 and 1.
    """
    if not 0 < value < 1:
        raise DesignError(f"{name} must lie strictly between 0 and 1; got {value:g}.")
