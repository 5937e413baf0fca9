"""What single cells of a table of judgments say: a truth, a time, a number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

Value = TypeVar("Value")

TRUTHS = {"false": False, "False": False, "0": False, "true": True, "True": True, "1": True}
"""How tables say yes and no."""

A_TIME = "a time such as 2026-05-04T12:30:00+00:00"
MOST_SECONDS = 1e10
"""Of a duration: more than three hundred years is a mistake, and the sum of many would have no end."""
NO_TIME = int(np.datetime64("NaT", "s").view(np.int64))
"""No time, as a number of seconds."""


def one_of(values: Mapping[str, Value]) -> Callable[[str], Value]:
    """Read a cell that is one of these; any other raises KeyError."""
    return values.__getitem__


def read_number(cell: str) -> float:
    """Read a number as tables write it: digits of ASCII, without Python's underscores between them.

    Raises:
        ValueError: It is none.

    Example:
        >>> read_number("4.5")
        4.5
        >>> read_number("1_0")
        Traceback (most recent call last):
            ...
        ValueError: 1_0
    """
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    return float(cell)


def is_whole(cell: str) -> bool:
    """Whether a cell is a whole number from 0 up, written with digits of ASCII.

    Example:
        >>> is_whole("12"), is_whole("1_2"), is_whole("\uff11"), is_whole("")
        (True, False, False, False)
    """
    return cell.isascii() and cell.isdecimal()


def revision_number(cell: str) -> int:
    """Read the number of a revision.

    Raises:
        ValueError: It is not a whole number from 1 up.
    """
    number = read_number(cell)
    if not (number.is_integer() and 1 <= number < 2**31):
        raise ValueError(cell)
    return int(number)


def seconds_spent(cell: str) -> float:
    """Read a duration.

    Raises:
        ValueError: It is not a number from 0 up, or more than anybody's lifetime.
    """
    number = read_number(cell)
    if not 0 <= number <= MOST_SECONDS:
        raise ValueError(cell)
    return number


def moment(cell: str) -> int:
    """Read a time, in seconds since 1970; one without a zone is UTC.

    Raises:
        ValueError: It is not a time.
    """
    when = datetime.fromisoformat(cell)
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp())
