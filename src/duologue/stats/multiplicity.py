"""Many tests at once: p-values adjusted so that a claim stays as sure as it says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber
from duologue.stats.counts import check_numbers, check_share


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


@dataclass(frozen=True, slots=True)
class HolmSteps:
    """Holm's procedure with the level of confidence at which each test was decided.

    The interval at ``levels[i]`` that inverts test i excludes the null exactly when ``rejected[i]``.
    """

    adjusted: NDArray[np.float64]
    rejected: NDArray[np.bool_]
    levels: NDArray[np.float64]
    family: int


def holm_steps(p_values: ArrayLike, *, alpha: float = 0.05, family: int | None = None) -> HolmSteps:
    """Decide tests by Holm's procedure, and say at which level each was decided.

    At step j the smallest p-value left is tested at alpha / (m − j + 1). A test rejected at step j has the
    level 1 − alpha / (m − j + 1), equal p-values that of the first of them; all that are not rejected have
    the level of the first step that failed. Intervals at these levels agree with the procedure test by test
    ("Holm-compatible"); they are not simultaneous intervals.

    Args:
        p_values: One for each test, in any order.
        alpha: Chance of any false rejection.
        family: How many tests share alpha, when some of them have no p-value (yet): they count as 1.

    Raises:
        BadNumber: A p-value is not between 0 and 1, alpha is not, or the family is smaller than the tests.

    Example:
        >>> steps = holm_steps([0.01, 0.04, 0.03])
        >>> steps.rejected.tolist(), [round(float(level), 4) for level in steps.levels]
        ([True, False, False], [0.9833, 0.975, 0.975])
    """
    p, alpha = check_numbers("p_values", p_values, low=0.0, high=1.0), check_share("alpha", alpha)
    size = len(p) if family is None else family
    if size < len(p):
        raise BadNumber("family", expected=f"at least the {len(p)} tests given", got=size)
    order = np.argsort(p, kind="stable")
    left = np.arange(size, size - len(p), -1)
    adjusted, levels = np.empty_like(p), np.empty_like(p)
    adjusted[order] = np.minimum(np.maximum.accumulate(left * p[order]), 1.0)
    rejected = adjusted <= alpha
    step = np.searchsorted(p[order], p[order], side="left")  # equal p-values share the first of their steps
    last = int(rejected.sum())
    levels[order] = 1 - alpha / left[np.minimum(step, last)] if len(p) else levels
    return HolmSteps(adjusted, rejected, levels, size)
