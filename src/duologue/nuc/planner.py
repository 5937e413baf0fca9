"""How many answers a study of next utterance classification needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from duologue.errors import DesignError
from duologue.nuc.options import NucPlanOptions
from duologue.stats import RateAgainstStandard, TwoGroups
from duologue.studies import (
    DIALOGUE_A_JUDGMENT,
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


class NucPlanner(ProtocolPlanner):
    """A context and candidate replies, the right one to be found."""

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """How many questions of one corpus an annotator answers; cohorts are compared in each corpus."""
        judged = [item for item in planned_items(study) if item.is_judged]
        in_version = Counter((item.block, item.group) for item in judged)
        return replace(common, per_annotator=max(in_version.values()))

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """One group against a standard, or two groups against each other."""
        refuse_meaningless(request, "bots", "matchups")
        stated = request.options_as(NucPlanOptions)
        if stated.null is not None and stated.base is not None:
            raise DesignError(
                "--null holds one group against a standard, --base compares two groups: give one of them."
            )
        if stated.null is not None:
            filled = fill(request, gap=0.1, test="exact", seconds=30.0, per_annotator=10)
            gap = gap_of(filled)
            alone = RateAgainstStandard(null=stated.null, alpha=filled.alpha, test=filled.test or "exact")
            return PlannedDesign(
                title="Next utterance classification, recall against a standard",
                unit="answers",
                design=alone,
                gap=gap,
                sets=1,
                sets_are="group",
                dialogues=DIALOGUE_A_JUDGMENT,
                readings=standard_readings(alone, gap),
                request=filled,
            )
        refuse_meaningless(request, "test")
        options = stated.fill(base=0.5)
        filled = fill(replace(request, options=options), gap=0.1, seconds=30.0, per_annotator=10)
        base, gap = required(options.base), gap_of(filled)
        lower = f"{base:.0%} against {base - gap:.0%}" if base >= gap else ""
        upper = f"{base:.0%} against {base + gap:.0%}" if base + gap <= 1 else ""
        return PlannedDesign(
            title="Next utterance classification, recall of two groups",
            unit="answers per group",
            design=TwoGroups(base=base, alpha=filled.alpha),
            gap=gap,
            sets=2,
            sets_are="groups",
            dialogues=DIALOGUE_A_JUDGMENT,
            readings=(
                f"{gap:g} between the two groups' recall: " + " or ".join(filter(None, (lower, upper))),
            ),
            request=filled,
            notes=(
                ()
                if stated.base is not None
                else ("the recall of one group is taken as 0.5; state yours with --base.",)
            ),
        )
