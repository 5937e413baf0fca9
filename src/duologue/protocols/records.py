"""What protocols hand to the rest, and get from it: items, arms, answers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from duologue.dialogues import Json
from duologue.judgments import Role
from duologue.protocols.pages.forms import FieldValue

if TYPE_CHECKING:
    from duologue.protocols.addenda import Addendum

ONLY_ARM = "main"
"""The name of the one arm of a study that has no arms of its own."""


TURN_BY_TURN = "turn_by_turn"
"""The extra of an item, not a live chat, about which selections are asked for before the answer."""


@dataclass(frozen=True, slots=True)
class Item:
    """What is judged in one go: for ACUTE, a pairing.

    Positions in ``bots``, ``dialogues`` and ``judged`` are the item's *slots*; annotators see them in a
    shown order that belongs to the assignment. An item about something else than bots has ``slots`` alone,
    and its content in ``extras``.
    """

    id: str
    group: str
    """What is counted, planned and analysed together: a matchup, a bot."""
    bots: tuple[str, ...]
    dialogues: tuple[str, ...]
    judged: tuple[str, ...]
    role: Role = "judged"
    gold: Json = None
    """The known answer of an item that is not judged, as its protocol understands it."""
    block: str = ""
    """The version of a questionnaire that it belongs to: an annotator stays in one. Empty: in all of them."""
    cohorts: tuple[str, ...] = ()
    """The cohorts whose places it has, ``""`` for those that all others share. Empty: those of all."""
    factor: str = ""
    """The factor in whose arms it is judged. Empty: in all arms."""
    slots: int = 0
    """How many things it shows in an order that are neither dialogues nor replies of bots."""
    extras: Mapping[str, Json] = field(default_factory=dict)
    line: str = field(default="", init=False, repr=False, compare=False)
    """Its line in the file it was read from, where that is as `item_text` writes it; a copy has none."""

    @property
    def shown(self) -> int:
        """How many things it shows in an order: dialogues, or what has slots alone; 0 for a live chat."""
        return len(self.dialogues) or self.slots

    @property
    def is_judged(self) -> bool:
        """Whether it is there to be judged, and not to see how annotators work."""
        return self.role == "judged"

    @property
    def is_onboarding(self) -> bool:
        """Whether it is asked before anything is judged."""
        return self.role == "onboarding"


@dataclass(frozen=True, slots=True)
class Arm:
    """One condition of a study that runs beside others; for ACUTE, the question asked."""

    name: str
    summary: str
    factor: str = ""
    """What it is a version of, where a study varies several things: an annotator may see one arm of each
    factor. For ACUTE, the axis that a question is a phrasing of."""
    leading: str = ""
    """Of several questions about the same item, the one by which win rates are counted; empty for one."""


BESIDE = ("also", "asked", "took")
"""Keys of an answer that no win rate depends on, so that judgments are counted as alike without them: what
was said to other questions about the item, in which order these were asked, and for how long each."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer: by shown side or position, never by bot name."""

    values: Mapping[str, Json]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Win:
    """How one judgment of two bots went."""

    arm: str
    group: str
    winner: str
    loser: str
    is_tie: bool = False
    """Whether neither won; then the two names are in any order."""


@dataclass(frozen=True, slots=True)
class KeptCounts:
    """What is known of a sequential study while judgments come in, without reading each of them."""

    rows: Sequence[tuple[Mapping[str, Json], int]]
    """Of the judgments that count, one row for all that are alike in what decides their outcome, and how many
    they are. What is not alike, such as the annotator, is that of one of them."""
    groups: Sequence[tuple[str, str]]
    """Every group in every arm, by arm and name."""
    planned: Mapping[str, int]
    """Judgments wanted of each group in one arm; those apart that are asked again and count in no verdict."""
    alpha: float
    gap: float
    per_annotator: int
    """Judgments that one annotator is planned to give in one group."""
    judged_again: Collection[tuple[str, str]]
    """Groups that some annotator has judged more than once."""
    by_hand: Collection[tuple[str, str]]
    """Groups with judgments that count although a researcher excluded them by hand."""
    unsettled: Collection[tuple[str, str]]
    """Groups of which some counted judgments are still to be excluded."""
    annotator_kinds: Collection[str]
    """How those came who have consented: ``lab``, ``open``, a crowd platform."""
    revisions: int
    """Of the study."""
    addenda: Sequence[Addendum] = ()
    """What was added to the plan."""


@dataclass(frozen=True, slots=True)
class AnytimeInterval:
    """The interval of a sequential test of two bots, as the analysis gives it; or why there is none."""

    limits: tuple[float, float] | None
    """For the bot whose name comes first."""
    of: str = "win rate"
    """What it is an interval of."""
    why_none: str = ""
    """A sentence; empty where there is an interval, or nothing has been judged yet."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What was chosen among the candidates of one turn, by the numbers of the cards that were shown."""

    turn: int
    """The place of the turn in the chat, from 0."""
    chosen: tuple[int, ...]
    """The cards, from 1."""
    written: str = ""
    """The reply that the annotator wrote instead."""
    values: Mapping[str, Json] = field(default_factory=dict)
    """What else was asked about the cards."""
    shown: tuple[tuple[int, ...], ...] = ()
    """The candidates behind each card, where the chat is a finished one; a live chat knows them itself."""


@dataclass(frozen=True, slots=True)
class Draft:
    """Part of an answer that is asked for on several screens; the next screen asks for the rest."""

    fields: Mapping[str, FieldValue]
    """What was submitted so far, by the names of the form's fields."""
