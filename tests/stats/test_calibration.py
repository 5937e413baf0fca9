"""Calibrated ratings: the known example, mixed models, dense algebra as the twin, speed, coverage."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats
from statsmodels.regression.mixed_linear_model import MixedLM

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats import PUBLISHED_VARIANCES, RatingVariances, calibrate_ratings
from tests.stats.golden import COMPUTED, as_printed
from tests.strategies import thorough

Ratings = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]


def simulate(
    rng: np.random.Generator, *, bots: NDArray[np.float64], people: int, n: int, leniency: float, noise: float
) -> Ratings:
    which, who = rng.integers(0, len(bots), n), rng.integers(0, people, n)
    bias = rng.normal(0, leniency, people)
    return which, who, bots[which] + bias[who] + rng.normal(0, noise, n)


def dense_posterior(
    ratings: Ratings, bots: int, variances: RatingVariances
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Twin: bots and annotators in one dense system."""
    which, who, scores = ratings
    people = int(who.max()) + 1
    design = np.zeros((len(scores), bots + people))
    design[np.arange(len(scores)), which] = 1
    design[np.arange(len(scores)), bots + who] = 1
    prior = np.zeros(bots + people)
    prior[:bots] = 0 if variances.bots is None else 1 / variances.bots
    prior[bots:] = 1 / variances.annotators
    precision = design.T @ design / variances.ratings + np.diag(prior)
    right = design.T @ scores / variances.ratings
    right[:bots] += prior[:bots] * variances.mean
    inverse = np.linalg.inv(precision).astype(np.float64)
    return (inverse @ right).astype(np.float64), inverse


def test_the_known_example_with_published_variances_comes_out() -> None:
    golden = COMPUTED["ratings"]
    which, who, scores = zip(*golden["scores"], strict=True)
    result = calibrate_ratings(which, who, scores, "ABC", variances=PUBLISHED_VARIANCES)
    for ours, key in (
        (result.means, "means"),
        (result.standard_deviations, "sds"),
        (result.biases, "biases"),
    ):
        for number, printed in zip(ours, golden[key], strict=True):
            assert number == as_printed(printed)
    assert result.better[0, 1] == as_printed(golden["first_better_than_second"])
    assert result.variances.source == "published"


@thorough(10)
@given(st.integers(0, 2**32), st.sampled_from([None, 0.7]))
def test_the_posterior_is_that_of_the_dense_system(seed: int, spread: float | None) -> None:
    rng = np.random.default_rng(seed)
    ratings = simulate(rng, bots=np.array([2.0, 2.5, 3.0]), people=8, n=40, leniency=0.5, noise=0.8)
    assume(len(set(ratings[0].tolist())) == 3 and len(set(ratings[1].tolist())) == 8)
    variances = RatingVariances(annotators=0.3, ratings=0.6, bots=spread, mean=2.2)
    result = calibrate_ratings(*ratings, "ABC", variances=variances)
    means, covariance = dense_posterior(ratings, 3, variances)
    np.testing.assert_allclose(result.means, means[:3], atol=1e-8)
    np.testing.assert_allclose(result.covariance, covariance[:3, :3], atol=1e-8)
    np.testing.assert_allclose(result.biases, means[3:], atol=1e-8)
    np.testing.assert_allclose(result.bias_deviations, np.sqrt(np.diagonal(covariance)[3:]), atol=1e-8)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_reml_variances_and_means_are_those_of_a_mixed_model(seed: int) -> None:
    rng = np.random.default_rng(seed)
    which, who, scores = simulate(
        rng, bots=np.array([2.0, 2.5, 3.0, 2.2]), people=40, n=400, leniency=0.7, noise=0.9
    )
    result = calibrate_ratings(which, who, scores, "ABCD")
    oracle = MixedLM(scores, np.eye(4)[which], groups=who).fit(reml=True)
    assert result.variances.ratings == pytest.approx(oracle.scale, rel=1e-3)
    assert result.variances.annotators == pytest.approx(float(np.asarray(oracle.cov_re)[0, 0]), rel=5e-3)
    np.testing.assert_allclose(result.means, oracle.fe_params, atol=1e-3)
    np.testing.assert_allclose(result.standard_deviations, oracle.bse_fe, rtol=1e-3)
    assert result.variances.source == "reml"


