"""How long to wait before something that failed is tried again: twice as long each time, up to a limit."""

from __future__ import annotations

FIRST_SECONDS, LONGEST_SECONDS = 0.5, 30.0


def back_off(
    failed: int, *, first: float = FIRST_SECONDS, longest: float = LONGEST_SECONDS, jitter: float = 1.0
) -> float:
    """Seconds to wait after that many failures in a row; none before the first.

    Args:
        failed: Failures in a row.
        first: The wait after the first.
        longest: No wait is longer.
        jitter: A share of it, drawn by the caller, so that not everybody comes back at once.

    Example:
        >>> [back_off(failed) for failed in (0, 1, 2, 3, 1000)]
        [0.0, 0.5, 1.0, 2.0, 30.0]
    """
    return min(longest, first * 2.0 ** min(failed - 1, 60)) * jitter if failed > 0 else 0.0
