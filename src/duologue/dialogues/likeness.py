"""Bots that say the same: the same file under two names, or two names of one bot."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from duologue.dialogues.reading import digest_of
from duologue.dialogues.records import Dialogue

FEWEST_TURNS = 5
SHORTEST_TURN = 20
"""Shorter turns ("How are you?") are said by everybody."""

ALIKE_SHARE = 0.8
"""Two bots are near-identical when so many different turns of the one are also the other's."""


@dataclass(frozen=True, slots=True)
class SimilarBots:
    """Two bots of which one says much the same as the other."""

    first: str
    second: str
    shared: int
    turns: int
    """Different turns of the one that has fewer."""

    def __str__(self) -> str:
        """Say it to the researcher."""
        return (
            f"bots {self.first!r} and {self.second!r} are near-identical: {self.shared:,} of {self.turns:,} "
            "different turns are the same word for word. Is it one file under two names?"
        )


class LikenessTally:
    """The turns of every bot, by 8 bytes each."""

    def __init__(self) -> None:
        self._said: defaultdict[str, set[bytes]] = defaultdict(set)

    def look(self, dialogue: Dialogue) -> None:
        """Remember what the judged speaker says, letter case and spaces apart."""
        said = self._said[dialogue.bot]
        for turn in dialogue.turns:
            if turn.speaker == dialogue.judged and len(turn.text) >= SHORTEST_TURN:
                said.add(digest_of(" ".join(turn.text.lower().split()))[:8])

    def watching(self, dialogues: Iterable[Dialogue]) -> Iterator[Dialogue]:
        """The dialogues as they are, each looked at on its way."""
        for dialogue in dialogues:
            self.look(dialogue)
            yield dialogue

    def found(self) -> tuple[SimilarBots, ...]:
        """Every two bots that are near-identical."""
        pairs = []
        for first, second in itertools.combinations(sorted(self._said), 2):
            fewer = min(len(self._said[first]), len(self._said[second]))
            shared = len(self._said[first] & self._said[second]) if fewer >= FEWEST_TURNS else 0
            if shared and shared >= ALIKE_SHARE * fewer:
                pairs.append(SimilarBots(first, second, shared, fewer))
        return tuple(pairs)
