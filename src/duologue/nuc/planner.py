"""How many answers a study of next utterance classification needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from duologue.errors import DesignError
from duologue.nuc.options import NucPlanOptions
from duologue.nuc.questions import question_of
from duologue.protocols import say_percent
from duologue.stats import CrossedAnswers, RateAgainstStandard, TwoGroups, sample_size
from duologue.studies import (
    DIALOGUE_A_JUDGMENT,
    Alternative,
    DialogueCount,
    PlannedDesign,
    PlanRequest,
    ProtocolPlanner,
    Study,
    fill,
    gap_of,
    planned_items,
    refuse_meaningless,
    required,
    standard_readings,
)

ITEM_ICC = 0.1
"""How two answers to one item correlate, unless it is stated."""


class NucPlanner(ProtocolPlanner):
    """A context and candidate replies, the right one to be found."""

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """Questions of one corpus that an annotator answers, and how many there are in all versions.

        Cohorts are compared in each corpus; it is the one of which a version has most questions.
        """
        judged = [item for item in planned_items(study) if item.is_judged]
        in_version = Counter((item.block, item.group) for item in judged)
        (block, corpus), questions = in_version.most_common(1)[0]
        others = {
            group: count for (of, group), count in in_version.items() if of == block and group != corpus
        }
        items = len({question_of(item).item for item in judged if item.group == corpus})
        same = not any(item.cohorts for item in judged)
        options, stopping = NucPlanOptions(items=items, same_items=same), study.file.stopping
        return replace(
            common,
            per_annotator=questions,
            elsewhere=sum(others.values()) / questions,
            part=_part(corpus, others),
            gap=stopping.gap,
            icc=stopping.icc,
            options=options,
        )

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """One group against a standard, or two groups against each other."""
        refuse_meaningless(request, "bots", "matchups")
        stated = request.options_as(NucPlanOptions)
        if stated.null is not None and stated.base is not None:
            raise DesignError(
                "--null holds one group against a standard, --base compares two groups: give one of them."
            )
        if stated.items is None and stated.item_icc is not None:
            raise DesignError("--item-icc needs --items: how many items does a group answer?")
        if stated.items is not None:
            refuse_meaningless(request, "cluster_size", design="with --items")
        planned = _one_group(request, stated) if stated.null is not None else _two_groups(request, stated)
        return _with_items(planned, request.options_as(NucPlanOptions))


def _part(corpus: str, others: Mapping[str, int]) -> str:
    """That one corpus of several is sized, in a sentence."""
    if not others:
        return ""
    return (
        f"cohorts are compared in each corpus, and the number is for {corpus}. The work in all counts the "
        f"questions of {', '.join(sorted(others))} too, which the same annotators answer."
    )


def _one_group(request: PlanRequest, stated: NucPlanOptions) -> PlannedDesign:
    filled = fill(request, gap=0.1, test="exact", seconds=30.0, per_annotator=10)
    gap = gap_of(filled)
    design = RateAgainstStandard(null=required(stated.null), alpha=filled.alpha, test=filled.test or "exact")
    return PlannedDesign(
        title="Next utterance classification, recall against a standard",
        unit="answers",
        design=design,
        gap=gap,
        sets=1,
        sets_are="group",
        dialogues=DIALOGUE_A_JUDGMENT,
        readings=standard_readings(design, gap),
        request=filled,
    )


def _two_groups(request: PlanRequest, stated: NucPlanOptions) -> PlannedDesign:
    refuse_meaningless(request, "test")
    options = stated.fill(base=0.5)
    filled = fill(replace(request, options=options), gap=0.1, seconds=30.0, per_annotator=10)
    base, gap = required(options.base), gap_of(filled)
    lower = f"{say_percent(base, 0)} against {say_percent(base - gap, 0)}" if base >= gap else ""
    upper = f"{say_percent(base, 0)} against {say_percent(base + gap, 0)}" if base + gap <= 1 else ""
    return PlannedDesign(
        title="Next utterance classification, recall of two groups",
        unit="answers per group",
        design=TwoGroups(base=base, alpha=filled.alpha),
        gap=gap,
        sets=2,
        sets_are="groups",
        dialogues=DIALOGUE_A_JUDGMENT,
        readings=(f"{gap:g} between the two groups' recall: " + " or ".join(filter(None, (lower, upper))),),
        request=filled,
        notes=(
            ()
            if stated.base is not None
            else ("the recall of one group is taken as 0.5; state yours with --base.",)
        ),
    )


def _with_items(planned: PlannedDesign, stated: NucPlanOptions) -> PlannedDesign:
    """The design with items as a sample; where it is not stated how many, the plan asks for them."""
    request, design = planned.request, planned.design
    assert isinstance(design, TwoGroups | RateAgainstStandard)  # noqa: S101  planned above
    if stated.items is None:
        ask = (
            "items are taken as given: a recall that is to hold for others too rests on their variance as "
            "well. State how many a group answers (--items), and how alike two answers to one are "
            "(--item-icc)."
        )
        return replace(planned, notes=(*planned.notes, ask))
    item_icc = ITEM_ICC if stated.item_icc is None else stated.item_icc
    crossed = CrossedAnswers(
        design=design,
        per_annotator=float(required(request.per_annotator)),
        items=stated.items,
        icc=request.icc or 0.0,
        item_icc=item_icc,
        same_items=stated.same_items and isinstance(design, TwoGroups),
    )
    return replace(
        planned,
        design=crossed,
        dialogues=_dialogues(crossed),
        alternatives=_on_the_same_items(crossed, planned),
        notes=(*planned.notes, *_assumed(request, stated)),
        notes_on=lambda answers: (_say_width(crossed, answers),),
        is_test_clustered=True,
        request=replace(request, options=stated.fill(item_icc=item_icc, base=_base(planned))),
    )


def _base(planned: PlannedDesign) -> float | None:
    return planned.request.options_as(NucPlanOptions).base


def _dialogues(crossed: CrossedAnswers) -> DialogueCount:
    return DialogueCount(
        "one for each item",
        lambda _, sets: crossed.items * (1 if crossed.same_items else sets),
    )


def _on_the_same_items(crossed: CrossedAnswers, planned: PlannedDesign) -> tuple[Alternative, ...]:
    if crossed.same_items or not isinstance(crossed.design, TwoGroups):
        return ()
    same = sample_size(replace(crossed, same_items=True), planned.gap, power=planned.request.power)
    return (Alternative(same.judgments, "both groups answer the same items, which are as hard for both"),)


def _assumed(request: PlanRequest, stated: NucPlanOptions) -> tuple[str, ...]:
    notes = []
    if not request.icc:
        notes.append(
            "answers of one annotator are taken as independent; state how alike they are with --icc."
        )
    if stated.item_icc is None:
        notes.append(
            f"two answers to one item are taken to correlate by {ITEM_ICC:g}; state it with --item-icc."
        )
    return tuple(notes)


def _say_width(crossed: CrossedAnswers, answers: int) -> str:
    return (
        f"{answers:,} answers of a group to {crossed.items:,} items: the 95 % interval of its recall is "
        f"about {crossed.width(answers):.3f} wide, clustered by annotator and item. The published formula, "
        f"which takes answers as independent, says {crossed.published_width(answers):.3f}."
    )
