"""Times as they are stored: UTC text of one width, which sorts."""

from __future__ import annotations

from datetime import datetime, timedelta


def seconds_between(earlier: str, later: str) -> float:
    """The seconds from one stored time to another; none when the clock was set back.

    Example:
        >>> seconds_between("2026-01-01T00:00:00.000000+00:00", "2026-01-01T00:00:02.500000+00:00")
        2.5
    """
    return max(0.0, (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds())


def later(now: str, seconds: float) -> str:
    """A time some seconds after a stored one, as it is stored.

    Example:
        >>> later("2026-01-01T00:00:00.000000+00:00", 90)
        '2026-01-01T00:01:30.000000+00:00'
    """
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")
