"""Ratings as points: no-annotator limit, quadrature as the twin, gradients, agreement with the means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.special import expit
from statsmodels.miscmodels.ordinal_model import OrderedModel

from duologue.errors import NotConverged, NotEnoughJudgments
from duologue.stats import calibrate_ratings, ordinal_ratings
from duologue.stats.ratings import ordinal
from tests.strategies import thorough

Ratings = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
CUTS = np.array([-1.2, 0.0, 1.4])


def simulate(
    rng: np.random.Generator, *, strengths: NDArray[np.float64], people: int, n: int, leniency: float
) -> Ratings:
    """Points from 1 to 4."""
    which, who = rng.integers(0, len(strengths), n), rng.integers(0, people, n)
    lean = strengths[which] + rng.normal(0, leniency, people)[who]
    return which, who, 1 + (lean[:, None] + rng.logistic(size=(n, 1)) > CUTS).sum(axis=1)


def quadrature(
    ratings: Ratings, strengths: NDArray[np.float64], cuts: NDArray[np.float64], deviation: float
) -> float:
    """Twin: the likelihood with leniencies integrated out by 80 points of Gauss and Hermite."""
    which, who, points = ratings
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    edges = np.concatenate([[-np.inf], cuts, [np.inf]])
    total = 0.0
    for person in np.unique(who):
        own = who == person
        lean = strengths[which[own]][:, None] + deviation * nodes[None, :]
        chances = expit(edges[points[own]][:, None] - lean) - expit(edges[points[own] - 1][:, None] - lean)
        total += np.log((weights / weights.sum()) @ chances.prod(axis=0))
    return float(total)


def test_annotators_who_do_not_differ_leave_the_ordered_model() -> None:
    which, who = np.tile([0, 1], 60), np.repeat(np.arange(12), 10)
    points = np.tile([1, 2, 3, 4, 2, 3, 1, 4, 3, 2], 12)  # the same ratings from everybody
    fit = ordinal_ratings(which, who, points, "AB")
    oracle = OrderedModel(points, which[:, None].astype(float), distr="logit").fit(method="bfgs", disp=False)
    assert fit.annotator_deviation == pytest.approx(0, abs=1e-9)
    assert fit.strengths[1] - fit.strengths[0] == pytest.approx(oracle.params[0], abs=1e-3)
    error = np.sqrt(fit.covariance[0, 0] + fit.covariance[1, 1] - 2 * fit.covariance[0, 1])
    assert error == pytest.approx(oracle.bse[0], rel=1e-3)


def test_laplace_is_close_to_quadrature() -> None:
    rng = np.random.default_rng(3)
    ratings = simulate(rng, strengths=np.array([0.0, 0.8]), people=25, n=400, leniency=1.0)
    fit = ordinal_ratings(*ratings, "AB")
    exact = quadrature(ratings, fit.strengths, fit.thresholds, fit.annotator_deviation)
    assert fit.log_likelihood == pytest.approx(exact, abs=0.15)
    for strengths, deviation in [(fit.strengths * 1.3, 1.0), (fit.strengths, 1.5), (fit.strengths, 0.7)]:
        elsewhere = quadrature(ratings, strengths, fit.thresholds, fit.annotator_deviation * deviation)
        assert elsewhere < exact


@thorough(10)
@given(st.integers(0, 2**32))
def test_the_gradient_is_that_of_the_value(seed: int) -> None:
    rng = np.random.default_rng(seed)
    which, who, points = simulate(rng, strengths=np.array([0.0, 0.5, -0.3]), people=6, n=60, leniency=0.8)
    levels, point = np.unique(points, return_inverse=True)
    data = ordinal._Data(which, who, point, 3, 6, len(levels))
    parameters = data.start() + rng.normal(0, 0.3, len(data.start()))
    _, gradient, leniency = ordinal._laplace(data, parameters, np.zeros(6))
    for place in range(len(parameters)):
        step = np.zeros(len(parameters))
        step[place] = 1e-5
        up, down = (ordinal._laplace(data, parameters + sign * step, leniency)[0] for sign in (1, -1))
        assert gradient[place] == pytest.approx((up - down) / 2e-5, abs=1e-4)
    elsewhere = ordinal._laplace(data, parameters, rng.normal(0, 2, 6))
    np.testing.assert_allclose(elsewhere[2], leniency, atol=1e-9)


def test_true_strengths_and_leniency_are_recovered() -> None:
    rng = np.random.default_rng(4)
    truth = np.array([0.6, 0.1, -0.7])
    fit = ordinal_ratings(*simulate(rng, strengths=truth, people=200, n=4000, leniency=0.9), "ABC")
    np.testing.assert_allclose(fit.strengths, truth - truth.mean(), atol=0.12)
    assert fit.annotator_deviation == pytest.approx(0.9, abs=0.15)
    np.testing.assert_allclose(fit.thresholds, CUTS - truth.mean(), atol=0.25)
    assert fit.points == (1.0, 2.0, 3.0, 4.0)
    assert all(t in interval for t, interval in zip(truth - truth.mean(), fit.intervals, strict=True))


def test_it_leads_to_the_same_conclusions_as_the_means() -> None:
    rng = np.random.default_rng(5)
    ratings = simulate(rng, strengths=np.array([0.7, 0.0, -0.2]), people=40, n=600, leniency=0.8)
    ordinal_fit, means = ordinal_ratings(*ratings, "ABC"), calibrate_ratings(*ratings, "ABC")
    np.testing.assert_allclose(ordinal_fit.better, means.better, atol=0.08)
    np.testing.assert_array_equal(np.argsort(ordinal_fit.strengths), np.argsort(means.means))


def test_stretching_the_scale_changes_nothing() -> None:
    rng = np.random.default_rng(6)
    which, who, points = simulate(rng, strengths=np.array([0.7, 0.0]), people=10, n=120, leniency=0.5)
    plain, stretched = ordinal_ratings(which, who, points, "AB"), ordinal_ratings(which, who, points**3, "AB")
    np.testing.assert_allclose(plain.strengths, stretched.strengths)
    assert stretched.points == (1.0, 8.0, 27.0, 64.0)


def test_two_points_are_a_plain_logistic_model() -> None:
    rng = np.random.default_rng(7)
    which, who, points = simulate(rng, strengths=np.array([0.7, 0.0]), people=30, n=300, leniency=0.5)
    fit = ordinal_ratings(which, who, points > 2, "AB")
    assert len(fit.thresholds) == 1
    assert fit.strengths[0] > fit.strengths[1]


def test_ratings_without_an_answer_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        ordinal_ratings([0, 0], [0, 1], [1, 2], ["A"])
    with pytest.raises(NotEnoughJudgments, match="2 different ratings"):
        ordinal_ratings([0, 1], [0, 1], [2, 2], "AB")
    with pytest.raises(NotEnoughJudgments, match="The rating of B"):
        ordinal_ratings([0, 0], [0, 1], [1, 2], "AB")
    with pytest.raises(NotEnoughJudgments, match="The strength of B"):
        ordinal_ratings([0, 0, 1, 1], [0, 1, 0, 1], [1, 2, 3, 3], "AB")
    with pytest.raises(NotEnoughJudgments, match="The strength of A"):
        ordinal_ratings([0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 3, 2], "AB")


def test_fits_that_do_not_end_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    ratings = simulate(rng, strengths=np.array([0.7, 0.0]), people=10, n=120, leniency=0.5)
    monkeypatch.setattr(ordinal, "INNER_STEPS", 1)
    with pytest.raises(NotConverged, match="leniency"):
        ordinal.ordinal_ratings(*ratings, "AB")
    monkeypatch.setattr(ordinal, "INNER_STEPS", 50)
    monkeypatch.setattr(ordinal, "OUTER_STEPS", 1)
    with pytest.raises(NotConverged, match="cumulative-logit"):
        ordinal.ordinal_ratings(*ratings, "AB")


def test_annotators_who_all_see_the_same_step_leave_no_bound() -> None:
    """Everybody rates A one point above B and C: their distance has no largest value to fit."""
    scores = [3, 2, 2, 3, 2, 2, 4, 3, 3, 3, 2, 2, 3, 2, 2, 3, 2, 2, 3, 2, 2, 4, 3, 3, 4, 3, 3, 2, 1, 1]
    scores += [3, 2, 2, 3, 2, 2]
    bots, people = [0, 1, 2] * 12, np.repeat(np.arange(12), 3)
    with pytest.raises(NotConverged, match="no bound"):
        ordinal_ratings(bots, people, scores, ["A", "B", "C"])


@pytest.mark.parametrize(
    "scores",
    [
        [point for n in range(12) for point in (3 + n % 2, 1 + n % 3)],  # only the third point is shared
        [4, 2, 3, 1, 4, 1, 4, 1, 4, 2],  # the fit makes annotators differ without end, too
    ],
)
def test_bots_that_share_hardly_a_point_leave_no_bound_on_any_processor(scores: list[int]) -> None:
    """Whether such a fit was called one depended on how the processor rounds; its words still do."""
    bots, people = [0, 1] * (len(scores) // 2), np.arange(len(scores)) // 2
    with pytest.raises(NotConverged, match=r"no bound|did not converge"):
        ordinal_ratings(bots, people, scores, ["A", "B"])


def test_a_large_difference_that_has_a_bound_is_fitted() -> None:
    """Of a hundred ratings each, all but one are the highest for one bot and the lowest for the other."""
    scores = [4] * 99 + [1] + [1] * 99 + [4]
    fit = ordinal_ratings([0] * 100 + [1] * 100, np.arange(200) % 100, scores, ["A", "B"])
    assert 8 < fit.strengths[0] - fit.strengths[1] < ordinal.FARTHEST
