"""Correlations of metrics with human scores: scipy as the oracle, clusters, and what cannot be computed."""

from __future__ import annotations

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


def test_four_clusters_have_no_interval() -> None:
    found = correlations([1, 3, 2, 4, 5], [1, 2, 3, 4, 5], list("aabcd"), rng=np.random.default_rng(RNG))
    assert found.clusters == 4
    assert found.pearson.interval is None


def test_resamples_that_are_mostly_the_same_everywhere_leave_no_interval() -> None:
    found = correlations([1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0], rng=np.random.default_rng(RNG))
    assert found.clusters == 6
    assert found.pearson.interval is None


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
