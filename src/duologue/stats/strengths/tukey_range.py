"""How far apart the largest and the smallest of equal strengths come out: Tukey's range."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber
from duologue.stats.counts import check_share

POINTS = 96
"""Points at which the integral is worked out."""

FARTHEST = 8.0
"""Normal numbers beyond this do not occur."""

AT_A_TIME = 10_000
"""So many statistics are worked out at a time."""


def range_tail(statistics: ArrayLike, *, bots: int) -> NDArray[np.float64]:
    """The chance that any two of so many equal strengths differ by so many standard errors or more.

    Of the largest |difference| / standard error over all pairs, when strengths are independent normal numbers
    with one variance (Tukey 1953). With other variances and covariances the true chance is smaller
    (Tukey–Kramer; Hayter 1984).

    Args:
        statistics: Differences in standard errors of a difference.
        bots: How many strengths.

    Raises:
        BadNumber: There are fewer than two bots.

    Example:
        >>> range_tail([1.96, 3.03], bots=8).round(3).tolist()
        [0.509, 0.05]
    """
    if bots < 2:
        raise BadNumber("bots", expected="at least 2", got=bots)
    widths = np.abs(np.asarray(statistics, dtype=np.float64)) * np.sqrt(2.0)
    flat = widths.ravel()
    found = np.empty(len(flat))
    for begin in range(0, len(flat), AT_A_TIME):
        found[begin : begin + AT_A_TIME] = 1.0 - _within(flat[begin : begin + AT_A_TIME], bots)
    return np.clip(found, 0.0, 1.0).reshape(widths.shape)


@lru_cache(maxsize=256)
def range_threshold(level: float, *, bots: int) -> float:
    """How many standard errors two strengths must differ by so that no pair of equal ones does, in ``level``.

    Raises:
        BadNumber: The level is not a share, or there are fewer than two bots.

    Example:
        >>> round(range_threshold(0.95, bots=2), 3), round(range_threshold(0.95, bots=8), 3)
        (1.96, 3.031)
    """
    check_share("level", level)
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        if float(range_tail(middle, bots=bots)) > 1 - level:
            low = middle
        else:
            high = middle
    return high


@cache
def _gauss() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the integral is worked out, and with what weights."""
    points, weights = np.polynomial.legendre.leggauss(POINTS)
    return points * FARTHEST, weights * FARTHEST


def _within(widths: NDArray[np.float64], bots: int) -> NDArray[np.float64]:
    """The chance that so many standard normal numbers all lie within such a width of each other."""
    points, weights = _gauss()
    # The largest of them is z, and the others lie between z - width and z.
    density = np.exp(-points * points / 2) / np.sqrt(2 * np.pi) * weights
    inside = special.ndtr(points) - special.ndtr(points - widths[:, None])
    return np.asarray(bots * (inside ** (bots - 1)) @ density)
