"""Words in any script, also in those that put no blanks between words: counted, and told apart."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache

_IDEOGRAPHS = "\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_MAINLAND = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer

CHARACTERS_A_WORD = {_IDEOGRAPHS: 2, _MAINLAND: 4}
"""Of scripts without blanks between words: about as many characters as a word has on average."""

_RUNS = re.compile(
    "|".join(f"([{script}]+)" for script in CHARACTERS_A_WORD) + r"|([^\W_]+(?:['’-][^\W_]+)*)"
)


_WORD = re.compile(r"[^\W_]+")


def words_said(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, without marks: two texts with the same words say the same.

    Example:
        >>> words_said("I'm FINE, thanks :-)")
        ('im', 'fine', 'thanks')
    """
    plain = text.casefold().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    return tuple(_WORD.findall(plain))


def words_apart(text: str) -> tuple[str, ...]:
    """The words of a text in small letters, each by itself, also where there are no blanks between them.

    In Chinese, Japanese, Thai, Lao, Burmese and Khmer the pieces of a run are told apart by length: every two
    (or four) characters that stand together, overlapping, as search engines do.

    Example:
        >>> words_apart("It's FUN!"), words_apart("你好吗")
        (('its', 'fun'), ('你好', '好吗'))
    """
    found: list[str] = []
    plain = text.casefold().replace("'", "").replace("\N{RIGHT SINGLE QUOTATION MARK}", "")
    sizes = tuple(CHARACTERS_A_WORD.values())
    for run in _RUNS.finditer(_without_marks(plain)):
        group = run.lastindex or len(sizes) + 1
        if group > len(sizes):
            found.append(run[0])
        else:
            size = min(sizes[group - 1], len(run[0]))
            found += [run[0][at : at + size] for at in range(len(run[0]) - size + 1)]
    return tuple(found)


@lru_cache(maxsize=16_384)
def count_words(text: str) -> int:
    """How many words a text has.

    A run of letters and digits is a word. Chinese, Japanese, Thai, Lao, Burmese and Khmer have no blanks
    between words: there the characters of a run are divided by the usual length of a word, and rounded up.

    Example:
        >>> [count_words(text) for text in ("I'm fine :-)", "你好", "你今天过得怎么样", "สวัสดี")]
        [2, 1, 4, 1]
    """
    sizes = tuple(CHARACTERS_A_WORD.values())
    total = 0
    for found in _RUNS.finditer(_without_marks(text)):
        group = found.lastindex or len(sizes) + 1
        total += math.ceil(len(found[0]) / sizes[group - 1]) if group <= len(sizes) else 1
    return total


def _without_marks(text: str) -> str:
    """The text without marks that combine with a letter and would split its word."""
    return text if text.isascii() else "".join(letter for letter in text if not _is_mark(letter))


def _is_mark(letter: str) -> bool:
    return letter > "\u02ff" and unicodedata.category(letter) in ("Mn", "Me", "Mc", "Cf")
