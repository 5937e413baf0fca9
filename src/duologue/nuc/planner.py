"""How many answers a study of next utterance classification needs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from duologue.errors import DesignError
from duologue.stats import AgainstStandard, TwoGroups
from duologue.studies import (
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
            readings=(
                f"{gap:g} between the two groups' recall: " + " or ".join(filter(None, (lower, upper))),
            ),
            request=filled,
            notes=(
                ()
                if request.base is not None
                else ("the recall of one group is taken as 0.5; state yours with --base.",)
            ),
        )
