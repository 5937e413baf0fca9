"""Graded answers: offered, read, exported and read back, tested by their scores, beside a forced choice."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from duologue.acute import AcuteProtocol, AcuteReport, analyse_votes
from duologue.acute.analysis.results import Section
from duologue.acute.report.figures import forest_figure
from duologue.errors import AnswerError
from duologue.judgments import Row, read_votes, votes_from_rows
from duologue.protocols import ONLY_ARM, Answer, AskedItem, FormValues, JudgedBatch
from duologue.reports import AnalysisRequest, report_page
from duologue.stats import graded_bet
from tests.acute.test_page import ASKED, DIALOGUES, ITEM, judgment, settings
from tests.reports.judged_study import compared, make_study

GRADED = AcuteProtocol(settings(answer="graded"))
WITH_TIES = AcuteProtocol(settings(answer="graded", ties=True))


def judged(winner: str, loser: str, times: int = 1, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, **columns}] * times


def section_of(rows: Sequence[Row], **options: Any) -> Section:
    (section,) = analyse_votes(votes_from_rows(rows), **options).sections
    return section


def test_four_answers_are_offered_from_one_side_to_the_other_and_a_tie_in_the_middle() -> None:
    def values(protocol: AcuteProtocol) -> list[str]:
        choices = protocol.show(AskedItem(ONLY_ARM, ITEM, (0, 1), DIALOGUES)).values["questions"][0].choices  # type: ignore[index]
        assert isinstance(choices, tuple)
        return [choice.value for choice in choices]

    assert values(GRADED) == ["clearly-1", "slightly-1", "slightly-2", "clearly-2"]
    assert values(WITH_TIES) == ["clearly-1", "slightly-1", "tie", "slightly-2", "clearly-2"]


@pytest.mark.parametrize(
    ("choice", "said"),
    [
        ("clearly-1", {"side": 1, "lead": 1}),
        ("slightly-1", {"side": 1, "lead": 0.5}),
        ("slightly-2", {"side": 2, "lead": 0.5}),
        ("clearly-2", {"side": 2, "lead": 1}),
        ("tie", {"side": None, "lead": 0}),
    ],
)
def test_an_answer_is_a_side_and_how_clearly(choice: str, said: dict[str, object]) -> None:
    assert WITH_TIES.read(ASKED, FormValues({"choice": choice})) == Answer(said, "")


@pytest.mark.parametrize("choice", ["1", "2", "tie", "much-1", ""])
def test_an_answer_that_is_not_on_the_scale_is_refused(choice: str) -> None:
    with pytest.raises(AnswerError, match="choose one"):
        GRADED.read(ASKED, FormValues({"choice": choice}))


def test_a_slight_answer_for_the_gold_one_is_right() -> None:
    assert GRADED.is_correct(ASKED, GRADED.read(ASKED, FormValues({"choice": "slightly-2"}))) is True


def test_a_row_says_how_clearly_also_after_the_study_asks_no_more() -> None:
    slight = replace(judgment(1), answer={"side": 1, "lead": 0.5})
    assert GRADED.as_row(ITEM, slight)["lead"] == 0.5
    assert AcuteProtocol(settings()).as_row(ITEM, slight)["lead"] == 0.5
    assert GRADED.as_row(ITEM, judgment(1))["lead"] is None
    assert "lead" not in AcuteProtocol(settings()).as_row(ITEM, judgment(1))


def test_columns_have_the_lead_that_the_rows_have() -> None:
    def leads(*answers: dict[str, object]) -> object:
        n = len(answers)
        texts, numbers, no = [""] * n, [0] * n, [False] * n
        batch = JudgedBatch(
            ids=texts, annotators=texts, annotator_kinds=texts, items=texts, groups=texts, excluded=texts,
            item_numbers=numbers, seconds=numbers, revisions=numbers, has_reason=no, is_onboarding=no,
            arms=[ONLY_ARM] * n, bots=[("a", "b")] * n, dialogues=[("x", "y")] * n, answers=answers,
            orders=[(0, 1)] * n, at=["2026-01-01T00:00:00"] * n, flags=[()] * n,
        )  # fmt: skip
        return GRADED.columns(batch).get("lead")

    assert leads({"side": 1, "lead": 1}, {"side": None, "lead": 0}, {"side": 2, "lead": 0.5}) == [
        "1",
        "0",
        "0.5",
    ]
    assert leads({"side": 1}) is None


def test_the_plan_names_the_test_of_the_scores() -> None:
    assert "mean score" in GRADED.rules(stopping="fixed").test
    assert "scores of the judgments" in GRADED.rules(stopping="sequential").test
    pooled = AcuteProtocol(settings(answer="graded", verdicts="pooled"))
    assert "part of a win" in pooled.rules(stopping="fixed").test
    assert "mean score" not in AcuteProtocol(settings()).rules(stopping="fixed").test


def test_annotators_are_told_that_it_is_asked_how_clearly() -> None:
    assert "only slightly" in GRADED.study_wording()["instructions"]
    assert "slightly" not in AcuteProtocol(settings()).study_wording()["instructions"]


MIXED = (
    judged("A", "B", 30, lead="1")
    + judged("A", "B", 10, lead="0.5")
    + judged("B", "A", 25, lead="0.5")
    + judged("A", "B", 4, outcome="tie")
)


def test_graded_answers_are_counted_and_read_back_as_a_forced_choice() -> None:
    section = section_of(MIXED)
    assert section.graded is not None
    (read,) = section.graded.matchups
    assert (read.clearly_first, read.slightly_first, read.ties) == (30, 10, 4)
    assert (read.slightly_second, read.clearly_second) == (25, 0)
    forced = section_of([{name: row[name] for name in row if name != "lead"} for row in MIXED])
    (matchup,) = forced.matchups
    assert read.win_rate == matchup.win_rate
    assert read.p_adjusted == matchup.p_adjusted
    assert forced.graded is None


def test_the_report_says_where_the_two_readings_differ() -> None:
    rows = judged("A", "B", 30, lead="1") + judged("B", "A", 26, lead="0.5")
    section = section_of(rows)
    assert section.graded is not None
    assert section.matchups[0].verdict.better == "A"
    assert section.graded.sentence == (
        "46 % of the answers for a side were slight ones. Read as a forced choice, the verdict of the test "
        "for a fixed number is the same in 0 of 1 matchups."
    )


def test_opposite_verdicts_are_counted() -> None:
    rows = judged("A", "B", 700, lead="1") + judged("B", "A", 1100, lead="0.5")
    section = section_of(rows)
    assert section.graded is not None
    assert section.graded.sentence.endswith(", and the opposite in 1.")


def test_only_ties_are_read_back_to_nothing() -> None:
    votes = replace(votes_from_rows(judged("A", "B", 3, outcome="tie")), on_a_scale=True)
    (section,) = analyse_votes(votes).sections
    assert section.graded is not None
    assert section.graded.sentence.startswith("No matchup has a verdict both by the scores")


def test_a_study_that_asks_how_clearly_is_tested_by_scores_though_all_answers_are_clear() -> None:
    rows = judged("A", "B", 8, lead="1") + judged("B", "A", 2, lead="1")
    asked = replace(AnalysisRequest(), settings=settings(answer="graded"))
    graded = compared(AcuteReport().analyse_rows(rows, asked)).sections[0].matchups[0]
    plain = section_of(rows).matchups[0]
    assert (graded.decided_by, plain.decided_by) == ("sign flips", "exact")


def people(rows: Sequence[Row], each: int) -> list[Row]:
    return [{**row, "annotator": f"p{number // each}"} for number, row in enumerate(rows)]


def test_the_larger_of_students_t_and_sign_flips_decides_on_scores() -> None:
    """By Student's t these answers differ (p = 0.030); of all 2¹⁰ ways to flip them 56 lie as far out."""
    rows = judged("A", "B", 7, lead="1") + judged("A", "B", lead="0.5")
    rows += judged("B", "A", lead="1") + judged("B", "A", lead="0.5")
    found = section_of(rows).matchups[0]
    assert found.decided_by == "sign flips"
    assert found.p_value == pytest.approx(56 / 2**10)
    assert found.interval is not None
    assert 0.5 in found.interval
    assert found.verdict.better is None
    assert "by sign flips, " in found.verdict.sentence


