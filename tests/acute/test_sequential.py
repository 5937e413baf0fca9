"""Stop or go on: what the sequential decisions say, and what the verdicts rest on then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.acute import AcuteResults, MatchupResult, analyse_votes
from duologue.acute.analysis.results import SequentialDecision
from duologue.judgments import Row, votes_from_rows
from tests.strategies import thorough

MATCHUP = ("A", "B")


def judged(winner: str, loser: str, times: int = 1, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


def spread(wins: int, losses: int, *, first: str = "A", second: str = "B") -> list[Row]:
    """Wins and losses evenly mixed, so that the evidence grows steadily."""
    total = wins + losses
    rows: list[Row] = []
    for number in range(total):
        is_win = (number + 1) * wins // total > number * wins // total
        rows += judged(first, second) if is_win else judged(second, first)
    return rows


def analysed(rows: Sequence[Row], **options: Any) -> AcuteResults:
    return analyse_votes(votes_from_rows(rows), **{"stopping": "sequential", **options})


def matchups_of(rows: Sequence[Row], **options: Any) -> tuple[MatchupResult, ...]:
    (section,) = analysed(rows, **options).sections
    return section.matchups


def decision_on(rows: Sequence[Row], **options: Any) -> SequentialDecision:
    found = matchups_of(rows, **options)[0].sequential
    assert found is not None
    return found


def test_seventy_of_a_hundred_have_the_evidence_worked_out_beforehand() -> None:
    """STATS.md, section 6: mixture SPRT, gap 0.2."""
    found = decision_on(spread(70, 30))
    assert found.e_value == pytest.approx(215.95182, abs=5e-6)
    assert found.decision == "stop: A is better"
    assert found.is_over
    assert found.needed == pytest.approx(20)
    assert (found.n, found.alpha, found.family) == (100, 0.05, 1)
    assert (found.interval.low, found.interval.high) == pytest.approx((0.56, 0.823), abs=5e-4)


@pytest.mark.parametrize(("wins", "n"), [(21, 21), (37, 50), (65, 100), (120, 200)])
def test_the_fewest_wins_that_suffice_are_those_worked_out_beforehand(wins: int, n: int) -> None:
    """STATS.md, section 6: the bots draw level first, so that only the lead at the end can decide."""
    losses = n - wins
    level = judged("B", "A") + judged("A", "B")
    enough = decision_on(level * losses + judged("A", "B", wins - losses))
    assert (enough.decision, enough.n) == ("stop: A is better", n)
    assert enough.e_value >= enough.needed
    one_less = decision_on(level * losses + judged("B", "A") + judged("A", "B", wins - losses - 1))
    assert (one_less.better, one_less.n) == (None, n)


def test_a_verdict_is_told_with_its_evidence_and_the_other_test_as_what_it_is() -> None:
    (matchup,) = matchups_of(spread(70, 30))
    assert matchup.verdict.better == "A"
    assert matchup.verdict.is_sequential
    assert matchup.verdict.sentence == (
        "A is better than B, at any look (win rate of A 70.0 %, anytime-valid interval [56.0, 82.3], "
        "n = 100; the test for a fixed number, not valid at interim looks: p < 0.001)."
    )
    assert matchup.sequential is not None
    assert matchup.sequential.why.startswith("The evidence against equal bots reached 20 after ")
    assert matchup.sequential.why.endswith("later ones cannot change that; it is 216 now.")


def test_a_verdict_that_the_later_judgments_speak_against_is_kept_and_said_to_be_odd() -> None:
    (matchup,) = matchups_of(judged("B", "A", 21) + judged("A", "B", 30))
    assert matchup.verdict.better == "B"
    assert matchup.verdict.sentence.startswith(
        "B is better than A, at any look, though A has caught up since, so that something may have changed ("
    )


@pytest.mark.parametrize(("early", "late"), [("A", "B"), ("B", "A")])
def test_a_bot_that_has_drawn_level_is_said_to_have_caught_up(early: str, late: str) -> None:
    (matchup,) = matchups_of(judged(early, late, 21) + judged(late, early, 21))
    assert matchup.verdict.better == early
    assert f"though {late} has caught up since" in matchup.verdict.sentence


def test_a_small_p_value_alone_is_no_verdict_where_stopping_is_sequential() -> None:
    """66 of 110: p = 0.045 when the number was fixed, and nothing yet when it was not."""
    (matchup,) = matchups_of(spread(66, 44), planned={MATCHUP: 300})
    assert matchup.p_adjusted is not None
    assert matchup.p_adjusted < 0.05
    assert matchup.verdict.better is None
    assert matchup.verdict.sentence.startswith("No verdict on A and B yet: go on (win rate of A 60.0 %, ")
    assert matchup.sequential is not None
    assert matchup.sequential.decision == "continue"
    assert not matchup.sequential.is_over
    assert matchup.sequential.why.endswith("and 20 is needed; at most 300 are planned.")


def test_an_even_split_stops_because_a_verdict_is_unlikely() -> None:
    (matchup,) = matchups_of(spread(60, 60))
    assert matchup.sequential is not None
    assert matchup.sequential.decision == "stop: unlikely to be decided within the plan"
    assert "at least 3.5 times better than a gap of 20 points either way" in matchup.sequential.why
    assert matchup.verdict.sentence.startswith(
        "No verdict on A and B, and one is unlikely within the plan: stop ("
    )


def test_the_planned_number_ends_a_matchup_without_a_verdict_ties_counted() -> None:
    rows = spread(6, 4) + judged("A", "B", 2, outcome="tie")
    (over,) = matchups_of(rows, planned={MATCHUP: 12})
    assert over.sequential is not None
    assert over.sequential.decision == "stop: the planned number is reached"
    assert over.verdict.sentence.startswith("No verdict on A and B at the planned number: stop (")
    assert "2 ties left out" in over.verdict.sentence
    assert "20 would have been needed" in over.sequential.why
    assert decision_on(rows, planned={MATCHUP: 13}).decision == "continue"


def test_nothing_but_ties_stops_at_the_planned_number_only() -> None:
    ties = judged("A", "B", 3, outcome="tie")
    assert decision_on(ties, planned={MATCHUP: 3}).decision == "stop: the planned number is reached"
    assert decision_on(ties, planned={MATCHUP: 4}).decision == "continue"
    (matchup,) = matchups_of(ties)
    assert matchup.verdict.sentence == "All 3 judgments of A and B are ties: no difference can be tested."


def test_ties_change_no_decision() -> None:
    rows = spread(40, 20)
    tied = [row for one in rows for row in (one, *judged("B", "A", outcome="tie"))]
    assert decision_on(tied) == decision_on(rows)


def test_the_error_rate_is_shared_among_all_planned_matchups_judged_or_not() -> None:
    planned = {("A", "B"): 110, ("A", "C"): 110, ("B", "C"): 110, ("A", "A"): 20}
    (section,) = analysed(spread(70, 30), planned=planned).sections
    assert [found.sequential.family for found in section.matchups if found.sequential] == [3, 3, 3]
    first = section.matchups[0].sequential
    assert first is not None
    assert first.alpha == pytest.approx(0.05 / 3)
    assert first.needed == pytest.approx(60)
    assert first.interval.level == pytest.approx(1 - 0.05 / 3)
    assert section.stopping == (
        "Sequential stopping (mixture SPRT for a gap of 20 points): its decisions hold however often one "
        "looks, at alpha = 0.05, shared by Bonferroni among 3 matchups (0.0167 each). "
        "1 of 3 matchups may stop."
    )


def test_sections_that_share_a_plan_share_the_error_rate_of_all_its_matchups() -> None:
    rows = judged("A", "B", 5, revision=1) + judged("A", "B", 5, revision=2)
    sections = analysed(rows, planned={("A", "B"): 9, ("A", "C"): 9}).sections
    assert [
        section.matchups[0].sequential.family for section in sections if section.matchups[0].sequential
    ] == [
        2,
        2,
    ]


def test_a_single_matchup_shares_the_error_rate_with_nobody() -> None:
    (section,) = analysed(spread(70, 30)).sections
    assert section.stopping.endswith("at alpha = 0.05. 1 of 1 matchup may stop.")


def test_an_early_look_is_not_warned_of_where_looking_is_free() -> None:
    (section,) = analysed(spread(7, 3), planned={MATCHUP: 110}).sections
    assert not any("interim look" in warning for warning in section.warnings)
    (fixed,) = analysed(spread(7, 3), planned={MATCHUP: 110}, stopping="fixed").sections
    assert any("interim look" in warning for warning in fixed.warnings)
    assert fixed.stopping == ""
    assert fixed.matchups[0].sequential is None


def test_a_study_with_a_fixed_number_keeps_its_verdict_and_says_so() -> None:
    rows = spread(66, 44)
    results = analysed(rows, stopping="fixed", with_sequential=True, planned={MATCHUP: 300})
    (matchup,) = results.sections[0].matchups
    assert matchup.verdict == matchups_of(rows, stopping="fixed")[0].verdict
    assert matchup.verdict.better == "A"
    assert matchup.sequential is not None
    assert matchup.sequential.decision == "continue"
    assert "its verdicts rest on that" in results.warnings[0]
    assert any("interim look" in warning for warning in results.sections[0].warnings)


def test_judgments_without_a_declared_rule_are_said_to_have_none() -> None:
    results = analysed(spread(66, 44), stopping="undeclared", with_sequential=True)
    assert results.warnings[0].startswith("No stopping rule was declared with these judgments: ")
    assert analysed(spread(66, 44), stopping="undeclared").warnings == ()


def test_judgments_are_taken_by_their_times_and_not_by_their_rows() -> None:
    """Twenty-one wins in the first minute decide, wherever their rows stand."""
    late = judged("B", "A", 30, at="2026-05-04T12:30:00+00:00")
    early = judged("A", "B", 21, at="2026-05-04T12:01:00+00:00")
    found = decision_on(late + early)
    assert (found.decision, found.decided_at) == ("stop: A is better", 21)
    (section,) = analysed(late + early).sections
    assert not any("order of the rows" in warning for warning in section.warnings)


def test_judgments_without_times_are_said_to_be_taken_by_their_rows() -> None:
    (section,) = analysed(spread(3, 2)).sections
    assert "sequential decisions take them in the order of the rows" in section.warnings[1]


def test_exclusions_are_weighed_by_the_same_test_as_the_verdicts() -> None:
    """67 : 44 is a verdict at a fixed number only, so one judgment more or less changes nothing."""
    rows = spread(66, 44) + judged("A", "B", 1, excluded="researcher")
    (section,) = analysed(rows).sections
    (effect,) = section.exclusions.effects
    assert effect.p_adjusted is not None
    assert effect.p_adjusted < 0.05
    assert (effect.better, effect.better_without_exclusions, effect.is_changed) == (None, None, False)
    many = spread(66, 44) + judged("A", "B", 40, excluded="researcher")
    (changed,) = analysed(many).sections[0].exclusions.effects
    assert (changed.better, changed.better_without_exclusions, changed.is_changed) == (None, "A", True)


def judged_again_rows(wins: int) -> list[Row]:
    """One judgment for A was excluded, and its pairing was judged again, for A too."""
    rows: list[Row] = [
        {
            "winner": "A",
            "loser": "B",
            "winner_side": 1 + number % 2,
            "annotator": f"p{number}",
            "winner_dialogue": f"a{number}",
            "loser_dialogue": f"b{number}",
        }
        for number in range(wins)
    ]
    return [*rows, {**rows[0], "annotator": "silent", "excluded": "no-reason"}]


@pytest.mark.parametrize(("wins", "claim"), [(30, "A better"), (10, "not decided")])
def test_a_verdict_that_cannot_be_worked_out_without_exclusions_is_not_called_a_changed_one(
    wins: int, claim: str
) -> None:
    """Without the exclusion the dialogues of that pairing repeat, and the sequential test is not valid."""
    (section,) = analysed(judged_again_rows(wins)).sections
    (effect,) = section.exclusions.effects
    assert (effect.is_changed, effect.is_comparable) == (False, False)
    assert (effect.said, effect.said_without_exclusions) == (claim, "no verdict")
    assert section.exclusions.sentence.startswith(
        f"1 judgment was excluded. Whether this changes 1 of 1 verdict cannot be told: A and B: {claim} with "
        "the exclusions, no verdict without. No verdict on A and B: their dialogues repeat"
    )
    assert section.exclusions.sentence not in section.warnings
    assert section.robustness is not None
    (rule,) = section.robustness.rules
    assert rule.changed == ()
    (other,) = rule.not_comparable
    assert (other.said, other.said_otherwise) == (claim, "no verdict")
    assert (
        f"This cannot be told of A and B: {claim} with the rule no-reason, no verdict without it. "
        "No verdict on A and B" in section.robustness.sentence
    )
    assert "no difference detected" not in section.exclusions.sentence + section.robustness.sentence


def test_annotators_are_left_out_by_the_test_that_decides() -> None:
    """21 wins are just enough for the sequential test, and far more than enough for a fixed number."""
    (section,) = analysed(judged_again_rows(21)).sections
    assert section.robustness is not None
    (one,) = section.robustness.annotators
    assert (one.said, one.said_without, one.is_changed) == ("A better", "not decided", True)
    assert "(A better with, not decided without)" in section.robustness.sentence


def test_all_sentences_on_a_shared_error_rate_name_the_method_that_holds() -> None:
    rows = spread(5, 3) + judged("A", "C", 4) + judged("C", "B", 4)
    sequential, fixed = analysed(rows), analysed(rows, stopping="fixed")
    assert "are one family (Bonferroni): " in sequential.family
    assert "Holm" not in sequential.family + sequential.sections[0].stopping
    assert "are one family (Holm): " in fixed.family


def test_the_widest_gap_is_ruled_out_by_one_win_of_each() -> None:
    found = decision_on(judged("A", "B") + judged("B", "A"), gap=1.0)
    assert (found.decision, found.e_value) == ("stop: unlikely to be decided within the plan", 0.0)
    assert decision_on(judged("A", "B"), gap=1.0).why.startswith("After 1 judgment with a winner ")


def test_results_keep_their_sequential_decisions(tmp_path: Path) -> None:
    results = analysed(spread(70, 30), planned={("A", "B"): 110, ("A", "C"): 110})
    path = tmp_path / "results.json"
    path.write_text(results.to_json(), encoding="utf-8")
    assert AcuteResults.read(path) == results


def test_results_written_before_there_were_such_decisions_are_read(tmp_path: Path) -> None:
    fixed = analysed(spread(70, 30), stopping="undeclared")
    found = json.loads(fixed.to_json())
    del found["stopping"], found["sections"][0]["stopping"], found["sections"][0]["matchups"][0]["sequential"]
    del found["sections"][0]["matchups"][0]["verdict"]["is_sequential"]
    path = tmp_path / "results.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    assert AcuteResults.read(path) == fixed


MIRRORED = {"stop: A is better": "stop: B is better", "stop: B is better": "stop: A is better"}


@thorough(10)
@given(
    winners=st.lists(st.sampled_from("ABBBB"), max_size=90) | st.lists(st.sampled_from("AB"), max_size=90),
    planned=st.integers(1, 100),
)
def test_swapping_the_two_bots_mirrors_the_decision(winners: list[str], planned: int) -> None:
    other = {"A": "B", "B": "A"}
    plan = {MATCHUP: planned}
    ours = judged("A", "B", outcome="tie") + [row for bot in winners for row in judged(bot, other[bot])]
    theirs = judged("A", "B", outcome="tie") + [row for bot in winners for row in judged(other[bot], bot)]
    one, two = decision_on(ours, planned=plan), decision_on(theirs, planned=plan)
    assert two.decision == MIRRORED.get(one.decision, one.decision)
    assert two.e_value == pytest.approx(one.e_value)
    assert two.decided_at == one.decided_at
    assert (two.interval.low, two.interval.high) == pytest.approx(
        (1 - one.interval.high, 1 - one.interval.low), abs=1e-9
    )


@thorough(10)
@given(winners=st.lists(st.sampled_from("AAB"), min_size=1, max_size=120))
def test_a_verdict_is_never_taken_back_by_later_judgments(winners: list[str]) -> None:
    other = {"A": "B", "B": "A"}
    rows = [row for bot in winners for row in judged(bot, other[bot])]
    whole, half = decision_on(rows), decision_on(rows[: max(1, len(rows) // 2)])
    assert half.better is None or (whole.better, whole.decided_at) == (half.better, half.decided_at)


def _by_annotators(leaning: Sequence[str], each: int) -> list[Row]:
    """Every annotator gives ``each`` judgments for their favourite, one annotator after another."""
    other = {"A": "B", "B": "A"}
    return [row for n, bot in enumerate(leaning) for row in judged(bot, other[bot], each, annotator=f"a{n}")]


def test_annotators_who_judge_repeatedly_are_bet_on_once_each() -> None:
    """Forty wins by two annotators are two outcomes, not forty."""
    found = decision_on(_by_annotators("AA", 20))
    assert (found.bets, found.cluster_size, found.left_out, found.n) == (2, 20, 0, 40)
    assert found.e_value == pytest.approx((1 + 0.9) ** 2 / 2 + (1 - 0.9) ** 2 / 2)
    assert found.decision == "continue"
    assert "After 2 annotators with 20 judgments each (0 other judgments are left out) " in found.why
    many = decision_on(_by_annotators("A" * 8, 5))
    bet = 0.2 / (0.04 + 0.96 * 1.4 / 5)
    assert many.e_value == pytest.approx((1 + bet) ** 8 / 2 + (1 - bet) ** 8 / 2)
    assert (many.decision, many.decided_at) == ("stop: A is better", 8)
    assert "reached 20 after 8 annotators with 5 judgments each" in many.why


def test_only_complete_annotators_are_bet_on_in_the_order_in_which_they_finish() -> None:
    rows = _by_annotators("AB", 3) + judged("A", "B", 2, annotator="late") + judged("A", "B", annotator="a0")
    rows += judged("A", "B", outcome="tie", annotator="late")
    found = decision_on(rows, per_annotator=3)
    assert (found.bets, found.cluster_size, found.left_out) == (3, 3, 1)
    assert decision_on(rows, per_annotator=1).bets == 3  # the first judgment of each


def test_where_no_number_was_planned_that_is_taken_by_which_most_judgments_are_used() -> None:
    one_busy = [*_by_annotators("A" * 9, 1), *judged("A", "B", 4, annotator="busy")]
    found = decision_on(one_busy)
    assert (found.bets, found.cluster_size, found.left_out) == (10, 1, 3)
    assert "After 10 annotators with 1 judgment each (3 other judgments are left out) " in found.why
    several = decision_on([*_by_annotators("AAA", 3), *_by_annotators("A", 1)])
    assert (several.bets, several.cluster_size) == (3, 3)
    blank = decision_on(judged("A", "B", 2, annotator="x") + judged("B", "A", 3))
    assert (blank.bets, blank.left_out) == (4, 1)


def test_dialogues_that_repeat_in_a_matchup_leave_no_sequential_decision() -> None:
    rows = judged("A", "B", 40, winner_dialogue="same") + judged("B", "A", 1, winner_dialogue="other")
    (matchup,) = matchups_of(rows)
    assert matchup.sequential is not None
    assert matchup.sequential.decision == "no decision: dialogues repeat in this matchup"
    assert not matchup.sequential.is_over
    assert matchup.verdict.better is None
    assert matchup.verdict.sentence == (
        "No verdict on A and B: their dialogues repeat, and the sequential test is not valid then."
    )


def test_one_graded_judgment_has_no_test_for_a_fixed_number_beside_it() -> None:
    (matchup,) = matchups_of(judged("A", "B", lead="0.5"))
    assert matchup.verdict.sentence.startswith(
        "No verdict on A and B yet: go on (mean preference of A 75.0 %"
    )
    assert "fixed number" not in matchup.verdict.sentence
