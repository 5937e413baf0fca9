"""What is said of a study before anybody judges: whether it works, what will happen, how large it must be."""

from __future__ import annotations

import dataclasses
from collections import Counter
from typing import ClassVar

from duologue.stats import AllThatApply
from duologue.studies import (
    DIALOGUE_A_JUDGMENT,
    PlannedDesign,
    PlanRequest,
    ProtocolDesign,
    ProtocolPlanner,
    Study,
    StudyCheck,
    fill,
    forced_choice_design,
    level_of_each_test,
    number_of_matchups,
    planned_items,
    refuse_meaningless,
    several_bots,
)
from duologue_best_worst.options import BestWorstPlanOptions


class BestWorstDesign(ProtocolDesign):
    """Threes of dialogues: checked and described."""

    noun: ClassVar[str] = "ranking"

    def check(self, study: Study) -> StudyCheck:
        """Whether there are threes, and enough dialogues for those that are wanted."""
        groups = Counter(item.group for item in planned_items(study) if item.is_judged)
        wanted = study.settings.items_per_triple  # type: ignore[attr-defined]  # ours
        short = [
            f"{study.protocol.say_group(group)}: dialogues for {count} of {wanted} threes."
            for group, count in groups.items()
            if count < wanted
        ]
        return StudyCheck(() if groups else ("there is nothing to judge.",), tuple(short))

    def describe(self, study: Study) -> list[str]:
        """Which threes are judged, and what is asked."""
        groups = Counter(item.group for item in planned_items(study) if item.is_judged)
        lines = [f"{study.name}: three conversations, the best one and the worst one (best-worst)", ""]
        lines += [f"  {study.protocol.say_group(group)}: {count} threes" for group, count in groups.items()]
        total = sum(study.caps.judgments_of(groups).values())
        return [*lines, "", f"{total} judgments in all."]


class BestWorstPlanner(ProtocolPlanner):
    """How many annotators must place two bots differently."""

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """The exact sign test of every two bots, Holm over all pairs; ties say nothing in it."""
        refuse_meaningless(request, "test")
        filled = fill(request, gap=0.2, bots=several_bots(request), seconds=90.0, per_annotator=1)
        options = request.options_as(BestWorstPlanOptions).fill(ties=0.0)
        filled = dataclasses.replace(filled, matchups=number_of_matchups(filled), options=options)
        design = forced_choice_design(
            filled, title="Best–worst scaling", unit="annotators per pair", dialogues=DIALOGUE_A_JUDGMENT
        )
        if not options.ties:
            return design
        placed = 1 - options.ties
        return dataclasses.replace(
            design,
            design=AllThatApply(discordance=placed, alpha=level_of_each_test(filled), test="exact"),
            readings=(f"{design.gap:g} between who places one bot above the other, and who below it",),
            notes=(*design.notes, f"{placed:.0%} of annotators are expected to place one above the other."),
            can_stop_early=False,
        )

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """As many bots as there are dialogues of."""
        bots = {bot for item in planned_items(study) for bot in item.bots}
        return dataclasses.replace(common, bots=len(bots))
