"""What time it is; whoever needs it is given a clock, so that a test can turn it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Tells the time, with its zone."""


def utc_now() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)
