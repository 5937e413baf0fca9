"""The seam between protocols and the rest: what every protocol must say about itself.

A protocol never sees the store, the server or a bot. The server asks it what to show (`view`), hands it
the submitted form (`parse`), and stores what comes back; the store counts items by their `group`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from pydantic import BaseModel

from duologue.bots import Briefing
from duologue.dialogues import Dialogue, Json
from duologue.judgments import Judgment
from duologue.protocols.chat import ChatSettings
from duologue.protocols.records import Answer, Arm, Draft, Item


@dataclass(frozen=True, slots=True)
class Material:
    """What items are drawn from."""

    bots: tuple[str, ...]
    """The bots of the study that can be talked to."""
    dialogues: Callable[[], Iterable[Dialogue]]
    """The study's collected dialogues, read when asked for."""
    briefings: tuple[Briefing, ...]
    """Personas, topics and openers of the study's file, if it names one."""
    chat: ChatSettings
    """The ``[chat]`` table."""
    seed: int


@dataclass(frozen=True, slots=True)
class VerdictRules:
    """How verdicts are reached, said before the first judgment."""

    test: str
    """Which test decides."""
    family: str
    """Which comparisons share the error rate."""
    asks_for_reasons: bool
    """Whether annotators who never give a reason did not do what they were asked."""
    gap: float | None = None
    """The gap worth finding, where it is not one between win rates: in points of ratings."""


@runtime_checkable
class StudyProtocol(Protocol):
    """How judgments are asked for. One implementation per protocol."""

    name: ClassVar[str]
    template: ClassVar[str]
    """The page that shows one item, in ``server/templates``."""
    settings_model: ClassVar[type[BaseModel]]
    wording: ClassVar[Mapping[str, str]]
    """Of ``[wording]``, what this protocol says in other words unless the study file sets it."""

    def arms(self, settings: BaseModel) -> tuple[Arm, ...]:
        """The arms of a study with these settings, at least one."""

    def items_file(self, settings: BaseModel) -> str:
        """The file in the study's folder that holds the items to judge."""

    def annotations_per_item(self, settings: BaseModel) -> int:
        """How many annotators judge each item in each arm."""

    def max_per_group(self, settings: BaseModel, chat: ChatSettings) -> int | None:
        """How many items of one group an annotator is handed at most; None when it does not matter."""

    def rules(self, settings: BaseModel, *, stopping: str) -> VerdictRules:
        """By which rules a study with these settings reaches its verdicts: part of its plan."""

    def draw(self, settings: BaseModel, material: Material) -> Iterable[Item] | None:
        """The items of a study, drawn by its seed; None when they are made by a command of their own."""

    def view(
        self,
        settings: BaseModel,
        arm: str,
        item: Item,
        dialogues: Sequence[Dialogue],
        order: Sequence[int],
        *,
        draft: Mapping[str, str],
    ) -> Mapping[str, object]:
        """What the page shows, blind: no bot name, gold answer or onboarding flag is in it.

        Of a live chat that is over, ``dialogues`` holds what was said; ``draft`` what was answered so far.
        """

    def parse(self, settings: BaseModel, arm: str, item: Item, form: Mapping[str, str]) -> Answer | Draft:
        """The answer in a submitted form, with what earlier screens gave; a draft when there is more to ask.

        Raises:
            AnswerError: It is not legal.
        """

    def is_correct(
        self, settings: BaseModel, arm: str, item: Item, order: Sequence[int], answer: Answer
    ) -> bool | None:
        """Whether an onboarding item was answered as it should be; None for any other item."""

    def as_row(self, settings: BaseModel, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The judgment as one flat row of the exported table."""
