"""Texts as the mean of the vectors of their words, read from a file such as GloVe's or word2vec's."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.errors import FormatError, UnreadableFile
from duologue.models.word_counts import words_of


class WordVectors:
    """Vectors of words; a text is the mean of those it has, of length 1."""

    def __init__(self, vectors: dict[str, NDArray[np.float32]]) -> None:
        self._vectors = vectors
        self._size = len(next(iter(vectors.values())))

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """A row for each text; one without known words is all zeros."""
        rows = np.zeros((len(texts), self._size), np.float32)
        for row, text in zip(rows, texts, strict=True):
            found = [self._vectors[word] for word in words_of(text) if word in self._vectors]
            if found:
                mean = np.mean(found, axis=0)
                row[:] = mean / (float(np.linalg.norm(mean)) or 1.0)
        return rows


def read_word_vectors(path: Path, *, words: Collection[str] | None) -> WordVectors:
    """Read the vectors of some words, or of all (None): on each line a word and its numbers, with blanks.

    Raises:
        FormatError: A line has another number of numbers, or the file has none of the words.
        UnreadableFile: The file cannot be opened.
    """
    found: dict[str, NDArray[np.float32]] = {}
    size = 0
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            for number, line in enumerate(file, 1):
                word, *numbers = line.rstrip().split(" ")
                if number == 1 and len(numbers) == 1:
                    continue  # word2vec's header: how many, how long
                if words is not None and word not in words:
                    continue
                try:
                    vector = np.asarray(numbers, np.float32)
                except ValueError as error:
                    raise FormatError(path, line=number, expected="a word and numbers") from error
                if len(vector) != (size or len(vector)) or not len(vector):
                    got = str(len(vector))
                    raise FormatError(path, line=number, expected=f"{size or 'some'} numbers", got=got)
                size = len(vector)
                found[word] = vector
    except OSError as error:
        raise UnreadableFile(path, (error.strerror or str(error)).lower()) from error
    if not found:
        raise FormatError(path, expected="vectors of words of the corpus", got="none of them")
    return WordVectors(found)
