"""Questions ranked by how far each separates the bots: phrasings, and questions of an ordinary study."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from duologue.acute import AcuteResults, QuestionRanking, analyse_votes
from duologue.acute.analysis.parts import parts_of
from duologue.acute.analysis.separating import rank_questions, say_times
from duologue.judgments import Row, votes_from_rows
from duologue.reports import analyse_file, write_report
from tests.acute.phrased import judged, judged_all

AXES = {"long-conversation": "engagingness", "captivating": "engagingness", "sounds-human": "humanness"}
COUNTS = {"long-conversation": (14, 6), "captivating": (13, 7), "sounds-human": (19, 1)}


def ranked(rows: list[Row], axes: dict[str, str] | None = None) -> QuestionRanking:
    found = rank_questions(tuple(parts_of(votes_from_rows(rows))), level=0.95, axes=axes)
    assert found is not None
    return found


def compared(arm: str, wins: dict[tuple[str, str], tuple[int, int]]) -> list[Row]:
    """So many wins of the first and of the second bot of each matchup, each by somebody else."""
    return [
        {
            "winner": first if number < won else second,
            "loser": second if number < won else first,
            "arm": arm,
            "question": f"{arm}?",
            "annotator": f"{arm}-{first}-{second}-{number}",
        }
        for (first, second), (won, lost) in wins.items()
        for number in range(won + lost)
    ]


def test_questions_are_ranked_across_axes() -> None:
    found = ranked(judged_all(COUNTS), AXES)
    assert [(one.axis, one.arm, one.points_to) for one in found.questions] == [
        ("humanness", "sounds-human", "good"),
        ("engagingness", "long-conversation", "good"),
        ("engagingness", "captivating", "good"),
    ]
    best, second, last = found.questions
    # (18² / 20 − 1) / 19, (8² / 20 − 1) / 19, (6² / 20 − 1) / 19
    assert best.separation == pytest.approx(15.2 / 19)
    assert second.separation == pytest.approx(2.2 / 19)
    assert (best.times, second.times, last.times) == pytest.approx((1, 15.2 / 2.2, 15.2 / 0.8))
    assert best.noncentrality == pytest.approx(15.2)
    assert found.sentence.startswith(
        "Of 3 questions about the same matchup, sounds-human separates the bots best: 0.800 for each "
        "judgment ["
    )
    assert "long-conversation needs 6.9 times [" in found.sentence
    assert "not the same question: choose by this only where either would do." in found.sentence
    assert found.notes == ()
    assert [say_times(one)[:4] for one in found.questions] == ["1", "6.9 ", "19.0"]


def test_questions_that_may_separate_nothing_need_no_number_of_judgments() -> None:
    found = ranked(judged_all({"sounds-human": (19, 1), "captivating": (10, 10)}), AXES)
    assert [say_times(one) for one in found.questions] == ["1", "cannot be said"]
    assert "The others may separate nothing." in found.sentence
    assert found.questions[1].interval.high > 0.3


def test_questions_that_point_to_different_bots_are_noted() -> None:
    found = ranked(judged_all({"long-conversation": (19, 1), "sounds-human": (2, 18)}), AXES)
    assert found.notes == (
        "The questions separate the two bots in different directions: good by long-conversation; weak by "
        "sounds-human.",
    )


def test_questions_that_separate_nothing_are_said_to() -> None:
    found = ranked(judged_all({"long-conversation": (10, 10), "sounds-human": (11, 9)}), AXES)
    assert found.sentence == "No question separates the bots of the same matchup beyond chance."
    assert [one.times for one in found.questions] == [1, None]
    assert [one.points_to for one in found.questions] == ["good", ""]


def test_a_separation_that_may_be_chance_is_said_to() -> None:
    assert (
        "may be chance"
        in ranked(judged_all({"captivating": (14, 6), "sounds-human": (10, 10)}), AXES).sentence
    )
    assert "may be chance" not in ranked(judged_all(COUNTS), AXES).sentence


def test_one_question_is_not_ranked() -> None:
    parts = tuple(parts_of(votes_from_rows(list(judged("long-conversation", 9, 3)))))
    assert rank_questions(parts, level=0.95, axes=AXES) is None
    rows = votes_from_rows(judged_all(COUNTS))
    assert rank_questions(tuple(parts_of(rows)), level=0.95, axes={"captivating": "engagingness"}) is None


def test_only_matchups_that_all_questions_have_are_counted() -> None:
    both, one = {("A", "B"): (12, 4), ("B", "C"): (11, 5)}, {("A", "C"): (16, 0)}
    rows = [*compared("fun", both | one), *compared("human", both)]
    found = ranked(rows)
    assert found.matchups == 2
    assert [question.n for question in found.questions] == [32, 32]
    # 8² / 16 + 6² / 16 = 6.25, less 2, over 30: both alike.
    assert [question.separation for question in found.questions] == pytest.approx([4.25 / 30] * 2)
    assert (
        rank_questions(
            tuple(parts_of(votes_from_rows([*compared("fun", one), *compared("x", both)]))), level=0.95
        )
        is None
    )


def test_an_ordinary_study_of_several_questions_ranks_them(tmp_path: Path) -> None:
    rows = [
        *compared("fun", {("A", "B"): (24, 6), ("A", "C"): (27, 3), ("B", "C"): (18, 12)}),
        *compared("human", {("A", "B"): (18, 12), ("A", "C"): (20, 10), ("B", "C"): (16, 14)}),
    ]
    results = analyse_votes(votes_from_rows(rows))
    assert results.questions is not None
    assert [one.name for one in results.questions.questions] == ["fun", "human"]
    # 18²/30 + 24²/30 + 6²/30 = 31.2, and 6²/30 + 10²/30 + 2²/30 = 4.667; each less 3 over 87.
    assert [one.noncentrality for one in results.questions.questions] == pytest.approx([28.2, 5 / 3])
    assert {one.points_to for one in results.questions.questions} == {""}

    path = tmp_path / "votes.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    analysis = analyse_file(path)
    found = analysis.results
    assert isinstance(found, AcuteResults)
    folder = tmp_path / "report"
    write_report(found, folder)
    assert AcuteResults.read(folder / "results.json").questions == results.questions
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Which question separates the bots" in page
    assert "Questions were ranked by the noncentrality of the score test" in page
    with (folder / "tables" / "questions.csv").open(encoding="utf-8") as file:
        first, second = csv.DictReader(file)
    assert (first["arm"], float(first["times_as_many"])) == ("fun", 1)
    assert float(second["times_as_many"]) == pytest.approx(28.2 / (5 / 3))


def test_a_study_of_one_question_says_nothing_of_it(tmp_path: Path) -> None:
    results = analyse_votes(votes_from_rows(compared("fun", {("A", "B"): (24, 6)})))
    assert results.questions is None
    write_report(results, tmp_path)
    assert "separates the bots" not in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert not (tmp_path / "tables" / "questions.csv").exists()
