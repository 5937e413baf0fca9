"""The designs of the papers as they are planned: which test, how many sets of judgments, in which words."""

from __future__ import annotations

import dataclasses
import math

from duologue.errors import DesignError
from duologue.stats import AgainstStandard, RatingDifference, TwoGroups
from duologue.studies.plan_per_turn import per_turn_design
from duologue.studies.plan_request import (
    PlanRequest,
    fill,
    gap_of,
    holm_note,
    level_of_each_test,
    number_of_matchups,
    refuse_meaningless,
    required,
    several_bots,
)
from duologue.studies.planned_design import (
    PlannedDesign,
    forced_choice_design,
    plural,
    pooled_choice_design,
    standard_readings,
)


def planned_design(request: PlanRequest) -> PlannedDesign:
    """The design that a request means.

    Raises:
        DesignError: The request contradicts itself; says what to change.
    """
    if request.verdicts == "pooled" and request.protocol != "acute":
        raise DesignError(f"--verdicts pooled belongs to --protocol acute, not to {request.protocol}.")
    match request.protocol, request.mechanism, request.setting:
        case "acute", None, None:
            return _acute(request)
        case "per-turn", _, _:
            return per_turn_design(request)
        case "likert", None, None:
            return _likert(request)
        case "nuc", None, None:
            return _nuc(request)
    raise DesignError(f"--mechanism and --setting belong to --protocol per-turn, not to {request.protocol}.")


def _acute(request: PlanRequest) -> PlannedDesign:
    refuse_meaningless(request, "null", "base", "discordance", "pilot", "pilot_w", "sd", "turns_per_dialogue")
    matchups = number_of_matchups(request)
    filled = fill(request, gap=0.2, test="exact", seconds=60.0, per_annotator=matchups, matchups=matchups)
    if filled.verdicts == "pooled":
        return pooled_choice_design(filled, title="ACUTE-EVAL, two dialogues side by side")
    return forced_choice_design(
        filled,
        title="ACUTE-EVAL, two dialogues side by side",
        unit="judgments",
        dialogues="of-each-bot",
        paper=None,
    )


def _likert(request: PlanRequest) -> PlannedDesign:
    refuse_meaningless(
        request, "null", "base", "discordance", "pilot", "pilot_w", "test", "turns_per_dialogue"
    )
    bots = several_bots(request)
    filled = fill(request, gap=0.3, sd=1.0, bots=bots, seconds=300.0, per_annotator=bots, icc=LENIENCY_ICC)
    filled = dataclasses.replace(filled, matchups=number_of_matchups(filled))
    gap, sd, each = gap_of(filled), required(filled.sd), required(filled.per_annotator)
    if not 0 < sd < math.inf:
        raise DesignError(f"--sd must be positive; got {sd:g}.")
    return PlannedDesign(
        title="Likert ratings of whole dialogues",
        unit="ratings per bot",
        design=RatingDifference(
            sd=sd,
            alpha=level_of_each_test(filled),
            icc=required(filled.icc),
            bots=bots,
            per_annotator=each,
        ),
        gap=gap,
        sets=bots,
        sets_are=plural(bots, "bot"),
        dialogues="of-judgments",
        readings=(
            f"{gap:g} points of the scale between two mean ratings",
            f"{gap / sd:.3g} standard deviations of a rating (Cohen's d)",
        ),
        request=filled,
        notes=(
            *holm_note(filled),
            *_leniency_note(filled, is_stated=request.icc is not None),
            *(
                ()
                if request.sd is not None
                else ("the standard deviation of a rating is a guess; state yours with --sd.",)
            ),
        ),
    )


LENIENCY_ICC = 0.1
"""How far two ratings by one annotator correlate unless that is stated: `[stopping] icc` of a new study."""


def _leniency_note(filled: PlanRequest, *, is_stated: bool) -> tuple[str, ...]:
    """What the number takes for granted about ratings by one annotator."""
    each, bots, icc = required(filled.per_annotator), required(filled.bots), required(filled.icc)
    if each == 1:
        return (
            "nobody rates twice, so that lenient and harsh annotators cannot be told from the bots they met.",
        )
    which = "every bot" if each >= bots else f"{each} of the {bots} bots"
    often = f" {each / bots:g} times" if each > bots else ""
    guess = "" if is_stated else "; state yours with --icc, or 0 to count on none"
    return (
        f"every annotator rates {which}{often}, and two ratings by one annotator are taken to correlate by "
        f"{icc:g} (leniency, which the analysis takes off){guess}.",
    )


def _nuc(request: PlanRequest) -> PlannedDesign:
    refuse_meaningless(
        request, "discordance", "pilot", "pilot_w", "sd", "turns_per_dialogue", "bots", "matchups"
    )
    if request.null is not None and request.base is not None:
        raise DesignError(
            "--null holds one group against a standard, --base compares two groups: give one of them."
        )
    if request.null is not None:
        filled = fill(request, gap=0.1, test="exact", seconds=30.0, per_annotator=10)
        null, gap = required(filled.null), gap_of(filled)
        alone = AgainstStandard(null=null, alpha=filled.alpha, test=filled.test or "exact")
        return PlannedDesign(
            title="Next utterance classification, recall against a standard",
            unit="answers",
            design=alone,
            gap=gap,
            sets=1,
            sets_are="group",
            dialogues="of-judgments",
            readings=standard_readings(alone, gap),
            request=filled,
        )
    refuse_meaningless(request, "test")
    filled = fill(request, gap=0.1, base=0.5, seconds=30.0, per_annotator=10)
    base, gap = required(filled.base), gap_of(filled)
    lower = f"{base:.0%} against {base - gap:.0%}" if base >= gap else ""
    upper = f"{base:.0%} against {base + gap:.0%}" if base + gap <= 1 else ""
    return PlannedDesign(
        title="Next utterance classification, recall of two groups",
        unit="answers per group",
        design=TwoGroups(base=base, alpha=filled.alpha),
        gap=gap,
        sets=2,
        sets_are="groups",
        dialogues="of-judgments",
        readings=(f"{gap:g} between the two groups' recall: " + " or ".join(filter(None, (lower, upper))),),
        request=filled,
        notes=(
            ()
            if request.base is not None
            else ("the recall of one group is taken as 0.5; state yours with --base.",)
        ),
    )