def test_the_interval_of_graded_answers_excludes_an_even_split_exactly_when_they_differ() -> None:
    for wins in range(6, 28):
        rows = judged("A", "B", wins, lead="1") + judged("B", "A", 28 - wins, lead="0.5")
        for each in (1, 2, 4):
            found = section_of(people(rows, each)).matchups[0]
            assert found.interval is not None
            assert (0.5 not in found.interval) == (found.verdict.better is not None)


def test_clusters_of_graded_answers_are_flipped_whole() -> None:
    rows = people(judged("A", "B", 24, lead="1") + judged("B", "A", 4, lead="0.5"), 4)
    found = section_of(rows).matchups[0]
    assert found.decided_by == "sign flips"
    assert found.p_value == pytest.approx(4 / 2**7)  # seven annotators; without the last, 12 steps from zero
    assert "by sign flips of whole clusters" in found.verdict.sentence


def test_graded_answers_of_too_few_annotators_give_no_verdict_and_say_so() -> None:
    rows = judged("A", "B", 24, lead="0.5")
    rows[0] = {**rows[0], "lead": "1"}
    assert section_of(people(rows, 4)).matchups[0].verdict.better == "A"
    found = section_of(people(rows, 5)).matchups[0]
    assert found.interval is None
    assert found.verdict.why_none == (
        "No verdict on A and B: the scores come from 5 annotators, and it takes at least 6 to test them "
        "(A won 24, B 0)."
    )
    uneven = people(rows, 2)
    uneven[:10] = [{**row, "annotator": "busy"} for row in uneven[:10]]
    assert (
        "from 8 annotators, worth 4.5 of equal size, and" in section_of(uneven).matchups[0].verdict.why_none
    )


