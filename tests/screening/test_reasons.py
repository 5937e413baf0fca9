"""Annotators who never give a reason."""

from __future__ import annotations

from duologue.judgments import Judgment
from duologue.screening import never_a_reason


def judgment(
    key: str, annotator: str, reason: str, *, excluded: str = "", onboarding: bool = False
) -> Judgment:
    return Judgment(
        id=key,
        assignment=key,
        annotator=annotator,
        annotator_kind="lab",
        arm="main",
        item="i",
        group="A__vs__B",
        answer={"side": 1},
        order=(0, 1),
        reason=reason,
        seconds=1.0,
        seconds_kind="visible",
        at="2026-05-04T12:00:00+00:00",
        revision=1,
        is_onboarding=onboarding,
        is_correct=None,
        excluded=excluded,
    )


def test_an_annotator_without_any_reason_is_found_with_all_their_judgments() -> None:
    (found,) = never_a_reason([judgment("1", "a", ""), judgment("2", "a", "  "), judgment("3", "b", "fun")])
    assert found.annotator == "a"
    assert found.rule == "no-reason"
    assert found.judgments == ("1", "2")


def test_one_reason_is_enough_even_at_onboarding_or_on_an_excluded_judgment() -> None:
    assert not never_a_reason([judgment("1", "a", ""), judgment("2", "a", "x", onboarding=True)])
    assert not never_a_reason([judgment("1", "a", ""), judgment("2", "a", "x", excluded="late")])


def test_judgments_of_other_rules_and_of_onboarding_are_left_alone() -> None:
    given = [
        judgment("1", "a", "", excluded="late"),
        judgment("2", "a", "", excluded="no-reason"),
        judgment("3", "a", "", onboarding=True),
    ]
    (found,) = never_a_reason(given)
    assert found.judgments == ("2",)


def test_an_annotator_who_withdrew_is_not_blamed_for_erased_reasons() -> None:
    assert never_a_reason([judgment("1", "a", "", excluded="withdrawn")]) == ()
