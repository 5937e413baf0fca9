"""Attention checks: items whose answer is known come among the others, and a share of them must be right."""

from __future__ import annotations

ATTENTION = "attention"
"""The name of the rule in exclusions: the annotator failed the attention checks."""

UNFINISHED = "unfinished"
"""The name of the rule in exclusions: the annotator left their block of items (the version of a
questionnaire) before its attention checks were asked, or before its end and somebody took the place."""

ATTENTION_CHECK = "attention-check"
"""Why the answer to an attention check does not count: nothing was to be found out by it about a bot."""

REPEAT = "repeat"
"""Why the second answer of an annotator to the same item does not count."""

SECOND_JUDGMENT = "second-judgment"
"""Why the judgment of a second annotator does not count: the item was judged twice to see whether they agree.
A verdict that counted it would rest on two judgments of the same dialogues as if they were independent."""

NEVER_COUNTED = frozenset({ATTENTION_CHECK, REPEAT, SECOND_JUDGMENT})
"""Rules that exclude what was never meant to count."""

ASKED_AGAIN = "asked-again-"
"""Begins the rule under which what was asked again does not count; the number of the addendum follows."""


def is_never_counted(rule: str) -> bool:
    """Whether a rule excludes what was never meant to count in a verdict.

    Example:
        >>> is_never_counted("repeat"), is_never_counted("asked-again-1"), is_never_counted("late")
        (True, True, False)
    """
    return rule in NEVER_COUNTED or rule.startswith(ASKED_AGAIN)


def fails_attention(right: int, *, asked: int, threshold: float, min_checks: int) -> bool:
    """Whether an annotator has been asked often enough, and too few answers were right.

    Example:
        >>> fails_attention(0, asked=1, threshold=0.5, min_checks=2)
        False
        >>> fails_attention(0, asked=2, threshold=0.5, min_checks=2)
        True
        >>> fails_attention(1, asked=2, threshold=0.5, min_checks=2)
        False
    """
    return asked >= min_checks and right < threshold * asked
