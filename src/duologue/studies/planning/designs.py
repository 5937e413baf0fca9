"""What every planned design has: a test, sets of judgments, the gap in words, and other numbers for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from duologue.protocols import say_percent
from duologue.stats import (
    Design,
    ForcedChoice,
    PilotDiscordance,
    PilotEffect,
    RateAgainstStandard,
    SampleSize,
)
from duologue.studies.planning.request import PlanRequest, gap_of, holm_note, level_of_each_test


@dataclass(frozen=True, slots=True)
class DialogueCount:
    """How many dialogues a study needs, and what they are."""

    are: str
    number: Callable[[int, int], int]
    """Of the judgments for each matchup, bot or group, and of how many of those there are."""
    asked_too: str = ""
    """What is asked once in every dialogue and counts for nothing; empty where all counts."""

    def say(self, judgments: int, sets: int) -> str:
        """What the dialogues are, and how much is asked in all of them where not everything counts."""
        if not self.asked_too:
            return self.are
        asked = judgments * sets + self.number(judgments, sets)
        return f"{self.are}, and {self.asked_too}: {asked:,} are asked in all"


DIALOGUE_A_JUDGMENT = DialogueCount(
    "one for each, if none is judged twice", lambda judgments, sets: judgments * sets
)
"""Every judgment is about a dialogue of its own."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another number for the same gap, and what it stands for."""

    judgments: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDesign:
    """The design of a study, worked out from a request."""

    title: str
    unit: str
    """What is counted, such as "turns" or "ratings per bot"."""
    design: Design
    gap: float
    sets: int
    """How many matchups, bots or groups need that many each."""
    sets_are: str
    dialogues: DialogueCount
    readings: tuple[str, ...]
    request: PlanRequest
    """What was asked for, with every open choice filled in."""
    paper: SampleSize | None = None
    alternatives: tuple[Alternative, ...] = ()
    notes: tuple[str, ...] = ()
    comparison_notes: tuple[str, ...] = ()
    """What stands below a table of several designs; the same of several stands there once."""
    pilot: PilotEffect | PilotDiscordance | None = None
    cluster_size: float | None = None
    """Judgments that share a dialogue or an annotator, where it is not what the request says."""
    clusters_are: str = "judgments by one annotator"
    """What they are in words."""
    is_effect_shared: bool = True
    """Whether the design effect of such judgments is the same for the alternatives."""
    at_a_time: int = 1
    """Judgments that are given together, in one answer: three in a ranking of three."""
    read_at_a_time: int = 0
    """Dialogues that are read for one answer; 0 where none are read."""
    can_stop_early: bool = True
    """Whether there is a rule for stopping early."""
    is_test_clustered: bool = False
    """Whether annotators are part of the test: then only a stated cluster size has a design effect."""
    widest_gap: float | None = None
    """The largest gap that there can be, where the design itself has no such bound: that of the scale."""
    notes_on: Callable[[int], tuple[str, ...]] = lambda judgments: ()
    """What there is to say about so many judgments."""


def forced_choice_design(
    filled: PlanRequest,
    *,
    title: str,
    unit: str,
    dialogues: DialogueCount,
    stated_by: str = "",
    paper: SampleSize | None = None,
    alternatives: tuple[Alternative, ...] = (),
    is_effect_shared: bool = True,
    read_at_a_time: int = 0,
) -> PlannedDesign:
    """Two bots, one must be chosen: whole dialogues, or replies at a turn.

    Args:
        filled: The request, every open choice filled in.
        title: What the design is called.
        unit: What is counted.
        dialogues: How dialogues are counted.
        stated_by: Who states the gap from even, to be added to that reading.
        paper: What the protocol's paper would plan.
        alternatives: Other numbers for the same gap.
        is_effect_shared: Whether the design effect is the same for the alternatives.
        read_at_a_time: Dialogues that are read for one answer.
    """
    gap, test = gap_of(filled), filled.test or "exact"
    return PlannedDesign(
        title=title,
        unit=unit,
        design=ForcedChoice(alpha=level_of_each_test(filled), test=test),
        gap=gap,
        sets=filled.matchups or 1,
        sets_are=plural(filled.matchups or 1, "matchup"),
        dialogues=dialogues,
        readings=(
            f"{gap:g} between the two bots: {say_percent((1 + gap) / 2)} of the wins "
            f"against {say_percent((1 - gap) / 2)}",
            f"{gap / 2:g} from even{stated_by}",
        ),
        request=filled,
        paper=paper,
        alternatives=alternatives,
        notes=holm_note(filled),
        is_effect_shared=is_effect_shared,
        read_at_a_time=read_at_a_time,
    )


def standard_readings(design: RateAgainstStandard, gap: float) -> tuple[str, ...]:
    """The gap from a standard, in words."""
    rates = " or ".join(f"{say_percent(rate, 0)}" for rate in design.rates(gap))
    return (f"{gap:g} away from the standard of {design.null:g}: {rates}, sized for the harder one",)


def plural(count: int, noun: str) -> str:
    """The noun, in the plural when there are several."""
    return noun if count == 1 else f"{noun}s"
