"""How often each known word occurs in each of many texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_WORDS = re.compile(r"\w+|[^\w\s]")


def words_of(text: str) -> list[str]:
    """The words and signs of a text in lower case.

    Example:
        >>> words_of("Well, it's me!")
        ['well', ',', 'it', "'", 's', 'me', '!']
    """
    return _WORDS.findall(text.lower())


@dataclass(frozen=True, slots=True)
class KnownWords:
    """The words of the texts that a model was fitted to, and how common they are."""

    places: Mapping[str, int]
    texts_with: NDArray[np.float64]
    """In how many texts each word occurs."""
    texts: int
    mean_length: float
    """Words of a text, on average."""

    @classmethod
    def of(cls, texts: Iterable[str]) -> KnownWords:
        """Count the words of some texts."""
        counts: Counter[str] = Counter()
        n = length = 0
        for text in texts:
            words = words_of(text)
            counts.update(set(words))
            n += 1
            length += len(words)
        places = {word: place for place, word in enumerate(counts)}
        return cls(places, np.fromiter(counts.values(), float, len(counts)), n, length / max(n, 1))


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often known words occur in texts: one entry for each text and word that are together."""

    rows: NDArray[np.intp]
    columns: NDArray[np.intp]
    times: NDArray[np.float64]
    ends: NDArray[np.intp]
    """Where each text's entries begin, and the last one's end."""
    lengths: NDArray[np.float64]
    """All words of each text, unknown ones too."""

    @classmethod
    def of(cls, texts: Sequence[str], known: KnownWords) -> WordCounts:
        """Count the known words of each text."""
        columns: list[int] = []
        times: list[int] = []
        ends, lengths = [0], []
        for text in texts:
            words = words_of(text)
            counted = Counter(known.places[word] for word in words if word in known.places)
            columns += counted.keys()
            times += counted.values()
            ends.append(len(columns))
            lengths.append(len(words))
        rows = np.repeat(np.arange(len(texts)), np.diff(ends))
        return cls(
            rows,
            np.asarray(columns, np.intp),
            np.asarray(times, float),
            np.asarray(ends, np.intp),
            np.asarray(lengths, float),
        )
