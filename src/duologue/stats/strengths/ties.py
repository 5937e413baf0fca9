"""Strengths when a comparison may end in a tie: the models of Davidson and of Rao and Kupper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotConverged, NotEnoughJudgments
from duologue.stats.counts import check_share, check_win_matrix
from duologue.stats.newton import maximise
from duologue.stats.rates.intervals import Interval, normal_quantile
from duologue.stats.strengths.bradley_terry import SEPARATION_PRIOR, BradleyTerry, bradley_terry
from duologue.stats.strengths.win_graph import groups_of, refuse_disconnected

TieModel = Literal["davidson", "rao-kupper"]

FARTHEST_APART = 25.0
"""Strengths further apart than this have run off: the data have no finite answer."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Slopes = tuple[Vector, float, Vector, Vector, float]
"""Of the log-likelihood: by lead, by tie; and minus its second ones: lead twice, lead and tie, tie twice."""


@dataclass(frozen=True, slots=True)
class TiedStrengths:
    """Strengths on the log-odds scale with mean zero, and how readily bots tie.

    ``tie`` is Davidson's ν (0 when there are no ties; equal bots tie ν/(2 + ν) of the time) or Rao and
    Kupper's η (1 when there are none; equal bots tie (η − 1)/(η + 1) of the time). ``tie_error`` is the
    standard error of its logarithm, None without ties. ``covariance`` is that of the strengths.
    """

    names: tuple[str, ...]
    strengths: Vector
    standard_errors: Vector
    covariance: Matrix
    tie: float
    tie_error: float | None
    model: TieModel
    log_likelihood: float
    separated: bool
    prior: float
    n: float
    level: float

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """An interval for each strength, each at ``level`` by itself."""
        z = normal_quantile(self.level)
        return tuple(
            Interval(float(strength - z * error), float(strength + z * error), self.level, self.model)
            for strength, error in zip(self.strengths, self.standard_errors, strict=True)
        )

    @property
    def tie_rates(self) -> Matrix:
        """The predicted matrix of ties: in row i and column j, how often i and j tie; 0 on the diagonal."""
        lead = self.strengths[:, None] - self.strengths[None, :]
        if self.model == "davidson":
            rates = self.tie / (self.tie + 2 * np.cosh(lead / 2))
        else:
            log = np.log(self.tie)
            rates = special.expit(lead + log) - special.expit(lead - log)
        return np.asarray(rates * (1 - np.eye(len(lead))))


def bradley_terry_with_ties(
    wins: ArrayLike,
    ties: ArrayLike,
    names: Sequence[str],
    *,
    model: TieModel = "davidson",
    level: float = 0.95,
    prior: float = 0.0,
) -> TiedStrengths:
    """Fit strengths to wins and ties.

    Davidson (1970): win, loss and tie are as e^θ_i : e^θ_j : ν e^((θ_i + θ_j)/2). Rao and Kupper (1967): i
    wins with probability 1/(1 + η e^(θ_j − θ_i)), j likewise, and otherwise they tie. Both by maximum
    likelihood. Davidson's is the default; counting a tie as half a win for both (`bradley_terry` on wins +
    ties/2) is for comparison with others: it shrinks strengths.

    When a bot never wins or never loses the data may have no finite answer; then each bot is given
    `SEPARATION_PRIOR` wins and losses against an average bot, and ``separated`` says so. Assumes independent
    judgments.

    Args:
        wins: ``wins[i, j]`` is how often bot i beat bot j.
        ties: ``ties[i, j]`` is how often i and j tied; symmetric, each tie counted once on either side.
        names: The bots, in the order of the rows.
        model: Davidson's, or Rao and Kupper's.
        level: Confidence of the intervals.
        prior: Wins and losses of each bot against an average bot, added to the data.

    Raises:
        NotEnoughJudgments: There are fewer than two bots, or nothing but ties.
        Disconnected: Some bots were never compared with the others.
        BadNumber: A matrix is not one of counts, the ties are not symmetric, or they do not fit the names.

    Example:
        >>> wins, ties = [[0, 12, 18], [8, 0, 11], [5, 9, 0]], [[0, 5, 4], [5, 0, 6], [4, 6, 0]]
        >>> fit = bradley_terry_with_ties(wins, ties, "ABC")
        >>> [round(float(s - fit.strengths[0]), 4) for s in fit.strengths], round(fit.tie, 4)
        ([0.0, -0.6449, -1.0615], 0.5104)
    """
    won, tied = check_win_matrix(wins, names), check_win_matrix(ties, names)
    level = check_share("level", level)
    if not 0.0 <= prior < np.inf:
        raise BadNumber("prior", expected="a number of at least 0", got=prior)
    if not np.array_equal(tied, tied.T):
        raise BadNumber(
            "ties", expected="as many ties of i with j as of j with i", got="a matrix that differs"
        )
    if len(names) < 2:
        raise NotEnoughJudgments("A model with ties", needed=2, got=len(names), unit="bots")
    if not won.any():
        raise NotEnoughJudgments("A model with ties", needed=1, got=0, unit="judgments that are not ties")
    refuse_disconnected(won + tied, names)
    if not tied.any():
        return _without_ties(bradley_terry(won, names, level=level, prior=prior), model)
    pairs = PairCounts.of(won, tied)
    parameters, prior, separated = _fit(pairs, len(groups_of(won, connection="strong")) > 1, model, prior)
    covariance, tie_variance = _covariance(pairs, parameters, model, prior)
    return TiedStrengths(
        names=tuple(names),
        strengths=parameters[:-1] - parameters[:-1].mean(),
        standard_errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        tie=float(np.exp(parameters[-1])),
        tie_error=float(np.sqrt(tie_variance)),
        model=model,
        log_likelihood=_value(pairs, parameters, model, 0.0),
        separated=separated,
        prior=prior,
        n=float(won.sum() + tied.sum() / 2),
        level=level,
    )


