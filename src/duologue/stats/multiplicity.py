"""Many tests at once: p-values adjusted so that a claim stays as sure as it says."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.stats.counts import check_numbers


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust p-values so that the chance of *any* false claim stays at alpha (Holm 1979).

    The smallest of m is multiplied by m, the next by m − 1, and so on, never decreasing and at most 1. Valid
    whatever the dependence between the tests: our default for the matchups of an arm.

    Args:
        p_values: One for each test, in any order.

    Returns:
        The adjusted p-values in the same order.

    Raises:
        BadNumber: One is not between 0 and 1.

    Example:
        >>> [round(float(p), 3) for p in holm([0.01, 0.04, 0.03])]
        [0.03, 0.06, 0.06]
    """
    p = check_numbers("p_values", p_values, low=0.0, high=1.0)
    order = np.argsort(p, kind="stable")
    steps = np.arange(len(p), 0, -1) * p[order]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted


def benjamini_hochberg(p_values: ArrayLike) -> NDArray[np.float64]:
    """Adjust p-values so that at most a share alpha of the claims made is expected to be false.

    Benjamini and Hochberg (1995); valid for independent or positively dependent tests. For exploration: a
    verdict wants `holm`.

    Args:
        p_values: One for each test, in any order.

    Returns:
        The adjusted p-values in the same order.

    Raises:
        BadNumber: One is not between 0 and 1.

    Example:
        >>> [round(float(p), 3) for p in benjamini_hochberg([0.01, 0.04, 0.03])]
        [0.03, 0.04, 0.04]
    """
    p = check_numbers("p_values", p_values, low=0.0, high=1.0)
    order = np.argsort(p, kind="stable")
    steps = len(p) / np.arange(1, len(p) + 1) * p[order]
    adjusted = np.empty_like(p)
    adjusted[order] = np.minimum(np.minimum.accumulate(steps[::-1])[::-1], 1.0)
    return adjusted
