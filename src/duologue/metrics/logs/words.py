"""Questions and characters of a turn, in any script."""

from __future__ import annotations

import re

from duologue.metrics.words import words_of

QUESTION_WORDS = frozenset({"who", "what", "when", "where", "why", "how"})
"""Those that the paper names; contractions ("what's") count too."""
QUESTION_MARKS = ("?", "？", "؟", "\u037e", "՞", "፧")
_SENTENCE_END = re.compile("([.!?。！？؟\u037e՞፧\n])")


def characters_of(text: str) -> int:
    """How many characters a text has, blanks not counted.

    Example:
        >>> characters_of("hi , you !")
        7
    """
    return sum(map(len, text.split()))


def is_asking(words: list[str]) -> bool:
    """Whether a reply begins with a question word of English.

    Example:
        >>> is_asking(["what's", "up"]), is_asking(["whatever"]), is_asking([])
        (True, False, False)
    """
    return bool(words) and words[0].replace("’", "'").partition("'")[0] in QUESTION_WORDS


def has_question_mark(text: str) -> bool:
    """Whether there is a question mark of any script.

    Example:
        >>> has_question_mark("Tea?"), has_question_mark("茶？"), has_question_mark("Tea.")
        (True, True, False)
    """
    return "?" in text if text.isascii() else any(mark in text for mark in QUESTION_MARKS)


def questions_in(text: str) -> list[str]:
    """The questions of a text: the words between an end of sentence and a question mark.

    Example:
        >>> questions_in("I ski. Do you Ski ? And where?! Bye.")
        ['do you ski', 'and where']
    """
    if not has_question_mark(text):
        return []
    parts = _SENTENCE_END.split(text)
    ends = zip(parts[::2], parts[1::2], strict=False)
    asked = (" ".join(words_of(one)) for one, end in ends if end in QUESTION_MARKS)
    return [one for one in asked if one]
