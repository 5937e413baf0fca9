"""Annotators who fail onboarding: comparisons whose answer is known, asked first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from duologue.judgments import Judgment
from duologue.screening.records import Screened

ONBOARDING = "onboarding"
"""The name of the rule in exclusions."""


@dataclass(frozen=True, slots=True)
class OnboardingScore:
    """How an annotator did on the comparisons with a known answer."""

    annotator: str
    right: int
    asked: int

    def passes(self, threshold: float) -> bool:
        """Whether the share of right answers reaches the threshold; without any asked, yes.

        Example:
            >>> OnboardingScore("a", right=2, asked=3).passes(0.5)
            True
        """
        return self.right >= threshold * self.asked


def onboarding_scores(judgments: Iterable[Judgment]) -> tuple[OnboardingScore, ...]:
    """The score of every annotator who was asked an onboarding comparison."""
    right: defaultdict[str, int] = defaultdict(int)
    asked: defaultdict[str, int] = defaultdict(int)
    for judgment in judgments:
        if judgment.is_onboarding:
            asked[judgment.annotator] += 1
            right[judgment.annotator] += judgment.is_correct is True
    return tuple(OnboardingScore(annotator, right[annotator], count) for annotator, count in asked.items())


def failed_onboarding(judgments: Iterable[Judgment], *, threshold: float) -> tuple[Screened, ...]:
    """Annotators below the threshold, with their judgments that no other rule has set aside.

    Args:
        judgments: All judgments of a study, onboarding included.
        threshold: The share of onboarding comparisons that must be right.
    """
    every = tuple(judgments)
    failed = {score.annotator: score for score in onboarding_scores(every) if not score.passes(threshold)}
    concerned: defaultdict[str, list[str]] = defaultdict(list)
    for judgment in every:
        is_theirs = judgment.annotator in failed and not judgment.is_onboarding
        if is_theirs and judgment.excluded in ("", ONBOARDING):
            concerned[judgment.annotator].append(judgment.id)
    return tuple(
        Screened(
            annotator,
            ONBOARDING,
            f"{score.right} of {score.asked} onboarding comparisons right",
            tuple(concerned[annotator]),
        )
        for annotator, score in failed.items()
    )
