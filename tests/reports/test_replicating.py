"""Replication through the analysis of both protocols: halves of one table, and two tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from duologue.errors import AnalysisError
from duologue.judgments import write_table
from duologue.protocols import Half
from duologue.reports import analyse_file, replicate_results, replication_in_words
from tests.reports.rated import rated_rows

OF = ("one", "two")


@pytest.fixture(scope="module")
def votes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty annotators; A is better than B, and C like B."""
    rng = np.random.default_rng(2)
    rows = [
        {"winner": pair[won], "loser": pair[1 - won], "annotator": f"p{n}", "question": "Who?"}
        for n in range(40)
        for pair, chance in (("AB", 0.2), ("AC", 0.2), ("BC", 0.5))
        for won in (int(rng.random() < chance),)
    ]
    path = tmp_path_factory.mktemp("votes") / "votes.csv"
    write_table(rows, path)
    return path


@pytest.fixture(scope="module")
def ratings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ratings") / "ratings.csv"
    write_table(rated_rows(), path)
    return path


@pytest.mark.parametrize("table", ["votes", "ratings"])
def test_two_halves_have_all_judgments_and_agree_on_clear_differences(
    table: str, request: pytest.FixtureRequest
) -> None:
    path = request.getfixturevalue(table)
    whole = analyse_file(path).results
    halves = [analyse_file(path, half=Half(number, 5)).results for number in (0, 1)]
    found = replicate_results(halves[0], halves[1], of=OF)
    same = replicate_results(whole, whole, of=OF)
    assert [sum(pair.n) for pair in found.pairs] == [pair.n[0] for pair in same.pairs] or table == "ratings"
    assert same.counts["same conclusion"] + same.counts["no verdict"] == len(same.pairs) >= 3
    assert found.counts["contradict"] == 0
    assert found.counts["same conclusion"] >= 1
    assert same.largest_gap == 0


def test_estimates_are_of_the_bot_that_comes_first_by_name(ratings: Path) -> None:
    results = analyse_file(ratings).results
    for pair in replicate_results(results, results, of=OF).pairs:
        assert pair.first < pair.second
        estimate, interval, better = pair.estimates[0], pair.intervals[0], pair.better[0]
        assert estimate is not None
        if interval is not None:
            assert estimate in interval
        if better is not None:
            assert (estimate > 0) == (better == pair.first)


def test_what_is_said_has_both_verdicts_of_every_pair(votes: Path) -> None:
    results = analyse_file(votes).results
    found = replicate_results(results, results, of=OF)
    said = list(replication_in_words(found))
    assert said[0] == "1: one\n2: two"
    assert found.sentence in said


def test_comparisons_and_ratings_are_not_held_against_each_other(votes: Path, ratings: Path) -> None:
    with pytest.raises(AnalysisError, match="one is judged by acute, the other by likert"):
        replicate_results(analyse_file(votes).results, analyse_file(ratings).results, of=OF)
