"""Agreement: Krippendorff's textbook data, three other programs, chance, missing judgments, ends."""

from __future__ import annotations

import time

import evalica
import krippendorff
import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import agreement_rate, krippendorff_alpha
from duologue.stats.agreement.krippendorff import Metric
from tests.alike import assert_alike
from tests.stats.golden import COMPUTED, as_printed
from tests.strategies import thorough

METRICS: list[Metric] = ["nominal", "ordinal", "interval", "ratio"]
TEXTBOOK = np.array(COMPUTED["krippendorff"]["ratings"], dtype=np.float64)


@st.composite
def rating_matrices(draw: st.DrawFn) -> NDArray[np.float64]:
    """Annotators × items, about a third of the judgments missing, at least one item judged twice."""
    annotators, items = draw(st.integers(2, 5)), draw(st.integers(1, 12))
    point = st.one_of(st.none(), st.integers(1, 5), st.integers(1, 5))
    cells = draw(st.lists(point, min_size=annotators * items, max_size=annotators * items))
    ratings = np.array(cells, dtype=np.float64).reshape(annotators, items)
    assume(((~np.isnan(ratings)).sum(axis=0) > 1).any())
    return ratings


def flat(ratings: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    annotators, items = np.nonzero(~np.isnan(ratings))
    return ratings[annotators, items], items


@pytest.mark.parametrize("metric", METRICS)
def test_alpha_of_krippendorffs_textbook_data(metric: Metric) -> None:
    assert krippendorff_alpha(TEXTBOOK, metric=metric).value == as_printed(COMPUTED["krippendorff"][metric])


@pytest.mark.parametrize("metric", METRICS)
@thorough(10)
@given(ratings=rating_matrices())
def test_alpha_agrees_with_the_krippendorff_package(metric: Metric, ratings: NDArray[np.float64]) -> None:
    pairable = ratings[:, (~np.isnan(ratings)).sum(axis=0) > 1]
    assume(len(np.unique(pairable[~np.isnan(pairable)])) > 1)
    expected = krippendorff.alpha(reliability_data=ratings, level_of_measurement=metric)
    assert krippendorff_alpha(ratings, metric=metric).value == pytest.approx(expected, abs=1e-9)


def test_alpha_agrees_with_evalica() -> None:
    result = evalica.alpha(pd.DataFrame(TEXTBOOK), distance="ordinal")
    assert krippendorff_alpha(TEXTBOOK, metric="ordinal").value == pytest.approx(result.alpha)


@pytest.mark.parametrize("metric", METRICS)
@thorough(10)
@given(ratings=rating_matrices())
def test_the_flat_form_says_the_same(metric: Metric, ratings: NDArray[np.float64]) -> None:
    values, items = flat(ratings)
    flat_alpha = krippendorff_alpha(values, items=items * 10**6, metric=metric)
    assert_alike(flat_alpha, krippendorff_alpha(ratings, metric=metric))
    assert_alike(agreement_rate(values, items=items), agreement_rate(ratings))


@thorough(10)
@given(rating_matrices(), st.randoms(use_true_random=False))
def test_who_judged_and_in_which_order_does_not_matter(
    ratings: NDArray[np.float64], random: np.random.Generator
) -> None:
    rows, columns = list(range(len(ratings))), list(range(ratings.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    moved = ratings[np.ix_(rows, columns)]
    assert krippendorff_alpha(moved).value == pytest.approx(krippendorff_alpha(ratings).value)
    assert agreement_rate(moved).value == pytest.approx(agreement_rate(ratings).value)


@thorough(10)
@given(rating_matrices())
def test_renaming_answers_leaves_nominal_agreement_alone_and_stretching_them_interval_alpha(
    ratings: NDArray[np.float64],
) -> None:
    renamed = np.where(np.isnan(ratings), np.nan, (ratings * 3) % 7)  # 1..5 become 3, 6, 2, 5, 1
    assert krippendorff_alpha(renamed).value == pytest.approx(krippendorff_alpha(ratings).value)
    stretched = krippendorff_alpha(100 - 7 * ratings, metric="interval").value
    assert stretched == pytest.approx(krippendorff_alpha(ratings, metric="interval").value)


def test_agreement_rate_counts_equal_pairs_within_items() -> None:
    ratings = np.array([[1, 1, np.nan], [1, 2, 1], [2, 2, np.nan]])
    result = agreement_rate(ratings)
    assert result.value == pytest.approx((1 / 3 + 1 / 3) / 2)  # the last item has one judgment
    assert (result.items, result.judgments) == (2, 6)


@pytest.mark.parametrize("coefficient", [krippendorff_alpha, agreement_rate])
def test_perfect_agreement_is_one_even_with_a_single_answer(coefficient: type) -> None:
    assert coefficient([[1, 2, 3], [1, 2, 3]]).value == pytest.approx(1)
    assert coefficient([[1, 1, 1], [1, 1, 1]]).value == pytest.approx(1)


def test_annotators_who_always_differ_have_negative_alpha() -> None:
    assert krippendorff_alpha([[1, 2, 1, 2], [2, 1, 2, 1]]).value < 0


@pytest.mark.parametrize("coefficient", [krippendorff_alpha, agreement_rate])
@pytest.mark.parametrize(
    "ratings", [[[1, np.nan], [np.nan, 2]], [[np.nan], [np.nan]], np.zeros((0, 0)), [[1, 2]]]
)
def test_without_an_item_judged_twice_there_is_no_agreement_to_measure(
    coefficient: type, ratings: NDArray[np.float64]
) -> None:
    with pytest.raises(NotEnoughJudgments, match="2 judgments of one item"):
        coefficient(ratings)


def test_shapes_and_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="annotators × items"):
        agreement_rate([1, 2, 3])
    with pytest.raises(BadNumber, match="infinite"):
        agreement_rate(np.array([[1, np.inf], [1, 2]]))
    with pytest.raises(BadNumber, match="2 integer codes"):
        agreement_rate([1, 2], items=[0])
    with pytest.raises(BadNumber, match="ratio"):
        krippendorff_alpha([[-1, 2], [1, 2]], metric="ratio")
    with pytest.raises(BadNumber, match="replicates"):
        krippendorff_alpha([[1, 2], [1, 2]], rng=np.random.default_rng(0), replicates=1)


def test_zero_is_no_distance_from_zero_on_a_ratio_scale() -> None:
    ratings = np.array([[0, 0, 1, 2], [0, 1, 1, 2]], dtype=float)
    expected = 1 - (3 / 4) * 2 / _expected_ratio_disagreement(ratings)
    assert krippendorff_alpha(ratings, metric="ratio").value == pytest.approx(expected)


def _expected_ratio_disagreement(ratings: NDArray[np.float64]) -> float:
    """Twin: all pairs of the eight answers; one disagreeing pair (0, 1) at distance one is seen."""
    values = ratings.ravel()
    distances = [
        ((a - b) / (a + b)) ** 2 if a + b else 0.0
        for i, a in enumerate(values)
        for j, b in enumerate(values)
        if i != j
    ]
    return 0.75 * sum(distances) / 7


@pytest.mark.parametrize("coefficient", [krippendorff_alpha])
def test_the_item_bootstrap_surrounds_the_value_and_repeats_with_its_seed(coefficient: type) -> None:
    rng = np.random.default_rng(31)
    truth = rng.integers(0, 2, 80)
    ratings = np.where(rng.random((3, 80)) < 0.85, truth, 1 - truth).astype(float)
    first, second = (coefficient(ratings, rng=np.random.default_rng(1), replicates=500) for _ in range(2))
    assert first == second
    assert first.interval.low < first.value < first.interval.high
    assert first.interval.high - first.interval.low < 0.4


def test_the_bootstrap_by_kind_of_item_has_the_spread_of_the_plain_one() -> None:
    rng = np.random.default_rng(32)
    truth = rng.integers(0, 2, 60)
    ratings = np.where(rng.random((3, 60)) < 0.8, truth, 1 - truth).astype(float)
    plain = [krippendorff_alpha(ratings[:, rng.integers(0, 60, 60)]).value for _ in range(2000)]
    fast = krippendorff_alpha(ratings, rng=rng, replicates=2000, level=0.9).interval
    assert fast is not None
    low, high = np.quantile(plain, [0.05, 0.95])
    assert fast.low == pytest.approx(low, abs=0.03)
    assert fast.high == pytest.approx(high, abs=0.03)


def test_a_million_judgments_take_well_under_a_second() -> None:
    rng = np.random.default_rng(33)
    items, answers = rng.integers(0, 300_000, 1_000_000), rng.integers(1, 3, 1_000_000).astype(float)
    started = time.process_time()
    result = krippendorff_alpha(answers, items=items)
    assert time.process_time() - started < 1.0
    assert result.value == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("metric", ["ordinal", "interval"])
def test_scales_without_steps_take_no_longer_where_every_answer_is_another_one(metric: Metric) -> None:
    rng = np.random.default_rng(35)
    ratings = rng.normal(size=(3, 1)) + rng.normal(size=1500)[None, :] + rng.normal(size=(3, 1500))
    started = time.process_time()
    found = krippendorff_alpha(ratings, metric=metric, rng=rng)
    assert time.process_time() - started < 5.0
    few = ratings[:, :40]
    expected = krippendorff.alpha(reliability_data=few, level_of_measurement=metric)
    assert krippendorff_alpha(few, metric=metric).value == pytest.approx(expected, abs=1e-9)
    assert found.interval is not None
    assert found.interval.low <= found.value <= found.interval.high


@pytest.mark.slow
def test_the_bootstrap_interval_covers_the_true_alpha() -> None:
    rng = np.random.default_rng(34)
    accuracy, items = 0.85, 120
    true_alpha = (2 * accuracy - 1) ** 2  # two answers, equally frequent
    covered = 0
    for _ in range(400):
        truth = rng.integers(0, 2, items)
        ratings = np.where(rng.random((3, items)) < accuracy, truth, 1 - truth).astype(float)
        interval = krippendorff_alpha(ratings, rng=rng, replicates=400).interval
        assert interval is not None
        covered += true_alpha in interval
    assert 0.91 <= covered / 400 <= 0.98
