"""Votes counted and clustered: plain counting, a regression with clusters, calibration."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import bradley_terry, bradley_terry_clustered, count_wins
from duologue.stats.votes import CHUNK

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


def test_strengths_are_the_plain_ones_and_errors_those_of_a_regression_with_clusters() -> None:
    winners, losers = some_votes(2, 400, 4)
    clusters = np.random.default_rng(3).integers(0, 30, 400)
    fit = bradley_terry_clustered(winners, losers, clusters, "ABCD")
    plain = bradley_terry(count_wins(winners, losers, bots=4), "ABCD")
    np.testing.assert_allclose(fit.strengths, plain.strengths)
    # The regression has every vote as "the bot with the smaller number won".
    first, second = np.minimum(winners, losers), np.maximum(winners, losers)
    design = np.zeros((400, 4))
    design[np.arange(400), first], design[np.arange(400), second] = 1, -1
    oracle = GLM((winners == first).astype(float), design[:, :-1], family=Binomial()).fit(
        tol=1e-12, cov_type="cluster", cov_kwds={"groups": clusters, "use_correction": False}
    )
    against_last = np.eye(4)[:-1] - np.eye(4)[-1]
    ours = against_last @ fit.covariance @ against_last.T
    np.testing.assert_allclose(ours, oracle.cov_params() * 30 / 29, rtol=1e-5)
    assert "sandwich over 30 clusters" in fit.method


def test_with_every_vote_its_own_cluster_it_is_the_plain_sandwich() -> None:
    winners, losers = some_votes(4, 300, 3)
    clustered = bradley_terry_clustered(winners, losers, np.arange(300), "ABC")
    plain = bradley_terry(count_wins(winners, losers, bots=3), "ABC", variance="sandwich")
    np.testing.assert_allclose(clustered.covariance, plain.covariance * 300 / 299, rtol=1e-8)


def test_a_bot_that_never_wins_is_no_trouble() -> None:
    fit = bradley_terry_clustered([0, 0, 1, 0], [1, 2, 2, 1], [0, 1, 2, 3], "ABC")
    assert fit.separated
    assert np.isfinite(fit.standard_errors).all()


def test_one_cluster_is_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="2 clusters"):
        bradley_terry_clustered([0, 1], [1, 0], [5, 5], "AB")


def test_two_million_votes_take_a_fraction_of_a_second() -> None:
    winners, losers = some_votes(5, 2_000_000, 50)
    started = time.process_time()
    count_wins(winners, losers, bots=50)
    assert time.process_time() - started < 0.5


@pytest.mark.slow
def test_intervals_cover_when_annotators_have_tastes_of_their_own() -> None:
    rng = np.random.default_rng(61)
    annotators = np.repeat(np.arange(60), 12)
    covered = {"plain": 0, "clustered": 0}
    for _ in range(600):
        first = rng.integers(0, 4, 720)
        second = (first + rng.integers(1, 4, 720)) % 4
        taste = rng.normal(0, 1.0, (60, 4))[annotators]
        lead = taste[np.arange(720), first] - taste[np.arange(720), second]
        first_won = rng.random(720) < 1 / (1 + np.exp(-lead))
        winners, losers = np.where(first_won, first, second), np.where(first_won, second, first)
        plain = bradley_terry(count_wins(winners, losers, bots=4), "ABCD")
        clustered = bradley_terry_clustered(winners, losers, annotators, "ABCD")
        covered["plain"] += sum(0.0 in interval for interval in plain.intervals)
        covered["clustered"] += sum(0.0 in interval for interval in clustered.intervals)
    assert covered["plain"] / 2400 < 0.85
    assert 0.925 <= covered["clustered"] / 2400 <= 0.97
