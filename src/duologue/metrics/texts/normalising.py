"""The field's normalisation (ParlAI, ConvAI2): what F1, exact match and hits@k compare."""

from __future__ import annotations

import re
from collections.abc import Sequence

PUNCTUATION = "!\"#$%&()*+,-./:;<=>?@[]\\^`{|}~_'"
ARTICLES = frozenset({"a", "an", "the"})

AT_ONCE = 256
"""Texts that go through it together: enough to save the setting up, few enough for a processor's cache."""

_TO_SPACES = str.maketrans(dict.fromkeys(PUNCTUATION, " "))
_ASCII_TO_SPACES = bytes(range(128)).decode().translate(_TO_SPACES).lower().encode()
_ASCII_TO_SPACES += bytes(range(128, 256))
"""The same for bytes, lower case at once: much faster, and most texts are in ASCII."""
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_CONTROLS = bytes([*range(9), *range(14, 28), 127])
"""Neither part of a word nor a space: as with a sign beyond ASCII, a word may end at one."""


def normal_words(texts: Sequence[str]) -> list[list[str]]:
    """The words of many texts that count: in lower case, without punctuation and without articles.

    Lower case; each of ``!"#$%&()*+,-./:;<=>?@[]\\^`{|}~_'`` becomes a space; the whole words a, an and the
    are left out. All texts go through it together, which takes a fraction of the time of one by one.

    Example:
        >>> normal_words(["The U.S.A. don't", "A cat, an owl!"])
        [['u', 's', 'don', 't'], ['cat', 'owl']]
    """
    words: list[list[str]] = []
    for start in range(0, len(texts), AT_ONCE):
        lines = lowered(texts[start : start + AT_ONCE])
        words += [[word for word in line.split() if word not in ARTICLES] for line in lines]
    return words


def normal_text(text: str) -> str:
    """A text as it is compared: its normal words with one space between them.

    Example:
        >>> normal_text("  The cat's   HAT. ")
        'cat s hat'
    """
    return " ".join(normal_words([text])[0])


def normal_texts(texts: Sequence[str]) -> list[str]:
    """The same for many texts."""
    return [" ".join(words) for words in normal_words(texts)]


def lowered(texts: Sequence[str]) -> list[str]:
    """Some texts (`AT_ONCE`) in lower case, without punctuation; articles stand as words of their own."""
    whole = "\n".join(texts)
    if whole.count("\n") != len(texts) - 1:
        whole = "\n".join([text.replace("\n", " ") for text in texts])
    if whole.isascii():
        raw = whole.encode().translate(_ASCII_TO_SPACES)
        lines = raw.decode().split("\n")
        if _has_no_controls(raw):
            return lines
    else:
        lines = whole.lower().translate(_TO_SPACES).split("\n")
    return [line if _is_plain(line) else _ARTICLE.sub(" ", line) for line in lines]


def _is_plain(text: str) -> bool:
    """Whether every word has a space at both ends: "a’s" has the article "a" in it and no space after it."""
    return text.isascii() and _has_no_controls(text.encode())


def _has_no_controls(raw: bytes) -> bool:
    return len(raw.translate(None, _CONTROLS)) == len(raw)
