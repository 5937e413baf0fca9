"""Means of ratings: scipy as the oracle, symmetry, effect sizes, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import paired_test, welch_test

ratings = st.lists(st.integers(1, 5), min_size=2, max_size=40)
pairs = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=2, max_size=40)


@given(ratings, ratings)
def test_welchs_test_and_interval_are_scipys(first: list[int], second: list[int]) -> None:
    assume(len(set(first)) > 1 and len(set(second)) > 1)  # scipy warns of a group that is all alike
    oracle = stats.ttest_ind(first, second, equal_var=False)
    ours = welch_test(first, second, level=0.9)
    assert ours.p_value == pytest.approx(float(oracle.pvalue))
    assert ours.df == pytest.approx(float(oracle.df))
    interval = oracle.confidence_interval(0.9)
    assert ours.interval.limits == pytest.approx((float(interval.low), float(interval.high)))
    assert ours.n == (len(first), len(second))


@given(pairs)
def test_the_paired_test_and_interval_are_scipys(rated: list[tuple[int, int]]) -> None:
    first, second = zip(*rated, strict=True)
    assume(len({a - b for a, b in rated}) > 1)
    oracle = stats.ttest_rel(first, second)
    ours = paired_test(first, second)
    assert ours.p_value == pytest.approx(float(oracle.pvalue))
    interval = oracle.confidence_interval(0.95)
    assert ours.interval.limits == pytest.approx((float(interval.low), float(interval.high)))


@given(ratings, ratings, st.floats(0.5, 4), st.floats(-3, 3))
def test_swapping_mirrors_and_another_scale_changes_no_p_value(
    first: list[int], second: list[int], stretch: float, shift: float
) -> None:
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    ours, theirs = welch_test(first, second), welch_test(second, first)
    assert (ours.estimate, ours.effect) == pytest.approx((-theirs.estimate, -theirs.effect))
    moved = welch_test([stretch * x + shift for x in first], [stretch * x + shift for x in second])
    assert moved.p_value == pytest.approx(ours.p_value, abs=1e-9)
    assert moved.effect == pytest.approx(ours.effect, abs=1e-9)


def test_hedges_g_is_the_standardised_difference_with_its_small_sample_correction() -> None:
    first, second = np.array([4.0, 3, 4, 2, 3, 5]), np.array([2.0, 3, 2, 1, 2, 4])
    d = (first.mean() - second.mean()) / np.sqrt((first.var(ddof=1) + second.var(ddof=1)) / 2)
    assert welch_test(first, second).effect == pytest.approx(d * (1 - 3 / (4 * 10 - 1)), rel=1e-3)
    differences = first - second
    dz = differences.mean() / differences.std(ddof=1)
    assert paired_test(first, second).effect == pytest.approx(dz * (1 - 3 / (4 * 5 - 1)), rel=5e-3)


def test_a_group_that_is_all_alike_has_no_spread_of_its_own() -> None:
    result = welch_test([0.1] * 30, [0.2, 0.3, 0.4, 0.5])
    assert result.df == pytest.approx(3)
    assert result.standard_error == pytest.approx(np.std([0.2, 0.3, 0.4, 0.5], ddof=1) / 2)


def test_two_pairs_have_an_uncorrected_effect() -> None:
    result = paired_test([2, 4], [1, 1])
    assert result.effect == pytest.approx(2 / np.sqrt(2))
    assert result.df == 1


@pytest.mark.parametrize(
    ("first", "second"), [([], [1, 2]), ([1, 2], [3]), ([2, 2], [3, 3]), ([0.1] * 3, [0.7] * 30)]
)
def test_groups_that_cannot_be_compared_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(NotEnoughJudgments, match="Welch"):
        welch_test(first, second)


@pytest.mark.parametrize(("first", "second"), [([1], [2]), ([1, 2], [2, 3]), ([0.1, 0.3], [0.2, 0.4])])
def test_pairs_that_cannot_be_compared_are_refused(first: list[float], second: list[float]) -> None:
    with pytest.raises(NotEnoughJudgments, match="paired"):
        paired_test(first, second)


def test_ratings_that_are_none_or_do_not_pair_are_refused() -> None:
    with pytest.raises(BadNumber, match="first"):
        welch_test([1, np.nan], [1, 2])
    with pytest.raises(BadNumber, match="2 ratings"):
        paired_test([1, 2], [1, 2, 3])


@pytest.mark.slow
def test_equal_bots_on_a_four_point_scale_are_declared_different_one_time_in_twenty() -> None:
    rng = np.random.default_rng(51)
    rejections = sum(
        welch_test(
            rng.choice([1, 2, 3, 4], 20, p=[0.1, 0.2, 0.3, 0.4]),
            rng.choice(4, 40, p=[0.1, 0.2, 0.3, 0.4]) + 1,
        ).p_value
        <= 0.05
        for _ in range(4000)
    )
    assert 0.04 <= rejections / 4000 <= 0.062
