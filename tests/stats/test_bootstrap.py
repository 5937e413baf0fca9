"""Resampling: plain refits as the twin, textbook errors, few votes, separation, calibration."""

from __future__ import annotations

import time

import numpy as np
import pytest
from numpy.typing import NDArray

from duologue.errors import BadNumber, Disconnected, NotEnoughJudgments
from duologue.stats import (
    bootstrap_clustered_strengths,
    bootstrap_strengths,
    bradley_terry,
    count_wins,
    pooled_strengths,
)
from tests.stats.golden import acute_win_matrix
from tests.stats.strategies import bot_names


def random_votes(
    rng: np.random.Generator, *, bots: int, votes: int, spread: float = 0.5
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    strengths = np.linspace(-spread, spread, bots)
    first = rng.integers(0, bots, votes)
    second = (first + rng.integers(1, bots, votes)) % bots
    first_won = rng.random(votes) < 1 / (1 + np.exp(strengths[second] - strengths[first]))
    return np.where(first_won, first, second), np.where(first_won, second, first)


def test_every_replicate_is_the_fit_of_its_resampled_matrix() -> None:
    wins, names = acute_win_matrix(2)
    result = bootstrap_strengths(wins, names, rng=np.random.default_rng(1), replicates=40)
    twin = np.random.default_rng(1)  # draws the same Poisson counts in the same order
    cells = np.flatnonzero(wins)
    drawn = np.zeros((wins.size, 40))
    drawn[cells] = twin.poisson(wins.ravel()[cells, None], size=(len(cells), 40))
    for replicate in range(40):
        plain = bradley_terry(drawn[:, replicate].reshape(wins.shape), names)
        np.testing.assert_allclose(result.replicates[replicate], plain.strengths, atol=2e-5)


def test_errors_agree_with_the_sandwich_also_with_few_votes_a_matchup() -> None:
    rng = np.random.default_rng(2)
    wins = count_wins(*random_votes(rng, bots=30, votes=2200), bots=30)  # five votes a matchup
    result = bootstrap_strengths(wins, [str(i) for i in range(30)], rng=rng, replicates=1500)
    plain = bradley_terry(wins, [str(i) for i in range(30)], variance="sandwich")
    assert np.mean(result.standard_errors / plain.standard_errors) == pytest.approx(1.02, abs=0.04)


def test_intervals_surround_the_strengths_and_repeat_with_the_seed() -> None:
    wins, names = acute_win_matrix(4)
    first, second = (
        bootstrap_strengths(wins, names, rng=np.random.default_rng(3), replicates=200, level=0.9)
        for _ in range(2)
    )
    np.testing.assert_array_equal(first.replicates, second.replicates)
    assert first.intervals == second.intervals
    for strength, interval in zip(first.strengths, first.intervals, strict=True):
        assert interval.low < strength < interval.high
        assert interval.level == 0.9
    np.testing.assert_allclose(first.replicates.mean(axis=1), 0, atol=1e-12)


def test_replicates_without_a_finite_answer_are_counted_and_given_the_prior() -> None:
    result = bootstrap_strengths(
        [[0, 9, 9], [1, 0, 9], [1, 1, 0]], "ABC", rng=np.random.default_rng(4), replicates=300
    )
    assert 0 < result.separated_replicates < 300
    assert np.isfinite(result.replicates).all()


def test_a_bot_that_never_wins_has_the_prior_in_every_replicate() -> None:
    result = bootstrap_strengths(
        [[0, 5, 9], [0, 0, 9], [0, 6, 0]], "ABC", rng=np.random.default_rng(5), replicates=100
    )
    assert result.method.endswith("prior 0.5")
    assert result.separated_replicates == 0
    assert np.isfinite(result.replicates).all()


def test_the_cost_does_not_depend_on_the_number_of_votes() -> None:
    result = bootstrap_strengths(
        [[0, 6 * 10**8], [4 * 10**8, 0]], "AB", rng=np.random.default_rng(6), replicates=500
    )
    plain = bradley_terry([[0, 6 * 10**8], [4 * 10**8, 0]], "AB")
    assert result.standard_errors[0] == pytest.approx(plain.standard_errors[0], rel=0.1)


def test_whole_clusters_agree_with_the_clustered_sandwich() -> None:
    rng = np.random.default_rng(7)
    annotators = np.repeat(np.arange(150), 8)
    winners, losers = random_votes(rng, bots=4, votes=1200)
    loyal = annotators % 3 == 0  # some annotators always prefer the bot with the larger number
    low, high = np.minimum(winners, losers), np.maximum(winners, losers)
    winners, losers = np.where(loyal, high, winners), np.where(loyal, low, losers)
    resampled = bootstrap_clustered_strengths(winners, losers, annotators, "ABCD", rng=rng)
    sandwich = pooled_strengths(winners, losers, np.ones(1200), "ABCD", annotators=annotators)
    naive = bradley_terry(count_wins(winners, losers, bots=4), "ABCD")
    np.testing.assert_allclose(resampled.standard_errors, sandwich.errors, rtol=0.12)
    assert (resampled.standard_errors > 1.2 * naive.standard_errors)[[0, 3]].all()


def test_each_vote_its_own_cluster_is_close_to_resampling_cells() -> None:
    rng = np.random.default_rng(8)
    winners, losers = random_votes(rng, bots=4, votes=1200)
    votes = bootstrap_clustered_strengths(winners, losers, np.arange(1200), "ABCD", rng=rng, replicates=800)
    cells = bootstrap_strengths(count_wins(winners, losers, bots=4), "ABCD", rng=rng, replicates=800)
    np.testing.assert_allclose(votes.standard_errors, cells.standard_errors, rtol=0.12)


def test_too_little_to_resample_is_refused() -> None:
    rng = np.random.default_rng(11)
    with pytest.raises(NotEnoughJudgments, match="2 clusters"):
        bootstrap_clustered_strengths([0, 1], [1, 0], [3, 3], "AB", rng=rng)
    with pytest.raises(BadNumber, match="replicates"):
        bootstrap_strengths([[0, 3], [2, 0]], "AB", rng=rng, replicates=1)
    with pytest.raises(Disconnected):
        bootstrap_strengths(np.zeros((2, 2)), "AB", rng=rng)


def test_two_million_votes_among_fifty_bots_take_about_a_second() -> None:
    rng = np.random.default_rng(12)
    winners, losers = random_votes(rng, bots=50, votes=2_000_000)
    started = time.process_time()
    bootstrap_strengths(count_wins(winners, losers, bots=50), [str(i) for i in range(50)], rng=rng)
    assert time.process_time() - started < 3.0


@pytest.mark.slow
def test_percentile_intervals_cover_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(13)
    truth = np.linspace(-0.5, 0.5, 5)
    covered = 0
    for _ in range(400):
        wins = count_wins(*random_votes(rng, bots=5, votes=600), bots=5)
        result = bootstrap_strengths(wins, bot_names(5), rng=rng, replicates=300)
        covered += sum(t in interval for t, interval in zip(truth, result.intervals, strict=True))
    assert 0.92 <= covered / 2000 <= 0.965
