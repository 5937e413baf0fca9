"""Reasons that were copied: from one's own earlier ones, from another annotator, or from the text shown.

A flag is a reason to look. Short reasons are the same by chance ("more interesting"), so only longer ones are
compared, without regard to case, marks and blanks.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from duologue.screening.words import count_words, words_said

REPEATED_REASON = "repeated-reason"
"""The annotator gave the same reason again and again."""
SHARED_REASON = "shared-reason"
"""Another annotator gave the same reason, and annotators never see what others write."""
COPIED_REASON = "copied-reason"
"""All of the reason was copied from what was shown."""

LEAST_REPEATED_WORDS = 4
"""A shorter reason says too little to be called the same."""

LEAST_TIMES = 3
"""How often the same annotator gives a reason before it is flagged."""

LEAST_COPIED_WORDS = 6
"""Two people may write the same few words, and a few words may stand anywhere."""


def fingerprint(reason: str) -> str:
    """A short name for all reasons that say the same; empty for one that is too short to compare.

    Example:
        >>> fingerprint("It asks more questions!") == fingerprint("it asks MORE questions")
        True
        >>> fingerprint("More interesting.")
        ''
    """
    if count_words(reason) < LEAST_REPEATED_WORDS:
        return ""
    return hashlib.sha256(" ".join(words_said(reason)).encode()).hexdigest()[:32]


def may_be_shared(reason: str) -> bool:
    """Whether a reason is long enough that two people do not write it by chance."""
    return count_words(reason) >= LEAST_COPIED_WORDS


def stands_in(reason: str, texts: Iterable[str]) -> bool:
    """Whether all of a reason stands in one of the texts, word for word.

    Who quotes and says something about it has not copied all.

    Example:
        >>> stands_in("I like to ride my bike.", ["Well, I like to ride my bike, you know"])
        True
        >>> stands_in("It said: I like to ride my bike.", ["Well, I like to ride my bike, you know"])
        False
        >>> stands_in("my bike", ["my bike"])
        False
    """
    if not may_be_shared(reason):
        return False
    said = " ".join(words_said(reason))
    return any(said in " ".join(words_said(text)) for text in texts)
