"""How many ratings of each bot a study needs."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter

from duologue.errors import DesignError
from duologue.likert.design.numbers import ratings_of_one_annotator, tests_sharing_alpha
from duologue.likert.design.table import likert_settings
from duologue.likert.options import LikertPlanOptions
from duologue.stats import RatingDifference
from duologue.studies import (
    DIALOGUE_A_JUDGMENT,
    DialogueCount,
    PlannedDesign,
    PlanRequest,
    ProtocolPlanner,
    Study,
    fill,
    gap_of,
    holm_note,
    level_of_each_test,
    number_of_matchups,
    planned_items,
    plural,
    refuse_meaningless,
    required,
    several_bots,
)

LENIENCY_ICC = 0.1
"""How far two ratings by one annotator correlate unless that is stated: `[stopping] icc` of a new study."""


class LikertPlanner(ProtocolPlanner):
    """Ratings of whole dialogues."""

    def planned_design(self, request: PlanRequest) -> PlannedDesign:
        """Bots compared within annotators, whose leniency is removed."""
        refuse_meaningless(request, "test")
        bots, stated = several_bots(request), request.options_as(LikertPlanOptions)
        options = stated.fill(sd=1.0)
        filled = fill(request, gap=0.3, bots=bots, seconds=300.0, per_annotator=bots, icc=LENIENCY_ICC)
        filled = dataclasses.replace(filled, matchups=number_of_matchups(filled), options=options)
        gap, sd, each = gap_of(filled), required(options.sd), required(filled.per_annotator)
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
            dialogues=_dialogues(filled),
            widest_gap=stated.widest_scale,
            readings=(
                f"{gap:g} points of the scale between two mean ratings",
                f"{gap / sd:.3g} standard deviations of a rating (Cohen's d)",
            ),
            request=filled,
            is_test_clustered=True,  # only dialogues that are rated again are clusters
            notes=(
                *holm_note(filled),
                *_leniency_note(filled, is_stated=request.icc is not None),
                *(
                    ()
                    if stated.sd is not None
                    else ("the standard deviation of a rating is a guess; state yours with --sd.",)
                ),
            ),
        )

    def request(self, study: Study, common: PlanRequest) -> PlanRequest:
        """Ratings as the study collects them: of how many bots, and how many by one annotator."""
        settings = likert_settings(study)
        groups = Counter(item.group for item in planned_items(study) if item.is_judged)
        copies = study.caps.judgments_per_item
        known = dataclasses.replace(
            common,
            gap=settings.gap,
            icc=study.file.stopping.icc,
            cluster_size=copies if copies > 1 else None,
            options=LikertPlanOptions(widest_scale=max(one.high - one.low for one in settings.questions)),
        )
        if len(groups) < 2:
            return known
        return dataclasses.replace(
            known,
            bots=len(groups),
            tests=tests_sharing_alpha(settings, len(groups)),
            per_annotator=ratings_of_one_annotator(study, len(groups)),
            judgments=min(study.caps.judgments_of(groups).values()),
        )


def _dialogues(filled: PlanRequest) -> DialogueCount:
    """A dialogue for each rating, or for as many as it gets."""
    times = filled.cluster_size
    if times is None or times <= 1:
        return DIALOGUE_A_JUDGMENT
    return DialogueCount(
        f"each rated {times:g} times", lambda ratings, bots: math.ceil(ratings / times) * bots
    )


def _leniency_note(filled: PlanRequest, *, is_stated: bool) -> tuple[str, ...]:
    """What the number takes for granted about ratings by one annotator."""
    each, bots, icc = required(filled.per_annotator), required(filled.bots), required(filled.icc)
    if each == 1:
        return (
            "nobody rates twice, so leniency of annotators cannot be separated from differences of bots.",
        )
    which = "every bot" if each >= bots else f"{each} of the {bots} bots"
    often = f" {each / bots:g} times" if each > bots else ""
    guess = "" if is_stated else "; state yours with --icc, or 0 to count on none"
    return (
        f"every annotator rates {which}{often}, and two ratings by one annotator are assumed to correlate by "
        f"{icc:g} (leniency, which the analysis removes){guess}.",
    )
