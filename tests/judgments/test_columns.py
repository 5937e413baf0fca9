"""Columns put together piece by piece."""

from __future__ import annotations

import numpy as np

from duologue.judgments import ColumnsBuilder, NameColumn, ratings_from_columns, votes_from_study


def test_a_column_that_a_piece_does_not_have_is_empty_there() -> None:
    built = ColumnsBuilder()
    built.add(1, {"name": ["x"], "always": "so", "number": np.array([2.5])})
    built.add(2, {"name": ["y", "x"], "later": ["z", ""], "whole": np.array([3, 4])})
    built.add(1, {})
    columns = built.columns()
    assert columns["name"].names == ("x", "y")
    assert columns["name"].codes.tolist() == [0, 1, 0, -1]
    assert columns["always"].codes.tolist() == [0, -1, -1, -1]
    assert columns["later"].codes.tolist() == [-1, 0, -1, -1]
    np.testing.assert_array_equal(columns.typed["number"], [2.5, np.nan, np.nan, np.nan])
    assert columns.typed["whole"].tolist() == [0, 3, 4, 0]


def test_typed_columns_are_not_parsed_and_missing_ones_can_be_added() -> None:
    built = ColumnsBuilder()
    built.add(2, {"seconds": np.array([1.0, 2.0])})
    columns = built.columns().completed(("seconds", "name"))
    assert columns["name"].codes.tolist() == [-1, -1]
    assert "seconds" not in columns.coded
    assert columns.parsed("seconds", float, 0.0, expected="").tolist() == [1.0, 2.0]
    other = columns.with_coded("name", NameColumn(("x",), np.array([0, -1], dtype=np.int32)))
    assert other["name"].names == ("x",)
    assert columns["name"].names == ()


def test_votes_and_ratings_are_made_of_typed_columns() -> None:
    built = ColumnsBuilder()
    built.add(2, {"winner": ["A", "B"], "loser": ["B", "A"], "seconds": np.array([1.0, 2.0])})
    votes = votes_from_study(built.columns())
    assert votes.bots == ("A", "B")
    assert votes.seconds.tolist() == [1.0, 2.0]
    built = ColumnsBuilder()
    built.add(2, {"bot": ["A", "B"], "rating_fun": np.array([3.0, np.nan]), "scale_fun": "1 to 5"})
    ratings = ratings_from_columns(built.columns())
    assert ratings.scales == {"fun": (1, 5)}
    assert ratings.is_rated.tolist() == [True, False]
