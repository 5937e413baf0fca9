"""Every flag that a judgment can have."""

from __future__ import annotations

from collections.abc import Mapping

from duologue.screening.chats import CHAT_FLAGS
from duologue.screening.copying import (
    COPIED_REASON,
    LEAST_COPIED_WORDS,
    LEAST_REPEATED_WORDS,
    LEAST_TIMES,
    REPEATED_REASON,
    SHARED_REASON,
)
from duologue.screening.patterns import FIXED_PATTERN, LEAST_CHOICES, SAME_POSITION
from duologue.screening.reading import PASTED, UNSCROLLED
from duologue.screening.speed import TOO_FAST

JUDGMENT_FLAGS: Mapping[str, str] = {
    TOO_FAST: "given faster than the words shown can be read (words_per_second)",
    SAME_POSITION: f"the annotator chose the same position in all of at least {LEAST_CHOICES} judgments",
    FIXED_PATTERN: f"the annotator chose positions in a fixed pattern, in at least {LEAST_CHOICES} judgments",
    REPEATED_REASON: (
        f"the annotator gave the same reason, of at least {LEAST_REPEATED_WORDS} words, {LEAST_TIMES} times "
        "or more"
    ),
    SHARED_REASON: f"another annotator gave the same reason, of at least {LEAST_COPIED_WORDS} words",
    COPIED_REASON: f"the whole reason, of at least {LEAST_COPIED_WORDS} words, is copied from what was shown",
    PASTED: "text was pasted into the reason or a message, and it does not stand on the page",
    UNSCROLLED: "answered without having scrolled to the end of a dialogue, although the page asked once",
}
"""Flags of judgments in any study, and when each is raised."""

FLAG_RULES: Mapping[str, str] = {**CHAT_FLAGS, **JUDGMENT_FLAGS}
"""Every flag by its name in study files, and when it is raised."""

ANNOTATOR_FLAGS = (SAME_POSITION, FIXED_PATTERN)
"""Where these exclude, they exclude all that the annotator has judged until then."""

REASON_FLAGS = (REPEATED_REASON, SHARED_REASON)
"""Where these exclude, they exclude every judgment with that reason, earlier ones included."""


def rule_of_flag(flag: str) -> str:
    """The rule by which judgments are excluded for a flag.

    Example:
        >>> rule_of_flag("few-words"), rule_of_flag("too-fast")
        ('chat:few-words', 'too-fast')
    """
    return f"chat:{flag}" if flag in CHAT_FLAGS else flag
