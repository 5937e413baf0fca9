"""Looks at results through the researcher's pages and the API, which are kept with the study."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from duologue.judgments import Exclusion
from duologue.server.researcher.overview import StudyOverview
from duologue.server.site import Site
from duologue.store import (
    BLOCKED,
    REHEARSAL,
    AnnotatorSummary,
    Store,
    fetch_fact,
    fetch_frozen_plan,
    fetch_looks,
    is_by_hand,
    looks_before,
    record_look,
    researcher_rules,
)
from duologue.studies import Study

DASHBOARD = "dashboard"
REST_SECONDS = 600.0
"""The overview refreshes by itself: what it shows in this time is one look."""


def note_dashboard_look(site: Site, overview: StudyOverview) -> None:
    """Keep that somebody sees win rates now; where none are shown it is no look."""
    shown = [group for group in overview.groups if group.wins]
    if not shown or site.store.run(fetch_fact(REHEARSAL)) is not None:
        return
    seen = [
        [group.progress.arm, group.progress.group, [[one.bot, one.wins] for one in group.wins], group.ties]
        for group in shown
    ]
    site.store.run(
        record_look(
            DASHBOARD,
            judgments=sum(group.progress.done for group in shown),
            planned=sum(group.progress.wanted for group in shown),
            short=sum(not group.is_complete for group in shown),
            data=hashlib.sha256(json.dumps(seen).encode()).hexdigest(),
            rest_seconds=REST_SECONDS,
        )
    )


@dataclass(frozen=True, slots=True)
class ExplainedExclusion:
    """An exclusion or its end, and what it means for the verdicts."""

    exclusion: Exclusion
    is_by_hand: bool
    is_declared: bool
    after_looks: int

    def said(self) -> dict[str, bool | int]:
        """All but the exclusion itself."""
        return {
            "is_by_hand": self.is_by_hand,
            "is_declared": self.is_declared,
            "after_looks": self.after_looks,
        }


def explained(site: Site, exclusions: Iterable[Exclusion]) -> tuple[ExplainedExclusion, ...]:
    """Exclusions with whether the plan declares them, and how many looks had been taken before."""
    declared = researcher_rules(site.study, site.store.run(fetch_frozen_plan()))
    looks = site.store.run(fetch_looks())
    return tuple(
        ExplainedExclusion(
            one,
            is_by_hand(one),
            not is_by_hand(one) or one.rule in declared,
            looks_before(looks, one.at),
        )
        for one in exclusions
    )


def say_blocking(study: Study, store: Store, annotator: AnnotatorSummary) -> str:
    """What blocking an annotator does, which depends on what they judged and on the rules of the plan."""
    no_work = "They get no more work"
    if not annotator.judgments:
        return f"{no_work}. They have judged nothing."
    if annotator.excluded >= annotator.judgments:
        return f"{no_work}. All that they judged is excluded already."
    said = f"{no_work}, and others are asked in their place. What they judged"
    if BLOCKED in researcher_rules(study, store.run(fetch_frozen_plan())):
        return f"{said} is excluded from the verdicts: the plan declares this rule ({BLOCKED})."
    return (
        f"{said} stays in the verdicts, because the plan declares no rule for blocked annotators; "
        "the report shows the verdicts with and without it."
    )


def say_unblocking(annotator: AnnotatorSummary) -> str:
    """What ending a block does, whichever rules the plan declares."""
    if not annotator.judgments:
        return "They get work again."
    return (
        "They get work again. What the block had excluded fills its places again, and counts; where another "
        "judgment has taken the place, theirs stays excluded (replaced), and no verdict counts it."
    )
