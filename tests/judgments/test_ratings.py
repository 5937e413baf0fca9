"""Tables of ratings are read cell by cell, and what is wrong is named with its line."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError
from duologue.judgments import holds_ratings, ratings_from_rows, read_ratings, write_table

ROWS: list[dict[str, object]] = [
    {"bot": "ada", "rating_fun": 3, "rating_sense": None, "persona_right": True, "annotator": "p"},
    {"bot": "bea", "rating_fun": 1.5, "rating_sense": 2, "persona_right": None, "annotator": "q"},
    {"bot": "ada", "rating_fun": None, "rating_sense": None, "excluded": "bot-failed", "annotator": "q"},
    {"bot": "ada", "rating_fun": 2, "is_onboarding": True, "annotator": "q"},
]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json"])
def test_ratings_come_back_from_every_kind_of_table(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"ratings.{ending}"
    columns = dict.fromkeys(name for row in ROWS for name in row)
    write_table(({name: row.get(name) for name in columns} for row in ROWS), path)
    assert holds_ratings(path)
    ratings = read_ratings(path)
    assert len(ratings) == 4
    assert ratings.bot.names == ("ada", "bea")
    assert list(ratings.points) == ["fun", "sense"]
    np.testing.assert_equal(ratings.points["fun"], [3, 1.5, math.nan, 2])
    np.testing.assert_equal(ratings.points["sense"], [math.nan, 2, math.nan, math.nan])
    np.testing.assert_equal(ratings.persona_right, [1, math.nan, math.nan, math.nan])
    assert ratings.counts.tolist() == [True, True, False, False]
    assert ratings.is_rated.tolist() == [True, True, False, True]


def test_a_persona_alone_is_an_answer() -> None:
    ratings = ratings_from_rows([{"bot": "a", "rating": "", "persona_right": "false"}])
    assert ratings.counts.tolist() == [True]


def test_names_of_other_tools_are_known() -> None:
    ratings = ratings_from_rows([{"model": "a", "worker": "w", "rating": 1}])
    assert (ratings.bot.names, ratings.annotator.names) == (("a",), ("w",))
    both = ratings_from_rows([{"model": "large", "bot": "a", "rating": 1}])
    assert both.bot.names == ("a",)


def test_a_table_tells_scales_and_questions() -> None:
    rows = [
        {"bot": "a", "rating_fun": 1, "scale_fun": "-1 to 4", "question_fun": "Fun?"},
        {"bot": "a", "rating_fun": 1, "scale_fun": "1 to 5", "question_fun": "More fun?"},
        {"bot": "a", "rating_fun": 1},
    ]
    ratings = ratings_from_rows(rows)
    assert ratings.scales == {"fun": (-1, 5)}
    assert ratings.texts == {"fun": "Fun? / More fun?"}
    assert ratings_from_rows([{"bot": "a", "rating": 1}]).scales == {}


@pytest.mark.parametrize(
    ("row", "column", "expected"),
    [
        ({"bot": "a", "rating": "high"}, "rating", "a number from -1,000,000"),
        ({"bot": "a", "rating": "nan"}, "rating", "a number from -1,000,000"),
        ({"bot": "a", "rating": "inf"}, "rating", "a number from -1,000,000"),
        ({"bot": "", "rating": 1}, "bot", "the name of a bot"),
        ({"bot": "a", "rating_x": 1, "scale_x": "five"}, "scale_x", "a scale such as"),
        ({"bot": "a", "rating_x": 1, "scale_x": "5 to 1"}, "scale_x", "a scale such as"),
        ({"bot": "a", "rating": 1, "persona_right": "maybe"}, "persona_right", "true or false"),
        ({"bot": "a", "rating": 1, "at": "noon"}, "at", "a time such as"),
    ],
)
def test_a_cell_that_is_not_what_it_should_be_is_named(
    tmp_path: Path, row: dict[str, object], column: str, expected: str
) -> None:
    path = tmp_path / "ratings.jsonl"
    good = {**row, "bot": "a", column: None} if column != "bot" else {"bot": "a", "rating": 1}
    path.write_text(f"{json.dumps(good)}\n{json.dumps(row)}\n", encoding="utf-8")
    with pytest.raises(FormatError, match=f"line 2, {column}.*{expected}"):
        read_ratings(path)


@pytest.mark.parametrize("row", [{"bot": "a", "score": 1}, {"name": "a", "rating": 1}])
def test_a_table_without_bots_or_ratings_is_refused(row: dict[str, object]) -> None:
    with pytest.raises(FormatError, match="judgments, votes or ratings and found the columns"):
        ratings_from_rows([row])


def test_no_rows_are_no_ratings() -> None:
    assert len(ratings_from_rows([])) == 0


def test_a_table_of_comparisons_holds_no_ratings(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("winner,loser\na,b\n", encoding="utf-8")
    assert not holds_ratings(path)


def test_only_some_rows_can_be_kept() -> None:
    ratings = ratings_from_rows([{**row, "at": "2026-01-01T00:00:00", "seconds": 3} for row in ROWS])
    some = ratings.select(ratings.counts)
    assert (len(some), some.seconds.tolist(), str(some.at[0])) == (2, [3.0, 3.0], "2026-01-01T00:00:00")


@pytest.mark.parametrize("cell", ["1e30", "-1000001", "nan", "inf"])
def test_a_rating_that_is_on_no_scale_is_refused(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(f"bot,rating\nada,3\nbob,{cell}\n")
    with pytest.raises(FormatError, match=r"line 3, rating: expected a number from -1,000,000 to 1,000,000"):
        read_ratings(path)


@pytest.mark.parametrize("cell", ["1 to 1" + "0" * 30, "5 to 1", "1 to x"])
def test_a_scale_that_cannot_be_is_refused(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(f"bot,rating,scale_rating\nada,3,{cell}\n")
    with pytest.raises(FormatError, match=r"scale_rating: expected a scale such as"):
        read_ratings(path)


def test_a_duration_longer_than_any_life_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("bot,rating,seconds\nada,3,1e308\n")
    with pytest.raises(FormatError, match="seconds: expected a number from 0 up"):
        read_ratings(path)


@pytest.mark.parametrize("scale", ["1 to 5", "1-5", "1–5", " 1 to 5 "])
def test_the_scale_of_a_single_rating_is_the_column_scale(scale: str) -> None:
    ratings = ratings_from_rows([{"bot": "A", "rating": 3, "scale": scale}, {"bot": "B", "rating": 2}])
    assert ratings.scales == {"rating": (1, 5)}
    assert ratings.notes == ()


def test_scales_may_go_below_zero_and_must_go_up() -> None:
    assert ratings_from_rows([{"bot": "A", "rating": 0, "scale": "-3 to -1"}]).scales == {"rating": (-3, -1)}
    assert ratings_from_rows([{"bot": "A", "rating": 0, "scale": "-2-2"}]).scales == {"rating": (-2, 2)}
    with pytest.raises(FormatError, match="scale"):
        ratings_from_rows([{"bot": "A", "rating": 0, "scale": "5 to 1"}])
    with pytest.raises(FormatError, match="scale"):
        ratings_from_rows([{"bot": "A", "rating": 0, "scale": "stars"}])


@pytest.mark.parametrize("cell", ["1_0", "\uff14", "\u0664"])
def test_a_rating_is_written_with_plain_digits(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text(f"bot,rating,seconds\nA,4,1\nB,{cell},1\n", encoding="utf-8")
    with pytest.raises(FormatError, match=rf"line 3, rating: expected .* and found '{cell}'"):
        read_ratings(path)


@pytest.mark.parametrize("column", ["scale", "gold", "seconds", "revision"])
def test_no_number_of_a_table_has_underscores_or_other_digits(tmp_path: Path, column: str) -> None:
    cells = ["1 to 1_0", "\uff11 to \uff15"] if column == "scale" else ["1_0", "\uff11"]
    for cell in cells:
        path = tmp_path / "ratings.csv"
        path.write_text(f"bot,rating,annotator,{column}\nA,4,ann,{cell}\n", encoding="utf-8")
        with pytest.raises(FormatError, match=f"line 2, {column}.*: expected .* and found '{cell}'"):
            read_ratings(path)
