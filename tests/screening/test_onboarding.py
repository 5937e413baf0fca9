"""Annotators who fail onboarding: the one rule, which the store applies as the answers come."""

from __future__ import annotations

import pytest

from duologue.screening import counts_as_right, passes_onboarding


@pytest.mark.parametrize(("right", "threshold", "passes"), [(2, 1.0, True), (1, 0.5, True), (1, 0.51, False)])
def test_those_below_the_threshold_fail(right: int, threshold: float, passes: bool) -> None:
    assert passes_onboarding(right, asked=2, threshold=threshold) is passes


def test_nobody_fails_who_was_asked_nothing() -> None:
    assert passes_onboarding(0, asked=0, threshold=1.0)


def test_only_a_wrong_answer_is_held_against_an_annotator() -> None:
    assert [counts_as_right(answer) for answer in (True, None, False)] == [True, True, False]
