"""Annotators who fail onboarding."""

from __future__ import annotations

from dataclasses import replace

import pytest

from duologue.judgments import Judgment
from duologue.screening import failed_onboarding, onboarding_scores

BASE = Judgment(
    id="",
    assignment="",
    annotator="a",
    annotator_kind="lab",
    arm="main",
    item="i",
    group="A__vs__B",
    answer={"side": 1},
    order=(0, 1),
    reason="",
    seconds=1.0,
    seconds_kind="visible",
    at="2026-05-04T12:00:00+00:00",
    revision=1,
    is_onboarding=False,
    is_correct=None,
)


def sat_by(annotator: str, *right: bool) -> list[Judgment]:
    asked = [
        replace(BASE, id=f"{annotator}o{n}", annotator=annotator, is_onboarding=True, is_correct=is_right)
        for n, is_right in enumerate(right)
    ]
    return [*asked, replace(BASE, id=f"{annotator}1", annotator=annotator)]


def test_scores_count_only_onboarding() -> None:
    (score,) = onboarding_scores(sat_by("a", True, False))
    assert (score.right, score.asked) == (1, 2)


@pytest.mark.parametrize(("threshold", "failing"), [(1.0, {"b", "c"}), (0.5, {"c"}), (0.0, set())])
def test_those_below_the_threshold_fail(threshold: float, failing: set[str]) -> None:
    judgments = sat_by("a", True, True) + sat_by("b", True, False) + sat_by("c", False, False)
    found = failed_onboarding(judgments, threshold=threshold)
    assert {screened.annotator for screened in found} == failing
    assert all(screened.judgments == (f"{screened.annotator}1",) for screened in found)


def test_judgments_that_another_rule_has_set_aside_are_left_to_it() -> None:
    judgments = [*sat_by("a", False), replace(BASE, id="late", excluded="late")]
    (found,) = failed_onboarding(judgments, threshold=1.0)
    assert found.judgments == ("a1",)
    assert found.reason == "0 of 1 onboarding comparisons right"