def _without_ties(fit: BradleyTerry, model: TieModel) -> TiedStrengths:
    return TiedStrengths(
        names=fit.names,
        strengths=fit.strengths,
        standard_errors=fit.standard_errors,
        covariance=fit.covariance,
        tie=0.0 if model == "davidson" else 1.0,
        tie_error=None,
        model=model,
        log_likelihood=fit.log_likelihood,
        separated=fit.separated,
        prior=fit.prior,
        n=fit.n,
        level=fit.level,
    )


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Every matchup once: wins of the first, wins of the second, ties."""

    bots: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    won: Vector
    lost: Vector
    tied: Vector

    @classmethod
    def of(cls, won: Matrix, tied: Matrix) -> PairCounts:
        """From the matrices of wins and ties."""
        first, second = np.triu_indices(len(won), 1)
        return cls(len(won), first, second, won[first, second], won[second, first], tied[first, second])

    def per_first(self, values: Vector) -> Vector:
        """Values of matchups added up by their first bot."""
        return np.bincount(self.first, values, self.bots).astype(np.float64)

    def per_second(self, values: Vector) -> Vector:
        """Values of matchups added up by their second bot."""
        return np.bincount(self.second, values, self.bots).astype(np.float64)

    @property
    def tie_share(self) -> float:
        """Of all judgments."""
        return float(self.tied.sum() / (self.won + self.lost + self.tied).sum())


def _fit(pairs: PairCounts, may_separate: bool, model: TieModel, prior: float) -> tuple[Vector, float, bool]:
    """The parameters, the prior that was used, and whether the data alone had no finite answer."""
    if prior or not may_separate:
        return _maximise(pairs, model, prior), prior, False
    try:
        parameters = _maximise(pairs, model, 0.0)
        has_run_off = bool(np.ptp(parameters[:-1]) > FARTHEST_APART)
    except NotConverged:
        has_run_off = True
    if has_run_off:
        return _maximise(pairs, model, SEPARATION_PRIOR), SEPARATION_PRIOR, True
    return parameters, 0.0, False


def _maximise(pairs: PairCounts, model: TieModel, prior: float) -> Vector:
    share = pairs.tie_share  # what ν or η would be if all bots were equal
    equal = 2 * share / (1 - share) if model == "davidson" else (1 + share) / (1 - share)
    return maximise(
        lambda parameters: _value(pairs, parameters, model, prior),
        lambda parameters: _derivatives(pairs, parameters, model, prior),
        np.append(np.zeros(pairs.bots), np.log(equal)),
        method=f"The {model} fit",
    )


def _value(pairs: PairCounts, parameters: Vector, model: TieModel, prior: float) -> float:
    strengths, tie = parameters[:-1], float(parameters[-1])
    lead = strengths[pairs.first] - strengths[pairs.second]
    log_expit = special.log_expit
    against_average = prior * float((log_expit(strengths) + log_expit(-strengths)).sum())
    if model == "davidson":
        won, lost, tied = davidson_logs(lead, tie)
        return float((pairs.won * won + pairs.lost * lost + pairs.tied * tied).sum()) + against_average
    if tie <= 0:
        return -np.inf  # η below 1 would make ties impossible
    below, above = lead - tie, lead + tie
    terms = pairs.won * log_expit(below) + pairs.lost * log_expit(-above)
    terms += pairs.tied * (log_expit(-below) + log_expit(above) + np.log(-np.expm1(-2 * tie)))
    return float(terms.sum()) + against_average


def _derivatives(
    pairs: PairCounts, parameters: Vector, model: TieModel, prior: float
) -> tuple[Vector, Matrix]:
    """The gradient and the information matrix of strengths and the logarithm of ν or η."""
    strengths = parameters[:-1]
    lead = strengths[pairs.first] - strengths[pairs.second]
    of_model = davidson_slopes if model == "davidson" else _rao_kupper_slopes
    by_lead, by_tie, lead_lead, lead_tie, tie_tie = of_model(pairs, lead, float(parameters[-1]))
    average = special.expit(strengths)
    gradient = np.append(spread(pairs, by_lead) + prior * (1 - 2 * average), by_tie)
    information = np.zeros((pairs.bots + 1, pairs.bots + 1))
    information[pairs.first, pairs.second] = information[pairs.second, pairs.first] = -lead_lead
    own = pairs.per_first(lead_lead) + pairs.per_second(lead_lead)
    own += 2 * prior * average * (1 - average)
    information[np.arange(pairs.bots), np.arange(pairs.bots)] = own
    if prior == 0.0:
        information[:-1, :-1] += lead_lead.sum() / pairs.bots**2  # anchors the mean at zero
    information[-1, :-1] = information[:-1, -1] = spread(pairs, lead_tie)
    information[-1, -1] = tie_tie
    return gradient, information


def spread(pairs: PairCounts, by_lead: Vector) -> Vector:
    """From slopes by the lead of the first over the second to slopes by each bot's strength."""
    return pairs.per_first(by_lead) - pairs.per_second(by_lead)


