"""Sets of ranks: Tukey's distribution as the oracle, ACUTE's table, order, coverage."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import BadNumber
from duologue.stats import (
    bootstrap_strengths,
    bradley_terry,
    bradley_terry_with_ties,
    largest_differences,
    rank_sets,
)
from tests.stats.golden import acute_win_matrix
from tests.stats.strategies import Wins, bot_names, win_matrices


@pytest.mark.parametrize("bots", [2, 3, 8])
def test_for_independent_strengths_the_threshold_is_tukeys(bots: int) -> None:
    drawn = largest_differences(np.eye(bots), rng=np.random.default_rng(1), draws=200_000)
    for level in (0.5, 0.9, 0.95):
        tukey = stats.studentized_range.ppf(level, bots, np.inf) / np.sqrt(2)
        assert np.quantile(drawn, level) == pytest.approx(tukey, abs=0.015)


def test_the_published_order_of_table_2_dissolves_into_sets() -> None:
    wins, names = acute_win_matrix(2)
    result = rank_sets(bradley_terry(1.1 * wins, names), rng=np.random.default_rng(2))
    assert [one.name for one in result.sets] == ["H", "PE", "INT", "LIC", "HF", "INQ", "KV", "RC"]
    by_name = {one.name: one for one in result.sets}
    assert (by_name["H"].best, by_name["RC"].worst) == (1, 8)
    assert by_name["LIC"].best <= 3 <= by_name["INT"].worst  # the two that majority and strengths swap
    assert "PE" in result.top
    assert "RC" not in result.top
    assert 2.9 < result.threshold < 3.1


@settings(max_examples=40)
@given(win_matrices(), st.integers(0, 2**32))
def test_sets_contain_the_rank_seen_and_stronger_bots_have_no_worse_ones(wins: Wins, seed: int) -> None:
    fit = bradley_terry(wins, bot_names(len(wins)))
    result = rank_sets(fit, rng=np.random.default_rng(seed), draws=500)
    assert [one.name for one in result.sets] == list(fit.order)
    for rank, one in enumerate(result.sets, start=1):
        assert 1 <= one.best <= rank <= one.worst <= len(wins)


@settings(max_examples=40)
@given(win_matrices(most=4))
def test_more_confidence_never_shrinks_a_set(wins: Wins) -> None:
    fit = bradley_terry(wins, bot_names(len(wins)))
    loose, strict = (
        rank_sets(fit, rng=np.random.default_rng(3), draws=500, level=level) for level in (0.5, 0.99)
    )
    for one, wider in zip(loose.sets, strict.sets, strict=True):
        assert wider.best <= one.best
        assert wider.worst >= one.worst


def test_sets_come_from_any_fit_of_strengths() -> None:
    rng = np.random.default_rng(4)
    wins, ties = np.array([[0, 70, 80], [30, 0, 60], [20, 40, 0]]), 5 * (1 - np.eye(3))
    for fit in (
        bootstrap_strengths(wins, "ABC", rng=rng, replicates=200),
        bradley_terry_with_ties(wins, ties, "ABC"),
    ):
        assert rank_sets(fit, rng=rng).sets[0].name == "A"


def test_surely_ordered_bots_have_one_rank_each_and_equal_ones_all() -> None:
    rng = np.random.default_rng(5)
    sure = rank_sets(bradley_terry([[0, 900, 990], [100, 0, 900], [10, 100, 0]], "ABC"), rng=rng)
    assert [(one.best, one.worst) for one in sure.sets] == [(1, 1), (2, 2), (3, 3)]
    equal = rank_sets(bradley_terry(9 * (1 - np.eye(4)), "ABCD"), rng=rng)
    assert {(one.best, one.worst) for one in equal.sets} == {(1, 4)}
    assert equal.top == ("A", "B", "C", "D")


def test_no_draws_are_refused() -> None:
    with pytest.raises(BadNumber, match="draws"):
        largest_differences(np.eye(2), rng=np.random.default_rng(6), draws=0)


def test_two_hundred_bots_are_ranked_in_seconds() -> None:
    rng = np.random.default_rng(7)
    wins = rng.integers(1, 20, (200, 200)).astype(float)
    np.fill_diagonal(wins, 0)
    started = time.process_time()
    rank_sets(bradley_terry(wins, [str(i) for i in range(200)]), rng=rng, draws=2000)
    assert time.process_time() - started < 5


@pytest.mark.slow
def test_all_sets_hold_together_about_as_often_as_they_say() -> None:
    rng = np.random.default_rng(8)
    truth = np.array([0.6, 0.3, 0.0, -0.3, -0.6])
    rates = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    upper = np.triu_indices(5, 1)
    wrong_pair = 0
    for _ in range(500):
        wins = np.zeros((5, 5))
        wins[upper] = rng.binomial(60, rates[upper])
        wins.T[upper] = 60 - wins[upper]
        result = rank_sets(bradley_terry(wins, bot_names(5)), rng=rng, draws=2000, level=0.9)
        true_rank = {name: rank for rank, name in enumerate(bot_names(5), start=1)}
        wrong_pair += any(not one.best <= true_rank[one.name] <= one.worst for one in result.sets)
    assert wrong_pair / 500 <= 0.1
