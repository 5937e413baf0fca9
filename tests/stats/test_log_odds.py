"""A clustered rate on the scale of log-odds: a naive twin, ends, and agreement of test and interval."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import logit
from scipy.stats import t

from duologue.stats import clustered_log_odds, clustered_rate
from tests.strategies import thorough


def chats(seed: int, *, rate: float = 0.7) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(9), rng.integers(2, 12, 9))
    return rng.random(len(codes)) < rate, codes


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_it_is_the_jackknife_of_the_log_odds_done_naively(seed: int) -> None:
    values, codes = chats(seed)
    left = np.array([values[codes != one].mean() for one in range(9)])
    assume(left.min() > 0 and left.max() < 1)
    error = np.sqrt(8 / 9 * ((logit(left) - logit(values.mean())) ** 2).sum())
    sizes = np.bincount(codes)
    df = sizes.sum() ** 2 / (sizes**2).sum() - 1
    found = clustered_log_odds(values, [codes], null=0.8)
    assert found.standard_error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * t.sf(abs(logit(values.mean()) - logit(0.8)) / error, df))


@thorough(10)
@given(seed=st.integers(0, 10**6), null=st.floats(0.05, 0.95))
def test_the_interval_excludes_the_null_exactly_when_the_test_rejects(seed: int, null: float) -> None:
    values, codes = chats(seed)
    found = clustered_log_odds(values, [codes], null=null)
    assume(abs(found.p_value - 0.05) > 1e-6)
    assert (null not in found.interval_at(0.95)) == (found.p_value <= 0.05)


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_losses_are_the_mirror_of_wins(seed: int) -> None:
    values, codes = chats(seed)
    wins, losses = (
        clustered_log_odds(values, [codes], null=0.8),
        clustered_log_odds(~values, [codes], null=0.2),
    )
    assert losses.p_value == pytest.approx(wins.p_value)
    low, high = wins.interval_at(0.9).limits
    assert losses.interval_at(0.9).limits == pytest.approx((1 - high, 1 - low))


def test_annotators_with_several_dialogues_count_as_the_coarser_kind() -> None:
    values, codes = chats(3)
    both = clustered_log_odds(values, [codes, codes // 2], null=0.8)
    assert both.standard_error == pytest.approx(
        max(clustered_log_odds(values, [one], null=0.8).standard_error for one in (codes, codes // 2))
    )


def test_crossed_kinds_add_and_their_intersections_are_taken_off() -> None:
    values = np.random.default_rng(2).random(48) < 0.7
    first, second = np.repeat(np.arange(6), 8), np.tile(np.arange(4), 12)
    one, two, shared = (
        clustered_log_odds(values, [codes], null=0.8).standard_error ** 2
        for codes in (first, second, first * 4 + second)
    )
    found = clustered_log_odds(values, [first, second], null=0.8).standard_error ** 2
    assert found == pytest.approx(max(one + two - shared, one, two))


def test_judgments_that_are_all_alike_are_decided_by_the_rate() -> None:
    codes = [np.repeat(np.arange(8), 3)]
    found, rate = (
        clustered_log_odds(np.ones(24), codes, null=0.8),
        clustered_rate(np.ones(24), codes, null=0.8),
    )
    assert found.p_value == rate.p_value
    assert found.interval_at(0.9) == rate.interval_at(0.9)


def test_where_one_chat_holds_every_failure_each_chat_counts_as_one_judgment() -> None:
    values = np.ones(24)
    values[:3] = 0
    found = clustered_log_odds(values, [np.repeat(np.arange(8), 3)], null=0.8)
    error = 1 / np.sqrt(8 * 0.875 * 0.125)
    assert found.standard_error == pytest.approx(error)
    assert found.p_value == pytest.approx(2 * t.sf((logit(0.875) - logit(0.8)) / error, 7))


def test_clusters_with_one_rate_are_taken_as_independent() -> None:
    values = np.tile([1, 1, 1, 0], 8)
    found = clustered_log_odds(values, [np.repeat(np.arange(8), 4)], null=0.8)
    assert found.standard_error == pytest.approx(found.rate.standard_error / (0.75 * 0.25))


def test_one_cluster_with_all_the_misses_does_not_hide_how_good_the_others_are() -> None:
    chats = np.repeat(range(60), 5)
    selected = np.ones(300)
    selected[:3] = 0
    found = clustered_log_odds(selected, [chats], null=0.8)
    assert found.standard_error == pytest.approx(1 / np.sqrt(60 * 0.99 * 0.01))
    assert found.p_value < 0.05
    low, high = found.interval_at(0.95).limits
    assert 0.8 < low < 0.99 < high < 1
