"""Onboarding: items whose answer is known are asked first, and a share of them must be right."""

from __future__ import annotations

ONBOARDING = "onboarding"
"""The name of the rule in exclusions."""


def counts_as_right(is_correct: bool | None) -> bool:
    """Whether an answer to an onboarding item counts as right.

    Where nobody knows the right answer (``None``) it does: an annotator fails by wrong answers only.

    Example:
        >>> counts_as_right(True), counts_as_right(False), counts_as_right(None)
        (True, False, True)
    """
    return is_correct is not False


def passes_onboarding(right: int, *, asked: int, threshold: float) -> bool:
    """Whether the share of right answers reaches the threshold; without any asked it does.

    Example:
        >>> passes_onboarding(2, asked=3, threshold=0.5), passes_onboarding(2, asked=3, threshold=1.0)
        (True, False)
    """
    return right >= threshold * asked
