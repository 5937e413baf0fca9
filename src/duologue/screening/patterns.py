"""Annotators who choose by position: always the same one, or one after another in a fixed pattern."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.screening.chats import ScreenFlag

SAME_POSITION = "same-position"
FIXED_PATTERN = "fixed-pattern"

LEAST_CHOICES = 8
"""Fewer say nothing. Of two positions, both rules together find 1.6 % of those who choose by a coin here."""

LONGEST_PATTERN = 4
"""Positions after which a pattern begins again, at most; each more than two needs two choices more."""


def find_pattern(positions: Sequence[int]) -> ScreenFlag | None:
    """The pattern in the positions that an annotator chose, in the order they did; None when there is none.

    Sides are drawn for each comparison, so whoever reads chooses them in no pattern.

    Example:
        >>> find_pattern([1] * 8).rule, find_pattern([1, 2] * 4).rule, find_pattern([1, 1, 2, 1, 2, 2, 1, 2])
        ('same-position', 'fixed-pattern', None)
    """
    chosen = len(positions)
    if chosen < LEAST_CHOICES:
        return None
    if len(set(positions)) == 1:
        return ScreenFlag(SAME_POSITION, f"position {positions[0]} in all of {chosen} judgments")
    for period in range(2, LONGEST_PATTERN + 1):
        repeats = all(positions[place] == positions[place - period] for place in range(period, chosen))
        if repeats and chosen >= LEAST_CHOICES + 2 * (period - 2):
            pattern = " ".join(map(str, positions[:period]))
            return ScreenFlag(FIXED_PATTERN, f"positions {pattern}, again and again, in {chosen} judgments")
    return None
