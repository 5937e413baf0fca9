"""Answers that came too fast for the words that were shown."""

from __future__ import annotations

TOO_FAST = "too-fast"

WORDS_PER_SECOND = 15.0
"""Nobody reads faster: careful readers read about 4 words a second, and 15 is more than skimming."""


def least_seconds(words: int, *, words_per_second: float) -> float:
    """The time below which so many words were not read; none where there is no limit.

    Example:
        >>> least_seconds(300, words_per_second=15.0), least_seconds(300, words_per_second=0.0)
        (20.0, 0.0)
    """
    return words / words_per_second if words_per_second > 0 else 0.0