@thorough(10)
@given(st.integers(0, 2**32))
def test_reml_variances_are_found_to_many_digits_whatever_the_order_of_the_sums(seed: int) -> None:
    rng = np.random.default_rng(seed)
    which, who, scores = simulate(rng, bots=np.array([2.0, 3.0]), people=12, n=60, leniency=0.5, noise=0.8)
    order = rng.permutation(60)
    found = calibrate_ratings(which, who, scores, "AB").variances
    again = calibrate_ratings(1 - which[order], who[order], scores[order], "BA").variances
    assert found.ratings == pytest.approx(again.ratings, rel=1e-11)
    assert found.annotators == pytest.approx(again.annotators, rel=1e-10, abs=1e-12)


def test_where_ratings_say_nothing_of_leniency_none_is_found() -> None:
    """One annotator rated twice, and one of these two bots nobody else: every leniency is as likely."""
    bots, people = [0, 1, 2, 3, 2, 0, 2, 1], [0, 1, 2, 3, 3, 4, 5, 6]
    scores = [3.179, 2.989, 2.739, 1.855, 2.31, 2.739, 2.703, 1.826]
    result = calibrate_ratings(bots, people, scores, "ABCD")
    assert result.variances.annotators == 0
    np.testing.assert_allclose(result.means, result.plain_means)


def test_annotators_who_differ_by_a_shift_alone_leave_next_to_no_noise() -> None:
    """The criterion then falls as far as it is looked at."""
    which, who = np.tile([0, 1], 8), np.repeat(np.arange(8), 2)
    result = calibrate_ratings(which, who, who / 4 + which, "AB")
    assert result.variances.ratings < 1e-5 < 0.1 < result.variances.annotators
    np.testing.assert_allclose(np.diff(result.means), 1)


@thorough(10)
@given(st.integers(0, 2**32), st.floats(-3, 3), st.floats(0.2, 5))
def test_another_scale_and_order_move_the_means_along(seed: int, shift: float, stretch: float) -> None:
    rng = np.random.default_rng(seed)
    which, who, scores = simulate(rng, bots=np.array([2.0, 3.0]), people=6, n=30, leniency=0.5, noise=0.8)
    assume(len(set(which.tolist())) == 2)
    order = rng.permutation(30)
    plain = calibrate_ratings(which, who, scores, "AB")
    moved = calibrate_ratings(which[order], who[order] * 9 + 4, (stretch * scores + shift)[order], "AB")
    np.testing.assert_allclose(moved.means, stretch * plain.means + shift, atol=1e-9 * stretch)
    np.testing.assert_allclose(moved.better, plain.better, atol=1e-8)
    np.testing.assert_allclose(plain.better + plain.better.T, 1)


def test_a_bot_rated_by_lenient_annotators_is_put_right() -> None:
    rng = np.random.default_rng(4)
    lenient = np.arange(60) < 30
    who = np.repeat(np.arange(60), 10)
    # Equal bots, but B goes mostly to lenient annotators, who give one point more.
    which = (rng.random(600) < np.where(lenient[who], 0.8, 0.2)).astype(int)
    scores = 2.5 + np.where(lenient[who], 0.5, -0.5) + rng.normal(0, 0.5, 600)
    result = calibrate_ratings(which, who, scores, "AB")
    plain, calibrated = np.diff(result.plain_means)[0], np.diff(result.means)[0]
    assert plain > 0.4
    assert 0.005 < result.better[0, 1] < 0.995
    assert abs(calibrated) < plain / 4
    assert result.biases[:30].mean() > 0.3 > -0.3 > result.biases[30:].mean()


def test_annotators_who_do_not_differ_leave_the_plain_means() -> None:
    which, who = np.tile([0, 1], 50), np.repeat(np.arange(10), 10)
    scores = np.tile(
        [1.0, 2.0, 3.0, 4.0, 2.0, 3.0, 1.0, 4.0, 3.0, 2.0], 10
    )  # every annotator has the same mean
    result = calibrate_ratings(which, who, scores, "AB")
    assert result.variances.annotators == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(result.means, result.plain_means)
    assert not result.biases.any()
    assert not result.bias_deviations.any()


