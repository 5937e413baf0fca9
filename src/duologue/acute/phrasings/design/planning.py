"""How many annotators a comparison of phrasings needs."""

from __future__ import annotations

import dataclasses

from duologue.acute.design.table import acute_settings
from duologue.acute.options import AcutePlanOptions
from duologue.errors import DesignError
from duologue.protocols import read_items, say_percent
from duologue.stats import ModalDifference
from duologue.studies import (
    DialogueCount,
    PlannedDesign,
    PlanRequest,
    Study,
    fill,
    gap_of,
    refuse_meaningless,
    required,
)

TITLE = "Question optimisation, phrasings asked about the same pair"


def phrasings_design(request: PlanRequest) -> PlannedDesign:
    """The clearest phrasing against the next, by the share of the most chosen answer.

    Raises:
        DesignError: The request asks for what phrasings do not have, or the gap leads below coin flips.
    """
    refuse_meaningless(request, "turns_per_dialogue", "bots", "test")
    stated = request.options_as(AcutePlanOptions)
    if stated.verdicts is not None:
        raise DesignError("--verdicts has no meaning where phrasings are compared. Leave it out.")
    options = stated.fill(base=0.9)
    filled = fill(
        dataclasses.replace(request, options=options),
        gap=0.3,
        seconds=60.0,
        per_annotator=1,
        matchups=3,
        tests=1,
    )
    base, gap = required(options.base), gap_of(filled)
    alpha = filled.alpha / (required(filled.tests) if filled.correction == "holm" else 1)
    design = ModalDifference(base=base, alpha=alpha)
    if not 0.5 < base <= 1 or gap > design.largest_gap + 1e-9:
        raise DesignError(
            f"agreement lies between one half, which is coin flips, and 1: --base {base:g} with a --gap of "
            f"{gap:g} leads to {base - gap:g}."
        )
    notes = [f"agreement by the clearer phrasing is taken as {base:g}; state yours with --base."]
    if (tests := required(filled.tests)) > 1 and filled.correction == "holm":
        notes.append(f"planned for the strictest step of Holm over {tests} axes: alpha {alpha:.3g}.")
    return PlannedDesign(
        title=TITLE,
        unit="judgments",
        design=design,
        gap=gap,
        sets=required(filled.matchups),
        sets_are="phrasings",
        dialogues=DialogueCount("one pair, picked by hand", lambda judgments, phrasings: 2),
        readings=(
            f"{gap:g} between two phrasings: {say_percent(base, 0)} of annotators give the most chosen "
            f"answer by one, {say_percent(base - gap, 0)} by the other",
        ),
        request=filled,
        notes=tuple(notes),
    )


def phrasings_request(study: Study, common: PlanRequest) -> PlanRequest:
    """What a study of phrasings asks of its plan: its phrasings, its axes, and its annotators of each."""
    settings, caps = acute_settings(study), study.caps
    pairs = 1
    if study.items_path.exists():
        items = [item for item in read_items(study.items_path) if item.is_judged]
        pairs = max(1, min(sum(item.factor == axis for item in items) for axis in settings.axes))
    return dataclasses.replace(
        common,
        gap=study.file.stopping.gap,
        options=AcutePlanOptions(collect="phrasings"),
        matchups=len(settings.questions),
        tests=len(settings.axes),
        arms=1,
        judgments=caps.judgments_per_item * pairs,
        per_annotator=caps.arms_per_annotator,
    )
