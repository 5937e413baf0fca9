"""The seam between protocols and the rest: what every protocol must say about itself.

A protocol never sees the store, the server or a bot. The server asks it what to show (`view`), hands it
the submitted form (`parse`), and stores what comes back; the store counts items by their `group`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from pydantic import BaseModel

from duologue.dialogues import Dialogue, Json
from duologue.judgments import Judgment


@dataclass(frozen=True, slots=True)
class Item:
    """What is judged in one go: for ACUTE, a pairing.

    Positions in ``bots``, ``dialogues`` and ``judged`` are the item's *slots*; annotators see them in a
    shown order that belongs to the assignment.
    """

    id: str
    group: str
    """What is counted, planned and analysed together: for ACUTE the matchup, ``A__vs__B``."""
    bots: tuple[str, ...]
    dialogues: tuple[str, ...]
    judged: tuple[str, ...]
    is_onboarding: bool = False
    gold: int | None = None
    """On onboarding items, the slot that should win."""
    extras: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Arm:
    """One condition of a study that runs beside others; for ACUTE, the question asked."""

    name: str
    summary: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer: by shown side or position, never by bot name."""

    values: Mapping[str, Json]
    reason: str = ""


@runtime_checkable
class StudyProtocol(Protocol):
    """How judgments are asked for. One implementation per protocol."""

    name: ClassVar[str]
    template: ClassVar[str]
    """The page that shows one item, in ``server/templates``."""
    settings_model: ClassVar[type[BaseModel]]

    def arms(self, settings: BaseModel) -> tuple[Arm, ...]:
        """The arms of a study with these settings, at least one."""

    def items_file(self, settings: BaseModel) -> str:
        """The file in the study's folder that holds the items to judge."""

    def annotations_per_item(self, settings: BaseModel) -> int:
        """How many annotators judge each item in each arm."""

    def view(
        self,
        settings: BaseModel,
        arm: str,
        item: Item,
        dialogues: Sequence[Dialogue],
        order: Sequence[int],
    ) -> Mapping[str, object]:
        """What the page shows, blind: no bot name, gold answer or onboarding flag is in it."""

    def parse(self, settings: BaseModel, arm: str, form: Mapping[str, str]) -> Answer:
        """The answer in a submitted form; raises `AnswerError` when it is not legal."""

    def is_correct(
        self, settings: BaseModel, arm: str, item: Item, order: Sequence[int], answer: Answer
    ) -> bool | None:
        """Whether an onboarding item was answered as it should be; None for any other item."""

    def as_row(self, settings: BaseModel, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The judgment as one flat row of the exported table."""
