"""The seam between protocols and the rest: what every protocol must say about itself.

The server asks a protocol what to show (`show`), hands it the submitted form (`read`), and stores what comes
back; the store counts items by their `group`. Nobody asks which protocol it is.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Generic, TypedDict, TypeVar

from pydantic import BaseModel

from duologue.errors import ProtocolError
from duologue.protocols.facts import Counted, Fact
from duologue.protocols.options import AnalysisOptions, PlanOptions
from duologue.protocols.pages.forms import FormValues
from duologue.protocols.pages.moments import AtEnd, ChatMoment
from duologue.seeds import seed_sequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from duologue.bots import Briefing
    from duologue.dialogues import Dialogue, Json
    from duologue.judgments import Column, Judgment
    from duologue.protocols.chat import ChatSettings
    from duologue.protocols.judged import JudgedBatch
    from duologue.protocols.pages.views import CardQuestion, Screen
    from duologue.protocols.records import (
        Answer,
        AnytimeInterval,
        Arm,
        Draft,
        Item,
        KeptCounts,
        Selection,
        Win,
    )


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
    folder: Path = Path()
    """The study's folder, for files of the protocol's own (`StudyProtocol.drawn_files`)."""
    cohorts: tuple[str, ...] = ("",)
    """The cohorts that have places of their own; ``""`` stands for those who share the other places."""

    def shuffled_briefings(self) -> tuple[Briefing, ...]:
        """The briefings in an order of the seed: chats take them one after the other."""
        if not self.briefings:
            return ()
        import numpy as np  # a tenth of a second that showing pages need not wait for

        order = np.random.default_rng(seed_sequence(self.seed, "personas")).permutation(len(self.briefings))
        return tuple(self.briefings[place] for place in order.tolist())


@dataclass(frozen=True, slots=True)
class VerdictRules:
    """How verdicts are reached, said before the first judgment."""

    test: str
    """Which test decides."""
    family: str
    """Which comparisons share the error rate."""
    asks_for_reasons: bool
    """Whether annotators who never give a reason did not do what they were asked."""
    requires_reasons: bool = False
    """Whether no answer is taken without a reason."""
    gap: float | None = None
    """The gap worth finding, where it is not one between win rates: in points of ratings."""


@dataclass(frozen=True, slots=True)
class TruthOption:
    """An option of ``duologue rehearse`` by which somebody says what is true."""

    name: str
    """As it is written after the two dashes."""
    help: str
    example: str
    is_repeated: bool = True


@dataclass(frozen=True, slots=True)
class AskedItem:
    """One item as one annotator is asked about it."""

    arm: str
    item: Item
    order: tuple[int, ...] = ()
    """The slots of the item in the order in which they are shown."""
    dialogues: tuple[Dialogue, ...] = ()
    """Those of the item, by slot; of a live chat that is over, what was said."""
    draft: FormValues = field(default_factory=FormValues)
    """What was answered so far, where there are several screens."""
    moment: ChatMoment = field(default_factory=AtEnd)
    selections: tuple[Selection, ...] = ()
    """What was chosen at the turns so far, where an item is asked about turn by turn."""
    annotator: int = 0
    """A number of the annotator's own, from which follows what belongs to an annotator: an order."""


@dataclass(frozen=True, slots=True)
class View:
    """What a page shows, blind: no bot name, gold answer or onboarding flag is in it."""

    template: str
    """The page, in the folder ``templates`` of the protocol's package."""
    values: Mapping[str, object]
    """What stands in it."""
    screen: Screen | None = None
    """The same as one question with one answer of several, where it is one: it can be asked in a message."""
    cards: CardQuestion | None = None
    """At a turn of a chat, what is asked about its candidates; the page and ``values`` are then its own."""
    share_done: float = 0.0
    """Of a page that is one of several about an item, how much of them is done: for the bar of progress."""
    asks: bool = True
    """Whether anything is asked there; where nothing is, the item is over without this page."""


class Heading(TypedDict, total=False):
    """Of ``[study]``, what annotators and crowd platforms see first."""

    title: str
    description: str
    keywords: tuple[str, ...]


INSTRUCTIONS = "Read what is shown, and answer the questions about it."
"""What annotators are told to do where a protocol says nothing of its own."""

NOTHING_WRITTEN = (
    "Your answers are used for research on conversational systems. Taking part is voluntary: you can stop at "
    "any time, and ask us not to use your answers."
)
"""Consent where annotators write nothing that could be erased."""

HEADING: Heading = {
    "title": "What do you think of these conversations?",
    "description": "Evaluate the quality of conversations.",
    "keywords": ("chat", "evaluation", "conversation"),
}
"""What a study is called where neither its file nor its protocol says it."""

Settings = TypeVar("Settings", bound=BaseModel)
Part = TypeVar("Part")


