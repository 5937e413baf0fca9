"""The position effect: a logistic regression as the oracle, balance, confounding, bias when it is ignored."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from duologue.errors import BadNumber, Disconnected, NotConverged, NotEnoughJudgments
from duologue.stats import (
    bradley_terry,
    bradley_terry_with_position,
    position_effect,
    sign_test,
    wilson_interval,
)
from tests.stats.strategies import Wins, bot_names, win_matrices


@st.composite
def both_orders(draw: st.DrawFn) -> tuple[Wins, Wins]:
    first = draw(win_matrices(most=5))
    cells = draw(st.lists(st.integers(1, 200), min_size=first.size, max_size=first.size))
    second = np.array(cells, dtype=np.float64).reshape(first.shape)
    np.fill_diagonal(second, 0)
    return first, second


@pytest.mark.filterwarnings("ignore:Perfect separation or prediction")  # its alarm when all rates are equal
@settings(max_examples=40)
@given(both_orders())
def test_strengths_and_position_are_those_of_a_logistic_regression(data: tuple[Wins, Wins]) -> None:
    first, second = data
    bots = len(first)
    rows, won, lost = [], [], []
    for i, j in itertools.permutations(range(bots), 2):  # i is shown first
        row = np.zeros(bots + 1)
        row[i], row[j], row[-1] = 1, -1, 1
        rows.append(np.delete(row, bots - 1))
        won.append(first[i, j])
        lost.append(second[j, i])
    oracle = GLM(np.column_stack([won, lost]), np.array(rows), family=Binomial())
    fit = bradley_terry_with_position(first, second, bot_names(bots))
    if bots > 2:  # two bots leave statsmodels no degree of freedom to divide by
        found = oracle.fit(tol=1e-12)
        np.testing.assert_allclose(fit.strengths[:-1] - fit.strengths[-1], found.params[:-1], atol=1e-6)
        assert fit.position == pytest.approx(found.params[-1], abs=1e-6)
        assert fit.position_p_value == pytest.approx(found.pvalues[-1], abs=1e-6)
        assert fit.position_interval.limits == pytest.approx(tuple(found.conf_int()[-1]), abs=1e-6)
    assert fit.strengths.sum() == pytest.approx(0, abs=1e-9)


@settings(max_examples=40)
@given(both_orders())
def test_turning_the_screen_round_turns_the_position_effect_round(data: tuple[Wins, Wins]) -> None:
    first, second = data
    names = bot_names(len(first))
    there, back = (
        bradley_terry_with_position(first, second, names),
        bradley_terry_with_position(second, first, names),
    )
    assert there.position == pytest.approx(-back.position, abs=1e-7)
    np.testing.assert_allclose(there.strengths, back.strengths, atol=1e-7)


def test_without_a_position_effect_it_is_the_plain_model() -> None:
    wins = np.array([[0.0, 7, 9], [3, 0, 6], [1, 4, 0]])
    fit = bradley_terry_with_position(wins, wins, "ABC")
    plain = bradley_terry(2 * wins, "ABC")
    assert fit.position == pytest.approx(0, abs=1e-9)
    assert fit.position_p_value == pytest.approx(1)
    np.testing.assert_allclose(fit.strengths, plain.strengths, atol=1e-8)
    np.testing.assert_allclose(fit.standard_errors, plain.standard_errors, rtol=1e-6)


def test_a_bot_always_shown_first_is_not_credited_for_it_when_others_tell() -> None:
    # Being shown first is worth 60 to 40, all bots are equal; A is nearly always first, B and C take turns.
    first = np.array([[0.0, 54, 54], [6, 0, 60], [6, 60, 0]])
    second = np.array([[0.0, 4, 4], [36, 0, 40], [36, 40, 0]])
    naive = bradley_terry(first + second, "ABC")
    fit = bradley_terry_with_position(first, second, "ABC")
    assert naive.strengths[0] > 0.15
    assert fit.strengths == pytest.approx(np.zeros(3), abs=1e-6)
    assert fit.position == pytest.approx(np.log(1.5), abs=1e-6)


def test_a_matchup_always_shown_in_one_order_cannot_tell_position_from_strength() -> None:
    with pytest.raises(NotConverged, match="do not determine every parameter"):
        bradley_terry_with_position([[0, 12], [0, 0]], [[0, 0], [9, 0]], "AB")


def test_a_bot_that_never_wins_gets_the_stated_prior() -> None:
    fit = bradley_terry_with_position(
        [[0, 5, 5], [5, 0, 5], [0, 0, 0]], [[0, 5, 5], [5, 0, 5], [0, 0, 0]], "ABC"
    )
    assert (fit.separated, fit.prior) == (True, 0.5)
    assert np.isfinite(fit.standard_errors).all()


def test_a_position_that_always_wins_in_one_matchup_gets_the_stated_prior_too() -> None:
    fit = bradley_terry_with_position([[0, 9], [9, 0]], [[0, 0], [2, 0]], "AB")
    assert (fit.separated, fit.prior) == (True, 0.5)
    assert fit.position > 0.5
    assert np.isfinite([fit.position, *fit.strengths, *fit.standard_errors]).all()


def test_a_stated_prior_pulls_strengths_and_position_together() -> None:
    first, second = [[0, 40], [30, 0]], [[0, 30], [10, 0]]
    plain, pulled = (bradley_terry_with_position(first, second, "AB", prior=prior) for prior in (0.0, 20.0))
    assert abs(pulled.position) < abs(plain.position)
    assert np.ptp(pulled.strengths) < np.ptp(plain.strengths)
    assert (pulled.prior, pulled.separated) == (20.0, False)


def test_data_that_cannot_be_are_refused() -> None:
    with pytest.raises(NotEnoughJudgments, match="wins in each position"):
        bradley_terry_with_position([[0, 5], [5, 0]], np.zeros((2, 2)), "AB")
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        bradley_terry_with_position([[0]], [[0]], "A")
    with pytest.raises(Disconnected):
        bradley_terry_with_position(np.zeros((2, 2)), np.zeros((2, 2)), "AB")
    with pytest.raises(BadNumber, match="prior"):
        bradley_terry_with_position([[0, 5], [5, 0]], [[0, 5], [5, 0]], "AB", prior=np.nan)


@given(st.integers(0, 500), st.integers(1, 500))
def test_the_effect_alone_is_a_sign_test_with_a_wilson_interval(first: int, second: int) -> None:
    effect = position_effect(first, second)
    assert effect.test == sign_test(first, second)
    assert effect.interval == wilson_interval(first, first + second)
    assert effect.rate == first / (first + second)


def test_no_judgment_has_no_position_effect() -> None:
    with pytest.raises(NotEnoughJudgments):
        position_effect(0, 0)


@pytest.mark.slow
def test_a_position_effect_does_not_raise_the_error_when_the_order_is_random() -> None:
    rng = np.random.default_rng(72)
    rejections = 0
    for _ in range(4000):
        first_shown = rng.random(150) < 0.5
        chance = np.where(first_shown, 0.62, 0.38)  # equal bots, a strong preference for what comes first
        wins = int((rng.random(150) < chance).sum())
        rejections += sign_test(wins, 150 - wins).p_value <= 0.05
    assert rejections / 4000 <= 0.055
