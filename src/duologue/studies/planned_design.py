"""What every planned design has: a test, sets of judgments, the gap in words, and other numbers for it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from duologue.errors import DesignError
from duologue.stats import (
    AgainstStandard,
    Design,
    ForcedChoice,
    PilotDiscordance,
    PilotEffect,
    PooledChoice,
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
    alternatives = []
    if filled.protocol == "acute":  # its analysis uses the exact test with Holm, and nothing else is offered
        if (bots := bots_of_all_pairs(filled)) is not None:
            pooled = sample_size(_pooled(filled, bots), gap, power=filled.power)
            what = (
                f'with verdicts = "pooled" in [acute]: strengths from all matchups of the {bots} bots decide'
            )
            alternatives.append(Alternative(pooled.judgments, what))
    else:
        swapped = sample_size(
            ForcedChoice(alpha=level_of_each_test(filled), test=other), gap, power=filled.power
        )
        alternatives.append(Alternative(swapped.judgments, f"{other} binomial test"))
        if (filled.matchups or 1) > 1:
            alone = sample_size(ForcedChoice(alpha=filled.alpha, test=test), gap, power=filled.power)
            alternatives.append(
                Alternative(alone.judgments, "each matchup on its own, without Holm's correction")
            )
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


def pooled_choice_design(filled: PlanRequest, *, title: str) -> PlannedDesign:
    """Every bot against every other, decided by strengths pooled over all matchups.

    Raises:
        DesignError: There are fewer than three bots, or not every bot meets every other.
    """
    gap, bots = gap_of(filled), bots_of_all_pairs(filled)
    if bots is None:
        raise DesignError(
            "pooled verdicts are planned for three bots or more of which each meets every other. Leave "
            "--matchups out, or plan direct verdicts."
        )
    direct = sample_size(ForcedChoice(alpha=level_of_each_test(filled)), gap, power=filled.power)
    return PlannedDesign(
        title=f"{title}, pooled verdicts",
        unit="judgments",
        design=_pooled(filled, bots),
        gap=gap,
        sets=filled.matchups or 1,
        sets_are="matchups",
        dialogues="of-each-bot",
        readings=(
            f"{gap:g} between two bots: {(1 + gap) / 2:.1%} of the wins against {(1 - gap) / 2:.1%}",
            f"{math.log((1 + gap) / (1 - gap)):.2f} between their strengths (log-odds), the others half-way",
        ),
        request=filled,
        alternatives=(
            Alternative(direct.judgments, 'with verdicts = "direct": each matchup by its own judgments'),
        ),
        notes=(
            "pooled verdicts decide with 20 annotators or more, more annotators than bots, and a "
            "lack-of-fit test that does not reject; otherwise the direct ones do, and their power is part of "
            "this number.",
        ),
    )


def bots_of_all_pairs(filled: PlanRequest) -> int | None:
    """How many bots there are, when there are three or more and each meets every other."""
    matchups = filled.matchups or 1
    bots = filled.bots if filled.bots is not None else round((1 + math.sqrt(1 + 8 * matchups)) / 2)
    return bots if bots > 2 and matchups == bots * (bots - 1) // 2 else None


def _pooled(filled: PlanRequest, bots: int) -> PooledChoice:
    shared = max(1.0, (filled.tests or filled.matchups or 1) / (filled.matchups or 1))
    each = filled.per_annotator or 1
    return PooledChoice(bots=bots, per_annotator=each, alpha=filled.alpha / shared)


def standard_readings(design: AgainstStandard, gap: float) -> tuple[str, ...]:
    """The gap from a standard, in words."""
    rates = " or ".join(f"{rate:.0%}" for rate in design.rates(gap))
    return (f"{gap:g} away from the standard of {design.null:g}: {rates}, sized for the harder one",)


def plural(count: int, noun: str) -> str:
    """The noun, in the plural when there are several."""
    return noun if count == 1 else f"{noun}s"
