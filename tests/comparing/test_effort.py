"""What a verdict costs, by drawing collected answers again."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from duologue.comparing import effort_json, effort_of, say_effort, write_effort
from duologue.errors import AnalysisError
from duologue.store import open_study
from tests.reports.judged_study import load, make_study, prefers_earlier, sit


def _votes(path: Path, wins: int, of: int, *, head: str = "winner,loser,annotator,seconds") -> Path:
    lines = (f"{'A,B' if n < wins else 'B,A'},p{n},36,x{n},y{n}" for n in range(of))
    path.write_text(f"{head},winner_dialogue,loser_dialogue\n" + "\n".join(lines) + "\n")
    return path


def test_a_clear_difference_costs_less_than_a_tight_one_and_live_chats_more(tmp_path: Path) -> None:
    clear, tight = _votes(tmp_path / "clear.csv", 80, 100), _votes(tmp_path / "tight.csv", 62, 100)
    cheap, dear, live = (
        effort_of(clear, "A", "B", draws=100),
        effort_of(tight, "A", "B", draws=100),
        effort_of(clear, "A", "B", draws=100, collecting=180),
    )
    assert cheap.hours_wanted is not None
    assert dear.hours_wanted is not None
    assert live.hours_wanted is not None
    assert cheap.hours_wanted < dear.hours_wanted
    # two dialogues an answer, of 180 s each, beside 36 s of reading
    assert live.hours_wanted == pytest.approx(cheap.hours_wanted * (36 + 2 * 180) / 36)
    assert cheap.points[-1].chance == 1
    assert all(one.low <= one.high for one in cheap.points)


def test_ratings_have_their_own_curve_and_a_planned_gap_its_hours(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    rows = (f"A,{3 + n % 2},p{n},60\nB,{3 - n % 3},q{n},60" for n in range(30))
    path.write_text("bot,rating,annotator,seconds\n" + "\n".join(rows) + "\n")
    found = effort_of(path, "A", "B", draws=100)
    assert (found.answers, found.annotators, found.dialogues_per_answer) == (60, 60, 1.0)
    assert found.hours_wanted is not None
    tight = effort_of(_votes(tmp_path / "tight.csv", 22, 40), "A", "B", draws=50)
    assert tight.hours_for_gap is not None
    said = list(say_effort([tight, found]))
    assert "to show the planned gap, some" in said[1]


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "bare.csv"
    path.write_text("winner,loser\n" + "A,B\n" * 9 + "B,A\n" * 5)
    with pytest.raises(AnalysisError, match="says nothing about times"):
        effort_of(path, "A", "B")
    found = effort_of(path, "A", "B", seconds=60, collecting=30, draws=50)
    assert (found.seconds, found.dialogues_per_answer) == (60, 2.0)
    with pytest.raises(AnalysisError, match="no single answers about A and C"):
        effort_of(path, "A", "C", seconds=60)
    arms = tmp_path / "arms.csv"
    arms.write_text("winner,loser,arm\nA,B,one\nA,B,two\n")
    with pytest.raises(AnalysisError, match="has several parts"):
        effort_of(arms, "A", "B")


def test_a_study_and_what_is_written(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    with open_study(study) as store:
        load(study, store)
        for _ in range(8):
            sit(study, store, prefers_earlier())
    found = effort_of(study.folder, "ann", "cy", draws=50, seconds=30)
    assert found.name == "study"
    written = write_effort([found], tmp_path / "out")
    assert [path.name for path in written] == ["effort.svg", "effort.pdf", "effort.json", "effort.csv"]
    with written[3].open() as file:
        assert len(list(csv.DictReader(file))) == len(found.points)
    assert json.loads(effort_json([found]))["curves"][0]["name"] == "study"


def test_bots_without_answers_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    rows = [f"{bot},{n % 4 + 1},{n % 3 + 1},p{n}" for n in range(8) for bot in "AB"]
    path.write_text("bot,rating_wit,rating_flow,annotator\n" + "\n".join([*rows, "C,,2,q"]) + "\n")
    assert effort_of(path, "A", "B", part="flow", seconds=60, draws=50).answers == 16
    for bots, part in ((("A", "Z"), "wit"), (("A", "C"), "wit"), (("A", "B"), "style")):
        with pytest.raises(AnalysisError, match="no single answers"):
            effort_of(path, *bots, part=part, seconds=60)
    votes = tmp_path / "votes.csv"
    votes.write_text("winner,loser\nA,B\nB,C\n")
    with pytest.raises(AnalysisError, match="no single answers about A and C"):
        effort_of(votes, "A", "C", seconds=60)


def test_a_rehearsal_is_named_and_a_sure_thing_costs_the_smallest_size(tmp_path: Path) -> None:
    sure = effort_of(_votes(tmp_path / "sure.csv", 100, 100), "A", "B", draws=50, alpha=0.1)
    assert sure.hours_wanted == sure.points[0].hours
    assert "is a REHEARSAL" in next(say_effort([replace(sure, is_rehearsal=True)]))
