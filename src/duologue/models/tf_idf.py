"""Texts as vectors of their words, rare words counting more (TF-IDF)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_WORDS = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words and signs of a text in lower case.

    Example:
        >>> words_of("Well, it's me!")
        ['well', ',', 'it', "'", 's', 'me', '!']
    """
    return _WORDS.findall(text.lower())


class TfIdf:
    """How often each word occurs in a text, times the logarithm of how few texts have it.

    The weight of a word in a text is its count times ``log(n / texts with the word)``, as in the Ubuntu
    corpus baseline (Lowe et al. 2015); vectors have length 1, so that a product of two is their cosine.
    Words that were not there when it was fitted are left out.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        counts: Counter[str] = Counter()
        n = 0
        for text in texts:
            counts.update(set(words_of(text)))
            n += 1
        self.places = {word: place for place, word in enumerate(counts)}
        self.weights = np.log(n / np.fromiter(counts.values(), float, len(counts)))

    def vectors(self, texts: Sequence[str]) -> csr_matrix:
        """A row for each text; one without known words is all zeros."""
        from scipy.sparse import csr_matrix

        columns: list[int] = []
        values: list[int] = []
        ends = [0]
        for text in texts:
            counted = Counter(self.places[word] for word in words_of(text) if word in self.places)
            columns += counted.keys()
            values += counted.values()
            ends.append(len(columns))
        data = np.asarray(values, float) * self.weights[columns] if columns else np.zeros(0)
        rows = np.repeat(np.arange(len(texts)), np.diff(ends))
        lengths = np.sqrt(np.bincount(rows, weights=data**2, minlength=len(texts)))
        data = data / np.where(lengths == 0, 1, lengths)[rows]
        return csr_matrix((data, np.asarray(columns, int), ends), shape=(len(texts), len(self.places)))
