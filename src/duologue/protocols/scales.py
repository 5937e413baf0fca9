"""Scales of points as they stand on a page."""

from __future__ import annotations

from collections.abc import Sequence

MOST_IN_A_ROW = 11
"""Points of a scale that fit beside each other on a phone."""


def labels_below(labels: Sequence[str]) -> tuple[str, str, str] | None:
    """The labels of the lowest point, the middle and the highest, where no other point has one.

    Such a scale stands in one row, with its labels below it. None for other scales, and for long ones.

    Example:
        >>> labels_below(("No", "", "", "", "Yes"))
        ('No', '', 'Yes')
    """
    count = len(labels)
    middle = count // 2 if count % 2 else 0
    others = [label for place, label in enumerate(labels) if place not in (0, middle, count - 1)]
    if any(others) or not 5 <= count <= MOST_IN_A_ROW:
        return None
    return labels[0], labels[middle] if middle else "", labels[-1]
