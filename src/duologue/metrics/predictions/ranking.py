"""Ranks of the right reply among candidates: hits@k (Recall@k) and the mean reciprocal rank."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.errors import BadNumber


def rank_of_gold(is_gold: Sequence[bool], scores: Sequence[float] | None = None) -> int | None:
    """The place of the best right candidate, counted from 1; None when there is no right one.

    Ties are broken against the model: whatever has the same score as the right candidate comes before it. So
    a model that gives every candidate the same score has rank N, not 1.

    Args:
        is_gold: Which candidates are right.
        scores: Higher is better; without them candidates come ranked, the best first.

    Raises:
        BadNumber: There are not as many scores as candidates.

    Example:
        >>> rank_of_gold([False, False, True], [0.2, 0.9, 0.9]), rank_of_gold([False, True])
        (2, 2)
    """
    if scores is None:
        return next((number for number, right in enumerate(is_gold, start=1) if right), None)
    if len(scores) != len(is_gold):
        raise BadNumber("scores", expected=f"{len(is_gold)} of them", got=len(scores))
    best = max((score for score, right in zip(scores, is_gold, strict=True) if right), default=None)
    if best is None:
        return None
    return 1 + sum(score >= best for score, right in zip(scores, is_gold, strict=True) if not right)
