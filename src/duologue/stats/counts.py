"""Counts, rates and matrices, checked before any arithmetic is done with them.

Every test in this room begins here, so that a negative count, a NaN or a level of 95 becomes one clear
error instead of a number that looks like an answer.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber

LARGEST_COUNT = 2**53
"""Above this a float no longer holds every whole number."""


def check_count(name: str, value: SupportsFloat | SupportsIndex) -> int:
    """The whole number of at least 0 that ``value`` is.

    Raises:
        BadNumber: It is negative, not whole, not finite, or above 2**53.
    """
    try:
        count = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = float(value)
        if not number.is_integer():  # also refuses NaN and infinity
            raise BadNumber(name, expected="a whole number of at least 0", got=value) from None
        count = int(number)
    if not 0 <= count <= LARGEST_COUNT:
        raise BadNumber(name, expected="a whole number from 0 to 2**53", got=value)
    return count


def check_share(name: str, value: float) -> float:
    """``value`` as a number strictly between 0 and 1.

    Raises:
        BadNumber: It is not.
    """
    if not 0.0 < value < 1.0:
        raise BadNumber(name, expected="a number between 0 and 1, both excluded", got=value)
    return float(value)


def check_positive(name: str, value: float) -> float:
    """``value`` as a finite number above 0.

    Raises:
        BadNumber: It is not.
    """
    if not 0.0 < value < math.inf:
        raise BadNumber(name, expected="a finite number above 0", got=value)
    return float(value)


def check_numbers(
    name: str, values: ArrayLike, *, low: float = -math.inf, high: float = math.inf
) -> NDArray[np.float64]:
    """``values`` as a flat array of finite numbers between ``low`` and ``high``.

    Raises:
        BadNumber: They are not one-dimensional, or one of them is not such a number.
    """
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadNumber(name, expected="numbers", got=repr(values)[:80]) from None
    if array.ndim != 1:
        raise BadNumber(name, expected="one row of numbers", got=f"an array of shape {array.shape}")
    good = np.isfinite(array) & (array >= low) & (array <= high)
    if not good.all():
        where = int(np.flatnonzero(~good)[0])
        expected = (
            "finite numbers" if math.isinf(low) and math.isinf(high) else f"numbers from {low:g} to {high:g}"
        )
        raise BadNumber(name, expected=expected, got=f"{array[where]:g} at position {where}")
    return array


def check_codes(name: str, values: ArrayLike, *, length: int) -> tuple[NDArray[np.intp], int]:
    """``values`` renumbered 0, 1, 2, …, and how many different ones there are.

    Raises:
        BadNumber: They are not ``length`` whole numbers.
    """
    codes = np.asarray(values)
    if codes.shape != (length,) or not (np.issubdtype(codes.dtype, np.integer) or length == 0):
        got = f"an array of {codes.dtype} of shape {codes.shape}"
        raise BadNumber(name, expected=f"{length} integer codes, one for each judgment", got=got)
    if length == 0:
        return np.zeros(0, dtype=np.intp), 0
    low = int(codes.min())
    if int(codes.max()) - low > 4 * length:  # sparse numbers: sorting is cheaper than counting the gaps
        distinct, renumbered = np.unique(codes, return_inverse=True)
        return renumbered.astype(np.intp, copy=False), len(distinct)
    shifted = (codes - low).astype(np.intp, copy=False)
    is_used = np.bincount(shifted) > 0
    return (np.cumsum(is_used) - 1)[shifted], int(is_used.sum())


def check_win_matrix(wins: ArrayLike, names: Sequence[str]) -> NDArray[np.float64]:
    """``wins`` as a square matrix with one row and column for each name.

    Counts may be fractions (a published percentage, half a win for a tie); nobody plays against themselves.

    Raises:
        BadNumber: It is not such a matrix, or a name occurs twice.
    """
    matrix = np.array(wins, dtype=np.float64)
    bots = len(names)
    if matrix.shape != (bots, bots):
        raise BadNumber(
            "wins",
            expected=f"a {bots} × {bots} matrix, one row and column for each name",
            got=f"shape {matrix.shape}",
        )
    if len(set(names)) != bots:
        twice = next(name for name in names if list(names).count(name) > 1)
        raise BadNumber("names", expected="each name once", got=f"{twice!r} more than once")
    if not (np.isfinite(matrix) & (matrix >= 0)).all():
        i, j = (int(k) for k in np.argwhere(~(np.isfinite(matrix) & (matrix >= 0)))[0])
        raise BadNumber(
            "wins", expected="counts of at least 0", got=f"{matrix[i, j]:g} for {names[i]} over {names[j]}"
        )
    if np.diagonal(matrix).any():
        bot = names[int(np.flatnonzero(np.diagonal(matrix))[0])]
        raise BadNumber("wins", expected="zeros on the diagonal", got=f"{bot} beating itself")
    return matrix
