"""Strengths with ties: the known example, a numerical twin, limits, separation, recovery."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import minimize

from duologue.errors import BadNumber, Disconnected, NotEnoughJudgments
from duologue.stats import bradley_terry, bradley_terry_with_ties
from duologue.stats.strengths.ties import PairCounts, TieModel, _value
from tests.stats.golden import COMPUTED, as_printed
from tests.stats.strategies import Wins, bot_names, win_matrices
from tests.strategies import thorough

MODELS: list[TieModel] = ["davidson", "rao-kupper"]
WINS, TIES = np.array(COMPUTED["ties"]["wins"]), np.array(COMPUTED["ties"]["ties"])


def outcome_chances(lead: float, tie: float, model: TieModel) -> tuple[float, float, float]:
    """Twin, as the papers write it: win, loss and tie for a lead and ν or η."""
    if model == "davidson":
        weights = np.exp(lead / 2), np.exp(-lead / 2), tie
        return weights[0] / sum(weights), weights[1] / sum(weights), weights[2] / sum(weights)
    win, loss = 1 / (1 + tie * np.exp(-lead)), 1 / (1 + tie * np.exp(lead))
    return win, loss, 1 - win - loss


def log_likelihood(
    strengths: NDArray[np.float64], tie: float, wins: Wins, ties: Wins, model: TieModel
) -> float:
    total = 0.0
    for i, j in itertools.combinations(range(len(strengths)), 2):
        chances = outcome_chances(float(strengths[i] - strengths[j]), tie, model)
        total += wins[i, j] * np.log(chances[0]) + wins[j, i] * np.log(chances[1])
        total += ties[i, j] * np.log(chances[2])
    return float(total)


@st.composite
def wins_and_ties(draw: st.DrawFn) -> tuple[Wins, Wins]:
    wins = draw(win_matrices(most=5))
    cells = draw(st.lists(st.integers(1, 60), min_size=wins.size, max_size=wins.size))
    upper = np.triu(np.array(cells, dtype=np.float64).reshape(wins.shape), 1)
    return wins, upper + upper.T


@pytest.mark.parametrize("model", MODELS)
def test_the_known_example_comes_out(model: TieModel) -> None:
    golden = COMPUTED["ties"][model]
    fit = bradley_terry_with_ties(WINS, TIES, "ABC", model=model)
    for strength, printed in zip(fit.strengths - fit.strengths[0], golden["strengths"], strict=True):
        assert strength == as_printed(printed) or printed == "0"
    assert fit.tie == as_printed(golden["tie"])
    assert fit.log_likelihood == as_printed(golden["log_likelihood"])
    assert fit.n == 78


def test_half_ties_shrink_the_strengths_of_the_known_example() -> None:
    fit = bradley_terry(WINS + TIES / 2, "ABC")
    for strength, printed in zip(
        fit.strengths - fit.strengths[0], COMPUTED["ties"]["half"]["strengths"], strict=True
    ):
        assert strength == as_printed(printed) or printed == "0"
    assert np.ptp(fit.strengths) < np.ptp(bradley_terry_with_ties(WINS, TIES, "ABC").strengths)


@pytest.mark.parametrize("model", MODELS)
@thorough(10)
@given(data=wins_and_ties())
def test_no_other_parameters_are_likelier(model: TieModel, data: tuple[Wins, Wins]) -> None:
    wins, ties = data
    fit = bradley_terry_with_ties(wins, ties, bot_names(len(wins)), model=model)
    assert fit.log_likelihood == pytest.approx(log_likelihood(fit.strengths, fit.tie, wins, ties, model))

    def loss(parameters: NDArray[np.float64]) -> float:
        tie = np.exp(parameters[-1]) + (model == "rao-kupper")
        return -log_likelihood(parameters[:-1], tie, wins, ties, model)

    found = minimize(loss, np.zeros(len(wins) + 1), method="BFGS")
    assert -found.fun <= fit.log_likelihood + 1e-6
    np.testing.assert_allclose(found.x[:-1] - found.x[:-1].mean(), fit.strengths, atol=5e-3)


@pytest.mark.parametrize("model", MODELS)
def test_errors_are_those_of_the_curvature(model: TieModel) -> None:
    fit = bradley_terry_with_ties(WINS, TIES, "ABC", model=model)
    step = 1e-4

    def value(first: float, second: float, log_tie: float) -> float:
        strengths = fit.strengths + np.array([first, second, 0.0])
        return log_likelihood(strengths, fit.tie * np.exp(log_tie), WINS, TIES, model)

    hessian = np.zeros((3, 3))
    axes = np.eye(3) * step
    for i, j in itertools.product(range(3), repeat=2):
        hessian[i, j] = (
            value(*(axes[i] + axes[j]))
            - value(*(axes[i] - axes[j]))
            - value(*(axes[j] - axes[i]))
            + value(*(-axes[i] - axes[j]))
        ) / (4 * step**2)
    covariance = np.linalg.inv(-hessian)
    against_last = np.array([[1, 0, -1], [0, 1, -1]])
    ours = against_last @ fit.covariance @ against_last.T
    np.testing.assert_allclose(ours, covariance[:2, :2], rtol=1e-3)
    assert fit.tie_error == pytest.approx(np.sqrt(covariance[2, 2]), rel=1e-3)


@pytest.mark.parametrize("model", MODELS)
@thorough(10)
@given(data=wins_and_ties())
def test_asking_which_is_worse_turns_the_strengths_round(model: TieModel, data: tuple[Wins, Wins]) -> None:
    wins, ties = data
    names = bot_names(len(wins))
    better = bradley_terry_with_ties(wins, ties, names, model=model)
    worse = bradley_terry_with_ties(wins.T, ties, names, model=model)
    np.testing.assert_allclose(better.strengths, -worse.strengths, atol=1e-7)
    assert better.tie == pytest.approx(worse.tie)


@pytest.mark.parametrize("model", MODELS)
@thorough(10)
@given(wins=win_matrices(most=4, fewest_wins=0))
def test_without_ties_it_is_the_plain_model(model: TieModel, wins: Wins) -> None:
    wins = wins + (wins + wins.T == 0) * (1 - np.eye(len(wins)))
    names = bot_names(len(wins))
    fit, plain = bradley_terry_with_ties(wins, 0 * wins, names, model=model), bradley_terry(wins, names)
    np.testing.assert_allclose(fit.strengths, plain.strengths)
    assert fit.tie == pytest.approx(0 if model == "davidson" else 1)
    assert (fit.tie_error, fit.separated, fit.prior) == (None, plain.separated, plain.prior)
    assert not fit.tie_rates.any()


@pytest.mark.parametrize("model", MODELS)
def test_predicted_ties_add_up_to_the_ties_seen(model: TieModel) -> None:
    fit = bradley_terry_with_ties(WINS, TIES, "ABC", model=model)
    games = WINS + WINS.T + TIES
    if model == "davidson":  # its likelihood equations say so; Rao and Kupper's only nearly
        assert (games * fit.tie_rates).sum() == pytest.approx(TIES.sum())
    assert fit.tie_rates[0, 1] == pytest.approx(
        outcome_chances(float(fit.strengths[0] - fit.strengths[1]), fit.tie, model)[2]
    )
    for strength, error, interval in zip(fit.strengths, fit.standard_errors, fit.intervals, strict=True):
        assert interval.high - strength == pytest.approx(1.959964 * error)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("wins", [[[0, 5], [0, 0]], [[0, 5, 7], [0, 0, 4], [0, 2, 0]]])
def test_a_bot_that_ties_but_never_loses_gets_the_stated_prior(
    model: TieModel, wins: list[list[int]]
) -> None:
    ties = 3 * (1 - np.eye(len(wins)))
    fit = bradley_terry_with_ties(wins, ties, bot_names(len(wins)), model=model)
    assert np.isfinite(fit.strengths).all()
    assert np.isfinite(fit.standard_errors).all()
    if len(wins) == 2:
        assert (fit.separated, fit.prior) == (True, 0.5)


@pytest.mark.parametrize("model", MODELS)
def test_a_bot_that_never_wins_may_still_have_a_finite_strength_through_its_ties(model: TieModel) -> None:
    wins = np.array([[0, 30, 20], [25, 0, 20], [0, 0, 0]])
    ties = np.array([[0, 10, 9], [10, 0, 8], [9, 8, 0]])
    fit = bradley_terry_with_ties(wins, ties, "ABC", model=model)
    assert fit.strengths[2] < min(fit.strengths[:2])
    assert fit.separated == (fit.prior > 0)


@pytest.mark.parametrize("model", MODELS)
def test_a_stated_prior_pulls_strengths_together(model: TieModel) -> None:
    plain = bradley_terry_with_ties(WINS, TIES, "ABC", model=model)
    pulled = bradley_terry_with_ties(WINS, TIES, "ABC", model=model, prior=5.0)
    assert np.ptp(pulled.strengths) < np.ptp(plain.strengths)
    assert (pulled.prior, pulled.separated) == (5.0, False)


def test_a_single_tie_among_many_wins_keeps_the_threshold_above_one() -> None:
    ties = np.array([[0, 1, 0], [1, 0, 0], [0, 0, 0]])
    fit = bradley_terry_with_ties(WINS * 40, ties, "ABC", model="rao-kupper")
    plain = bradley_terry(WINS * 40, "ABC")
    assert 1.0 < fit.tie < 1.01
    np.testing.assert_allclose(fit.strengths, plain.strengths, atol=1e-3)


def test_a_threshold_below_one_is_impossible() -> None:
    pairs = PairCounts.of(WINS.astype(float), TIES.astype(float))
    assert _value(pairs, np.array([0.0, 0.0, 0.0, -0.1]), "rao-kupper", 0.0) == -np.inf


@pytest.mark.parametrize("model", MODELS)
def test_counts_of_a_thousand_million_are_no_trouble(model: TieModel) -> None:
    small = bradley_terry_with_ties(WINS, TIES, "ABC", model=model)
    large = bradley_terry_with_ties(WINS * 10**8, TIES * 10**8, "ABC", model=model)
    np.testing.assert_allclose(large.strengths, small.strengths, atol=1e-8)
    np.testing.assert_allclose(large.standard_errors * 1e4, small.standard_errors, rtol=1e-6)


def test_data_that_cannot_be_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="not ties"):
        bradley_terry_with_ties(np.zeros((2, 2)), [[0, 5], [5, 0]], "AB")
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        bradley_terry_with_ties([[0]], [[0]], "A")
    with pytest.raises(BadNumber, match="ties of i with j"):
        bradley_terry_with_ties(WINS, np.triu(TIES), "ABC")
    with pytest.raises(BadNumber, match="prior"):
        bradley_terry_with_ties(WINS, TIES, "ABC", prior=-1)
    with pytest.raises(Disconnected):
        bradley_terry_with_ties([[0, 1, 0], [1, 0, 0], [0, 0, 0]], np.zeros((3, 3)), "ABC")


def test_bots_that_only_tied_are_connected() -> None:
    wins = np.array([[0, 5, 0], [4, 0, 0], [0, 0, 0]])
    ties = np.array([[0, 1, 0], [1, 0, 6], [0, 6, 0]])
    fit = bradley_terry_with_ties(wins, ties, "ABC")
    assert abs(fit.strengths[1] - fit.strengths[2]) < 1


@pytest.mark.slow
def test_davidsons_intervals_cover_the_true_strengths() -> None:
    rng = np.random.default_rng(71)
    truth, tie = np.array([0.5, 0.1, -0.1, -0.5]), 0.8
    covered = 0
    for _ in range(600):
        wins, ties = np.zeros((4, 4)), np.zeros((4, 4))
        for i, j in itertools.combinations(range(4), 2):
            won, lost, tied = rng.multinomial(
                60, outcome_chances(float(truth[i] - truth[j]), tie, "davidson")
            )
            wins[i, j], wins[j, i], ties[i, j], ties[j, i] = won, lost, tied, tied
        fit = bradley_terry_with_ties(wins, ties, "ABCD")
        covered += sum(t in interval for t, interval in zip(truth, fit.intervals, strict=True))
    assert covered / 2400 == pytest.approx(0.95, abs=0.015)
