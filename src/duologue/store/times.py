"""Times as they are stored: UTC text of one width, which sorts."""

from __future__ import annotations

from datetime import datetime, timedelta


def later(now: str, seconds: float) -> str:
    """A time some seconds after a stored one, as it is stored.

    Example:
        >>> later("2026-01-01T00:00:00.000000+00:00", 90)
        '2026-01-01T00:01:30.000000+00:00'
    """
    return (datetime.fromisoformat(now) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")
