"""Which exclusions a person made by hand, and for which reasons the plan lets them."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.judgments import Exclusion
from duologue.store.researcher.annotators import BLOCKED
from duologue.store.researcher.exclusions import REPLACED, WITHDRAWN
from duologue.store.researcher.plans import StoredLook
from duologue.store.sittings.judging import THE_RULES
from duologue.studies import FrozenPlan, Study

ANALYSIS = "analysis"
"""Who writes exclusions at analysis, in the rows of exclusions."""


def is_by_hand(exclusion: Exclusion) -> bool:
    """Whether a person decided it, and not a rule of the study.

    What a blocked annotator judges afterwards is excluded in the study's name, and by hand all the same.
    """
    if exclusion.rule == BLOCKED:
        return True
    by_rule = (THE_RULES, ANALYSIS)
    return exclusion.by not in by_rule and exclusion.rule not in (WITHDRAWN, REPLACED)


def researcher_rules(study: Study, plan: FrozenPlan | None) -> frozenset[str]:
    """The reasons for which a researcher may exclude before the verdicts: those of the frozen plan.

    Before anything is frozen they are those of the study file.
    """
    if plan is None:
        return frozenset(study.file.screening.researcher_rules)
    settings = plan.content.get("settings")
    screening = settings.get("screening", {}) if isinstance(settings, dict) else {}
    return frozenset(map(str, screening.get("researcher_rules", ())))


def looks_before(looks: Sequence[StoredLook], at: str) -> int:
    """How many looks had been taken by a time."""
    return sum(1 for look in looks if look.at <= at)