def davidson_logs(lead: Vector, tie: float) -> tuple[Vector, Vector, Vector]:
    """The logarithms of the chances of win, loss and tie, exact also where they are near zero."""
    won = -np.logaddexp(0, np.logaddexp(-lead, tie - lead / 2))
    lost = -np.logaddexp(0, np.logaddexp(lead, tie + lead / 2))
    return won, lost, -np.logaddexp(0, np.logaddexp(lead / 2, -lead / 2) - tie)


def davidson_slopes(pairs: PairCounts, lead: Vector, tie: float) -> Slopes:
    """First and second derivatives of Davidson's likelihood, matchup by matchup."""
    first, second, draw = (np.exp(log) for log in davidson_logs(lead, tie))
    games, balance, decided = pairs.won + pairs.lost + pairs.tied, (first - second) / 2, first + second
    # Written with the chances of what did not happen, so that counts of 10⁹ do not cancel.
    by_lead = pairs.won * (second + draw / 2) - pairs.lost * (first + draw / 2) - pairs.tied * balance
    return (
        by_lead,
        float((pairs.tied * decided - (pairs.won + pairs.lost) * draw).sum()),
        games * (decided * draw / 4 + first * second),
        -games * draw * balance,
        float((games * draw * decided).sum()),
    )


def _rao_kupper_slopes(pairs: PairCounts, lead: Vector, tie: float) -> Slopes:
    below, above = special.expit(lead - tie), special.expit(lead + tie)
    not_lost, not_won = pairs.won + pairs.tied, pairs.lost + pairs.tied
    lower, upper = pairs.won - not_lost * below, pairs.tied - not_won * above
    lower_curve, upper_curve = not_lost * below * (1 - below), not_won * above * (1 - above)
    gap = np.expm1(2 * tie)
    return (
        lower + upper,
        float((upper - lower + 2 * pairs.tied / gap).sum()),
        lower_curve + upper_curve,
        upper_curve - lower_curve,
        float((lower_curve + upper_curve + 4 * pairs.tied * (gap + 1) / gap**2).sum()),
    )


def _covariance(pairs: PairCounts, parameters: Vector, model: TieModel, prior: float) -> tuple[Matrix, float]:
    """The covariance of the strengths after subtracting their mean, and the variance of log ν or η."""
    information = _derivatives(pairs, parameters, model, prior)[1]
    inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(information), np.eye(pairs.bots + 1))
    centring = np.eye(pairs.bots) - 1 / pairs.bots
    return centring @ inverse[:-1, :-1] @ centring, float(inverse[-1, -1])
