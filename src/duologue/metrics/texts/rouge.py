"""ROUGE-L: the longest common subsequence of words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.metrics.words import plain_words


def rouge_l(prediction: str, references: Sequence[str]) -> float:
    """How much of two texts is said in the same order: F of the longest common subsequence of words.

    Twice the length of the longest common subsequence over the words of both texts, at most over references;
    words in lower case, without punctuation, not stemmed ("rougeL" of the package rouge-score on English
    text). 0 where nothing is shared.

    Source: Lin 2004, "ROUGE: A package for automatic evaluation of summaries", section 3 with beta = 1.

    Example:
        >>> rouge_l("police killed the gunman", ["police kill the gunman", "the gunman kill police"])
        0.75
    """
    return float(rouge_l_scores([prediction] * len(references), references).max(initial=0.0))


def rouge_l_scores(predictions: Sequence[str], references: Sequence[str]) -> NDArray[np.float64]:
    """ROUGE-L of many pairs of texts, one reference each."""
    pairs = zip(predictions, references, strict=True)
    return np.array([_score(_words(said), _words(wanted)) for said, wanted in pairs], dtype=np.float64)


def _words(text: str) -> list[str]:
    return plain_words(text).split()


def _score(said: Sequence[str], wanted: Sequence[str]) -> float:
    length = _longest_common(said, wanted)
    return 2 * length / (len(said) + len(wanted)) if length else 0.0


def _longest_common(said: Sequence[str], wanted: Sequence[str]) -> int:
    """The length of the longest common subsequence, a word of one text at a time (Hyyrö 2004).

    The bits of ``row`` are those of the table of the textbook's method, a row in one number: each word of
    ``wanted`` that prolongs the longest common subsequence has a 0.
    """
    places: dict[str, int] = {}
    for number, word in enumerate(wanted):
        places[word] = places.get(word, 0) | 1 << number
    whole = (1 << len(wanted)) - 1
    row = whole
    for word in said:
        matches = row & places.get(word, 0)
        row = (row + matches | row - matches) & whole
    return len(wanted) - row.bit_count()
