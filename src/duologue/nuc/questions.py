"""A question as it is kept in the extras of an item: the context, the replies, and which one is true."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from duologue.dialogues import Json, read_persona_line

if TYPE_CHECKING:
    from duologue.dialogues import NextTurnItem
    from duologue.protocols import Item

QUESTION = "question"
"""Under which the extras of an item have it."""


@dataclass(frozen=True, slots=True)
class NextTurnQuestion:
    """A context with candidate replies, by their places in the file they were drawn from."""

    item: str
    """Its id in that file; the same question may be in the questionnaires of several cohorts."""
    corpus: str
    context: tuple[tuple[str, str], ...]
    """Speaker and text of each turn."""
    candidates: tuple[str, ...]
    truth: int
    background: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    """The speaker whom each line of the background is about; "" where nobody knows."""

    @classmethod
    def of(cls, item: NextTurnItem) -> NextTurnQuestion:
        """The question that an item of ``nuc build`` asks."""
        context = tuple((turn.speaker, turn.text) for turn in item.context)
        return cls(item.id, item.corpus, context, item.candidates, item.truth, item.background, item.about)

    def record(self) -> dict[str, Json]:
        """As JSON, for the extras of an item."""
        record: dict[str, Json] = {
            "item": self.item,
            "corpus": self.corpus,
            "context": [list(turn) for turn in self.context],
            "candidates": list(self.candidates),
            "truth": self.truth,
        }
        background = {"background": list(self.background), "about": list(self.about)}
        return record | ({key: lines for key, lines in background.items() if lines})

    def told(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """What is known beside the conversation: first lines about nobody, then each speaker with theirs.

        Example:
            >>> lines = "your persona: i ski.", "partner's persona: i nap.", "your persona: i dance."
            >>> NextTurnQuestion("i", "c", (), (), 0, lines, ("B", "A", "B")).told()
            (('A', ('i nap.',)), ('B', ('i ski.', 'i dance.')))
        """
        found: defaultdict[str, list[str]] = defaultdict(list)
        for line, speaker in zip(self.background, self.about or [""] * len(self.background), strict=True):
            found[speaker].append(read_persona_line(line)[1] if speaker else line)
        return tuple((speaker, tuple(found[speaker])) for speaker in sorted(found))

    def next_speaker(self) -> str:
        """Who says the reply, where two take turns; empty where nobody knows.

        Example:
            >>> NextTurnQuestion("i", "c", (("A", "Hi"), ("B", "Hi!"), ("A", "Well?")), (), 0).next_speaker()
            'B'
        """
        said = [speaker for speaker, _ in self.context]
        takes_turns = all(one != after for one, after in pairwise(said))
        return said[-2] if takes_turns and len(set(said)) == 2 else ""

    def says_whose(self) -> bool:
        """Whether it is known whom each persona line is about."""
        about = self.about or [""] * len(self.background)
        return all(
            speaker or not read_persona_line(line)[0]
            for line, speaker in zip(self.background, about, strict=True)
        )


def question_of(item: Item) -> NextTurnQuestion:
    """The question of a study's item, as `NextTurnQuestion.record` wrote it."""
    record = item.extras[QUESTION]
    assert isinstance(record, Mapping)  # noqa: S101  drawn by this package
    context, candidates = record["context"], record["candidates"]
    background, about = record.get("background", ()), record.get("about", ())
    return NextTurnQuestion(
        item=str(record["item"]),
        corpus=str(record["corpus"]),
        context=tuple((str(speaker), str(text)) for speaker, text in context),
        candidates=tuple(map(str, candidates)),
        truth=int(str(record["truth"])),
        background=tuple(map(str, background)),
        about=tuple(map(str, about)),
    )
