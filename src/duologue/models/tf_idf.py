"""Texts as vectors of their words, rare words counting more (TF-IDF)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from duologue.models.word_counts import KnownWords, WordCounts

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


class TfIdf:
    """How often each word occurs in a text, times the logarithm of how few texts have it.

    The weight of a word in a text is its count times ``log(n / texts with the word)``, as in the Ubuntu
    corpus baseline (Lowe et al. 2015); vectors have length 1, so that a product of two is their cosine.
    Words that were not there when it was fitted are left out.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = KnownWords.of(texts)
        self._weights = np.log(self._known.texts / self._known.texts_with)

    def vectors(self, texts: Sequence[str]) -> csr_matrix:
        """A row for each text; one without known words is all zeros."""
        from scipy.sparse import csr_matrix

        counts = WordCounts.of(texts, self._known)
        data = counts.times * self._weights[counts.columns]
        lengths = np.sqrt(np.bincount(counts.rows, weights=data**2, minlength=len(texts)))
        data = data / np.where(lengths == 0, 1, lengths)[counts.rows]
        return csr_matrix((data, counts.columns, counts.ends), shape=(len(texts), len(self._weights)))
