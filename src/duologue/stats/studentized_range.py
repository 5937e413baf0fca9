"""How far apart the largest and the smallest of equal strengths come out: Tukey's studentized range."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber
from duologue.stats.counts import check_positive, check_share

INNER, OUTER, OUTER_OF_FEW = 96, 32, 160
"""Points at which the two integrals are worked out; more of them on few degrees of freedom."""

FEW = 15

FARTHEST = 8.0
"""Normal numbers beyond this do not occur."""

AT_A_TIME = 1_000_000
"""So many points are worked out at a time."""


def range_tail(statistics: ArrayLike, *, bots: int, df: float = np.inf) -> NDArray[np.float64]:
    """The chance that any two of so many equal strengths differ by so many standard errors or more.

    Of the largest |difference| / standard error over all pairs, when strengths are independent with one
    variance that is estimated on ``df`` degrees of freedom (Tukey 1953). With other variances and
    covariances the true chance is smaller (Tukey–Kramer; Hayter 1984).

    Args:
        statistics: Differences in standard errors of a difference.
        bots: How many strengths.
        df: Degrees of freedom of the standard errors.

    Raises:
        BadNumber: There are fewer than two bots, or no degrees of freedom.

    Example:
        >>> range_tail([1.96, 3.03], bots=8).round(3).tolist()
        [0.509, 0.05]
    """
    if bots < 2:
        raise BadNumber("bots", expected="at least 2", got=bots)
    if not df > 0:
        raise BadNumber("df", expected="a number above 0", got=df)
    sizes = np.abs(np.asarray(statistics, dtype=np.float64)) * np.sqrt(2.0)
    found = np.ones(sizes.shape)
    flat, out = sizes.ravel(), found.ravel()
    scales, weights = _scales(float(df))
    each = max(1, AT_A_TIME // (INNER * len(scales)))
    for begin in range(0, len(flat), each):
        part = flat[begin : begin + each]
        within = _within(part[:, None] * scales, bots)
        out[begin : begin + each] = 1.0 - within @ weights
    return np.clip(found, 0.0, 1.0)


def range_threshold(level: float, *, bots: int, df: float = np.inf) -> float:
    """How many standard errors two strengths must differ by so that no pair of equal ones does, in ``level``.

    Example:
        >>> round(range_threshold(0.95, bots=2), 3), round(range_threshold(0.95, bots=8), 3)
        (1.96, 3.031)
    """
    return _threshold(check_share("level", level), int(bots), check_positive("df", min(df, 1e9)))


@lru_cache(maxsize=256)
def _threshold(level: float, bots: int, df: float) -> float:
    low, high = 0.0, 10.0
    while float(range_tail(high, bots=bots, df=df)) > 1 - level:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        if float(range_tail(middle, bots=bots, df=df)) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def _within(widths: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    """The chance that so many standard normal numbers all lie within such a width of each other."""
    points, weights = _points()
    # The largest of them is z, and the others lie between z - width and z.
    density = np.exp(-points * points / 2) / np.sqrt(2 * np.pi) * weights
    inside = special.ndtr(points) - special.ndtr(points - widths[..., None])
    return np.asarray(bots * (inside ** (bots - 1)) @ density)


@lru_cache(maxsize=1)
def _points() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points, weights = np.polynomial.legendre.leggauss(INNER)
    return points * FARTHEST, weights * FARTHEST


@lru_cache(maxsize=256)
def _scales(df: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The distribution of an estimated standard error over the true one, as points with their chances."""
    if df > 1e6:
        return np.ones(1), np.ones(1)
    low, high = (float(np.sqrt(special.chdtri(df, chance) / df)) for chance in (1 - 1e-12, 1e-15))
    points, weights = np.polynomial.legendre.leggauss(OUTER if df >= FEW else OUTER_OF_FEW)
    scales = (low + high) / 2 + (high - low) / 2 * points
    log = (df - 1) * np.log(scales) - df * scales * scales / 2
    log += np.log(2.0) + df / 2 * np.log(df / 2) - special.gammaln(df / 2)
    chances = np.exp(log) * weights * (high - low) / 2
    return scales, chances / chances.sum()
