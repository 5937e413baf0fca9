"""Votes counted and clustered: plain counting, a regression with clusters, calibration."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.errors import BadNumber
from duologue.stats import count_wins
from duologue.stats.strengths.votes import CHUNK

vote_lists = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), max_size=60)


def some_votes(seed: int, votes: int, bots: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    winners = rng.integers(0, bots, votes)
    return winners, (winners + rng.integers(1, bots, votes)) % bots


@given(vote_lists)
def test_votes_are_counted_as_by_hand(votes: list[tuple[int, int]]) -> None:
    winners = [winner for winner, _ in votes]
    losers = [(winner + step) % 5 for winner, step in votes]
    expected = np.zeros((5, 5))
    for winner, loser in zip(winners, losers, strict=True):
        expected[winner, loser] += 1
    np.testing.assert_array_equal(count_wins(winners, losers, bots=5), expected)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64])
def test_numbers_of_any_size_are_counted_over_many_chunks(dtype: type) -> None:
    winners, losers = some_votes(1, 2 * CHUNK + 17, 100)
    wins = count_wins(winners.astype(dtype), losers.astype(dtype), bots=100)
    assert wins.sum() == 2 * CHUNK + 17
    np.testing.assert_array_equal(wins[3], np.bincount(losers[winners == 3], minlength=100))


@pytest.mark.parametrize(
    ("winners", "losers", "message"),
    [
        ([0, 1], [1], "2 numbers, as many as winners"),
        ([0, 2], [1, 0], "numbers from 0 to 1"),
        ([0, -1], [1, 0], "numbers from 0 to 1"),
        ([0, 1], [0, 0], "bot 0 against itself"),
        ([0.0, 1.0], [1, 0], "one row of bot numbers"),
        ([[0, 1]], [[1, 0]], "one row of bot numbers"),
    ],
)
def test_votes_that_cannot_be_are_refused(winners: list[int], losers: list[int], message: str) -> None:
    with pytest.raises(BadNumber, match=message):
        count_wins(winners, losers, bots=2)


def test_two_million_votes_take_a_fraction_of_a_second() -> None:
    winners, losers = some_votes(5, 2_000_000, 50)
    started = time.process_time()
    count_wins(winners, losers, bots=50)
    assert time.process_time() - started < 0.5
