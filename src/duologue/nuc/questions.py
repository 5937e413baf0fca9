"""A question as it is kept in the extras of an item: the context, the replies, and which one is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duologue.dialogues import Json

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

    @classmethod
    def of(cls, item: NextTurnItem) -> NextTurnQuestion:
        """The question that an item of ``nuc build`` asks."""
        context = tuple((turn.speaker, turn.text) for turn in item.context)
        return cls(item.id, item.corpus, context, item.candidates, item.truth, item.background)

    def record(self) -> dict[str, Json]:
        """As JSON, for the extras of an item."""
        record: dict[str, Json] = {
            "item": self.item,
            "corpus": self.corpus,
            "context": [list(turn) for turn in self.context],
            "candidates": list(self.candidates),
            "truth": self.truth,
        }
        return record | ({"background": list(self.background)} if self.background else {})


def question_of(item: Item) -> NextTurnQuestion:
    """The question of a study's item, as `NextTurnQuestion.record` wrote it."""
    record = item.extras[QUESTION]
    assert isinstance(record, Mapping)  # noqa: S101  drawn by this package
    context, candidates = record["context"], record["candidates"]
    background = record.get("background", ())
    return NextTurnQuestion(
        item=str(record["item"]),
        corpus=str(record["corpus"]),
        context=tuple((str(speaker), str(text)) for speaker, text in context),
        candidates=tuple(map(str, candidates)),
        truth=int(str(record["truth"])),
        background=tuple(map(str, background)),
    )
