"""Verdicts with one rule of exclusion not applied, and with one annotator left out, against a plain twin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import AcuteReport, analyse_votes
from duologue.acute.analysis.checks.robust import Robustness
from duologue.acute.analysis.results import Section
from duologue.judgments import Row, votes_from_rows
from duologue.reports import report_page
from tests.strategies import thorough


def judged(winner: str, loser: str, times: int, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analyse_votes(votes_from_rows(rows), **options).sections
    return section


def robust(rows: Sequence[Row]) -> Robustness:
    found = section_of(rows).robustness
    assert found is not None
    return found


WON = judged("A", "B", 66, annotator="") + judged("B", "A", 44, annotator="")


def test_each_rule_by_itself_is_told_with_the_verdicts_it_changes() -> None:
    slow = judged("B", "A", 2, excluded="too-fast")
    silent = judged("B", "A", 20, excluded="no-reason")
    found = robust(WON + slow + silent)
    assert [(one.rule, one.judgments, len(one.changed)) for one in found.rules] == [
        ("no-reason", 20, 1),
        ("too-fast", 2, 1),
    ]
    (changed,) = found.rules[0].changed
    assert (changed.better, changed.better_otherwise) == ("A", None)
    assert found.sentence == (
        "Verdicts would change without a single rule of exclusion: no-reason (one verdict) and too-fast "
        "(one verdict)."
    )


def test_rules_that_change_nothing_are_said_to() -> None:
    found = robust(WON + judged("A", "B", 2, excluded="late"))
    assert found.sentence == "No verdict depends on a single rule of exclusion."


def test_where_only_the_rule_leaves_no_verdict_the_sentence_says_so() -> None:
    by_one = judged("A", "B", 2, annotator="one") + judged("B", "A", 1, annotator="one")
    failed = judged("B", "A", 3, annotator="two", excluded="onboarding")
    found = robust(by_one + failed)
    assert found.sentence.startswith(
        "No verdict that can be compared depends on a single rule of exclusion. This cannot be told of A and "
        "B: no verdict with the rule onboarding, no difference detected without it. No verdict on A and B: "
        "all 3 judgments are by one annotator"
    )


def test_second_answers_and_attention_checks_are_no_exclusions_and_never_come_back() -> None:
    asked_again = judged("B", "A", 60, excluded="repeat") + judged("B", "A", 9, excluded="attention-check")
    section = section_of(WON + asked_again)
    assert section.robustness is None
    assert section.exclusions.effects == ()
    assert {one.rule: one.judgments for one in section.exclusions.rules} == {
        "repeat": 60,
        "attention-check": 9,
    }
    late = section_of(WON + asked_again + judged("A", "B", 1, excluded="late"))
    (effect,) = late.exclusions.effects
    assert (effect.excluded, effect.wins_first, effect.wins_second) == (1, 67, 44)


def test_one_judgment_may_decide_and_then_it_is_said() -> None:
    """15 : 5 has p = .041; 14 : 5 has p = .064."""
    rows = [
        {"winner": winner, "loser": "AB"[winner == "A"], "annotator": f"p{number}"}
        for number, winner in enumerate("A" * 15 + "B" * 5)
    ]
    found = robust(rows)
    (one,) = found.annotators
    assert (one.better, one.better_without, one.judgments) == ("A", None, 1)
    assert found.sentence == (
        f"One verdict would change without one annotator: {one.annotator} in A against B (A better with, "
        "no difference detected without)."
    )


@thorough(10)
@given(
    answers=st.lists(st.tuples(st.integers(0, 4), st.sampled_from("AB")), min_size=12, max_size=40),
    is_graded=st.booleans(),
)
def test_the_annotator_named_is_the_one_without_whom_the_estimate_moves_most(
    answers: list[tuple[int, str]], is_graded: bool
) -> None:
    """A plain twin: the whole analysis again without each of them."""
    rows: list[Row] = [
        {
            "winner": winner,
            "loser": "AB"[winner == "A"],
            "annotator": f"p{who}",
            **({"lead": "0.5" if number % 2 else "1"} if is_graded else {}),
        }
        for number, (who, winner) in enumerate(answers)
    ]
    section = section_of(rows)
    if section.robustness is None:
        return
    (matchup,), (one,) = section.matchups, section.robustness.annotators
    estimates = {}
    for who in {row["annotator"] for row in rows}:
        (left,) = section_of([row for row in rows if row["annotator"] != who]).matchups
        estimates[who] = left.preference if left.preference is not None else left.win_rate
    assert one.estimate_without == pytest.approx(estimates[one.annotator])
    if one.better == one.better_without:
        furthest = max(abs(found - one.estimate) for found in estimates.values() if found is not None)
        assert abs(one.estimate_without - one.estimate) == pytest.approx(furthest)
    assert one.better == matchup.verdict.better


def test_nothing_is_said_of_annotators_where_one_gave_all_or_they_are_unknown() -> None:
    assert section_of(judged("A", "B", 20, annotator="ann")).robustness is None
    assert section_of(judged("A", "B", 20)).robustness is None
    two = judged("A", "B", 2, annotator="a") + judged("B", "A", 1, annotator="b")
    assert section_of(two).robustness is not None


def test_all_but_one_by_one_annotator_leaves_too_little() -> None:
    rows = judged("A", "B", 20, annotator="ann") + judged("A", "B", 1)
    section = section_of([{**row, "pairing": f"p{number}"} for number, row in enumerate(rows)])
    assert section.robustness is None


def test_many_matchups_are_not_looked_through() -> None:
    bots = [f"b{number:02}" for number in range(16)]
    rows = [
        {"winner": one, "loser": other, "annotator": f"p{number}"}
        for one in bots
        for other in bots
        if one < other
        for number in range(3)
    ]
    assert section_of(rows).robustness is None


def test_rules_and_annotators_stand_on_the_page_and_in_the_text() -> None:
    rows = [{**row, "annotator": f"p{number}"} for number, row in enumerate(WON)]
    results = analyse_votes(votes_from_rows(rows + judged("B", "A", 20, excluded="no-reason", annotator="z")))
    page = report_page(results)
    assert "without its most influential annotator" in page
    assert "Each rule of exclusion by itself" in page
    found = results.sections[0].robustness
    assert found is not None
    assert found.sentence in list(AcuteReport().in_words(results))


def test_a_rule_is_told_only_in_the_arm_in_which_it_excluded() -> None:
    rows = judged("A", "B", 9, arm="x") + judged("A", "B", 9, arm="y")
    results = analyse_votes(votes_from_rows(rows + judged("B", "A", 1, arm="x", excluded="late")))
    first, second = (section.robustness for section in results.sections)
    assert first is not None
    assert [one.rule for one in first.rules] == ["late"]
    assert second is None