def test_too_few_dialogues_of_a_bot_are_named_and_too_few_judgments_counted() -> None:
    rows = [
        {**row, "winner_dialogue": f"w{number % 3}", "loser_dialogue": f"l{number}"}
        for number, row in enumerate(judged("A", "B", 12, lead="0.5"))
    ]
    assert "the scores come from 3 dialogues of A, and" in section_of(rows).matchups[0].verdict.sentence
    few = section_of(judged("A", "B", 5, lead="0.5")).matchups[0]
    assert "the scores come from 5 judgments, and it takes at least 6" in few.verdict.sentence


def test_an_exported_table_is_read_back_with_the_same_verdict(tmp_path: Path) -> None:
    answers = [
        {"side": 1 + n % 3 // 2, "lead": 0.5 if n % 2 else 1} if n % 7 else {"side": None, "lead": 0}
        for n in range(60)
    ]
    rows = [WITH_TIES.as_row(ITEM, replace(judgment(1), answer=answer)) for answer in answers]
    path = tmp_path / "judgments.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    ours, theirs = votes_from_rows(rows), read_votes(path)
    assert theirs.is_graded
    assert ours.half_leads.tolist() == theirs.half_leads.tolist()
    assert set(theirs.half_leads.tolist()) == {0, 1, 2}


def sequential(rows: Sequence[Row], **options: Any) -> Any:
    found = section_of(rows, stopping="sequential", **options).matchups[0]
    assert found.sequential is not None
    return found


def test_sequential_evidence_is_bet_on_the_scores() -> None:
    """By hand: half the product of 1 + λs, half that of 1 − λs, λ = .277 and ties as zeros."""
    found = sequential(MIXED)
    bet = graded_bet(0.2)
    up = (1 + bet) ** 30 * (1 + bet / 2) ** 10 * (1 - bet / 2) ** 25
    down = (1 - bet) ** 30 * (1 - bet / 2) ** 10 * (1 + bet / 2) ** 25
    assert found.sequential.e_value == pytest.approx((up + down) / 2)
    assert found.sequential.bets == 69
    assert "mean preference of A" in found.verdict.sentence
    assert found.verdict.better == "A"


def test_sequential_evidence_of_annotators_is_bet_on_their_mean_scores() -> None:
    rows = [
        {
            **row,
            "annotator": f"p{number // 5}",
            "winner_dialogue": f"w{number}",
            "loser_dialogue": f"l{number}",
        }
        for number, row in enumerate(judged("A", "B", 10, lead="0.5") + judged("A", "B", 10, lead="1"))
    ]
    found = sequential(rows).sequential
    bet = graded_bet(0.2, size=5)
    assert (found.cluster_size, found.bets) == (5, 4)
    e = ((1 + bet / 2) ** 2 * (1 + bet) ** 2 + (1 - bet / 2) ** 2 * (1 - bet) ** 2) / 2
    assert found.e_value == pytest.approx(e)


def test_what_is_said_while_evidence_is_wanted_names_all_judgments() -> None:
    found = sequential(judged("A", "B", 2, lead="0.5") + judged("A", "B", outcome="tie"))
    assert "After 3 judgments the evidence" in found.sequential.why


def test_the_answers_are_a_table_and_stand_in_the_text() -> None:
    votes = votes_from_rows(MIXED)
    results = analyse_votes(votes, stopping="sequential")
    report = AcuteReport()
    (row,) = dict(report.report_tables(results))["graded.csv"]
    assert (row["clearly_first"], row["better_forced"]) == (30, None)
    assert "graded.csv" in dict(report.tables(results, MIXED, judged=votes))
    assert results.sections[0].graded is not None
    assert results.sections[0].graded.sentence in list(report.in_words(results))
    assert "the scores of the judgments" in report.methods(results, None)


def test_nothing_is_said_of_grades_where_there_are_none() -> None:
    results = analyse_votes(votes_from_rows(judged("A", "B", 3)), stopping="sequential")
    assert "graded.csv" not in dict(AcuteReport().report_tables(results))
    assert "the judgments with a winner" in AcuteReport().methods(results, None)


def test_the_report_of_a_graded_study_shows_both_readings_and_names_the_scale(tmp_path: Path) -> None:
    results = analyse_votes(votes_from_rows(MIXED))
    study = make_study(tmp_path / "study", more='answer = "graded"\nties = true\n')
    page = report_page(results)
    assert "Graded answers</h3>" in page
    assert "as a forced choice" in page
    assert "Mean preferences with intervals</h3>" in page
    assert "Win rates with intervals" not in page
    assert "ties left out and slight answers counted like clear ones" in page
    assert "No difference detected</span>" not in page  # the sentence says it
    figure = forest_figure(results.sections[0])
    assert figure is not None
    assert figure.axes[0].get_xlabel() == "mean preference for the bot named first (%)"
    said = AcuteReport().methods(results, study)
    assert ", each clearly or slightly, and a tie (five points)" in said
    strict = make_study(tmp_path / "strict", more='answer = "graded"\n')
    assert ", each clearly or slightly (four points)" in AcuteReport().methods(results, strict)


def test_no_agreement_of_direct_and_pooled_verdicts_is_counted_where_nothing_is_decided() -> None:
    rows = [
        {"winner": one, "loser": other, "lead": 0.5, "annotator": who}
        for who, pairs in (
            ("p", (("A", "B"), ("C", "A"), ("B", "C"))),
            ("q", (("A", "C"), ("B", "A"), ("C", "B"))),
        )
        for one, other in pairs
    ]
    section = section_of(rows)
    assert all(matchup.verdict.why_none for matchup in section.matchups)
    assert section.pooled is not None
    assert section.pooled.compared == 0
    assert "agree on" not in section.pooled.sentence
    assert section.graded is not None
    assert "No matchup has a verdict both by the scores and as a forced choice." in section.graded.sentence
