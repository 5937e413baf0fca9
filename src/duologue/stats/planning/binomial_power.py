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
from scipy import special

from duologue.errors import DesignError
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_from, chance_of, chance_up_to

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
        return chance_up_to(self.low, self.n, p) + chance_from(self.high, self.n, p)


def binomial_power_curve(
    n: ArrayLike, p: float, *, null: float = 0.5, alpha: float = 0.05, test: BinomialTest = "exact"
) -> Floats:
    """Exact power of a two-sided binomial test at each number of judgments in ``n``.

    The chance that the test rejects ``null`` when ``p`` is true. It is saw-toothed in ``n``: one judgment
    more can lower it. At ``p = null`` it is the size of the test, which never exceeds ``alpha``. Assumes
    independent judgments; inflate n by a design effect where annotators or dialogues repeat.

    Example:
        >>> binomial_power_curve([196, 210], 0.6).round(2).tolist()
        [0.77, 0.82]
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
    low = _tail_end(judgments, null, alpha / 2, is_mid_p=test == "mid-p")
    if null == 0.5:
        return RejectionRegion(n=judgments, low=low, high=judgments - low)
    high = judgments - _tail_end(judgments, 1 - null, alpha / 2, is_mid_p=test == "mid-p")
    return RejectionRegion(n=judgments, low=low, high=high)


def _tail_end(n: Ints, null: float, level: float, *, is_mid_p: bool) -> Ints:
    """Largest count whose lower tail (half its own chance left out for mid-p) is at most ``level``, or -1."""

    def is_small(count: Ints, n: Ints) -> NDArray[np.bool_]:
        tail = chance_up_to(count, n, null)
        return (tail - chance_of(count, n, null) / 2 if is_mid_p else tail) <= level

    # A normal quantile with its skewness term is right or next to it; walk the rest of the way.
    z = float(special.ndtri(level))
    about = n * null + z * np.sqrt(n * null * (1 - null)) + (z * z - 1) * (1 - 2 * null) / 6 - 0.5
    end: Ints = np.clip(np.floor(about), -1, n).astype(np.int64)
    walking = np.arange(n.size)
    while walking.size:
        walking = walking[is_small(end[walking] + 1, n[walking]) & (end[walking] < n[walking])]
        end[walking] += 1
    walking = np.arange(n.size)
    while walking.size:
        walking = walking[~is_small(end[walking], n[walking]) & (end[walking] >= 0)]
        end[walking] -= 1
    return end


def _minlike_region(n: Ints, null: float, alpha: float) -> RejectionRegion:
    """The largest set of least likely counts whose chance is at most ``alpha``.

    Starts from the equal-tailed region, leaves out what is likelier than some count outside, and then
    takes in the least likely count outside (both, when equally likely) for as long as alpha allows.
    """
    tails = binomial_region(n, null=null, alpha=alpha, test="equal-tail")
    low, high = tails.low, tails.high
    while (odd := (low >= 0) & (chance_of(low, n, null) > chance_of(high - 1, n, null) * _AS_LIKELY)).any():
        low = low - odd
    while (odd := (high <= n) & (chance_of(high, n, null) > chance_of(low + 1, n, null) * _AS_LIKELY)).any():
        high = high + odd
    growing = np.arange(n.size)
    while growing.size:
        size, left, right = n[growing], low[growing] + 1, high[growing] - 1
        below, above = chance_of(left, size, null), chance_of(right, size, null)
        left = left - (below > above * _AS_LIKELY)
        right = right + (above > below * _AS_LIKELY)
        chance = chance_up_to(left, size, null) + chance_from(right, size, null)
        fits = (chance <= alpha) & (left < right)
        growing = growing[fits]
        low[growing], high[growing] = left[fits], right[fits]
    return RejectionRegion(n=n, low=low, high=high)


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
