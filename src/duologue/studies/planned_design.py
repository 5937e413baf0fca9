"""What every planned design has: a test, sets of judgments, the gap in words, and other numbers for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from duologue.stats import (
    AgainstStandard,
    Design,
    ForcedChoice,
    PilotDiscordance,
    PilotEffect,
    SampleSize,
    sample_size,
)
from duologue.studies.plan_request import PlanRequest, gap_of, holm_note, level_of_each_test

Dialogues = Literal["of-each-bot", "of-turns", "of-judgments"]
"""How dialogues are counted: logs of each bot, live chats of several turns, or one a judgment."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another number for the same gap, and what it stands for."""

    judgments: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDesign:
    """One of the designs of the papers, worked out from a request."""

    title: str
    unit: str
    """What is counted, such as "turns" or "ratings per bot"."""
    design: Design
    gap: float
    sets: int
    """How many matchups, bots or groups need that many each."""
    sets_are: str
    dialogues: Dialogues
    readings: tuple[str, ...]
    request: PlanRequest
    """What was asked for, with every open choice filled in."""
    paper: SampleSize | None = None
    alternatives: tuple[Alternative, ...] = ()
    notes: tuple[str, ...] = ()
    pilot: PilotEffect | PilotDiscordance | None = None


def forced_choice_design(
    filled: PlanRequest, *, title: str, unit: str, dialogues: Dialogues, paper: SampleSize | None
) -> PlannedDesign:
    """Two bots, one must be chosen: an ACUTE matchup or pairwise select-one-best."""
    gap, test = gap_of(filled), filled.test or "exact"
    other: Literal["exact", "mid-p"] = "mid-p" if test == "exact" else "exact"
    size = sample_size(ForcedChoice(alpha=level_of_each_test(filled), test=test), gap, power=filled.power)
    swapped = sample_size(ForcedChoice(alpha=level_of_each_test(filled), test=other), gap, power=filled.power)
    alternatives = [Alternative(swapped.judgments, f"{other} binomial test")]
    bots = filled.bots
    if (filled.matchups or 1) > 1:
        alone = sample_size(ForcedChoice(alpha=filled.alpha, test=test), gap, power=filled.power)
        alternatives.append(
            Alternative(alone.judgments, "each matchup on its own, without Holm's correction")
        )
    if bots is not None and bots > 2 and filled.matchups == bots * (bots - 1) // 2:
        pooled = -(-size.judgments * 2 // bots)
        what = f"pooled over all {bots} bots by Bradley–Terry, if that model fits (2/{bots} of the number)"
        alternatives.append(Alternative(pooled, what))
    return PlannedDesign(
        title=title,
        unit=unit,
        design=ForcedChoice(alpha=level_of_each_test(filled), test=test),
        gap=gap,
        sets=filled.matchups or 1,
        sets_are=plural(filled.matchups or 1, "matchup"),
        dialogues=dialogues,
        readings=(
            f"{gap:g} between the two bots: {(1 + gap) / 2:.1%} of the wins against {(1 - gap) / 2:.1%}",
            f"{gap / 2:g} from even: how the per-turn paper states it when one must be chosen",
        ),
        request=filled,
        paper=paper,
        alternatives=tuple(alternatives),
        notes=holm_note(filled),
    )


def standard_readings(design: AgainstStandard, gap: float) -> tuple[str, ...]:
    """The gap from a standard, in words."""
    rates = " or ".join(f"{rate:.0%}" for rate in design.rates(gap))
    return (f"{gap:g} away from the standard of {design.null:g}: {rates}, sized for the harder one",)


def plural(count: int, noun: str) -> str:
    """The noun, in the plural when there are several."""
    return noun if count == 1 else f"{noun}s"
