"""Annotators who never give a reason (Li, Weston and Roller 2019, "Annotation Quality")."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from duologue.judgments import Judgment
from duologue.screening.records import Screened

NO_REASON = "no-reason"
"""The name of the rule in exclusions."""


def never_a_reason(judgments: Iterable[Judgment]) -> tuple[Screened, ...]:
    """Annotators who did not give a reason for any of their judgments, onboarding included.

    Only for studies that ask for reasons. A judgment that another rule has set aside (a withdrawn one, say,
    whose reason was erased) is left to that rule.

    Args:
        judgments: All judgments of a study.
    """
    gave_one: set[str] = set()
    concerned: defaultdict[str, list[str]] = defaultdict(list)
    for judgment in judgments:
        if judgment.reason.strip():
            gave_one.add(judgment.annotator)
        elif not judgment.is_onboarding and judgment.excluded in ("", NO_REASON):
            concerned[judgment.annotator].append(judgment.id)
    return tuple(
        Screened(annotator, NO_REASON, "The annotator never gave a reason.", tuple(ids))
        for annotator, ids in concerned.items()
        if annotator not in gave_one
    )
