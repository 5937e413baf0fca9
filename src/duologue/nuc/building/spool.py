"""Dialogues on disk while items are made of them, each found by its number.

Memory holds some forty bytes a dialogue, whatever is said in it.
"""

from __future__ import annotations

import json
import os
from array import array
from dataclasses import dataclass
from hashlib import blake2b
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from duologue.strict_json import read_json


@dataclass(frozen=True, slots=True)
class SpooledDialogue:
    """What is kept of a dialogue: its first turns, as many as an item can show or ask for."""

    id: str
    background: list[str]
    about: list[str]
    """Whom each line of the background is about."""
    speakers: list[str]
    texts: list[str]


class Spool:
    """The dialogues of one corpus, without those that say the very same as an earlier one."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._ends = array("q", [0])
        self._digests = array("Q")
        self._seen: set[int] = set()

    def __len__(self) -> int:
        """How many dialogues it holds."""
        return len(self._digests)

    def add(self, dialogue: SpooledDialogue, *, whole: str) -> bool:
        """Add a dialogue unless it is there; says whether it was added.

        Args:
            dialogue: What is kept of it.
            whole: All that is said in it.
        """
        digest = int.from_bytes(blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=8).digest())
        if digest in self._seen:
            return False
        self._seen.add(digest)
        self._digests.append(digest)
        fields = [dialogue.id, dialogue.background, dialogue.about, dialogue.speakers, dialogue.texts]
        line = json.dumps(fields, separators=(",", ":")).encode()
        self._file.write(line)
        self._ends.append(self._ends[-1] + len(line))
        return True

    def close(self) -> None:
        """Make what was added readable; nothing is added after that."""
        self._file.flush()
        self._seen = set()

    def __getitem__(self, number: int) -> SpooledDialogue:
        """A dialogue by its number."""
        start, end = self._ends[number], self._ends[number + 1]
        return SpooledDialogue(*read_json(os.pread(self._file.fileno(), end - start, start)))

    def name(self, number: int) -> str:
        """A name for what is said in a dialogue, the same in every order of the corpus."""
        return f"{self._digests[number]:016x}"

    def first_numbers(self, seed: int, stage: str) -> NDArray[np.float64]:
        """A number from 0 up to 1 for each dialogue; it depends on what is said in it and the seed only."""
        from duologue.seeds import first_numbers

        found = np.empty(len(self))
        for start in range(0, len(self), 50_000):
            names = [self.name(number) for number in range(start, min(start + 50_000, len(self)))]
            found[start : start + len(names)] = first_numbers(seed, stage, names)
        return found / 2**32
