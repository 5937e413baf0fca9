"""Numbers that cannot be are refused by name, before they become an answer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import BadNumber
from duologue.stats.counts import (
    check_codes,
    check_count,
    check_numbers,
    check_positive,
    check_share,
    check_win_matrix,
)


@pytest.mark.parametrize("value", [0, 7, np.int64(7), 7.0, np.float64(3.0), 10**9])
def test_whole_numbers_of_any_type_are_counts(value: float) -> None:
    assert check_count("wins", value) == int(value)


@pytest.mark.parametrize("value", [-1, 1.5, math.nan, math.inf, -math.inf, 2**53 + 2, -0.5])
def test_what_is_no_count_is_refused_with_its_name_and_value(value: float) -> None:
    with pytest.raises(BadNumber, match=r"wins: expected a whole number .* got"):
        check_count("wins", value)


@pytest.mark.parametrize("value", [0.0, 1.0, -0.2, 95.0, math.nan])
def test_a_level_of_95_is_refused(value: float) -> None:
    with pytest.raises(BadNumber, match="level: expected a number between 0 and 1"):
        check_share("level", value)


@pytest.mark.parametrize("value", [0.0, -1.0, math.inf, math.nan])
def test_only_finite_numbers_above_zero_are_positive(value: float) -> None:
    with pytest.raises(BadNumber, match="margin"):
        check_positive("margin", value)
    assert check_positive("margin", 2) == 2.0


def test_the_first_bad_number_is_named_with_its_place() -> None:
    with pytest.raises(BadNumber, match="scores: expected finite numbers, and got nan at position 1"):
        check_numbers("scores", [1.0, math.nan, math.inf])
    with pytest.raises(BadNumber, match="scores: expected numbers from 0 to 1, and got 2 at position 2"):
        check_numbers("scores", [0, 1, 2], low=0, high=1)


def test_words_and_tables_are_not_rows_of_numbers() -> None:
    with pytest.raises(BadNumber, match="expected numbers, and got"):
        check_numbers("scores", ["good", "bad"])
    with pytest.raises(BadNumber, match="expected one row of numbers"):
        check_numbers("scores", [[1, 2]])


@given(st.lists(st.integers(min_value=-(10**12), max_value=10**12), max_size=30))
def test_codes_are_renumbered_without_gaps_and_in_order(codes: list[int]) -> None:
    renumbered, distinct = check_codes("annotators", np.array(codes, dtype=np.int64), length=len(codes))
    expected, inverse = np.unique(np.array(codes, dtype=np.int64), return_inverse=True)
    assert distinct == len(expected)
    assert renumbered.tolist() == inverse.tolist()


@pytest.mark.parametrize("codes", [[0, 1], [0.0, 1.0, 2.0], ["a", "b", "c"], [[0, 1, 2]]])
def test_codes_that_do_not_fit_the_judgments_are_refused(codes: list[object]) -> None:
    with pytest.raises(BadNumber, match="clusters: expected 3 integer codes, one for each judgment"):
        check_codes("clusters", np.array(codes), length=3)


@pytest.mark.parametrize(
    ("wins", "message"),
    [
        ([[0, 1]], "a 2 × 2 matrix"),
        ([[0, -1], [1, 0]], "counts of at least 0, and got -1 for A over B"),
        ([[0, math.nan], [1, 0]], "counts of at least 0, and got nan for A over B"),
        ([[0, 1], [1, 3]], "B beating itself"),
    ],
)
def test_a_matrix_that_is_not_one_of_wins_is_refused(wins: list[list[float]], message: str) -> None:
    with pytest.raises(BadNumber, match=message):
        check_win_matrix(wins, ["A", "B"])


def test_a_bot_named_twice_is_refused() -> None:
    with pytest.raises(BadNumber, match="'A' more than once"):
        check_win_matrix([[0, 1], [1, 0]], ["A", "A"])
