"""Two independent rates: statsmodels and scipy as oracles, symmetry, coverage, ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_effectsize, proportions_ztest

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import cohen_h, rate_difference
from tests.strategies import thorough

groups = st.tuples(st.integers(0, 300), st.integers(0, 300)).filter(lambda group: sum(group) > 0)


@thorough(10)
@given(groups, groups)
def test_interval_and_tests_agree_with_statsmodels_and_scipy(
    ours: tuple[int, int], theirs: tuple[int, int]
) -> None:
    (a, lost), (b, missed) = ours, theirs
    n, m = a + lost, b + missed
    result = rate_difference(a, n, b, m)
    low, high = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff")
    assert result.interval.limits == pytest.approx((low, high), abs=1e-9)
    if 0 < a + b < n + m:
        assert result.p_value == pytest.approx(proportions_ztest([a, b], [n, m])[1], abs=1e-12)
    fisher = rate_difference(a, n, b, m, method="fisher")
    assert fisher.p_value == pytest.approx(stats.fisher_exact(np.array([[a, lost], [b, missed]])).pvalue)


@given(groups, groups)
def test_swapping_the_groups_mirrors_the_difference(ours: tuple[int, int], theirs: tuple[int, int]) -> None:
    (a, lost), (b, missed) = ours, theirs
    there, back = rate_difference(a, a + lost, b, b + missed), rate_difference(b, b + missed, a, a + lost)
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.interval.limits == pytest.approx((-back.interval.high, -back.interval.low))
    assert there.p_value == pytest.approx(back.p_value)
    assert -1 <= there.interval.low <= there.estimate <= there.interval.high <= 1


@given(st.floats(0, 1), st.floats(0, 1))
def test_cohens_h_agrees_with_statsmodels(first: float, second: float) -> None:
    assert cohen_h(first, second) == pytest.approx(proportion_effectsize(first, second))


def test_odds_ratio_is_infinite_or_missing_where_it_must_be() -> None:
    assert rate_difference(6, 10, 3, 10).odds_ratio == pytest.approx(3.5)
    assert rate_difference(6, 10, 0, 10).odds_ratio == np.inf
    assert rate_difference(0, 10, 3, 10).odds_ratio == pytest.approx(0)
    assert rate_difference(0, 10, 0, 10).odds_ratio is None


@pytest.mark.parametrize("successes", [0, 10])
def test_groups_without_any_variation_do_not_differ(successes: int) -> None:
    result = rate_difference(successes, 10, successes, 10)
    assert result.p_value == pytest.approx(1)
    assert result.interval.low < 0 < result.interval.high


def test_a_thousand_million_judgments_are_no_trouble() -> None:
    result = rate_difference(5 * 10**8, 10**9, 5 * 10**8 + 10**5, 10**9)
    assert result.p_value == pytest.approx(2 * stats.norm.sf(1e-4 / np.sqrt(0.5 / 1e9)), rel=1e-3)


def test_empty_groups_and_impossible_counts_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments):
        rate_difference(0, 0, 1, 2)
    with pytest.raises(BadNumber):
        rate_difference(1, 2, 3, 2)


def test_the_interval_covers_by_enumeration() -> None:
    n, m, first, second = 30, 20, 0.85, 0.6
    chances = np.outer(
        stats.binom.pmf(np.arange(n + 1), n, first), stats.binom.pmf(np.arange(m + 1), m, second)
    )
    covered = [
        [first - second in rate_difference(a, n, b, m).interval for b in range(m + 1)] for a in range(n + 1)
    ]
    assert chances[np.array(covered)].sum() >= 0.94
