"""Counts over many dialogues in one pass: sums that add up exactly, and twelve bytes for each reply."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from duologue.dialogues import Dialogue
from duologue.metrics.logs.counting import CommonWords, Count, Side, count_dialogue
from duologue.metrics.logs.meaning import MeaningModels
from duologue.stats import RatioSums

AT_ONCE = 4096
"""Dialogues whose counts are summed together."""
Sums = NDArray[np.int64]


class LogTally:
    """Grows with every dialogue that is looked at; tallies of parts of the logs add up to that of the whole.

    Memory: the sums are of fixed size for each bot, and every reply takes eight bytes of a digest and four
    for its dialogue, from which unique replies are told at the end.
    """

    def __init__(self, common: CommonWords | None = None, meaning: MeaningModels | None = None) -> None:
        self.common, self.meaning = common, meaning
        self.dialogues: dict[str, int] = {}
        self.turns = 0
        self.sides: dict[tuple[str, Side], SideTally] = {}

    def look(self, dialogue: Dialogue) -> None:
        """Count one dialogue."""
        number = self.dialogues.get(dialogue.bot, 0)
        self.dialogues[dialogue.bot] = number + 1
        self.turns += len(dialogue.turns)
        for side, counts in count_dialogue(dialogue, self.common, self.meaning).items():
            key = dialogue.bot, side
            if key not in self.sides:
                self.sides[key] = SideTally()
            self.sides[key].add(counts.row, counts.replies, number)

    def merge(self, other: LogTally) -> None:
        """Add the tally of other dialogues."""
        for (bot, side), tally in other.sides.items():
            mine = self.sides.setdefault((bot, side), SideTally())
            mine.merge(tally, self.dialogues.get(bot, 0))
        for bot, count in other.dialogues.items():
            self.dialogues[bot] = self.dialogues.get(bot, 0) + count
        self.turns += other.turns


@dataclass(slots=True)
class SideTally:
    """Of one side of all dialogues of one bot: sums of counts, and sums of their products."""

    sums: Sums = field(default_factory=lambda: np.zeros(len(Count), dtype=np.int64))
    products: Sums = field(default_factory=lambda: np.zeros((len(Count), len(Count)), dtype=np.int64))
    having: Sums = field(default_factory=lambda: np.zeros(len(Count), dtype=np.int64))
    """In how many dialogues a count is above zero."""
    digests: array[int] = field(default_factory=lambda: array("Q"))
    owners: array[int] = field(default_factory=lambda: array("L" if array("L").itemsize == 4 else "I"))
    _rows: list[list[int]] = field(default_factory=list)

    def add(self, row: list[int], replies: list[str], dialogue: int) -> None:
        """Add the counts of one dialogue."""
        self._rows.append(row)
        if len(self._rows) >= AT_ONCE:
            self.settle()
        self.digests.extend(map(_digest, replies))
        self.owners.extend([dialogue] * len(replies))

    def merge(self, other: SideTally, first: int) -> None:
        """Add other dialogues, whose numbers begin after those of so many."""
        self.settle()
        other.settle()
        self.sums += other.sums
        self.products += other.products
        self.having += other.having
        self.digests.extend(other.digests)
        self.owners.extend((np.frombuffer(other.owners, dtype=np.uint32) + np.uint32(first)).tolist())

    def settle(self) -> None:
        """Sum up the counts that are still kept apart."""
        if self._rows:
            rows = np.array(self._rows, dtype=np.int64)
            self.sums = self.sums + rows.sum(axis=0)  # not in place: what Ray hands over is read-only
            self.products = self.products + rows.T @ rows
            self.having = self.having + (rows > 0).sum(axis=0)
            self._rows.clear()

    def ratio(self, x: Count, n: Count) -> RatioSums:
        """The sums that a ratio of two counts and its interval need."""
        self.settle()
        return RatioSums(
            int(self.having[n]),
            int(self.sums[x]),
            int(self.sums[n]),
            int(self.products[x, x]),
            int(self.products[x, n]),
            int(self.products[n, n]),
        )

    def unique(self) -> tuple[int, Sums, Sums]:
        """Replies said once in all logs; by dialogue how many fewer without it, and how many replies."""
        digests = np.frombuffer(self.digests, dtype=np.uint64)
        names, owners = np.unique(np.frombuffer(self.owners, dtype=np.uint32), return_inverse=True)
        order = np.lexsort((owners, digests))
        digests, owners = digests[order], owners[order]
        is_new = np.r_[True, (digests[1:] != digests[:-1]) | (owners[1:] != owners[:-1])]
        starts = np.flatnonzero(is_new)
        inside = np.diff(np.r_[starts, len(digests)])  # times in one dialogue
        texts = np.cumsum(np.r_[True, digests[starts][1:] != digests[starts][:-1]]) - 1
        times = np.bincount(texts, weights=inside).astype(np.int64)[texts]  # times in all
        lost = (times == 1).astype(np.int64) - (times - inside == 1)
        fewer = np.bincount(owners[starts], weights=lost, minlength=len(names)).astype(np.int64)
        return int((times == 1).sum()), fewer, np.bincount(owners, minlength=len(names))


def _digest(text: str) -> int:
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
