"""Does it matter which dialogue is shown first? The position effect, alone and beside strengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg, special

from duologue.errors import BadNumber, NotConverged, NotEnoughJudgments
from duologue.stats.binomial import SignTest, sign_test
from duologue.stats.counts import check_share, check_win_matrix
from duologue.stats.intervals import Interval, normal_quantile, wilson_interval
from duologue.stats.newton import factorise, maximise
from duologue.stats.strengths import SEPARATION_PRIOR
from duologue.stats.win_graph import groups_of, refuse_disconnected

METHOD = "The Bradley–Terry fit with position"

FARTHEST_APART = 25.0
"""Parameters further apart than this have run off: the data have no finite answer."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PositionEffect:
    """How often what was shown first won, over all judgments, and whether that is chance."""

    rate: float
    interval: Interval
    test: SignTest


@dataclass(frozen=True, slots=True)
class PositionedStrengths:
    """Bradley–Terry strengths with a term for being shown first, both on the log-odds scale.

    ``position`` is what being shown first adds: 0.12 makes 53 to 47 between equal bots. ``separated`` says
    that the data alone have no finite answer (a bot or a position always wins), so that the prior decides.
    """

    names: tuple[str, ...]
    strengths: Vector
    standard_errors: Vector
    covariance: Matrix
    position: float
    position_interval: Interval
    position_p_value: float
    separated: bool
    prior: float
    log_likelihood: float
    n: float
    level: float


def position_effect(first_shown_won: int, second_shown_won: int, *, level: float = 0.95) -> PositionEffect:
    """Test whether what is shown first wins more often than what is shown second.

    With the order randomised a position effect does not favour any bot; it adds noise (a rate of 0.56 costs 3
    per cent more judgments). It is a matter of course to report it, and a warning when it is large.

    Args:
        first_shown_won: Judgments for what was shown first (or on the left).
        second_shown_won: Judgments for the other.
        level: Confidence of the Wilson interval.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: A count is negative or not whole.

    Example:
        >>> round(position_effect(549, 451).test.p_value, 4)
        0.0021
    """
    test = sign_test(first_shown_won, second_shown_won)
    return PositionEffect(test.win_rate, wilson_interval(test.wins, test.n, level=level), test)


def bradley_terry_with_position(
    wins_when_first: ArrayLike,
    wins_when_second: ArrayLike,
    names: Sequence[str],
    *,
    level: float = 0.95,
    prior: float = 0.0,
) -> PositionedStrengths:
    """Fit strengths together with the effect of being shown first.

    log-odds that the bot shown first wins = θ_first − θ_second + γ, by maximum likelihood; the p-value tests
    γ = 0 by its standard error (Wald). It makes strengths fair when orders were not balanced, and slightly
    surer when they were. Assumes independent judgments and one γ for all matchups.

    Args:
        wins_when_first: Cell i, j counts wins of i over j with i shown first.
        wins_when_second: Cell i, j counts wins of i over j with i shown second.
        names: The bots, in the order of the rows.
        level: Confidence of the intervals.
        prior: Wins and losses of each bot against an average bot, and of the first position, added to the
            data.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or one position never won.
        Disconnected: Some bots were never compared with the others.
        NotConverged: The orders do not let position and strengths be told apart.
        BadNumber: A matrix is not one of counts, or does not fit the names.

    Example:
        >>> fit = bradley_terry_with_position([[0, 40], [30, 0]], [[0, 30], [20, 0]], ["A", "B"])
        >>> round(fit.position, 2), round(fit.position_p_value, 3)
        (0.35, 0.066)
    """
    first, second = check_win_matrix(wins_when_first, names), check_win_matrix(wins_when_second, names)
    level = check_share("level", level)
    if not 0.0 <= prior < np.inf:
        raise BadNumber("prior", expected="a number of at least 0", got=prior)
    if len(names) < 2:
        raise NotEnoughJudgments("A Bradley–Terry model", needed=2, got=len(names), unit="bots")
    refuse_disconnected(first + second, names)
    if not first.any() or not second.any():
        raise NotEnoughJudgments("A position effect", needed=1, got=0, unit="wins in each position")
    nowhere = np.zeros(len(names) + 1)
    factorise(_derivatives(first, second, nowhere, 0.0)[1], method=METHOD)  # refuses one order only
    parameters, prior, separated = _fit(first, second, prior)
    information = _derivatives(first, second, parameters, prior)[1]
    inverse = linalg.cho_solve(linalg.cho_factor(information), np.eye(len(parameters)))
    centring = np.eye(len(names)) - 1 / len(names)
    covariance = centring @ inverse[:-1, :-1] @ centring
    gamma, error = float(parameters[-1]), float(np.sqrt(inverse[-1, -1]))
    half = normal_quantile(level) * error
    return PositionedStrengths(
        names=tuple(names),
        strengths=parameters[:-1] - parameters[:-1].mean(),
        standard_errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        position=gamma,
        position_interval=Interval(gamma - half, gamma + half, level, "wald"),
        position_p_value=float(2 * special.ndtr(-abs(gamma) / error)),
        separated=separated,
        prior=prior,
        log_likelihood=_value(first, second, parameters, 0.0),
        n=float(first.sum() + second.sum()),
        level=level,
    )