class StudyProtocol(ABC, Generic[Settings]):
    """How judgments are asked for, bound to the settings of a study.

    All of a protocol is in one package. This class is what serving needs of it; what other stages need
    (`parts`) is loaded by them when they ask for it.
    """

    name: ClassVar[str]
    settings_model: ClassVar[type[BaseModel]]
    """The table of a study file that has the protocol's name."""
    template: ClassVar[str]
    """A study file to begin with, commented; ``{name}`` and ``{seed}`` are filled in."""
    other_templates: ClassVar[Mapping[str, str]] = {}
    """Study files for other ways of collecting dialogues, by the names that ``study new --collect`` takes."""
    next_steps: ClassVar[tuple[str, ...]]
    """The commands that bring a new study to its annotators; ``{study}`` stands for its folder.

    Where they depend on the settings, `study_steps` says so."""
    group_noun: ClassVar[str] = "group"
    """What a group of items is called on the researcher's pages: a matchup, a bot."""
    wording: ClassVar[Mapping[str, str]] = {"instructions": INSTRUCTIONS}
    """Of ``[wording]``, what this protocol says in other words unless the study file sets it.

    Where it depends on the settings, `study_wording` says so."""
    heading: ClassVar[Heading] = HEADING
    """Of ``[study]``, its title, description and keywords unless the study file sets them.

    Where they depend on the settings, `study_heading` says so."""
    fact_settings: ClassVar[Mapping[Fact, str]] = {}
    """By which of its settings a fact holds or not, for sentences about texts that contradict it."""
    truth_options: ClassVar[tuple[TruthOption, ...]] = ()
    """How somebody says what is true in a rehearsal; what is not said is drawn."""
    analysis_options: ClassVar[type[AnalysisOptions]] = AnalysisOptions
    """What only its own analysis can be asked for: options of ``duologue analyse`` and ``report``."""
    free_settings: ClassVar[frozenset[str]] = frozenset()
    """Settings that no judgment depends on: they may change at any time, and are no part of the plan."""
    plan_options: ClassVar[type[PlanOptions]] = PlanOptions
    """What only plans of its studies can be asked for: options of ``duologue study plan``."""
    parts: ClassVar[Mapping[str, str]]
    """Where the other parts are, as ``module:name``: by the ``part`` that their class has."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @classmethod
    def part(cls, kind: type[Part]) -> Part:
        """A part of this protocol, such as its report, loaded now.

        Args:
            kind: The class that the room which asks knows it by; ``kind.part`` is its name.

        Raises:
            ProtocolError: The protocol does not have it, or it cannot be used.
        """
        name: str = getattr(kind, "part")  # noqa: B009  every kind of part has it
        place = cls.parts.get(name)
        if place is None:
            raise ProtocolError(cls.name, f"has no part {name!r}", f"Name it in {cls.__name__}.parts.")
        module, _, attribute = place.partition(":")
        try:
            found = getattr(import_module(module), attribute)()
        except (ImportError, AttributeError, TypeError) as error:
            raise ProtocolError(
                cls.name, f"has a part {name!r} that cannot be loaded ({error})", f"Mend {place}."
            ) from error
        if not isinstance(found, kind):
            raise ProtocolError(cls.name, f"has a part {name!r} that is no {kind.__name__}", f"Mend {place}.")
        return found

    @classmethod
    def templates(cls) -> Path:
        """The folder of its pages."""
        file = sys.modules[cls.__module__].__file__
        assert file is not None  # noqa: S101  a class is defined in a file
        return Path(file).parent / "templates"

    @classmethod
    def static_files(cls) -> Path:
        """The folder of what its pages have of their own: ``page.css`` and ``page.js``, if it is there."""
        return cls.templates().parent / "static"

    def study_steps(self) -> tuple[str, ...]:
        """The commands that bring a study with these settings to its annotators."""
        return self.next_steps

    def facts(self) -> frozenset[Fact] | None:
        """What annotators do in a study with these settings, as far as the settings decide it.

        None where the protocol does not say: then no text is compared with it. Whether a partner may be a
        person, and what follows from other tables, is added by the study.
        """
        return None

    def numbers(self) -> Mapping[Counted, frozenset[int]]:
        """How many of something there can be in a study with these settings; nothing where they do not say.

        An empty set: there are none.
        """
        return {}

    def study_wording(self) -> Mapping[str, str]:
        """Of ``[wording]``, what a study with these settings says in other words."""
        return self.wording

    def item_wording(self, item: Item) -> Mapping[str, str]:
        """Of `study_wording`, what is true of one item in other words, such as of one of an arm."""
        return {}

    def study_heading(self) -> Heading:
        """Of ``[study]``, title, description and keywords of a study with these settings."""
        return self.heading

    @abstractmethod
    def arms(self) -> tuple[Arm, ...]:
        """The arms of the study, at least one."""

    @abstractmethod
    def items_file(self) -> str:
        """The file in the study's folder that holds the items to judge."""

    @abstractmethod
    def annotations_per_item(self) -> int:
        """How many annotators judge each item in each arm."""

    def say_group(self, group: str) -> str:
        """A group of items in words, as it is named in sentences and on pages."""
        return group

    def rivals(self, group: str) -> tuple[str, str] | None:
        """The two that the items of a group compare, the same bot twice included; None where none wins."""
        return None

    def win(self, row: Mapping[str, Json]) -> Win | None:
        """How a judgment went, from its row; None where none wins. It is counted while judgments come in."""
        return None

    def anytime(self, kept: KeptCounts) -> Mapping[tuple[str, str], AnytimeInterval]:
        """Of a sequential study, by arm and group: the interval of the sequential test, valid at any look.

        It is shown while judgments come in, so it must be the one that the analysis of the same judgments
        gives; where counts do not suffice for that it says so instead. None where no test is sequential.
        """
        return {}

    def settings_that_count(self) -> dict[str, Json]:
        """The settings that judgments depend on: a change of them after the first one is a new revision.

        Settings that are as they are by default are left out, and so are the `free_settings`.
        """
        found: dict[str, Json] = self.settings.model_dump(
            mode="json", exclude_defaults=True, exclude=set(self.free_settings)
        )
        return found

    def adding_a_bot_leaves_items(self) -> bool:
        """Whether items stay what they are when ``[[bots]]`` has one more: then it is no new revision."""
        return True

    def max_per_group(self, chat: ChatSettings) -> int | None:
        """How many items of one group an annotator is handed at most; None when it does not matter."""
        return None

    @abstractmethod
    def rules(self, *, stopping: str) -> VerdictRules:
        """By which rules the study reaches its verdicts: part of its plan."""

    def drawn_files(self) -> tuple[str, ...]:
        """Files in the study's folder that the items are drawn from, besides dialogues and personas.

        When one of them changes, the items are drawn again.
        """
        return ()

    def draw(self, material: Material) -> Iterable[Item] | None:
        """The items of the study, drawn by its seed; None when they are made by a command of their own."""
        return None

    @abstractmethod
    def show(self, asked: AskedItem) -> View:
        """What the page shows.

        At a turn of a live chat (``asked.moment``) it says what is asked about the candidates: ``cards``.
        """

    @abstractmethod
    def read(self, asked: AskedItem, form: FormValues) -> Answer | Draft | Selection:
        """The answer in a submitted form, with what earlier screens gave; a draft when there is more to ask.

        At a turn of a chat (``asked.moment``), what was chosen there.

        Raises:
            AnswerError: It is not legal.
        """

    def is_correct(self, asked: AskedItem, answer: Answer) -> bool | None:
        """Whether an item with a known answer was answered as it should be; None for any other item."""
        return None

    def same_answer(self, item: Item, first: Judgment, second: Judgment) -> bool | None:
        """Whether two judgments of an item say the same, in whichever order it was shown each time.

        It is asked of what one annotator answered on two occasions, and of what two annotators answered; None
        where that cannot be said.
        """
        return None

    def different_answers(self) -> int | None:
        """How many different answers `same_answer` tells apart; None where there is no fixed number.

        From it follows how often a judge can agree with an annotator, when two annotators agree so often.
        """
        return None

    def screen(self, asked: AskedItem, answer: Answer) -> Mapping[str, str]:
        """The protocol's own rules that a judgment breaks: it is excluded when it is given.

        By the name of the rule, which stands in the table of exclusions, why; rules that all studies have are
        not for the protocol to apply. Onboarding is not screened so.
        """
        return {}

    def dialogues_read(self) -> int:
        """How many finished dialogues are read for one judgment, which says how long it takes.

        0 where that is not known before: a chat is held for it, or something else is read.
        """
        return 0

    def questions_asked(self) -> int:
        """How many questions are asked about the same item, each of which takes some time of its own."""
        return 1

    def texts_shown(self, asked: AskedItem) -> Iterable[str]:
        """What an annotator has to read before they can answer: all turns of the dialogues, if not else.

        An answer that comes sooner than these words can be read is flagged.
        """
        return (turn.text for dialogue in asked.dialogues for turn in dialogue.turns)

    def position_chosen(self, answer: Answer) -> int | None:
        """The position, as shown and from 1 up, that was chosen; None where positions mean nothing.

        Somebody who chooses by position alone is flagged.
        """
        return None

    def points_given(self, answer: Answer) -> Mapping[str, int]:
        """The points of scales in an answer, by question: somebody who gives all the same is looked at."""
        return {}

    def columns(self, batch: JudgedBatch) -> Mapping[str, Column]:
        """Many judgments as columns that mean what `as_row` says; none where there is no fast way.

        Columns of numbers are arrays. Whether a judgment is excluded is not among them.
        """
        return {}

    @abstractmethod
    def as_row(self, item: Item, judgment: Judgment) -> Mapping[str, Json]:
        """The judgment as one flat row."""

    def as_rows(self, item: Item, judgment: Judgment) -> Sequence[Mapping[str, Json]]:
        """The rows of the exported table that a judgment is: one, unless it compares more than two."""
        return (self.as_row(item, judgment),)