def test_annotators_who_rated_once_each_cannot_be_told_from_noise() -> None:
    result = calibrate_ratings([0, 0, 1, 1], [0, 1, 2, 3], [1, 2, 3, 5], "AB")
    assert result.variances.annotators == pytest.approx(0, abs=1e-9)
    assert result.variances.ratings == pytest.approx((0.5 + 2) / 2)
    np.testing.assert_allclose(result.means, [1.5, 4])


def test_intervals_are_the_middle_of_the_posterior() -> None:
    result = calibrate_ratings(
        [0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 3, 5], "AB", variances=PUBLISHED_VARIANCES, level=0.9
    )
    for mean, sd, interval in zip(result.means, result.standard_deviations, result.intervals, strict=True):
        assert interval.limits == pytest.approx(stats.norm.interval(0.9, mean, sd))


def test_ratings_without_enough_to_go_on_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="The rating of B"):
        calibrate_ratings([0, 0], [0, 1], [1, 2], "AB")
    with pytest.raises(NotEnoughJudgments, match="3 ratings and has 2"):
        calibrate_ratings([0, 1], [0, 1], [1, 2], "AB")
    with pytest.raises(NotEnoughJudgments, match="different ratings"):
        calibrate_ratings([0, 0, 1, 1], [0, 1, 0, 1], [3, 3, 3, 3], "AB")
    with pytest.raises(NotEnoughJudgments):
        calibrate_ratings([], [], [], ["A"])


def test_numbers_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadNumber, match="numbers from 0 to 1"):
        calibrate_ratings([0, 2], [0, 1], [1, 2], "AB")
    with pytest.raises(BadNumber, match="2 bot numbers"):
        calibrate_ratings([0], [0, 1], [1, 2], "AB")
    with pytest.raises(BadNumber, match="scores"):
        calibrate_ratings([0, 1], [0, 1], [1, np.nan], "AB")
    with pytest.raises(BadNumber, match="variances"):
        calibrate_ratings([0, 1], [0, 1], [1, 2], "AB", variances=RatingVariances(annotators=0, ratings=1))
    with pytest.raises(BadNumber, match="variances"):
        calibrate_ratings([0, 1], [0, 1], [1, 2], "AB", variances=RatingVariances(1, 1, bots=1, mean=np.nan))


@pytest.mark.slow
def test_a_million_ratings_of_a_hundred_bots_by_fifty_thousand_annotators_take_under_ten_seconds() -> None:
    rng = np.random.default_rng(5)
    ratings = simulate(
        rng, bots=rng.normal(2.5, 0.3, 100), people=50_000, n=1_000_000, leniency=0.6, noise=0.8
    )
    started = time.process_time()
    result = calibrate_ratings(*ratings, [str(i) for i in range(100)])
    assert time.process_time() - started < 10
    assert result.variances.annotators == pytest.approx(0.36, rel=0.03)
    assert result.variances.ratings == pytest.approx(0.64, rel=0.01)


@pytest.mark.slow
def test_differences_of_bots_are_covered_on_a_four_point_scale() -> None:
    rng = np.random.default_rng(6)
    covered = 0
    for _ in range(500):
        which, who, latent = simulate(
            rng, bots=np.array([2.4, 2.4]), people=30, n=240, leniency=0.6, noise=0.8
        )
        result = calibrate_ratings(which, who, np.clip(np.round(latent), 1, 4), "AB")
        covered += 0.025 <= result.better[0, 1] <= 0.975
    assert covered / 500 == pytest.approx(0.95, abs=0.03)


def test_a_contrast_of_fewer_than_three_annotators_is_refused() -> None:
    fit = calibrate_ratings([0, 0, 1, 1], [0, 1, 0, 1], [4, 3, 2, 2], ["A", "B"])
    with pytest.raises(NotEnoughJudgments, match="annotators"):
        fit.contrast(0, 1)
