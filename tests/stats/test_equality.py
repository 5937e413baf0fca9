"""The clustered T²: statsmodels' Hotelling and two bots as oracles, a naive twin, ends, and its error."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.stats import f
from statsmodels.stats.multivariate import test_mvmean as hotelling

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import clustered_equality, clustered_mean, cochran_q
from duologue.stats.clusters.equality import MOST_PERMUTED
from tests.error_rates import STUDIES, why_refused
from tests.strategies import thorough


def selections(seed: int, clusters: int, size: int, bots: int, *, spread: float = 0.0) -> NDArray[np.int64]:
    rng = np.random.default_rng(seed)
    rates = np.full((clusters, bots), 0.4)
    if spread:
        rates = rng.beta(0.4 * (1 / spread - 1), 0.6 * (1 / spread - 1), (clusters, bots))
    return (rng.random((clusters * size, bots)) < np.repeat(rates, size, axis=0)).astype(np.int64)


@thorough(10)
@given(
    seed=st.integers(0, 10**6), clusters=st.integers(6, 15), size=st.integers(2, 6), bots=st.integers(3, 4)
)
def test_clusters_of_one_size_give_hotellings_test_of_their_means(
    seed: int, clusters: int, size: int, bots: int
) -> None:
    table = selections(seed, clusters, size, bots, spread=0.2)
    codes = np.repeat(np.arange(clusters), size)
    means = table.reshape(clusters, size, bots).mean(axis=1)
    contrasts = means[:, 1:] - means[:, :1]
    assume(int(np.linalg.matrix_rank(contrasts - contrasts.mean(axis=0))) == bots - 1)
    oracle = hotelling(contrasts)
    found = clustered_equality(table, [codes])
    assert list(found.df) == pytest.approx([bots - 1, clusters - bots + 1])
    assert found.statistic == pytest.approx(oracle.statistic)
    assert found.p_value == pytest.approx(oracle.pvalue)


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_two_bots_are_the_clustered_mean_of_their_difference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 8, 60)
    table = selections(seed, 60, 1, 2)
    found = clustered_equality(table, [codes])
    mean = clustered_mean(table[:, 0] - table[:, 1], [codes], bounds=(-1, 1))
    assume(mean.method == "CR3")
    assert found.p_value == pytest.approx(mean.p_value)


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_unequal_clusters_agree_with_the_jackknife_done_naively(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, codes = selections(seed, 80, 1, 3, spread=0.1), rng.integers(0, 12, 80)
    names = np.unique(codes)
    change = np.array(
        [table[codes != one].mean(axis=0) - table.mean(axis=0) for one in names]
    )  # bots as they are: the contrasts come after
    contrast = np.array([[1, -1, 0], [1, 0, -1]])
    size = len(names)
    variance = contrast @ (change.T @ change * (size - 1) / size) @ contrast.T
    difference = contrast @ table.mean(axis=0)
    sizes = np.array([(codes == one).sum() for one in names])
    effective = sizes.sum() ** 2 / (sizes**2).sum()
    statistic = difference @ np.linalg.solve(variance, difference) * (effective - 2) / ((effective - 1) * 2)
    found = clustered_equality(table, [codes])
    assert found.statistic == pytest.approx(statistic)
    assert found.p_value == pytest.approx(f.sf(statistic, 2, effective - 2))


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_bots_and_of_turns_does_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table, codes = selections(seed, 10, 5, 4), np.repeat(np.arange(10), 5)
    bots, turns = rng.permutation(4), rng.permutation(50)
    found = clustered_equality(table, [codes])
    other = clustered_equality(table[np.ix_(turns, bots)], [codes[turns]])
    assert other.p_value == pytest.approx(found.p_value)


def test_the_kind_of_cluster_with_the_larger_p_value_decides() -> None:
    table = selections(3, 12, 5, 3, spread=0.4)
    dialogue = np.repeat(np.arange(12), 5)
    each = [clustered_equality(table, [kind]).p_value for kind in (np.arange(60), dialogue)]
    found = clustered_equality(table, [np.arange(60), dialogue])
    assert found.p_value == max(each)
    assert found.deciding == int(np.argmax(each))
    assert found.clusters == (60, 12)
    assert found.effective_clusters == pytest.approx((60, 12))


def test_clusters_that_are_all_alike_count_as_one_turn_each() -> None:
    turns = np.array([[1, 0, 0], [1, 1, 0]])
    table, codes = np.tile(turns, (6, 1)), np.repeat(np.arange(6), 2)
    found = clustered_equality(table, [codes])
    assert "one turn" in found.method
    assert found.p_value == pytest.approx(cochran_q(np.tile(turns, (3, 1))).p_value)
    assert found.df == (2.0,)


def test_bots_that_are_always_selected_together_take_a_dimension_off() -> None:
    table = selections(5, 10, 6, 3)
    table[:, 2] = table[:, 1]
    found = clustered_equality(table, [np.repeat(np.arange(10), 6)])
    pair = clustered_equality(table[:, :2], [np.repeat(np.arange(10), 6)])
    assert found.df[0] == 1
    assert found.p_value == pytest.approx(pair.p_value)


def test_equal_rates_are_no_evidence() -> None:
    found = clustered_equality([[1, 0], [0, 1], [1, 1], [0, 0]], [[0, 0, 1, 1]])
    assert (found.statistic, found.p_value) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("table", "clusters", "error"),
    [
        ([1, 0], [[0, 1]], BadNumber),
        ([[2, 0]], [[0]], BadNumber),
        ([[1], [0]], [[0, 1]], NotEnoughJudgments),
        ([[1, 0, 0], [0, 1, 0]], [[0, 1]], NotEnoughJudgments),
        ([[1, 0], [0, 1]], [], NotEnoughJudgments),
        ([[1, 0], [0, 1]], [[0]], BadNumber),
    ],
)
def test_what_cannot_be_tested_is_refused(table: object, clusters: object, error: type[Exception]) -> None:
    with pytest.raises(error):
        clustered_equality(table, clusters)  # type: ignore[arg-type]


def test_permuted_bots_give_the_p_value_where_there_are_few_clusters() -> None:
    table = selections(3, 14, 8, 4, spread=0.2)
    codes = np.repeat(np.arange(14), 8)
    plain = clustered_equality(table, [codes])
    found, again = (clustered_equality(table, [codes], rng=np.random.default_rng(5)) for _ in range(2))
    assert found == again
    assert (found.statistic, found.df) == (plain.statistic, plain.df)
    assert found.p_value == pytest.approx(plain.p_value, abs=0.05)
    assert found.p_value != plain.p_value
    assert found.method == "CR3, T², bots permuted within clusters"


@thorough(10)
@given(seed=st.integers(0, 10**6))
def test_the_permutation_test_is_that_of_a_naive_twin(seed: int) -> None:
    table = selections(seed, 8, 4, 3, spread=0.3)
    codes = np.repeat(np.arange(8), 4)
    plain = clustered_equality(table, [codes])
    assume(plain.method == "CR3, T²" and plain.df[0] == 2 and plain.statistic > 0)
    rng, draws, as_far = np.random.default_rng(seed), 199, 1
    for _ in range(draws):
        drawn = np.concatenate([table[codes == one][:, rng.permutation(3)] for one in range(8)])
        other = clustered_equality(drawn, [codes])
        as_far += other.df[0] < 2 or other.statistic >= plain.statistic - 1e-9
    found = clustered_equality(table, [codes], rng=np.random.default_rng(1))
    share = as_far / (draws + 1)
    assert found.p_value == pytest.approx(share, abs=4 * (0.25 / draws) ** 0.5)


def test_the_order_of_turns_and_of_clusters_does_not_change_the_draws() -> None:
    table, codes = selections(4, 12, 5, 4, spread=0.2), np.repeat(np.arange(12), 5)
    turns = np.random.default_rng(0).permutation(60)
    ours = clustered_equality(table, [codes], rng=np.random.default_rng(2))
    theirs = clustered_equality(table[turns], [(codes[turns] * 7) % 13], rng=np.random.default_rng(2))
    assert theirs.p_value == ours.p_value


def test_many_clusters_and_bots_that_never_differ_are_not_permuted() -> None:
    for clusters, is_permuted in ((MOST_PERMUTED, True), (MOST_PERMUTED + 1, False)):
        table = selections(6, clusters, 2, 3)
        found = clustered_equality(table, [np.repeat(np.arange(clusters), 2)], rng=np.random.default_rng(0))
        assert ("permuted" in found.method) == is_permuted
    table = selections(5, 10, 6, 3)
    table[:, 2] = table[:, 1]
    codes = np.repeat(np.arange(10), 6)
    assert clustered_equality(table, [codes], rng=np.random.default_rng(0)) == clustered_equality(
        table, [codes]
    )


@pytest.mark.slow
@pytest.mark.parametrize("icc", [0.0, 0.1])
def test_the_larger_of_q_and_t_squared_keeps_its_error_where_turns_are_correlated(icc: float) -> None:
    rng = np.random.default_rng(12)
    studies, bots = STUDIES, 4
    rejected = np.zeros(2)
    for seed, is_uneven in itertools.product(range(studies // 2), (False, True)):
        sizes = rng.integers(4, 20, 40) if is_uneven else np.full(40, 10)
        codes = np.repeat(np.arange(40), sizes)
        rates = np.full((40, bots), 0.3)
        if icc:
            rates = np.random.default_rng(seed).beta(0.3 * (1 / icc - 1), 0.7 * (1 / icc - 1), (40, bots))
        table = rng.random((len(codes), bots)) < rates[codes]
        naive = cochran_q(table.astype(int)).p_value
        clustered = clustered_equality(table, [codes]).p_value
        rejected += [naive <= 0.05, max(naive, clustered) <= 0.05]
    assert why_refused(int(rejected[1]), studies) == ""
    assert (rejected[0] / studies > 0.1) == (icc > 0)
