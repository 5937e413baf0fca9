"""What annotators decided, and what was excluded: records only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

SecondsKind = Literal["visible", "wall"]
"""Time the page was visible (measured by script), or between handing out and submitting (without)."""

ExclusionAction = Literal["exclude", "restore"]

Role = Literal["judged", "onboarding", "attention"]
"""What an item is for: to be judged, to be asked first, or to see whether annotators pay attention.

Only what is judged counts; the others have a known answer, and look no different to annotators.
"""


@dataclass(frozen=True, slots=True)
class OfferedReply:
    """What one bot gave as a candidate of a turn."""

    text: str
    seconds: float | None
    has_failed: bool = False


@dataclass(frozen=True, slots=True)
class ChosenTurn:
    """One turn of a live chat with its candidates, and what was chosen there."""

    place: int
    """In the chat, from 0."""
    message: str
    """What the annotator wrote before it; empty where the bots began."""
    replies: tuple[OfferedReply, ...]
    """By the places of the bots in the item."""
    shown: tuple[tuple[int, ...], ...]
    """The places of the bots behind each card, in the order of the cards."""
    chosen: tuple[int, ...]
    """The cards, from 1."""
    written: str
    """The reply that the annotator wrote instead."""
    continuation: int | None
    """The place of the bot whose reply the chat went on with."""
    answer: Mapping[str, object]
    """What else was asked about the cards."""
    seconds: float | None
    at: str


@dataclass(frozen=True, slots=True)
class Judgment:
    """One recorded decision, as it was given. Never changed once stored."""

    id: str
    assignment: str
    annotator: str
    annotator_kind: str
    """How the annotator came: ``lab`` (own link), ``open`` (open link), or a crowd platform's name."""
    arm: str
    item: str
    group: str
    answer: Mapping[str, object]
    """By shown side or position, never by bot name."""
    order: tuple[int, ...]
    """The item's slots in the order they were shown."""
    reason: str
    seconds: float
    seconds_kind: SecondsKind
    at: str
    """UTC, ISO 8601."""
    revision: int
    role: Role
    """Of the item."""
    is_correct: bool | None
    """On items with a known answer, whether it was given."""
    excluded: str = ""
    """The rule that excluded this judgment, empty when it counts."""
    dialogue: str = ""
    """What came of the live chat that was judged, by its id; empty where the item names its dialogues."""
    occasion: int = 1
    """2 where the annotator was asked about the same item once more."""
    turns: tuple[ChosenTurn, ...] = ()
    """Of a live chat in which candidates are chosen from: its turns, where they are read with it."""

    @property
    def is_onboarding(self) -> bool:
        """Whether the item was asked before anything was judged."""
        return self.role == "onboarding"

    @property
    def is_planned(self) -> bool:
        """Whether the plan asked for it: neither a check nor a repeat."""
        return self.role == "judged" and self.occasion == 1


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Excluding a judgment (or restoring it), with who, what, why and when."""

    id: str
    judgment: str
    annotator: str
    action: ExclusionAction
    rule: str
    """Short name: ``onboarding``, ``no-reason``, ``late``, ``researcher``, …"""
    reason: str
    by: str
    at: str
