"""The binomial distribution on arrays: tails and chances of many counts at once.

Built on ``scipy.special``: importing ``scipy.stats`` takes longer than most plans take to compute, and
would slow the start of the server.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def chance_up_to(count: ArrayLike, n: ArrayLike, p: ArrayLike) -> Floats:
    """Chance of ``count`` successes or fewer in ``n`` trials.

    Example:
        >>> chance_up_to([-1, 0, 1, 2], 2, 0.5).tolist()
        [0.0, 0.25, 0.75, 1.0]
    """
    k, size, rate = np.asarray(count), np.asarray(n), np.asarray(p)
    inside = (k >= 0) & (k < size)
    # The mirror image of `betaincc(k + 1, n - k, p)`, which is six times slower.
    tail = special.betainc(np.where(inside, size - k, 1), np.where(inside, k + 1, 1), 1 - rate)
    return np.asarray(np.where(inside, tail, np.where(k < 0, 0.0, 1.0)), dtype=np.float64)


def chance_from(count: ArrayLike, n: ArrayLike, p: ArrayLike) -> Floats:
    """Chance of ``count`` successes or more in ``n`` trials.

    Example:
        >>> chance_from([0, 1, 2, 3], 2, 0.5).tolist()
        [1.0, 0.75, 0.25, 0.0]
    """
    k, size, rate = np.asarray(count), np.asarray(n), np.asarray(p)
    inside = (k >= 1) & (k <= size)
    tail = special.betainc(np.where(inside, k, 1), np.where(inside, size - k + 1, 1), rate)
    return np.asarray(np.where(inside, tail, np.where(k < 1, 1.0, 0.0)), dtype=np.float64)


def chance_of(count: ArrayLike, n: ArrayLike, p: ArrayLike) -> Floats:
    """Chance of exactly ``count`` successes in ``n`` trials; 0 for counts that cannot be.

    Example:
        >>> chance_of([-1, 0, 1, 2, 3], 2, 0.5).round(6).tolist()
        [0.0, 0.25, 0.5, 0.25, 0.0]
    """
    k, size, rate = np.asarray(count), np.asarray(n), np.asarray(p)
    possible = (k >= 0) & (k <= size)
    wins = np.where(possible, k, 0)
    losses = np.where(possible, size - k, 0)
    choose = -special.betaln(wins + 1, losses + 1) - np.log(wins + losses + 1)
    log_chance = choose + special.xlogy(wins, rate) + special.xlog1py(losses, -rate)
    return np.asarray(np.where(possible, np.exp(log_chance), 0.0), dtype=np.float64)
