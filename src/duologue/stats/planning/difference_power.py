"""How often a difference between two groups is found: means of ratings, and shares of right answers."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability, require_probability
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_from, chance_of, chance_up_to


def t_power(
    n: ArrayLike, gap: float, *, sd: float, alpha: float = 0.05, df: ArrayLike | None = None
) -> Floats:
    """Power of the two-sided t-test between two bots with ``n`` ratings each.

    Assumes independent ratings of one spread; with equal numbers Welch's test has the same power up to
    its degrees of freedom.

    Args:
        n: Ratings per bot; below 2 nothing can be tested.
        gap: Difference between the two mean ratings.
        sd: Standard deviation of a rating.
        alpha: Level of the test.
        df: Degrees of freedom at each ``n``, where they are not 2n − 2; below 1 nothing can be tested.

    Raises:
        DesignError: ``sd`` is not positive, or ``alpha`` is out of range.

    Example:
        >>> t_power([63, 64], 0.5, sd=1).round(4).tolist()
        [0.7952, 0.8015]
    """
    require_open_probability(alpha, "alpha")
    if not 0 < sd < math.inf:
        raise DesignError(f"the standard deviation of a rating must be positive; got {sd:g}.")
    ratings = np.atleast_1d(np.asarray(n, dtype=np.float64))
    enough = np.maximum(ratings, 2)
    own = 2 * enough - 2 if df is None else np.maximum(np.asarray(df, dtype=np.float64), 1.0)
    is_testable = (ratings >= 2) & (df is None or np.asarray(df, dtype=np.float64) >= 1)
    shift = abs(gap) / sd * np.sqrt(enough / 2)
    bar = -np.asarray(special.stdtrit(own, alpha / 2), dtype=np.float64)
    power = _beyond(bar, own, shift) + _beyond(bar, own, -shift)
    return np.asarray(np.where(is_testable, np.minimum(power, 1.0), 0.0), dtype=np.float64)


@cache
def _gauss() -> tuple[Floats, Floats]:
    """Nodes and weights of a quadrature that is exact to the last digits here."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    return nodes, weights


def _beyond(bar: Floats, df: Floats, shift: Floats) -> Floats:
    """Chance that a non-central t exceeds ``bar``: the normal tail averaged over the estimated deviation.

    Written out because scipy's distribution function is NaN in far tails. The deviation S is that of a
    chi distribution over √df; only where Φ(shift − bar·S) is not negligible does it count.
    """
    nodes, weights = _gauss()
    spread = 12 / np.sqrt(2 * df)
    low = np.maximum(0.0, 1 - spread)
    high = np.maximum(np.minimum(1 + spread, (np.maximum(shift, 0) + 9) / bar), low)
    half = (high - low) / 2
    s = low[:, None] + half[:, None] * (1 + nodes)
    k, x = df[:, None], df[:, None] / 2
    # Stirling's series where the gamma function would swallow the digits that matter.
    series = 0.5 * np.log(x / (2 * math.pi)) - 1 / (12 * x) + 1 / (360 * x**3)
    scale = math.log(2) + np.where(x > 50, series, x * np.log(x) - special.gammaln(x) - x)
    log_density = scale + special.xlogy(k - 1, s) - x * (s**2 - 1)
    tail = special.ndtr(shift[:, None] - bar[:, None] * s)
    return np.asarray(half * ((tail * np.exp(log_density)) @ weights), dtype=np.float64)


def detectable_change(first: int, second: int, *, alpha: float = 0.05, power: float = 0.80) -> float:
    """The change from an even split that two groups of so many judgments find, about.

    Normal approximation of the difference of two rates, at the largest variance; independent judgments.
    Fisher's exact test finds a little less in small groups. It can exceed one half: then no change from an
    even split is found with that power.

    Example:
        >>> round(detectable_change(110, 110), 3), round(detectable_change(110, 11), 3)
        (0.189, 0.443)
    """
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "the power")
    if min(first, second) < 1:
        raise DesignError("a change is found between two groups that both have judgments.")
    spread = math.sqrt(0.25 / first + 0.25 / second)
    return float(special.ndtri(1 - alpha / 2) + special.ndtri(power)) * spread


def two_proportions_power(n: ArrayLike, first: float, second: float, *, alpha: float = 0.05) -> Floats:
    """Exact power of the two-sided z-test of two proportions (pooled variance) with ``n`` in each group.

    The test is approximate, and can exceed its level slightly in small groups; its power is enumerated.

    Example:
        >>> two_proportions_power([392], 0.5, 0.6).round(3).tolist()
        [0.801]
    """
    require_open_probability(alpha, "alpha")
    require_probability(first, "the first share")
    require_probability(second, "the second share")
    sizes = np.atleast_1d(np.asarray(n, dtype=np.int64))
    z2 = float(special.chdtri(1, alpha))
    return np.array([_power_of_one(int(size), first, second, z2) for size in sizes], dtype=np.float64)


def _power_of_one(n: int, first: float, second: float, z2: float) -> float:
    if n < 1:
        return 0.0
    spread = 10 * math.sqrt(n * first * (1 - first)) + 30
    x = np.arange(max(0, math.floor(n * first - spread)), min(n, math.ceil(n * first + spread)) + 1)
    low, high = rejected_counts(x, n, z2)
    rejected = chance_up_to(low, n, second) + chance_from(high, n, second)
    return float(min((chance_of(x, n, first) * rejected).sum(), 1.0))


def rejected_counts(x: Ints, n: int, z2: float) -> tuple[Ints, Ints]:
    """Beside counts ``x`` of ``n``, which counts of as many the z-test calls different: up to, and from.

    They lie outside the two roots of 2n(x − y)² = z²(x + y)(2n − x − y).

    Args:
        x: Counts in the first group.
        n: The size of each group.
        z2: The squared quantile that the test statistic must reach.
    """
    square, linear = 2 * n + z2, 2 * z2 * x - 4 * n * x - 2 * n * z2
    constant = 2.0 * n * x * x - 2 * n * z2 * x + z2 * x * x
    root = np.sqrt(np.maximum(linear * linear - 4 * square * constant, 0.0))
    # Equal counts never differ, also where the variance vanishes (nobody or everybody is right).
    low = np.minimum(np.floor((-linear - root) / (2 * square) + 1e-9), x - 1).astype(np.int64)
    high = np.maximum(np.ceil((-linear + root) / (2 * square) - 1e-9), x + 1).astype(np.int64)
    return low, high
