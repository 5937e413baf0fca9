"""Who judged: what a table or an option says of it, kinds that are never pooled, and rows of one of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import AnalysisError, FormatError
from duologue.judgments import (
    RowsJudgedBy,
    ratings_from_rows,
    read_ratings,
    read_votes,
    votes_from_rows,
    who_judged,
)

MIXED = (
    "bot,rating,annotator,judged_by\nA,1,p1,people\nB,2,p2,\nA,5,gpt,judge\nB,3,p3,people\nB,4,gpt,judge\n"
)


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text(MIXED, encoding="utf-8")
    return path


def test_people_judged_where_nobody_says_anything_else(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("bot,rating\nA,1\n", encoding="utf-8")
    assert who_judged(path) == "people"
    assert who_judged(path, said="judge") == "judge"
    path.write_text("bot,rating,judged_by\nA,1,first-party\nB,2,first-party\n", encoding="utf-8")
    assert who_judged(path) == "first-party"
    assert read_ratings(path).notes == ()  # the column is used


def test_a_table_that_mixes_them_is_refused_with_the_option(mixed: Path) -> None:
    with pytest.raises(
        AnalysisError, match=r"3 by people and 2 by judge are never pooled.*--judged-by people"
    ):
        who_judged(mixed)
    with pytest.raises(AnalysisError, match="never pooled"):
        read_ratings(mixed)
    rows = [{"bot": "A", "rating": 1, "judged_by": kind} for kind in ("judge", "people")]
    with pytest.raises(AnalysisError, match="1 by judge and 1 by people"):
        ratings_from_rows(rows)
    votes = [{"winner": "A", "loser": "B", "judged_by": kind} for kind in ("judge", "")]
    with pytest.raises(AnalysisError, match="1 by judge and 1 by people"):
        votes_from_rows(votes)


def test_rows_of_one_kind_are_read_and_keep_their_numbers(mixed: Path) -> None:
    assert who_judged(mixed, said="judge") == "judge"
    judged = read_ratings(mixed, columns=RowsJudgedBy({}, "judge"))
    assert judged.points["rating"].tolist() == [5.0, 4.0]
    assert read_ratings(mixed, columns=RowsJudgedBy({}, "people")).points["rating"].tolist() == [
        1.0,
        2.0,
        3.0,
    ]
    mixed.write_text(MIXED.replace("B,4,gpt", "B,four,gpt"), encoding="utf-8")
    with pytest.raises(FormatError, match="line 6"):
        read_ratings(mixed, columns=RowsJudgedBy({}, "judge"))


def test_a_kind_that_is_not_there_or_unknown_is_refused(mixed: Path) -> None:
    with pytest.raises(
        AnalysisError, match="no row is judged by first-party; its column judged_by has people, judge"
    ):
        who_judged(mixed, said="first-party")
    mixed.write_text(MIXED.replace("p3,people", "p3,robot"), encoding="utf-8")
    with pytest.raises(
        FormatError, match="judged_by: expected people or first-party or judge and found 'robot'"
    ):
        who_judged(mixed)


def test_a_large_table_of_votes_is_read_by_its_kinds_too(tmp_path: Path) -> None:
    """One that Arrow would read otherwise."""
    path = tmp_path / "votes.csv"
    lines = "\n".join(
        f"A,B,annotator-with-a-long-name-{n},{'judge' if n % 2 else 'people'}" for n in range(30_000)
    )
    path.write_text(f"winner,loser,annotator,judged_by\n{lines}\n", encoding="utf-8")
    assert path.stat().st_size > 2**20
    with pytest.raises(AnalysisError, match="15,000 by people and 15,000 by judge"):
        read_votes(path)
    assert len(read_votes(path, columns=RowsJudgedBy({}, "judge"))) == 15_000
