"""Correlations of metrics with human scores: scipy as the oracle, clusters, and what cannot be computed."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr, spearmanr

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import Correlations, correlations

RNG = 7


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=4, max_size=30))
def test_the_three_coefficients_are_scipys(pairs: list[tuple[int, int]]) -> None:
    x, y = [one for one, _ in pairs], [other for _, other in pairs]
    if len(set(x)) == 1 or len(set(y)) == 1:
        return
    found = correlations(x, y, draws=1, rng=np.random.default_rng(RNG))
    assert found.pearson.value == pytest.approx(pearsonr(x, y).statistic, abs=1e-9)
    assert found.spearman.value == pytest.approx(spearmanr(x, y).statistic, abs=1e-9)
    assert found.kendall.value == pytest.approx(kendalltau(x, y).statistic, abs=1e-9)


def width(found: Correlations) -> float:
    assert found.pearson.interval is not None
    low, high = found.pearson.interval.limits
    return high - low


def test_clusters_are_drawn_whole_and_widen_the_interval() -> None:
    rng = np.random.default_rng(RNG)
    of = np.repeat(np.arange(20), 10)
    x, y = (rng.normal(size=20)[of] + 0.1 * rng.normal(size=200) for _ in range(2))
    apart = correlations(x, y, draws=300, rng=np.random.default_rng(RNG))
    whole = correlations(x, y, of, draws=300, rng=np.random.default_rng(RNG))
    assert apart.clusters == 200
    assert whole.clusters == 20
    assert not whole.has_few_clusters
    assert width(whole) > 2 * width(apart)


@pytest.mark.slow
def test_intervals_by_cluster_hold_what_they_promise() -> None:
    """True correlation 0.5 between cluster effects; 30 clusters of five: at least 90 % of 95 % intervals."""
    held = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        a, noise = rng.normal(size=(2, 30))
        b = 0.5 * a + np.sqrt(0.75) * noise
        of = np.repeat(np.arange(30), 5)
        found = correlations(a[of], b[of], of, draws=300, rng=rng)
        interval = found.pearson.interval
        assert interval is not None
        held += interval.low <= 0.5 <= interval.high
    assert held >= 0.9 * 200


def test_few_teams_are_told() -> None:
    assert correlations([1, 2, 3], [1, 2, 3], draws=20, rng=np.random.default_rng(RNG)).has_few_clusters


def test_five_bots_in_the_same_order_have_an_exact_p_and_no_interval_of_width_0() -> None:
    found = correlations([1, 2, 3, 4, 5], [10, 20, 30, 40, 50], rng=np.random.default_rng(RNG))
    assert found.pearson.value == pytest.approx(1)
    for one in (found.pearson, found.spearman, found.kendall):
        assert one.interval is None
        assert one.p_value == pytest.approx(2 / 120)
        assert one.why_no_interval == "fewer than 10 clusters"


@pytest.mark.parametrize("n", [5, 7])
def test_the_exact_p_is_that_of_all_permutations_one_by_one(n: int) -> None:
    rng = np.random.default_rng(RNG)
    x, y = rng.integers(0, 5, (2, n)).astype(float)
    x[0], y[0] = 9.0, 8.0
    found = correlations(x, y, rng=rng)
    for one, statistic in (
        (found.pearson, pearsonr),
        (found.spearman, spearmanr),
        (found.kendall, kendalltau),
    ):
        drawn = [abs(statistic(x, list(order)).statistic) for order in permutations(y)]
        expected = np.mean(np.array(drawn) >= abs(one.value) - 1e-9)
        assert one.p_value == pytest.approx(expected)


def test_ten_bots_have_an_interval_and_nine_have_a_p() -> None:
    rng = np.random.default_rng(RNG)
    x, y = rng.normal(size=(2, 10))
    nine, ten = correlations(x[:9], y[:9], rng=rng), correlations(x, y, rng=rng)
    assert (nine.pearson.interval, ten.pearson.p_value) == (None, None)
    assert nine.pearson.p_value is not None
    assert ten.pearson.interval is not None
    assert ten.pearson.why_no_interval == ""


def test_the_exact_p_errs_as_often_as_it_says() -> None:
    """Uncorrelated scores of seven bots: p of at most .05 comes in at most .05 of draws (600 of them)."""
    rng = np.random.default_rng(RNG)
    p_values = [correlations(*rng.normal(size=(2, 7)), rng=rng).spearman.p_value for _ in range(600)]
    assert sum(p is not None and p <= 0.05 for p in p_values) <= 42  # binomial(600, .05) has 97.5 % at 41


def test_many_bots_in_exactly_the_same_order_have_no_interval_of_width_0() -> None:
    found = correlations(range(12), [one**2 for one in range(12)], rng=np.random.default_rng(RNG))
    assert found.pearson.interval is not None
    assert found.spearman.interval is None
    assert found.spearman.why_no_interval == "nearly all samples drawn again have the same correlation"


def test_few_dialogues_of_many_replies_have_neither_interval_nor_p() -> None:
    found = correlations(
        [1, 3, 2, 4, 5, 6], [1, 2, 3, 4, 5, 7], list("aabcde"), rng=np.random.default_rng(RNG)
    )
    assert found.clusters == 5
    assert (found.pearson.interval, found.pearson.p_value) == (None, None)
    assert found.pearson.why_no_interval == "fewer than 10 clusters"


def test_resamples_that_are_mostly_the_same_everywhere_leave_no_interval() -> None:
    first, second = [0.0] * 30, [0.0] * 30
    first[0], second[1] = 1.0, 1.0
    found = correlations(first, second, rng=np.random.default_rng(RNG))
    assert found.pearson.interval is None
    assert found.pearson.why_no_interval == "one of the two is the same in most samples drawn again"


@pytest.mark.parametrize(
    ("x", "y", "clusters", "said"),
    [([1, 2, 3], [1, 2], None, "3 numbers"), ([1, 2, 3], [1, 1, 1], None, "differ"),
     ([1, 2, 3], [1, 2, 3], [1, 2], "3 numbers"), ([2, 2, 2], [1, 2, 3], None, "differ")],
)  # fmt: skip
def test_what_cannot_be_correlated_is_said(
    x: list[int], y: list[int], clusters: list[int] | None, said: str
) -> None:
    with pytest.raises(BadNumber, match=said):
        correlations(x, y, clusters, rng=np.random.default_rng(RNG))


def test_two_pairs_are_too_few() -> None:
    with pytest.raises(NotEnoughJudgments, match="3 pairs"):
        correlations([1, 2], [1, 2], rng=np.random.default_rng(RNG))
