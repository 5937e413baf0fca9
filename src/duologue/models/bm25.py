"""How well a text answers a query, by the words they share (Okapi BM25)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from duologue.models.word_counts import KnownWords, WordCounts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class Bm25:
    """Shared words, rare ones counting more, repeated ones less and less, long texts less.

    The score of a text d for a query q is the sum over words of q of
    ``idf · f (k₁ + 1) / (f + k₁ (1 − b + b |d| / mean length))`` with f the word's count in d, and
    ``idf = log(1 + (n − m + ½) / (m + ½))`` where m of n fitted texts have the word (Robertson and Zaragoza
    2009; this idf is never negative). It is a product of two vectors, one of the query and one of the text.
    """

    def __init__(self, texts: Iterable[str], *, k1: float = 1.2, b: float = 0.75) -> None:
        self._known, self._k1, self._b = KnownWords.of(texts), k1, b
        having = self._known.texts_with
        self._weights = np.log1p((self._known.texts - having + 0.5) / (having + 0.5))

    def queries(self, texts: Sequence[str]) -> csr_matrix:
        """A row for each query: how often it has each word."""
        counts = WordCounts.of(texts, self._known)
        return self._matrix(counts, counts.times)

    def vectors(self, texts: Sequence[str]) -> csr_matrix:
        """A row for each text: what each of its words would add to the score."""
        counts = WordCounts.of(texts, self._known)
        relative = counts.lengths / (self._known.mean_length or 1.0)
        room = self._k1 * (1 - self._b + self._b * relative)[counts.rows]
        data = self._weights[counts.columns] * counts.times * (self._k1 + 1) / (counts.times + room)
        return self._matrix(counts, data)

    def _matrix(self, counts: WordCounts, data: NDArray[np.float64]) -> csr_matrix:
        from scipy.sparse import csr_matrix

        shape = (len(counts.lengths), len(self._weights))
        return csr_matrix((data, counts.columns, counts.ends), shape=shape)
