"""Position-adjusted rates: what a position does is taken out, and the jackknife done naively agrees."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import chisquare, f, t

from duologue.stats import AdjustedRates, adjusted_rates, are_positions_unbalanced
from tests.strategies import thorough

Table = NDArray[np.int64]


def study(
    seed: int, *, clusters: int = 20, bots: int = 3, first: float = 0.0, turned: float = 0.3
) -> tuple[Table, Table, Table]:
    """Turns of equal bots: the first position is selected more often, and most chats have one order."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(clusters), 6)
    rolled = np.where(rng.random(clusters) < turned, rng.integers(0, bots, clusters), 0)
    positions = (np.arange(bots) + rolled[codes][:, None]) % bots + 1
    selected = rng.random(positions.shape) < 0.4 + first * (positions == 1)
    return selected.astype(np.int64), positions, codes


def found_in(made: tuple[Table, Table, Table]) -> AdjustedRates:
    found = adjusted_rates(*made)
    assert found is not None
    return found


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_it_is_the_mean_over_positions_with_the_jackknife_done_naively(seed: int) -> None:
    made = study(seed, turned=0.9)
    selected, positions, codes = made

    def rates(kept: NDArray[np.bool_]) -> list[float]:
        return [
            float(np.mean([selected[kept & (positions[:, bot] == place), bot].mean() for place in (1, 2, 3)]))
            for bot in range(3)
        ]

    found = found_in(made)
    whole = np.array(rates(codes >= 0))
    left = np.array([rates(codes != one) for one in range(20)])
    variance = 19 / 20 * (left - whole).T @ (left - whole)
    assert found.rates == pytest.approx(whole)
    assert found.covariance == pytest.approx(variance)
    difference = found.difference(0, 2)
    contrast = np.array([1, 0, -1])
    error = float(np.sqrt(contrast @ variance @ contrast))
    assert (difference.estimate, difference.standard_error) == pytest.approx((whole @ contrast, error))
    shown = [(positions[:, bot] == place) for bot in range(3) for place in (1, 2, 3)]
    sizes = [np.bincount(codes[one]) for one in shown]
    effective = min(size.sum() ** 2 / (size**2).sum() for size in sizes)
    assert found.clusters == pytest.approx(effective)
    assume(effective > 2.5)
    expected = 2 * t.sf(abs(difference.estimate / error), effective - 1)
    assert difference.p_value == pytest.approx(expected)
    both = np.array([[1, 0, -1], [0, 1, -1]])
    t_squared = both @ whole @ np.linalg.solve(both @ variance @ both.T, both @ whole)
    statistic = t_squared * (effective - 2) / ((effective - 1) * 2)
    assert found.p_value == pytest.approx(f.sf(statistic, 2, effective - 2))


def test_what_the_position_does_is_taken_out() -> None:
    made = study(1, clusters=2_000, first=0.3)
    assert made[0].mean(axis=0)[0] > made[0].mean(axis=0)[1] + 0.1
    assert found_in(made).rates == pytest.approx([0.5, 0.5, 0.5], abs=0.03)


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_the_interval_agrees_with_the_test_and_swapping_mirrors_it(seed: int) -> None:
    found = found_in(study(seed, turned=0.9, bots=2))
    ours, theirs = found.difference(0, 1), found.difference(1, 0)
    assert (0.0 not in ours.interval_at(0.95)) == (ours.p_value <= 0.05)
    assert theirs.p_value == pytest.approx(ours.p_value)
    low, high = ours.interval_at(0.9).limits
    assert theirs.interval_at(0.9).limits == pytest.approx((-high, -low))


def test_a_bot_that_was_never_at_a_position_or_in_one_cluster_only_cannot_be_adjusted() -> None:
    selected, codes = np.array([[1, 0]] * 6), np.array([0, 0, 1, 1, 2, 2])
    for turned, is_told in (([], False), ([0, 1], False), ([0, 2], True)):
        positions = np.tile([1, 2], (6, 1))
        positions[turned] = [2, 1]
        assert (adjusted_rates(selected, positions, codes) is not None) == is_told


def test_a_bot_that_always_wins_has_as_many_wins_as_clusters() -> None:
    positions, codes = np.array([[1, 2], [2, 1]] * 8), np.repeat(np.arange(8), 2)
    difference = found_in((np.array([[1, 0]] * 16), positions, codes)).difference(0, 1)
    assert (difference.estimate, difference.standard_error, difference.clusters) == (1.0, 0.0, 8.0)
    assert difference.p_value == pytest.approx(2 * 0.5**8)
    assert difference.interval_at(0.95).limits == pytest.approx((2 * 0.025 ** (1 / 8) - 1, 1.0))


def test_no_variance_and_too_few_clusters_are_no_evidence_on_all_bots() -> None:
    everything = np.tile([1, 0, 0], (18, 1))
    positions = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 6)
    assert found_in((everything, positions, np.repeat(np.arange(6), 3))).p_value == pytest.approx(1)
    selected = np.random.default_rng(1).integers(0, 2, (6, 3))
    assert found_in((selected, positions[:6], np.repeat([0, 1], 3))).p_value == pytest.approx(1)


@pytest.mark.parametrize(
    ("first", "turns", "unbalanced"),
    [(20, 20, True), (2, 2, True), (1, 1, False), (15, 20, True), (14, 20, False), (572, 1000, True)],
)
def test_positions_are_unbalanced_where_random_orders_seldom_are(
    first: int, turns: int, unbalanced: bool
) -> None:
    positions = np.array([[1, 2]] * first + [[2, 1]] * (turns - first))
    assert are_positions_unbalanced(positions) == unbalanced


def test_of_three_bots_one_that_is_always_in_the_middle_is_unbalanced() -> None:
    assert are_positions_unbalanced([[1, 2, 3], [3, 2, 1]] * 3)
    assert not are_positions_unbalanced([[1, 2, 3], [2, 3, 1], [3, 1, 2]] * 3)
    # nine cells share the error: p = .039 of one of them is no imbalance, p = .0045 is
    assert not are_positions_unbalanced([[1, 2, 3]] * 6 + [[2, 3, 1]] * 2 + [[3, 1, 2]])


def test_positions_are_unbalanced_wherever_the_bots_would_be_told_apart_by_them() -> None:
    """Position 1 is always selected: the chi-square test of the bots sees the same 42, 24 and 24."""
    orders = [(1, 2, 3)] * 42 + [(2, 1, 3)] * 12 + [(3, 1, 2)] * 12 + [(2, 3, 1)] * 12 + [(3, 2, 1)] * 12
    assert chisquare([42, 24, 24]).pvalue < 0.05
    assert are_positions_unbalanced(orders)
    even = [order for order in itertools.permutations((1, 2, 3)) for _ in range(15)]
    assert not are_positions_unbalanced(even)
