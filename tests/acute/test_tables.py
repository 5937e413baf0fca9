"""Tables for scripts: ParlAI's columns, and our own."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from duologue.acute import AcuteResults, analyse_votes, matchup_rows
from duologue.judgments import Row, votes_from_rows
from duologue.reports import Analysis, analyse_file, write_results

SHARED = Path(__file__).parents[3] / "shared" / "data" / "parlai_fixtures" / "acute_eval" / "expected"

SIGNIFICANCE = [
    "question",
    "matchup",
    "model1",
    "numwins1",
    "winrate1",
    "model2",
    "numwins2",
    "winrate2",
    "numratings",
    "raw_sigf",
    "raw_stars",
    "raw_p",
    "agree",
    "p",
    "decided_by",
    "p_adjusted",
    "low1",
    "high1",
    "level",
    "better",
    "verdict",
]
FULL = [
    "worker",
    "time_taken",
    "question",
    "correct",
    "winner",
    "loser",
    "eval_choice_0",
    "eval_choice_1",
    "reason",
    "is_onboarding",
    "matchup",
    "pairing_id",
]


def judged(winner: str, loser: str, times: int, **columns: object) -> list[Row]:
    return [{"winner": winner, "loser": loser, "annotator": "w", **columns}] * times


def tables_of(rows: list[Row], folder: Path) -> dict[str, list[dict[str, str]]]:
    votes = votes_from_rows(rows)
    write_results(Analysis(analyse_votes(votes), votes), rows, folder)
    found = {}
    for path in (folder / "tables").iterdir():
        with path.open(newline="") as file:
            found[path.name] = list(csv.DictReader(file))
    return found


def test_results_are_written_beside_the_tables(tmp_path: Path) -> None:
    tables = tables_of(judged("A", "B", 3), tmp_path)
    assert set(tables) == {
        "matchups.csv",
        "significance.csv",
        "grid.csv",
        "grid.winners_as_rows.csv",
        "ratings_per_worker.csv",
        "full.csv",
    }
    assert AcuteResults.read(tmp_path / "results.json").sections[0].n == 3


@pytest.mark.parametrize(
    ("wins", "losses", "stars", "level"),
    [(50, 50, "", "p>.05"), (61, 39, "*", "p<.05"), (64, 36, "**", "p<.01"), (70, 30, "***", "p<.001")],
)
def test_significance_has_parlais_columns_and_stars(
    tmp_path: Path, wins: int, losses: int, stars: str, level: str
) -> None:
    (row,) = tables_of(judged("B", "A", losses) + judged("A", "B", wins), tmp_path)["significance.csv"]
    assert list(row) == SIGNIFICANCE
    assert row["matchup"] == "A__vs__B"
    assert (row["model1"], row["numwins1"], row["model2"], row["numwins2"]) == (
        "A",
        str(wins),
        "B",
        str(losses),
    )
    assert float(row["winrate1"]) + float(row["winrate2"]) == 1
    assert (row["raw_stars"], row["raw_sigf"], row["numratings"]) == (stars, level, str(wins + losses))


def test_agreement_is_parlais(tmp_path: Path) -> None:
    """Three to one on one pairing, one each on another (which counts as none), and one judged once."""
    rows = judged("A", "B", 3, pairing="p") + judged("B", "A", 1, pairing="p")
    rows += (
        judged("A", "B", 1, pairing="q") + judged("B", "A", 1, pairing="q") + judged("A", "B", 1, pairing="r")
    )
    (row,) = tables_of(rows, tmp_path)["significance.csv"]
    assert float(row["agree"]) == pytest.approx((0.75 + 0) / 2)


def test_the_grid_has_losers_down_and_the_weakest_first(tmp_path: Path) -> None:
    rows = judged("A", "B", 3) + judged("B", "A", 1) + judged("A", "C", 4) + judged("B", "C", 1) * 2
    tables = tables_of(rows, tmp_path)
    grid = tables["grid.csv"]
    assert list(grid[0]) == ["loser", "C", "B", "A"]
    assert [row["loser"] for row in grid] == ["C", "B", "A"]
    assert grid[0] == {"loser": "C", "C": "", "B": "1.0", "A": "1.0"}
    assert grid[1]["A"] == "0.75"
    turned = tables["grid.winners_as_rows.csv"]
    assert list(turned[0]) == ["winner", "C", "B", "A"]
    assert turned[2]["B"] == "0.75"


def test_only_what_counts_is_in_full_csv_and_nobody_wins_a_tie(tmp_path: Path) -> None:
    rows = judged("B", "A", 2, seconds=3) + judged("A", "B", 1, outcome="tie")
    rows += judged("A", "B", 1, excluded="late") + judged("A", "B", 1, is_onboarding=True)
    full = tables_of(rows, tmp_path)["full.csv"]
    assert list(full[0])[: len(FULL)] == FULL
    assert [(row["winner"], row["outcome"]) for row in full] == [("B", "win"), ("B", "win"), ("", "tie")]
    assert full[0]["eval_choice_0"] == "A"
    assert full[0]["correct"] == "-1"


def test_ratings_per_worker_count_what_counts_most_first(tmp_path: Path) -> None:
    rows = judged("A", "B", 2) + judged("A", "B", 5, annotator="x") + judged("A", "B", 9, excluded="late")
    rated = tables_of(rows, tmp_path)["ratings_per_worker.csv"]
    assert rated == [{"worker": "x", "count": "5"}, {"worker": "w", "count": "2"}]


def test_bots_against_themselves_and_empty_matchups_are_left_out_of_significance(tmp_path: Path) -> None:
    assert tables_of(judged("A", "A", 4, winner_side=1), tmp_path)["significance.csv"] == []


def test_matchups_have_every_number_and_the_verdict() -> None:
    rows = judged("A", "B", 8, annotator=None) + judged("B", "A", 2, annotator=None)
    results = analyse_votes(votes_from_rows(rows))
    (row,) = matchup_rows(results)
    assert row["win_rate_first"] == pytest.approx(0.8)
    assert (row["decided_by"], row["p"]) == ("exact", row["exact_p"])
    assert row["level"] == pytest.approx(0.95)
    assert str(row["verdict"]).startswith("No difference detected")


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
@pytest.mark.parametrize(
    "run", ["test_fast_acute_dataset", "test_fast_acute_logs", "test_fast_acute_self_chat"]
)
def test_parlais_own_judgments_give_parlais_own_tables(tmp_path: Path, run: str) -> None:
    analysed = analyse_file(SHARED / run / "test_full_csv.csv")
    write_results(analysed, [], tmp_path)

    def cells(path: Path) -> list[dict[str, str]]:
        with path.open(newline="") as file:
            return [{name: cell for name, cell in row.items() if name} for row in csv.DictReader(file)]

    for theirs, ours in (
        ("test_significance_csv.csv", "significance.csv"),
        ("test_grid_csv.csv", "grid.csv"),
        ("test_grid_winners_as_rows_csv.csv", "grid.winners_as_rows.csv"),
    ):
        expected, got = cells(SHARED / run / theirs), cells(tmp_path / "tables" / ours)
        got = [{RENAMED.get(name, name): cell for name, cell in row.items() if name != "p"} for row in got]
        assert [list(row)[: len(expected[0])] for row in got] == [list(row) for row in expected]
        for got_row, expected_row in zip(got, expected, strict=True):
            for name, cell in expected_row.items():
                assert _same(got_row[name], cell), (name, got_row[name], cell)


RENAMED = {"raw_p": "p", "raw_sigf": "sigf", "raw_stars": "stars"}
"""ParlAI's columns that do not carry our verdict have names that say so."""


def _same(ours: str, theirs: str) -> bool:
    try:
        return float(ours) == pytest.approx(float(theirs))
    except ValueError:
        return ours == theirs


def test_matchups_without_judgments_are_left_out_of_the_tables(tmp_path: Path) -> None:
    rows = (
        judged("A", "B", 2)
        + judged("A", "C", 1, outcome="tie")
        + judged("A", "C", 1, annotator="silent", excluded="x")
    )
    tables = tables_of(rows, tmp_path)
    assert [row["matchup"] for row in tables["significance.csv"]] == ["A__vs__B"]
    assert [row["worker"] for row in tables["ratings_per_worker.csv"]] == ["w"]
    assert tables["grid.csv"][0]["A"] in ("", "1.0")
