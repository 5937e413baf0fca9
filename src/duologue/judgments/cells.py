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


def revision_number(cell: str) -> int:
    """Read the number of a revision.

    Raises:
        ValueError: It is not a whole number from 1 up.
    """
    number = float(cell)
    if not (number.is_integer() and 1 <= number < 2**31):
        raise ValueError(cell)
    return int(number)


def seconds_spent(cell: str) -> float:
    """Read a duration.

    Raises:
        ValueError: It is not a number from 0 up, or more than anybody's lifetime.
    """
    number = float(cell)
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
