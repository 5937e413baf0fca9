"""From judgments to verdicts: what is pooled, what is counted, and what the words say."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as oracle
from scipy.special import logit

from duologue.acute import AcuteResults, Section, analyse_votes
from duologue.acute.report.methods import methods_paragraph
from duologue.acute.report.sections import not_shown
from duologue.errors import FormatError, NewerFormat
from duologue.judgments import Row, read_votes, votes_from_rows
from duologue.stats import ExactRate, clustered_rate
from duologue.stats.rates.deciding import SPENT
from tests.alike import assert_alike
from tests.strategies import thorough

SHARED = Path(__file__).parents[3] / "shared" / "data"


def judged(winner: str, loser: str, times: int = 1, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


def section_of(rows: Sequence[Row], **options: float) -> Section:
    (section,) = analyse_votes(votes_from_rows(rows), **options).sections  # type: ignore[arg-type]
    return section


def verdict_of(rows: Sequence[Row]) -> str:
    return section_of(rows).matchups[0].verdict.sentence


def test_a_clear_winner_is_named_with_all_the_evidence() -> None:
    assert verdict_of(judged("A", "B", 80) + judged("B", "A", 30)) == (
        "A is better than B (p < 0.001, win rate 72.7 %, 95 % interval [63.4, 80.8], n = 110)."
    )


def test_no_difference_says_how_many_more_judgments_are_needed_for_the_planned_gap_only() -> None:
    matchup = section_of(judged("A", "B", 55) + judged("B", "A", 45)).matchups[0]
    assert matchup.verdict.better is None
    assert matchup.verdict.more_for_gap == 210 - 100
    assert matchup.verdict.sentence == (
        "No difference detected between A and B (p = 0.368, win rate of A 55.0 %, 95 % interval "
        "[44.7, 65.0], n = 100); about 110 more judgments are needed for a gap of 20 points with 80 % power, "
        "and testing again after adding judgments would be a new test."
    )


def test_the_judgments_needed_are_those_of_the_strictest_step_where_matchups_share_the_error() -> None:
    """At a third of 5 % it takes 273 judgments to show 20 points, and not 210."""
    rows = [
        row for one, other in ("AB", "AC", "BC") for row in judged(one, other, 55) + judged(other, one, 45)
    ]
    for matchup in section_of(rows).matchups:
        assert matchup.verdict.more_for_gap == 273 - 100
        assert "; about 173 more judgments are needed for a gap of 20 points" in matchup.verdict.sentence


def test_enough_judgments_for_the_planned_gap_claim_nothing_about_power() -> None:
    matchup = section_of(judged("A", "B", 120) + judged("B", "A", 95)).matchups[0]
    assert matchup.verdict.more_for_gap == 0
    assert matchup.verdict.sentence.endswith("n = 215).")


def test_no_difference_worth_finding_is_said_of_an_equivalence_test_only() -> None:
    matchup = section_of(judged("A", "B", 205) + judged("B", "A", 205)).matchups[0]
    low, high = (oracle.binom.sf(204, 410, 0.4), oracle.binom.cdf(205, 410, 0.6))
    assert matchup.verdict.is_equivalent
    assert matchup.verdict.equivalence_p == pytest.approx(max(low, high))
    assert matchup.verdict.sentence.startswith(
        "No difference worth finding between A and B: a gap of 20 points or more is excluded (equivalence "
        "test, p < 0.001; p = 1.000, win rate of A 50.0 %, "
    )


def test_an_equivalence_that_clusters_do_not_bear_out_is_not_claimed() -> None:
    rows = judged("A", "B", 100, annotator="x") + judged("B", "A", 100, annotator="y")
    rows += judged("A", "B", 105, annotator="z") + judged("B", "A", 105, annotator="w")
    (matchup,) = section_of(rows).matchups
    assert not matchup.verdict.is_equivalent
    assert matchup.verdict.better is None


def test_ties_are_left_out_of_the_test_and_said_to_be() -> None:
    rows = judged("A", "B", 60) + judged("B", "A", 40) + judged("A", "B", 7, outcome="tie")
    matchup = section_of(rows).matchups[0]
    assert (matchup.n, matchup.ties) == (100, 7)
    assert "7 ties left out, 56.1 % of all judgments won" in matchup.verdict.sentence
    assert matchup.win_rate_of_all == pytest.approx(60 / 107)


def test_nothing_but_ties_is_said_in_words() -> None:
    assert verdict_of(judged("A", "B", 3, outcome="tie")) == (
        "All 3 judgments of A and B are ties: no difference can be tested."
    )


def test_a_planned_matchup_without_judgments_is_said_in_words() -> None:
    votes = votes_from_rows(judged("A", "B", 5))
    (section,) = analyse_votes(votes, planned={("A", "B"): 5, ("A", "C"): 5}).sections
    assert section.matchups[1].verdict.sentence == "No judgments of A and C count yet: nothing can be said."
    assert any("interim look" in warning for warning in section.warnings)
    assert section.order.unjudged == ("C",)
    assert "Never judged against another bot, and so not in the order: C." in section.order.sentence


def test_no_judgments_at_all_are_no_error() -> None:
    results = analyse_votes(votes_from_rows([]))
    assert results.sections == ()
    assert results.warnings == ("No judgment counts: nothing can be said yet.",)


def test_p_values_and_intervals_agree_with_scipy() -> None:
    rows = judged("A", "B", 66) + judged("B", "A", 44) + judged("C", "A", 13) + judged("A", "C", 10)
    for matchup in section_of(rows).matchups:
        expected = oracle.binomtest(matchup.wins_first, matchup.n)
        exact = expected.proportion_ci(method="exact")
        assert matchup.interval is not None
        assert matchup.interval_unadjusted is not None
        assert matchup.p_value == pytest.approx(expected.pvalue)
        assert matchup.interval_unadjusted.limits == pytest.approx((exact.low, exact.high))
        wider = expected.proportion_ci(confidence_level=0.975, method="exact")  # nothing is rejected
        assert matchup.interval.limits == pytest.approx((wider.low, wider.high))
        assert matchup.interval.level == pytest.approx(0.975)


def test_a_raw_p_value_that_holm_takes_away_is_no_verdict() -> None:
    rows = judged("A", "B", 66) + judged("B", "A", 44)
    rows += judged("A", "C", 50) + judged("C", "A", 50)
    matchup = section_of(rows).matchups[0]
    assert matchup.verdict.better is None
    assert (
        "p = 0.045, Holm-adjusted p = 0.090, win rate of A 60.0 %, 97.5 % interval"
        in matchup.verdict.sentence
    )


def test_planned_matchups_without_judgments_share_the_error_rate() -> None:
    votes = votes_from_rows(judged("A", "B", 66) + judged("B", "A", 44))
    assert analyse_votes(votes).sections[0].matchups[0].verdict.better == "A"
    (section,) = analyse_votes(votes, planned={("A", "B"): 110, ("A", "C"): 110}).sections
    assert section.matchups[0].family == 2
    assert section.matchups[0].verdict.better is None


def test_one_busy_annotator_makes_no_verdict() -> None:
    """Nine annotators, of whom one gave half of the judgments, all for A: exact p < .001."""
    rows = judged("A", "B", 40, annotator="busy")
    for number in range(8):
        rows += judged("A", "B", 3, annotator=f"a{number}") + judged("B", "A", 3, annotator=f"a{number}")
    section = section_of(rows)
    (matchup,) = section.matchups
    assert matchup.p_exact is not None
    assert matchup.p_exact < 0.001
    assert matchup.clustered is not None
    assert matchup.p_value == matchup.clustered.p_value > 0.05
    assert matchup.decided_by == "clustered"
    assert matchup.verdict.better is None
    assert matchup.verdict.sentence.startswith("No difference detected between A and B (p = 0.")
    assert " clustered by annotator, " in matchup.verdict.sentence
    assert " but " not in matchup.verdict.sentence
    assert section.busiest[0].annotator == "busy"
    assert any("busy (45.5 %)" in warning for warning in section.warnings)


def test_where_annotators_repeat_the_larger_p_value_decides() -> None:
    """Every annotator leans the same way, so that the clustered p-value is smaller than the exact one."""
    rows = [row for n in range(30) for row in judged("A", "B", 2, annotator=f"a{n}")]
    rows += [row for n in range(30) for row in judged("B", "A", 1, annotator=f"a{n}")]
    rows += judged("B", "A", 1, annotator="a0")
    (matchup,) = section_of(rows).matchups
    assert matchup.clustered is not None
    assert matchup.clustered.p_value < 0.001
    assert matchup.p_value == matchup.p_exact
    assert matchup.decided_by == "exact"
    assert "p = 0.003 by the exact test, " in matchup.verdict.sentence


def test_where_nobody_judges_twice_the_exact_test_stands_alone() -> None:
    rows = [row for n in range(70) for row in judged("A", "B", 1, annotator=f"a{n}")]
    rows += [row for n in range(70, 110) for row in judged("B", "A", 1, annotator=f"a{n}")]
    (matchup,) = section_of(rows).matchups
    assert matchup.clustered is None
    assert matchup.why_not_clustered == "no annotator and no dialogue occurs twice"
    assert matchup.p_value == pytest.approx(oracle.binomtest(70, 110).pvalue)


def test_dialogues_that_repeat_are_clusters_of_their_own_kind() -> None:
    rows = [
        {"winner": "A", "loser": "B", "winner_dialogue": f"x{n % 5}", "loser_dialogue": f"y{n}"}
        for n in range(40)
    ]
    rows += [
        {"winner": "B", "loser": "A", "winner_dialogue": f"z{n}", "loser_dialogue": f"x{n % 3}"}
        for n in range(20)
    ]
    (matchup,) = section_of(rows).matchups
    assert matchup.clustered is not None
    assert matchup.clustered.clusters == {"dialogue of A": 5}
    assert not any("Independence" in warning for warning in section_of(rows).warnings)


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        (
            {"annotator": "only"},
            "all 30 judgments are by one annotator, so that they hold for this annotator only",
        ),
        (
            {"winner_dialogue": "d"},
            "all 30 judgments are about one dialogue of A, so that they hold for this dialogue only",
        ),
    ],
)
def test_judgments_of_one_annotator_or_dialogue_say_nothing_about_the_bots(
    columns: dict[str, object], why: str
) -> None:
    (matchup,) = section_of(judged("A", "B", 30, **columns)).matchups
    assert matchup.verdict.sentence == f"No verdict on A and B: {why} (A won 30, B 0)."
    assert (matchup.verdict.better, matchup.p_value, matchup.interval) == (None, None, None)
    assert matchup.verdict.why_none


def test_without_ids_it_is_said_that_independence_could_not_be_checked() -> None:
    assert section_of(judged("A", "B", 5)).warnings[0].startswith("Independence could not be checked: ")
    assert section_of(judged("A", "B", 5, annotator="x")).warnings == ()


def test_annotators_are_busy_by_more_than_twice_an_equal_share() -> None:
    few = [row for who in "vwxyz" for row in judged("A", "B", 3, annotator=who)]
    assert section_of(few).warnings == ()
    one = [*few, *judged("A", "B", 20, annotator="z")]
    assert section_of(one).warnings == (
        "1 of 5 annotators gave more than 40.0 % of the judgments: z (65.7 %).",
    )
    many = [row for number in range(40) for row in judged("A", "B", 1, annotator=f"a{number}")]
    many += [row for who in "wxyz" for row in judged("A", "B", 20, annotator=who)]
    assert section_of(many).warnings == (
        "4 of 44 annotators gave more than 5.0 % of the judgments each: w (16.7 %), x (16.7 %) and "
        "y (16.7 %), and 1 other.",
    )


def test_clusters_are_named_and_counted() -> None:
    rows = [
        row
        for number in range(40)
        for row in judged("A", "B", 2, annotator=f"a{number}") + judged("B", "A", 1, annotator=f"a{number}")
    ]
    clustered = section_of(rows).matchups[0].clustered
    assert clustered is not None
    assert clustered.clusters == {"annotator": 40}


def test_flips_of_few_clusters_stand_beside_and_decide_nothing() -> None:
    rows = [row for n in range(6) for row in judged("A", "B", 5, annotator=f"a{n}")]
    rows += judged("B", "A", 1, annotator="a0")
    (matchup,) = section_of(rows).matchups
    assert matchup.clustered is not None
    assert matchup.clustered.sign_flip_p == pytest.approx(2 / 2**6)
    assert matchup.p_value is not None
    assert matchup.p_value == max(matchup.p_exact or 0, matchup.clustered.p_value) < 0.001


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({}, "neither annotators nor dialogues are known"),
        ({"annotator": "only"}, "all judgments are of one annotator"),
    ],
)
def test_why_there_is_no_clustered_interval_is_said(columns: dict[str, object], why: str) -> None:
    matchup = section_of(judged("A", "B", 5, **columns)).matchups[0]
    assert matchup.clustered is None
    assert matchup.why_not_clustered == why


def test_arms_questions_and_revisions_are_never_pooled() -> None:
    rows = judged("A", "B", 5, arm="one", question="Q", revision=1)
    rows += judged("A", "B", 6, arm="two", question="R", revision=1)
    rows += judged("A", "B", 7, arm="two", question="R", revision=2)
    results = analyse_votes(votes_from_rows(rows))
    assert [(part.arm, part.revision, part.n) for part in results.sections] == [
        ("one", 1, 5),
        ("two", 1, 6),
        ("two", 2, 7),
    ]
    assert len(results.warnings) == 1
    assert "not pooled" in results.warnings[0]
    assert results.family.startswith("All 3 matchups of 3 sections are one family (Holm)")


def test_annotators_by_an_open_link_are_kept_apart() -> None:
    rows = judged("A", "B", 5, annotator_kind="lab") + judged("B", "A", 6, annotator_kind="open")
    results = analyse_votes(votes_from_rows(rows))
    assert [(part.annotators, part.n) for part in results.sections] == [("invited", 5), ("open-link", 6)]
    assert "open link" in results.warnings[0]


def test_excluded_and_onboarding_judgments_do_not_count_and_are_counted() -> None:
    rows: list[Row] = [{"winner": "A", "loser": "B", "annotator": f"a{n}"} for n in range(60)]
    rows += [{"winner": "B", "loser": "A", "annotator": f"b{n}"} for n in range(40)]
    rows += judged("B", "A", 30, excluded="no-reason", annotator="z")
    rows += judged("B", "A", 2, excluded="late", annotator="b0")
    rows += judged("A", "B", 9, is_onboarding=True, annotator="a0")
    section = section_of(rows, alpha=0.1)
    found = section.exclusions
    assert (found.collected, found.onboarding, found.counted) == (141, 9, 100)
    assert [(rule.rule, rule.judgments, rule.annotators) for rule in found.rules] == [
        ("no-reason", 30, 1),
        ("late", 2, 1),
    ]
    (effect,) = found.effects
    assert (effect.wins_first, effect.wins_second, effect.excluded) == (60, 72, 32)
    assert (effect.better, effect.better_without_exclusions, effect.is_changed) == ("A", None, True)
    assert "A better with the exclusions, no difference detected without" in found.sentence


def test_exclusions_without_effect_are_said_to_have_none() -> None:
    rows = judged("A", "B", 90) + judged("B", "A", 10) + judged("B", "A", 2, excluded="late")
    assert section_of(rows).exclusions.sentence == (
        "2 judgments were excluded; every verdict is the same without any exclusion."
    )


def test_no_verdict_is_said_to_be_the_same_where_there_is_none() -> None:
    section = section_of(judged("A", "B", 5, excluded="late", annotator="ann"))
    assert section.exclusions.sentence == (
        "5 judgments were excluded; there is no verdict with the exclusions, and none without."
    )
    assert section.robustness is None or "No verdict depends" not in section.robustness.sentence


def test_a_preference_for_one_side_is_found_and_said() -> None:
    rows = judged("A", "B", 35, winner_side=1) + judged("B", "A", 35, winner_side=1)
    rows += judged("A", "B", 15, winner_side=2) + judged("B", "A", 15, winner_side=2)
    section = section_of(rows)
    position = section.position
    assert position is not None
    assert (position.side_1, position.n) == (70, 100)
    assert position.p_value == pytest.approx(oracle.binomtest(70, 100).pvalue)
    assert position.sentence.startswith("Side 1 won more often than side 2: side 1 won 70 of 100")
    assert section.sides.startswith("The sides are balanced within each matchup")
    assert any(section.sides in warning for warning in section.warnings)


def test_sides_are_not_called_balanced_where_they_are_not() -> None:
    rows = judged("A", "B", 60, winner_side=1) + judged("B", "A", 20, winner_side=2)
    rows += judged("A", "B", 10, winner_side=2) + judged("B", "A", 10, winner_side=1)
    section = section_of(rows)
    assert section.sides == (
        "Sides are not balanced in 1 of 1 matchups: A was on side 1 in 80.0 % of its judgments against B. "
        "The effect of the side is taken out of these verdicts."
    )
    assert any(section.sides in warning for warning in section.warnings)
    assert section_of(judged("A", "B", 5)).sides == ""
    some = judged("A", "B", 2, winner_side=1) + judged("A", "B", 2, winner_side=2) + judged("B", "A", 3)
    assert (
        section_of(some).sides
        == "The sides are not known for 3 judgments; in the others no imbalance is seen."
    )


def test_a_bot_that_is_always_on_one_side_gets_no_verdict() -> None:
    rows = judged("A", "B", 80, winner_side=1) + judged("B", "A", 20, winner_side=2)
    (matchup,) = section_of(rows).matchups
    assert matchup.verdict.sentence == (
        "No verdict on A and B: A was always on side 1, so bot and side cannot be separated, and no "
        "other matchup shows what the side does (A won 80, B 20)."
    )
    turned = judged("A", "B", 80, winner_side=2) + judged("B", "A", 20, winner_side=1)
    assert "B was always on side 1" in verdict_of(turned)


def _both_orders(first: str, second: str) -> list[Row]:
    rows = judged(first, second, 70, winner_side=1) + judged(second, first, 30, winner_side=2)
    return rows + judged(first, second, 30, winner_side=2) + judged(second, first, 70, winner_side=1)


def test_another_matchup_that_shows_what_the_side_does_frees_the_verdict_of_it() -> None:
    """Side 1 wins 70 % between equal bots, so 70 % on side 1 says nothing, and 95 % does."""
    even = _both_orders("B", "C")
    fooled = judged("A", "B", 70, winner_side=1) + judged("B", "A", 30, winner_side=2)
    (matchup, _) = section_of(fooled + even).matchups
    assert matchup.p_exact is not None
    assert matchup.p_exact < 0.001
    assert (matchup.verdict.better, matchup.decided_by) == (None, "without order")
    assert "interval without the effect of the side" in matchup.verdict.sentence
    real = judged("A", "B", 95, winner_side=1) + judged("B", "A", 5, winner_side=2)
    assert section_of(real + even).matchups[0].verdict.better == "A"
    unrelated = _both_orders("D", "E")  # tells what the side does, whoever was compared
    assert section_of(real + unrelated).matchups[0].verdict.better == "A"
    few = judged("A", "B", 3, winner_side=1)
    assert section_of(few + even).matchups[0].verdict.better is None


def test_annotators_who_prefer_a_side_tell_less_of_what_the_side_does() -> None:
    """Thirty judgments of one annotator who always takes side 1 say it once, and not thirty times."""
    rows = judged("A", "B", 95, winner_side=1) + judged("B", "A", 5, winner_side=2) + _both_orders("B", "C")
    on_1 = np.array([row["winner_side"] == 1 for row in rows])
    numbers = np.where(on_1, on_1.cumsum(), (~on_1).cumsum()) // 30
    people = [f"always {2 - side}, {n}" for side, n in zip(on_1.tolist(), numbers.tolist(), strict=True)]
    people[:100] = [f"once {n}" for n in range(100)]
    clear = section_of(rows).matchups[0]
    unsure = section_of([{**row, "annotator": who} for row, who in zip(rows, people, strict=True)]).matchups[
        0
    ]
    assert (clear.verdict.better, unsure.verdict.better) == ("A", None)
    codes = np.unique(people, return_inverse=True)[1]
    effect = len(rows) / clustered_rate(on_1.astype(np.float64), [codes]).effective_n
    assert effect > 5
    assert clear.interval is not None
    assert unsure.interval is not None
    alone = ExactRate(95, 5).interval_at(clear.interval.level + SPENT)
    own, narrow, wide = (logit(one.high) - logit(one.low) for one in (alone, clear.interval, unsure.interval))
    assert (wide - own) / (narrow - own) == pytest.approx(effect**0.5)


def test_a_bot_against_itself_should_come_out_even() -> None:
    rows = judged("A", "A", 52, winner_side=1) + judged("A", "A", 48, winner_side=2)
    section = section_of(rows)
    (same,) = section.same_bot
    assert (same.n, same.side_1) == (100, 52)
    assert same.sentence.endswith("no difference detected, as it should be.")
    assert section.matchups == ()
    assert section.pooled is None


def test_a_bot_against_itself_without_sides_cannot_be_tested() -> None:
    (same,) = section_of(judged("A", "A", 5)).same_bot
    assert same.side_1 is None
    assert same.sentence == "A against itself: the sides are not known."


def test_agreement_is_that_of_an_independent_library() -> None:
    rng = np.random.default_rng(3)
    answers = rng.integers(0, 2, (4, 30))
    rows = [
        {"winner": "AB"[answer], "loser": "BA"[answer], "pairing": f"p{item}", "annotator": f"a{who}"}
        for who, row in enumerate(answers.tolist())
        for item, answer in enumerate(row)
    ]
    agreement = section_of(rows).agreement
    assert agreement is not None
    assert agreement.pairings == 30
    expected = krippendorff.alpha(reliability_data=answers.astype(float), level_of_measurement="nominal")
    assert agreement.alpha == pytest.approx(expected)


def test_pairings_judged_once_have_no_agreement() -> None:
    assert section_of(judged("A", "B", 1, pairing="p") + judged("A", "B", 1, pairing="q")).agreement is None


def test_time_is_the_median_that_counts_and_the_hours_of_all() -> None:
    rows = judged("A", "B", 3, seconds=60) + judged("A", "B", 1, seconds=3600, is_onboarding=True)
    rows += judged("B", "A", 1)
    time = section_of(rows).time
    assert time is not None
    assert time.median_seconds == 60
    assert time.person_hours == pytest.approx((180 + 3600) / 3600)
    assert (time.timed, time.untimed) == (4, 1)


def test_progress_ends_with_all_judgments() -> None:
    rows = [row for day in range(1, 4) for row in judged("A", "B", 200, at=f"2026-05-0{day}T12:00:00+00:00")]
    progress = section_of(rows).progress
    assert len(progress) <= 200
    assert progress[-1].at == "2026-05-03T12:00:00+00:00"
    assert progress[-1].judgments == 600


def test_bots_that_were_never_compared_have_no_common_strengths() -> None:
    section = section_of(
        judged("A", "B", 5) + judged("B", "A", 4) + judged("C", "D", 5) + judged("D", "C", 4)
    )
    assert section.pooled is None
    assert "never compared" in section.why_not_pooled


@settings(deadline=None)
@given(wins=st.integers(0, 60), losses=st.integers(0, 60))
def test_swapping_the_two_bots_mirrors_the_verdict(wins: int, losses: int) -> None:
    rows = judged("A", "B", wins) + judged("B", "A", losses)
    swapped = judged("B", "A", wins) + judged("A", "B", losses)
    if not rows:
        return
    ours, theirs = section_of(rows).matchups[0], section_of(swapped).matchups[0]
    assert ours.win_rate is not None
    assert theirs.win_rate is not None
    assert ours.win_rate == pytest.approx(1 - theirs.win_rate)
    assert ours.p_value == pytest.approx(theirs.p_value)
    mirrored = {None: None, "A": "B", "B": "A"}
    assert ours.verdict.better == mirrored[theirs.verdict.better]


@thorough(10)
@given(st.permutations(list(range(40))))
def test_the_order_of_judgments_does_not_matter(order: list[int]) -> None:
    rows = [
        {
            "winner": "ABC"[n % 3],
            "loser": "ABC"[(n + 1 + n % 2) % 3],
            "annotator": f"a{n % 25}",
            "pairing": n % 30,
        }
        for n in range(40)
    ]
    plain = section_of(rows)
    shuffled = section_of([rows[n] for n in order])
    assert_alike(plain.matchups, shuffled.matchups)
    assert plain.order == shuffled.order
    assert_alike(plain.agreement, shuffled.agreement)


def test_results_read_back_as_they_were_written(tmp_path: Path) -> None:
    rows = judged("A", "B", 60, annotator="x", winner_side=1, seconds=3, at="2026-05-04T12:00:00+00:00")
    rows += judged("B", "A", 40, annotator="y", winner_side=2, excluded="late")
    results = analyse_votes(votes_from_rows(rows))
    path = tmp_path / "results.json"
    path.write_text(results.to_json())
    assert isinstance(AcuteResults.read(path), AcuteResults)
    assert AcuteResults.read(path) == results


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"format": "duologue.results/2"}', NewerFormat),
        ('{"format": "duologue.results/1"}', FormatError),
        ("[]", FormatError),
        ("not json", FormatError),
    ],
)
def test_other_files_are_not_taken_for_results(tmp_path: Path, text: str, error: type[Exception]) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(error):
        AcuteResults.read(path)


@pytest.mark.skipif(not (SHARED / "llmfao").is_dir(), reason="the shared data are not here")
def test_the_crowd_votes_of_llmfao_are_analysed_whole() -> None:
    votes = read_votes(SHARED / "llmfao" / "crowd-comparisons.csv")
    (section,) = analyse_votes(votes).sections
    assert (section.n, section.ties, section.annotator_count) == (8_931, 3_471, 124)
    assert section.position is not None
    assert (section.position.side_1, section.position.n) == (2_911, 5_460)
    assert section.sides.startswith(
        "Sides are not balanced in 866 of 913 matchups. The effect of the side is"
    )
    assert section.agreement is not None
    assert not math.isnan(section.agreement.alpha)
    assert section.pooled is not None
    assert section.pooled.leaderboard[0].bot == "GPT 4"
    assert len(section.pooled.leaderboard) == 59


def test_annotators_who_are_not_known_count_as_different_people() -> None:
    rows = judged("A", "B", 3, annotator="x") + judged("B", "A", 2, annotator="y") + judged("A", "B", 4)
    clustered = section_of(rows).matchups[0].clustered
    assert clustered is not None
    assert clustered.clusters == {"annotator": 2 + 4}


def test_a_planned_bot_against_itself_is_no_matchup() -> None:
    (section,) = analyse_votes(votes_from_rows(judged("A", "B", 5)), planned={("A", "A"): 5}).sections
    assert [(matchup.first, matchup.second) for matchup in section.matchups] == [("A", "B")]


def test_without_any_two_bots_there_is_no_order() -> None:
    votes = votes_from_rows(judged("A", "B", 2, is_onboarding=True))
    (section,) = analyse_votes(votes).sections
    assert section.order.sentence == "No two bots were compared."
    assert section.n == 0


def test_a_matchup_of_unknown_annotators_is_not_clustered_by_those_of_another() -> None:
    rows = judged("A", "B", 3, annotator="x") + judged("B", "A", 2, annotator="y") + judged("A", "C", 4)
    known, unknown = section_of(rows).matchups
    assert known.clustered is not None
    assert unknown.clustered is None
    assert unknown.why_not_clustered == "neither annotators nor dialogues are known"


def test_matchups_of_very_many_bots_are_told_apart() -> None:
    bots = [f"bot {number:03}" for number in range(200)]
    rows = [row for first, second in pairwise(bots) for row in judged(first, second, 2)]
    matchups = section_of(rows).matchups
    assert [(one.first, one.second) for one in matchups] == list(pairwise(bots))
    assert {(one.wins_first, one.wins_second) for one in matchups} == {(2, 0)}


def test_sections_are_titled_by_what_tells_them_apart() -> None:
    rows = judged("A", "B", arm="main") + judged("A", "B", arm="formal", revision=2, annotator_kind="open")
    titles = {section.title for section in analyse_votes(votes_from_rows(rows)).sections}
    assert titles == {"invited annotators", "arm formal, revision 2, open-link annotators"}


def test_exclusions_of_onboarding_alone_are_not_said_to_be_none() -> None:
    rows = judged("A", "B", 5) + judged("A", "B", 1, excluded="late", is_onboarding=True)
    section = analyse_votes(votes_from_rows(rows)).sections[0]
    assert section.exclusions.sentence == "Only judgments that were never meant to count were excluded."


def test_invited_and_open_link_annotators_share_a_plan_and_an_interim_look() -> None:
    rows = [{"winner": "A", "loser": "B", "annotator": f"p{n}", "annotator_kind": "lab"} for n in range(30)]
    rows += [{"winner": "B", "loser": "A", "annotator": f"q{n}", "annotator_kind": "open"} for n in range(20)]
    votes = votes_from_rows(rows)
    early = analyse_votes(votes, planned={("A", "B"): 60})
    assert [warning for warning in early.warnings if "interim look" in warning] == [
        "1 of 1 matchup has not reached the planned number of judgments: this is an interim look. These "
        "p-values are valid only if you collect all planned judgments, whatever you see now."
    ]
    assert not any(
        "interim" in warning for warning in analyse_votes(votes, planned={("A", "B"): 50}).warnings
    )


def test_a_report_in_which_nothing_counts_says_that_and_no_other_reason() -> None:
    found = analyse_votes(votes_from_rows(judged("A", "B", 5, excluded="late", annotator="ann")))
    said = " ".join(not_shown(found, ()))
    assert "Example dialogues: no judgment counts." in said
    assert "position effect and agreement: no judgment counts." in said
    assert "no pairing was judged" not in said
    assert "Bots are ordered" not in methods_paragraph(found, None)
