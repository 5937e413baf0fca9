"""Rates from correlated judgments: plain versions, statsmodels as the oracle, properties, calibration."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.regression.linear_model import OLS

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import (
    clopper_pearson_interval,
    clustered_difference,
    clustered_mean,
    clustered_rate,
    intraclass_correlation,
    sign_test,
)
from tests.error_rates import STUDIES, why_refused
from tests.strategies import thorough


@st.composite
def judgments(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Outcomes with annotators and dialogues, crossed at random."""
    n = draw(st.integers(min_value=4, max_value=60))
    rng = np.random.default_rng(draw(st.integers(min_value=0, max_value=2**32)))
    return rng.choice([0.0, 0.5, 1.0], size=n), rng.integers(0, 8, n), rng.integers(0, 6, n)


def has_variance(outcomes: NDArray[np.float64], clusters: NDArray[np.int64]) -> bool:
    totals = np.bincount(clusters, weights=outcomes - outcomes.mean())
    return len(set(clusters.tolist())) > 1 and bool(np.abs(totals).max() > 1e-9)


def leave_out_variance(estimate: Callable[[list[int]], float], codes: Sequence[object], n: int) -> float:
    """Plain version of CR3: the estimate is computed again without each cluster."""
    whole = estimate(list(range(n)))
    clusters = sorted(set(codes), key=str)
    without = [estimate([row for row in range(n) if codes[row] != cluster]) for cluster in clusters]
    return (len(clusters) - 1) / len(clusters) * sum((one - whole) ** 2 for one in without)


def crossed_variance(estimate: Callable[[list[int]], float], kinds: Sequence[list[int]], n: int) -> float:
    """Plain version of several kinds: inclusion and exclusion, never below the largest one-way variance."""
    total = 0.0
    for together in range(1, len(kinds) + 1):
        for subset in itertools.combinations(kinds, together):
            variance = leave_out_variance(estimate, list(zip(*subset, strict=True)), n)
            total += variance if together % 2 else -variance
    return max(total, *(leave_out_variance(estimate, kind, n) for kind in kinds))


def effective(codes: list[int]) -> float:
    return len(codes) ** 2 / sum(codes.count(cluster) ** 2 for cluster in set(codes))