def _fit(first: Matrix, second: Matrix, prior: float) -> tuple[Vector, float, bool]:
    """The parameters, the prior that was used, and whether the data alone had no finite answer."""

    def top(prior: float) -> Vector:
        return maximise(
            lambda parameters: _value(first, second, parameters, prior),
            lambda parameters: _derivatives(first, second, parameters, prior),
            np.zeros(len(first) + 1),
            method=METHOD,
        )

    if prior:
        return top(prior), prior, len(groups_of(first + second, connection="strong")) > 1
    try:
        parameters = top(0.0)
        has_run_off = bool(np.ptp(parameters) > FARTHEST_APART)
    except NotConverged:
        has_run_off = True
    return (top(SEPARATION_PRIOR), SEPARATION_PRIOR, True) if has_run_off else (parameters, 0.0, False)


def _value(first: Matrix, second: Matrix, parameters: Vector, prior: float) -> float:
    strengths, gamma = parameters[:-1], parameters[-1]
    lead = strengths[:, None] - strengths[None, :]
    seen = first * special.log_expit(lead + gamma) + second * special.log_expit(lead - gamma)
    average = special.log_expit(parameters) + special.log_expit(-parameters)
    return float(seen.sum() + prior * average.sum())


def _derivatives(first: Matrix, second: Matrix, parameters: Vector, prior: float) -> tuple[Vector, Matrix]:
    """The gradient and the information matrix of strengths and position."""
    strengths, gamma = parameters[:-1], parameters[-1]
    lead = strengths[:, None] - strengths[None, :]
    as_first, as_second = special.expit(-lead - gamma), special.expit(-lead + gamma)  # chances of losing
    unexpected = first * as_first + second * as_second
    by_strength = unexpected.sum(axis=1) - unexpected.sum(axis=0)
    by_position = float((first * as_first - second * as_second).sum())
    average = special.expit(parameters)
    # Of each cell (i first, j second) the games are i's wins as first and j's wins as second.
    curve = (first + second.T) * as_first * (1 - as_first)
    weights = curve + curve.T
    bots = len(strengths)
    information = np.zeros((bots + 1, bots + 1))
    information[:-1, :-1] = np.diag(weights.sum(axis=1)) - weights
    if prior == 0.0:
        information[:-1, :-1] += weights.sum() / bots**2  # anchors the mean at zero
    information[:-1, -1] = information[-1, :-1] = curve.sum(axis=1) - curve.sum(axis=0)
    information[-1, -1] = curve.sum()
    information += np.diag(2 * prior * average * (1 - average))
    return np.append(by_strength, by_position) + prior * (1 - 2 * average), information
