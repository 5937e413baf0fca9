"""Words and questions of a turn, in scripts with blanks between words and without."""

from __future__ import annotations

import re

# Han, kana, Thai, Lao, Tibetan, Myanmar, Khmer: written without blanks. Each letter counts as a word, with
# the marks above and below it.
_NO_BLANKS = (
    "\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e81-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec6\u0edc-\u0edf\u0f40-\u0f6c"
    "\u1000-\u102a\u103f\u1780-\u17b3\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003ffff"
)
# Marks that belong to the letter before them and are no letters to a regular expression.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963"
    "\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a4d\u0a81-\u0a83\u0abc-\u0acd\u0b01-\u0b03\u0b3c-\u0b57"
    "\u0b82\u0bbe-\u0bcd\u0c00-\u0c04\u0c3e-\u0c56\u0c81-\u0c83\u0cbc-\u0cd6\u0d00-\u0d03\u0d3b-\u0d4d\u0d81-\u0d83"
    "\u0dca-\u0ddf\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u0f71-\u0f84\u0f90-\u0fbc"
    "\u102b-\u103e\u17b4-\u17d3\u200c\u200d"
)
_WORD = re.compile(
    rf"[{_NO_BLANKS}][{_MARKS}]*"
    rf"|(?:[^\W_{_NO_BLANKS}]|[{_MARKS}])+(?:['’](?:[^\W_{_NO_BLANKS}]|[{_MARKS}])+)*"
)
_ASCII_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")

QUESTION_WORDS = frozenset({"who", "what", "when", "where", "why", "how"})
"""Those that the paper names; contractions ("what's") count too."""
QUESTION_MARKS = ("?", "？", "؟", "\u037e", "՞", "፧")
_SENTENCE_END = re.compile("([.!?。！？؟\u037e՞፧\n])")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, without punctuation; "don't" is one word.

    Where a script has no blanks between words each of its letters counts as a word: lengths and repeats of
    such texts compare with one another, not with those of English.

    Example:
        >>> words_of("I don't, you DO :-)"), words_of("我喜欢tea。")
        (['i', "don't", 'you', 'do'], ['我', '喜', '欢', 'tea'])
    """
    lowered = text.lower()
    return (_ASCII_WORD if lowered.isascii() else _WORD).findall(lowered)


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
