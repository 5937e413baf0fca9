"""Models that compare texts, and trainable baselines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.models.tf_idf import TfIdf, words_of
    from duologue.models.word_vectors import WordVectors, read_word_vectors

__all__ = [
    "TfIdf",
    "WordVectors",
    "read_word_vectors",
    "words_of",
]

__getattr__ = lazy_front(
    __name__,
    {
        "tf_idf": (
            "TfIdf",
            "words_of",
        ),
        "word_vectors": (
            "WordVectors",
            "read_word_vectors",
        ),
    },
)