@st.composite
def equal_clusters(draw: st.DrawFn) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Outcomes of clusters of one size, in any order."""
    groups, size = draw(st.integers(min_value=2, max_value=9)), draw(st.integers(min_value=1, max_value=6))
    rng = np.random.default_rng(draw(st.integers(min_value=0, max_value=2**32)))
    codes = rng.permutation(np.repeat(np.arange(groups), size))
    return rng.choice([0.0, 0.5, 1.0], size=groups * size), codes


@thorough(10)
@given(equal_clusters())
def test_with_clusters_of_one_size_it_is_cr1_as_statsmodels_computes_it(
    data: tuple[NDArray[np.float64], NDArray[np.int64]],
) -> None:
    outcomes, annotators = data
    assume(has_variance(outcomes, annotators))
    fit = OLS(outcomes - 0.4, np.ones(len(outcomes))).fit(
        cov_type="cluster", cov_kwds={"groups": annotators}, use_t=True
    )
    ours = clustered_rate(outcomes, [annotators], null=0.4)
    assert ours.method == "CR3"
    assert ours.df == pytest.approx(len(set(annotators.tolist())) - 1)
    assert ours.standard_error == pytest.approx(fit.bse[0])
    assert ours.p_value == pytest.approx(fit.pvalues[0])
    low, high = fit.conf_int()[0] + 0.4
    assert ours.interval.low == pytest.approx(max(0, low))
    assert ours.interval.high == pytest.approx(min(1, high))


@thorough(10)
@given(judgments(), st.integers(min_value=1, max_value=3))
def test_the_variance_is_that_of_really_leaving_out_each_cluster(
    data: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]], kinds: int
) -> None:
    outcomes, *clusters = data
    clusters = [*clusters, np.arange(len(outcomes)) // 2][:kinds]
    assume(all(len(set(codes.tolist())) > 1 for codes in clusters))
    assume(any(has_variance(outcomes, codes) for codes in clusters))
    listed = [codes.tolist() for codes in clusters]
    expected = crossed_variance(lambda rows: float(outcomes[rows].mean()), listed, len(outcomes))
    ours = clustered_rate(outcomes, clusters, null=0.4)
    assert ours.standard_error == pytest.approx(np.sqrt(expected))
    assert ours.effective_clusters == pytest.approx([effective(codes) for codes in listed])
    df = max(1, min(map(effective, listed)) - 1)
    assert ours.df == pytest.approx(df)
    assert ours.p_value == pytest.approx(
        2 * stats.t.sf(abs(outcomes.mean() - 0.4) / np.sqrt(expected), df), abs=1e-9
    )


@thorough(10)
@given(judgments(), judgments(), st.integers(min_value=1, max_value=2))
def test_a_difference_is_computed_again_without_each_cluster(
    first: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]],
    second: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]],
    kinds: int,
) -> None:
    ours, theirs = first[1 : 1 + kinds], second[1 : 1 + kinds]
    assume(all(len(set(codes.tolist())) > 1 for codes in (*ours, *theirs)))
    values, n = np.concatenate([first[0], second[0]]), len(first[0])
    both = [np.concatenate(pair).tolist() for pair in zip(ours, theirs, strict=True)]

    def difference(rows: list[int]) -> float:
        left = np.array(rows)
        return float(values[left[left < n]].mean() - values[left[left >= n]].mean())

    expected = crossed_variance(difference, both, len(values))
    assume(expected > 1e-6)
    found = clustered_difference(first[0], second[0], ours, theirs)
    assert found.estimate == pytest.approx(difference(list(range(len(values)))))
    assert found.standard_error == pytest.approx(np.sqrt(expected))
    assert 1 <= found.df <= max(1, min(found.clusters) - 1)


def test_one_annotator_with_most_of_the_judgments_leaves_hardly_any_degrees_of_freedom() -> None:
    annotators = np.repeat(np.arange(5), [60, 5, 5, 5, 5])
    outcomes = np.concatenate([np.arange(60) < 45, np.arange(20) % 5 < 2]).astype(float)
    rate = clustered_rate(outcomes, [annotators])
    # By hand: 53 of 80. Without the busy one 8 of 20, without any other 51 of 75.
    expected = 4 / 5 * ((8 / 20 - 53 / 80) ** 2 + 4 * (51 / 75 - 53 / 80) ** 2)
    assert rate.standard_error == pytest.approx(np.sqrt(expected))
    assert rate.effective_clusters == pytest.approx((80**2 / (60**2 + 4 * 5**2),))
    assert rate.df == 1.0
    assert rate.p_value == pytest.approx(2 * stats.cauchy.sf((53 / 80 - 0.5) / np.sqrt(expected)))


@given(judgments())
def test_a_kind_in_which_nothing_repeats_changes_nothing(
    data: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]],
) -> None:
    outcomes, annotators, _ = data
    assume(has_variance(outcomes, annotators))
    alone = clustered_rate(outcomes, [annotators])
    beside = clustered_rate(outcomes, [np.arange(len(outcomes)), annotators])
    largest = max(alone.standard_error, clustered_rate(outcomes, [np.arange(len(outcomes))]).standard_error)
    assert beside.standard_error == pytest.approx(largest)
    assert beside.df == pytest.approx(alone.df)


@given(judgments())
def test_swapping_the_two_bots_mirrors_the_clustered_rate(
    data: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]],
) -> None:
    outcomes, annotators, dialogues = data
    assume(min(len(set(annotators.tolist())), len(set(dialogues.tolist()))) > 1)
    ours = clustered_rate(outcomes, [annotators, dialogues])
    theirs = clustered_rate(1 - outcomes, [annotators, dialogues])
    assert ours.estimate == pytest.approx(1 - theirs.estimate)
    assert ours.interval.low == pytest.approx(1 - theirs.interval.high, abs=1e-9)
    assert ours.p_value == pytest.approx(theirs.p_value, abs=1e-9)


@given(judgments(), st.randoms(use_true_random=False))
def test_order_and_codes_do_not_matter(
    data: tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]], random: np.random.Generator
) -> None:
    outcomes, annotators, _ = data
    assume(len(set(annotators.tolist())) > 1)
    order = list(range(len(outcomes)))
    random.shuffle(order)
    plain = clustered_rate(outcomes, [annotators])
    moved = clustered_rate(outcomes[order], [annotators[order] * 10**9 - 5])
    assert moved.standard_error == pytest.approx(plain.standard_error)
    assert moved.icc == pytest.approx(plain.icc) if plain.icc is not None else moved.icc is None


def test_a_kind_nested_in_another_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    annotators = np.repeat(np.arange(12), 10)
    sittings = np.repeat(np.arange(24), 5)
    outcomes = rng.integers(0, 2, 120).astype(float)
    coarse = clustered_rate(outcomes, [annotators])
    both = clustered_rate(outcomes, [sittings, annotators])
    assert both.standard_error == pytest.approx(max(coarse.standard_error, both.standard_error))
    assert both.icc == pytest.approx(coarse.icc)


def test_judgments_that_are_all_alike_count_each_cluster_once() -> None:
    annotators = np.repeat(np.arange(8), 5)
    all_wins = clustered_rate(np.ones(40), [annotators])
    exact = clopper_pearson_interval(8, 8)
    assert all_wins.interval.limits == pytest.approx(exact.limits)
    assert all_wins.p_value == pytest.approx(sign_test(8, 0).p_value)
    assert (all_wins.effective_n, all_wins.icc, all_wins.df) == (8, None, 7)
    all_losses = clustered_rate(np.zeros(40), [annotators])
    assert all_losses.interval.low == pytest.approx(0)
    assert all_losses.p_value == pytest.approx(all_wins.p_value)


def test_judgments_that_are_all_alike_by_one_busy_annotator_count_little() -> None:
    annotators = np.repeat(np.arange(5), [60, 5, 5, 5, 5])
    all_wins = clustered_rate(np.ones(80), [annotators])
    assert all_wins.p_value == pytest.approx(2 * 0.5 ** (80**2 / 3700))
    assert all_wins.interval.low == pytest.approx(0.025 ** (3700 / 80**2))


def test_nothing_but_ties_is_no_difference() -> None:
    all_ties = clustered_rate(np.full(40, 0.5), [np.repeat(np.arange(8), 5)])
    assert all_ties.p_value == pytest.approx(1)
    assert all_ties.interval.low == pytest.approx(1 - all_ties.interval.high)
    assert all_ties.interval.low < 0.3


def test_clusters_that_all_have_the_same_rate_fall_back_to_independent_judgments() -> None:
    outcomes = np.tile([1.0, 0.0], 30)
    rate = clustered_rate(outcomes, [np.repeat(np.arange(30), 2)])
    assert rate.method.startswith("independent")
    assert rate.standard_error == pytest.approx(outcomes.std(ddof=1) / np.sqrt(60))
    assert rate.p_value == pytest.approx(1)


@pytest.mark.parametrize("clusters", [[], [[0, 0, 0]], [[0, 1, 2], [5, 5, 5]]])
def test_fewer_than_two_clusters_are_refused(clusters: list[list[int]]) -> None:
    with pytest.raises(NotEnoughJudgments, match="at least 2 clusters of each kind"):
        clustered_rate([0, 1, 1], clusters)


def test_no_judgments_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments):
        clustered_rate([], [[]])


@pytest.mark.parametrize("outcomes", [[0, 1, 2], [0, 1, float("nan")]])
def test_outcomes_that_are_not_from_zero_to_one_are_refused(outcomes: list[float]) -> None:
    with pytest.raises(BadNumber, match="position 2"):
        clustered_rate(outcomes, [[0, 1, 2]])


def test_effective_n_shrinks_with_the_design_effect() -> None:
    rng = np.random.default_rng(5)
    annotators = np.repeat(np.arange(400), 10)
    leaning = rng.beta(4.5, 4.5, 400)  # intraclass correlation 1 / (4.5 + 4.5 + 1)
    outcomes = (rng.random(4000) < leaning[annotators]).astype(float)
    rate = clustered_rate(outcomes, [annotators])
    assert rate.icc == pytest.approx(0.1, abs=0.03)
    assert rate.icc is not None
    assert rate.effective_n == pytest.approx(4000 / (1 + 9 * rate.icc), rel=0.02)


def test_intraclass_correlation_of_equal_clusters_is_the_textbook_one() -> None:
    rng = np.random.default_rng(6)
    table = rng.normal(size=(20, 4)) + rng.normal(size=(20, 1))
    between = 4 * table.mean(axis=1).var(ddof=1)
    within = table.var(axis=1, ddof=1).mean()
    expected = (between - within) / (between + 3 * within)
    assert intraclass_correlation(table.ravel(), np.repeat(np.arange(20), 4)) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("outcomes", "clusters"), [([], []), ([1, 0], [0, 0]), ([1, 0], [0, 1]), ([1, 1, 1], [0, 0, 1])]
)
def test_intraclass_correlation_that_cannot_be_estimated_is_missing(
    outcomes: list[float], clusters: list[int]
) -> None:
    assert intraclass_correlation(outcomes, np.array(clusters, dtype=np.int64)) is None


def test_a_bounded_mean_is_a_rescaled_rate() -> None:
    rng = np.random.default_rng(8)
    values, dialogues = rng.integers(-1, 2, 90).astype(float), rng.permutation(np.repeat(np.arange(18), 5))
    fit = OLS(values, np.ones(90)).fit(cov_type="cluster", cov_kwds={"groups": dialogues}, use_t=True)
    mean = clustered_mean(values, [dialogues], bounds=(-1, 1))
    assert mean.estimate == pytest.approx(values.mean())
    assert mean.standard_error == pytest.approx(fit.bse[0])
    assert mean.p_value == pytest.approx(fit.pvalues[0])
    assert (mean.interval.low, mean.interval.high) == pytest.approx(tuple(fit.conf_int()[0]))


@pytest.mark.parametrize("bounds", [(1.0, -1.0), (0.0, 0.0), (0.0, float("inf")), (float("nan"), 1.0)])
def test_bounds_that_are_none_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(BadNumber, match="bounds"):
        clustered_mean([0, 0], [[0, 1]], bounds=bounds)


def test_a_null_outside_the_bounds_is_refused() -> None:
    with pytest.raises(BadNumber, match="null: expected a number inside the bounds -1 and 1"):
        clustered_mean([0, 0], [[0, 1]], bounds=(-1, 1), null=1)


def test_differences_of_crossed_ratings_are_those_of_a_regression_on_the_group() -> None:
    rng = np.random.default_rng(9)
    annotators = np.tile(np.arange(15), 8)  # each rated both bots four times: CR3 is CR1 then
    is_first = np.arange(120) < 60
    values = rng.integers(1, 5, 120) + 0.3 * is_first
    design = np.column_stack([np.ones(120), is_first])
    fit = OLS(values, design).fit(
        cov_type="cluster", cov_kwds={"groups": annotators, "use_correction": False}, use_t=True
    )
    ours = clustered_difference(values[:60], values[60:], [annotators[:60]], [annotators[60:]])
    assert ours.estimate == pytest.approx(fit.params[1])
    assert ours.standard_error == pytest.approx(fit.bse[1] * np.sqrt(15 / 14))
    assert (ours.n, ours.clusters) == ((60, 60), (15,))
    assert ours.df == pytest.approx(14)
    assert ours.interval.low < ours.estimate < ours.interval.high


def test_swapping_the_groups_mirrors_the_difference() -> None:
    ours = clustered_difference([1, 2, 4], [2, 3], [[0, 1, 2]], [[0, 1]])
    theirs = clustered_difference([2, 3], [1, 2, 4], [[0, 1]], [[0, 1, 2]])
    assert ours.estimate == pytest.approx(-theirs.estimate)
    assert ours.p_value == pytest.approx(theirs.p_value)


def test_differences_without_enough_to_go_on_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="judgments in each group"):
        clustered_difference([1], [2, 3], [[0]], [[0, 1]])
    with pytest.raises(NotEnoughJudgments, match="different answers"):
        clustered_difference([1, 1], [2, 2], [[0, 1]], [[0, 1]])
    with pytest.raises(NotEnoughJudgments, match="2 clusters of each kind in each group"):
        clustered_difference([1, 2, 2], [2, 3, 1], [[0, 0, 0]], [[0, 1, 2]])
    with pytest.raises(BadNumber, match="the same kinds of clusters"):
        clustered_difference([1, 2], [2, 3], [[0, 1]], [[0, 1], [0, 1]])


def test_a_million_judgments_take_well_under_a_second() -> None:
    rng = np.random.default_rng(10)
    outcomes = rng.integers(0, 2, 1_000_000).astype(float)
    kinds = [rng.integers(0, 20_000, 1_000_000), rng.integers(0, 100_000, 1_000_000)]
    started = time.process_time()
    clustered_rate(outcomes, kinds)
    assert time.process_time() - started < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [0.0, 0.05, 0.2])
def test_equal_bots_are_declared_different_about_one_time_in_twenty(correlation: float) -> None:
    rng = np.random.default_rng(11)
    dialogues = np.repeat(np.arange(20), 10)
    rejections, covered, studies = 0, 0, 4000
    strength = np.inf if correlation == 0 else (1 / correlation - 1) / 2
    for _ in range(studies):
        leaning = np.full(20, 0.5) if correlation == 0 else rng.beta(strength, strength, 20)
        rate = clustered_rate((rng.random(200) < leaning[dialogues]).astype(float), [dialogues])
        rejections += rate.p_value <= 0.05
        covered += 0.5 in rate.interval
    assert 0.04 <= rejections / studies <= 0.06
    assert covered == studies - rejections


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [5, 12, 40])
@pytest.mark.parametrize("sizes", ["lognormal", "one busy"])
def test_unequal_clusters_do_not_raise_the_error(sizes: str, clusters: int) -> None:
    rng = np.random.default_rng(13)
    wrong = 0
    for _ in range(STUDIES):
        if sizes == "lognormal":
            counts = np.maximum(1, np.round(10 * rng.lognormal(0, 0.8, clusters))).astype(int)
        else:
            counts = np.array([60] + [5] * (clusters - 1))
        codes = np.repeat(np.arange(clusters), counts)
        leaning = rng.beta(4.5, 4.5, clusters)
        outcomes = (rng.random(len(codes)) < leaning[codes]).astype(float)
        naive = sign_test(int(outcomes.sum()), int(len(outcomes) - outcomes.sum())).p_value
        wrong += max(naive, clustered_rate(outcomes, [codes]).p_value) <= 0.05
    assert why_refused(wrong) == ""  # by CR1 and t(G - 1) up to .24 of studies err


@pytest.mark.slow
def test_crossed_annotators_and_dialogues_do_not_raise_the_error() -> None:
    rng = np.random.default_rng(12)
    annotators, dialogues = np.repeat(np.arange(40), 25), np.tile(np.arange(50), 20)
    naive, clustered, studies = 0, 0, 2000
    for _ in range(studies):
        logit = rng.normal(0, 0.6, 40)[annotators] + rng.normal(0, 0.6, 50)[dialogues]
        outcomes = (rng.random(1000) < 1 / (1 + np.exp(-logit))).astype(float)
        naive += sign_test(int(outcomes.sum()), int(1000 - outcomes.sum())).p_value <= 0.05
        clustered += clustered_rate(outcomes, [annotators, dialogues]).p_value <= 0.05
    assert naive / studies > 0.3
    assert clustered / studies <= 0.07
