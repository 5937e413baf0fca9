"""Bradley–Terry strengths: ACUTE's tables, three other programs, the score equations, ends."""

from __future__ import annotations

import itertools

import choix
import evalica
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from duologue.errors import BadNumber, Disconnected, NotEnoughJudgments
from duologue.stats import bradley_terry
from duologue.stats.strengths.bradley_terry import SEPARATION_PRIOR, fit_strengths
from tests.stats.golden import COMPUTED, acute_win_matrix, as_printed
from tests.stats.strategies import Wins, bot_names, win_matrices
from tests.strategies import thorough

THREE = [[0, 7, 9], [3, 0, 6], [1, 4, 0]]


def as_rows(wins: Wins) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Pairs of bots as a regression: design without the last bot, wins of the first, games."""
    pairs = list(itertools.combinations(range(len(wins)), 2))
    design = np.zeros((len(pairs), len(wins)))
    for row, (i, j) in enumerate(pairs):
        design[row, i], design[row, j] = 1, -1
    first = np.array([wins[i, j] for i, j in pairs])
    return design[:, :-1], first, np.array([wins[i, j] + wins[j, i] for i, j in pairs])


def test_strengths_of_acute_table_2() -> None:
    wins, names = acute_win_matrix(2)
    fit = bradley_terry(wins, names)
    for name, printed in COMPUTED["bradley_terry"]["acute_table_2"].items():
        assert fit.strengths[names.index(name)] == as_printed(printed)
    assert fit.order == ("H", "PE", "INT", "LIC", "HF", "INQ", "KV", "RC")


def test_strengths_of_acute_table_4_with_its_misprint_mended() -> None:
    wins, names = acute_win_matrix(4)
    wins[names.index("HF"), names.index("INT")] = 19  # the paper prints 16 beside its own 81
    fit = bradley_terry(wins, names)
    for name, printed in COMPUTED["bradley_terry"]["acute_table_4_with_INT_over_HF_81"].items():
        assert fit.strengths[names.index(name)] == as_printed(printed)


def test_lic_and_int_cannot_be_told_apart_in_table_2_at_110_judgments_a_matchup() -> None:
    wins, names = acute_win_matrix(2)
    fit = bradley_terry(1.1 * wins, names)
    i, j = names.index("INT"), names.index("LIC")
    error = np.sqrt(fit.covariance[i, i] + fit.covariance[j, j] - 2 * fit.covariance[i, j])
    assert fit.strengths[i] - fit.strengths[j] == as_printed("0.071")
    assert error == as_printed("0.096")


@pytest.mark.parametrize(("table", "p_value"), [(2, "0.75"), (4, "0.93"), (7, "0.38"), (8, "0.185")])
def test_the_model_fits_acutes_tables_at_120_judgments_a_matchup(table: int, p_value: str) -> None:
    wins, names = acute_win_matrix(table)
    if table == 4:
        wins[names.index("HF"), names.index("INT")] = 19
    fit = bradley_terry(1.2 * wins, names)
    assert fit.lack_of_fit is not None
    assert fit.lack_of_fit.p_value == as_printed(p_value)


@pytest.mark.filterwarnings("ignore:Perfect separation or prediction")  # its alarm when all rates are equal
@thorough(10)
@given(win_matrices())
def test_strengths_errors_and_lack_of_fit_are_those_of_a_logistic_regression(wins: Wins) -> None:
    assume(len(wins) > 2)  # two bots leave statsmodels no degree of freedom to divide by
    fit = bradley_terry(wins, bot_names(len(wins)))
    design, first, games = as_rows(wins)
    oracle = GLM(np.column_stack([first, games - first]), design, family=Binomial()).fit(tol=1e-12)
    contrasts = fit.strengths[:-1] - fit.strengths[-1]
    np.testing.assert_allclose(contrasts, oracle.params, atol=1e-6)
    against_last = np.eye(len(wins))[:-1] - np.eye(len(wins))[-1]
    np.testing.assert_allclose(against_last @ fit.covariance @ against_last.T, oracle.cov_params(), rtol=1e-4)
    assert fit.lack_of_fit is not None
    assert fit.lack_of_fit.statistic == pytest.approx(oracle.deviance, abs=1e-6)
    assert fit.lack_of_fit.df == oracle.df_resid


@given(win_matrices())
def test_every_bot_wins_as_often_as_the_model_expects(wins: Wins) -> None:
    fit = bradley_terry(wins, bot_names(len(wins)))
    games = wins + wins.T
    np.testing.assert_allclose((games * fit.win_rates).sum(axis=1), wins.sum(axis=1), rtol=1e-8)
    assert fit.strengths.sum() == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(fit.covariance.sum(axis=1), 0, atol=1e-9)


@thorough(10)
@given(win_matrices())
def test_strengths_agree_with_choix(wins: Wins) -> None:
    oracle = choix.ilsr_pairwise_dense(wins, max_iter=10_000, tol=1e-10)
    np.testing.assert_allclose(bradley_terry(wins, bot_names(len(wins))).strengths, oracle, atol=1e-6)


def test_strengths_agree_with_evalica() -> None:
    wins = np.array(THREE)
    votes = [(i, j) for i, j in itertools.product(range(3), repeat=2) for _ in range(wins[i, j])]
    winners, losers = [f"bot {i}" for i, _ in votes], [f"bot {j}" for _, j in votes]
    result = evalica.bradley_terry(
        winners, losers, [evalica.Winner.X] * len(votes), tolerance=1e-12, limit=10_000
    )
    theirs = np.log([result.scores[f"bot {i}"] for i in range(3)])
    np.testing.assert_allclose(bradley_terry(wins, "ABC").strengths, theirs - theirs.mean(), atol=1e-6)


@thorough(10)
@given(win_matrices(), st.randoms(use_true_random=False))
def test_the_order_of_the_bots_does_not_matter(wins: Wins, random: np.random.Generator) -> None:
    order = list(range(len(wins)))
    random.shuffle(order)
    plain = bradley_terry(wins, bot_names(len(wins)))
    moved = bradley_terry(wins[np.ix_(order, order)], [bot_names(len(wins))[i] for i in order])
    np.testing.assert_allclose(moved.strengths, plain.strengths[order], atol=1e-8)
    np.testing.assert_allclose(moved.standard_errors, plain.standard_errors[order], rtol=1e-6)


@thorough(10)
@given(win_matrices(), st.sampled_from([0.5, 3.0, 1e6]))
def test_more_of_the_same_judgments_only_make_it_surer(wins: Wins, times: float) -> None:
    names = bot_names(len(wins))
    few, many = bradley_terry(wins, names), bradley_terry(times * wins, names)
    np.testing.assert_allclose(many.strengths, few.strengths, atol=1e-7)
    np.testing.assert_allclose(many.standard_errors * np.sqrt(times), few.standard_errors, rtol=1e-6)


@thorough(10)
@given(win_matrices())
def test_asking_which_is_worse_turns_the_strengths_round(wins: Wins) -> None:
    names = bot_names(len(wins))
    better, worse = bradley_terry(wins, names), bradley_terry(wins.T, names)
    np.testing.assert_allclose(better.strengths, -worse.strengths, atol=1e-8)
    np.testing.assert_allclose(better.standard_errors, worse.standard_errors, rtol=1e-6)


@given(win_matrices())
@thorough(10)
def test_the_sandwich_is_that_of_a_regression_on_single_judgments(wins: Wins) -> None:
    small = np.ceil(wins / 20)
    np.fill_diagonal(small, 0)
    design, first, games = as_rows(small)
    rows = np.repeat(design, games.astype(int), axis=0)
    won = np.concatenate([np.arange(int(n)) < k for k, n in zip(first, games, strict=True)]).astype(float)
    oracle = GLM(won, rows, family=Binomial()).fit(tol=1e-12, cov_type="HC0")
    fit = bradley_terry(small, bot_names(len(small)), variance="sandwich")
    against_last = np.eye(len(small))[:-1] - np.eye(len(small))[-1]
    np.testing.assert_allclose(against_last @ fit.covariance @ against_last.T, oracle.cov_params(), rtol=1e-3)
    assert "sandwich" in fit.method


def test_intervals_are_the_strengths_plus_and_minus_two_errors() -> None:
    fit = bradley_terry(THREE, "ABC", level=0.9)
    for strength, error, interval in zip(fit.strengths, fit.standard_errors, fit.intervals, strict=True):
        assert interval.high - strength == pytest.approx(1.6448536 * error)
        assert strength - interval.low == pytest.approx(1.6448536 * error)
        assert interval.level == 0.9


def test_predicted_win_rates_of_two_bots_add_up_to_one() -> None:
    rates = bradley_terry(THREE, "ABC").win_rates
    np.testing.assert_allclose(rates + rates.T, 1)
    assert rates[0, 2] > rates[0, 1] > rates[0, 0]
    assert rates[0, 0] == pytest.approx(0.5)


@pytest.mark.parametrize(
    "wins",
    [
        [[0, 5, 5], [0, 0, 5], [0, 3, 0]],  # the first never lost
        [[0, 5, 0], [3, 0, 0], [4, 4, 0]],  # the last never lost
        [[0, 5], [0, 0]],
        [
            [0, 9, 9, 9],
            [9, 0, 9, 9],
            [0, 0, 0, 5],
            [0, 0, 5, 0],
        ],  # two leagues: nobody of the second ever won
    ],
)
def test_a_bot_that_never_wins_gets_a_stated_small_prior(wins: list[list[float]]) -> None:
    fit = bradley_terry(wins, bot_names(len(wins)))
    assert fit.separated
    assert fit.prior == SEPARATION_PRIOR
    assert "prior 0.5" in fit.method
    assert np.isfinite(fit.strengths).all()
    assert np.isfinite(fit.standard_errors).all()
    assert fit.lack_of_fit is None


def test_the_prior_is_a_drawn_game_against_an_average_bot() -> None:
    wins = np.array([[0.0, 5.0], [0.0, 0.0]])
    with_average = np.zeros((3, 3))
    with_average[:2, :2] = wins
    with_average[2, :2] = with_average[:2, 2] = SEPARATION_PRIOR
    twin = bradley_terry(
        with_average, ["A", "B", "average"]
    )  # here the average bot may move, there it may not
    fit = bradley_terry(wins, ["A", "B"])
    assert twin.strengths[2] == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(fit.strengths, twin.strengths[:2], atol=1e-9)


@thorough(10)
@given(win_matrices(fewest_wins=0), st.floats(min_value=0.01, max_value=5))
def test_a_stated_prior_pulls_strengths_together(wins: Wins, prior: float) -> None:
    wins = wins + (wins + wins.T == 0) * (1 - np.eye(len(wins)))
    weak = bradley_terry(wins, bot_names(len(wins)), prior=prior)
    strong = bradley_terry(wins, bot_names(len(wins)), prior=10 * prior)
    assert np.ptp(strong.strengths) <= np.ptp(weak.strengths) + 1e-9
    assert (weak.prior, weak.lack_of_fit) == (prior, None)


def test_bots_that_never_met_are_named() -> None:
    wins = np.zeros((5, 5))
    wins[0, 1] = wins[1, 0] = wins[2, 3] = 4
    with pytest.raises(Disconnected, match=r"\{A, B\}; \{C, D\}; \{E\}") as refusal:
        bradley_terry(wins, "ABCDE")
    assert refusal.value.components == (("A", "B"), ("C", "D"), ("E",))


def test_counts_of_a_thousand_million_beside_single_judgments() -> None:
    fit = bradley_terry([[0, 10**9, 1], [1, 0, 0], [0, 1, 0]], "ABC", prior=0.0)
    assert fit.separated is False
    assert np.isfinite(fit.standard_errors).all()
    assert fit.strengths[0] - fit.strengths[1] == pytest.approx(np.log(1e9), abs=1.0)
    exact = bradley_terry([[0, 3 * 10**9], [10**9, 0]], "AB")
    assert exact.strengths[0] - exact.strengths[1] == pytest.approx(np.log(3), abs=1e-12)


def test_two_bots_have_the_log_odds_of_their_wins() -> None:
    fit = bradley_terry([[0, 30], [10, 0]], "AB")
    assert fit.strengths[0] - fit.strengths[1] == pytest.approx(np.log(3))
    variance = fit.covariance[0, 0] + fit.covariance[1, 1] - 2 * fit.covariance[0, 1]
    assert variance == pytest.approx(1 / 30 + 1 / 10)
    assert fit.lack_of_fit is None
    assert fit.n == 40


@pytest.mark.parametrize("names", [[], ["A"]])
def test_fewer_than_two_bots_are_refused(names: list[str]) -> None:
    with pytest.raises(NotEnoughJudgments, match="2 bots"):
        bradley_terry(np.zeros((len(names), len(names))), names)


@pytest.mark.parametrize("prior", [-1.0, float("nan"), float("inf")])
def test_a_prior_that_is_none_is_refused(prior: float) -> None:
    with pytest.raises(BadNumber, match="prior"):
        bradley_terry(THREE, "ABC", prior=prior)


def test_a_start_near_the_answer_gives_the_same_answer() -> None:
    wins = np.array(THREE, dtype=np.float64)
    np.testing.assert_allclose(
        fit_strengths(wins, start=np.array([3.0, -8.0, 5.0])), fit_strengths(wins), atol=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize("variance", ["model", "sandwich"])
def test_intervals_cover_the_true_strengths(variance: str) -> None:
    rng = np.random.default_rng(21)
    truth = np.linspace(-0.6, 0.6, 6)
    rates = 1 / (1 + np.exp(truth[None, :] - truth[:, None]))
    upper = np.triu_indices(6, 1)
    covered = 0
    for _ in range(1000):
        wins = np.zeros((6, 6))
        wins[upper] = rng.binomial(40, rates[upper])
        wins.T[upper] = 40 - wins[upper]
        fit = bradley_terry(wins, bot_names(6), variance="sandwich" if variance == "sandwich" else "model")
        covered += sum(t in interval for t, interval in zip(truth, fit.intervals, strict=True))
    assert covered / 6000 == pytest.approx(0.95, abs=0.012)
