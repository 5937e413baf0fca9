"""Many texts as numbers of words in one array: batches are cut out of it without looking at single words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

PAD = 0
POOL = 32
"""So many batches are sorted by length together: enough for little padding, few enough to stay random."""


@dataclass(frozen=True, slots=True)
class RaggedArray:
    """Rows of different lengths, one after another."""

    flat: NDArray[np.int64]
    starts: NDArray[np.int64]
    """Where each row begins, and the last one's end."""

    @classmethod
    def of(cls, rows: Sequence[Sequence[int]]) -> RaggedArray:
        """From lists."""
        starts = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=starts[1:])
        flat = np.fromiter((number for row in rows for number in row), np.int64, int(starts[-1]))
        return cls(flat, starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """How long each row is."""
        return np.diff(self.starts)

    def padded(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Some rows as a table, padded at their ends, and their lengths.

        Example:
            >>> RaggedArray.of([[1, 2], [3], [4, 5, 6]]).padded(np.array([1, 0]))[0].tolist()
            [[3, 0], [1, 2]]
        """
        begin, lengths = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        steps = np.arange(max(1, int(lengths.max(initial=0))))
        is_there = steps < lengths[:, None]
        table = np.full(is_there.shape, PAD, np.int64)
        table[is_there] = self.flat[(begin[:, None] + steps)[is_there]]
        return table, lengths

    def joined(self, rows: NDArray[np.intp]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Some rows one after another, and where each begins, as bags of words are given.

        Example:
            >>> [part.tolist() for part in RaggedArray.of([[1, 2], [3], [4, 5, 6]]).joined(np.array([2, 1]))]
            [[4, 5, 6, 3], [0, 3]]
        """
        begin, lengths = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        offsets = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64)
        places = np.repeat(begin - offsets, lengths) + np.arange(int(lengths.sum()))
        return self.flat[places], offsets


def bucketed(lengths: NDArray[np.int64], batch: int, rng: np.random.Generator) -> list[NDArray[np.intp]]:
    """Every row once, in random batches of rows of about the same length.

    Example:
        >>> made = bucketed(np.array([3, 9, 3, 9]), 2, np.random.default_rng(0))
        >>> sorted(sorted(rows.tolist()) for rows in made)
        [[0, 2], [1, 3]]
    """
    order = rng.permutation(len(lengths))
    batches: list[NDArray[np.intp]] = []
    for begin in range(0, len(order), batch * POOL):
        pool = order[begin : begin + batch * POOL]
        pool = pool[np.argsort(lengths[pool], kind="stable")]
        batches += [pool[at : at + batch] for at in range(0, len(pool), batch)]
    return [batches[place] for place in rng.permutation(len(batches))]
