"""One strength for each bot from all their matchups together: the Bradley–Terry model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_share, check_win_matrix
from duologue.stats.newton import maximise
from duologue.stats.rates.intervals import Interval, normal_quantile
from duologue.stats.strengths.win_graph import groups_of, refuse_disconnected

SEPARATION_PRIOR = 0.5
"""Wins and losses against an average bot that each bot is given when the data alone have no finite answer."""


class LackOfFit(NamedTuple):
    """How far free win rates are from those of the model: a chi-square statistic, and its p-value."""

    statistic: float
    df: float
    p_value: float


@dataclass(frozen=True, slots=True)
class BradleyTerry:
    """Strengths on the log-odds scale, with mean zero, and everything known about their uncertainty.

    ``prior`` is what was used: each bot's wins and losses against an average bot, in addition to the data.
    ``separated`` says that the data alone have no finite answer (a bot never won, or never lost, or some
    group of bots never lost to the rest), so that the prior decides how far apart they are.
    ``lack_of_fit`` is None where there is nothing to test (no more matchups than strengths) or with a prior.
    """

    names: tuple[str, ...]
    strengths: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    covariance: NDArray[np.float64]
    lack_of_fit: LackOfFit | None
    separated: bool
    prior: float
    log_likelihood: float
    n: float
    level: float
    method: str

    @property
    def intervals(self) -> tuple[Interval, ...]:
        """An interval for each strength, each at ``level`` by itself (all at once: `compare_strengths`)."""
        z = normal_quantile(self.level)
        return tuple(
            Interval(float(strength - z * error), float(strength + z * error), self.level, self.method)
            for strength, error in zip(self.strengths, self.standard_errors, strict=True)
        )

    @property
    def order(self) -> tuple[str, ...]:
        """The names from the strongest down."""
        return tuple(self.names[i] for i in np.argsort(-self.strengths, kind="stable"))

    @property
    def win_rates(self) -> NDArray[np.float64]:
        """The predicted matrix: in row i and column j, how often i beats j; one half on the diagonal."""
        return special.expit(self.strengths[:, None] - self.strengths[None, :])


def bradley_terry(
    wins: ArrayLike,
    names: Sequence[str],
    *,
    level: float = 0.95,
    prior: float = 0.0,
    variance: Literal["model", "sandwich"] = "model",
) -> BradleyTerry:
    """Fit one strength for each bot: i beats j with probability 1 / (1 + exp(θ_j − θ_i)).

    Maximum likelihood on the matrix of counts (Zermelo 1929; Bradley and Terry 1952) by Newton's method; the
    strengths add up to zero. Pooling makes strengths much surer than single matchups if the model holds: look
    at ``lack_of_fit``, and at the direct verdicts beside it.

    When the data alone have no finite answer (Ford 1957: some group of bots never lost to the rest), each bot
    is given `SEPARATION_PRIOR` wins and as many losses against an average bot, and ``separated`` says so.

    Assumes independent judgments. ``variance="sandwich"`` stays right when the model fits badly; for
    judgments in clusters see `pooled_strengths`. A win matrix of published percentages gives the right
    strengths but not the right standard errors: those need counts.

    Args:
        wins: ``wins[i, j]`` is how often bot i beat bot j; fractions are allowed, zeros on the diagonal.
        names: The bots, in the order of the rows.
        level: Confidence of the intervals.
        prior: Wins and losses of each bot against an average bot, added to the data.
        variance: From the model, or from the scatter of the judgments about it.

    Raises:
        NotEnoughJudgments: There are fewer than two bots.
        Disconnected: Some bots were never compared with the others; the error names the groups.
        BadNumber: The matrix is not one of counts, or does not fit the names.

    Example:
        >>> fit = bradley_terry([[0, 7, 9], [3, 0, 6], [1, 4, 0]], ["A", "B", "C"])
        >>> fit.order, [round(float(s), 3) for s in fit.strengths], round(fit.lack_of_fit.p_value, 2)
        (('A', 'B', 'C'), [0.944, -0.16, -0.783], 0.49)
    """
    counts = check_win_matrix(wins, names)
    level = check_share("level", level)
    if not 0.0 <= prior < np.inf:
        raise BadNumber("prior", expected="a number of at least 0", got=prior)
    if len(names) < 2:
        raise NotEnoughJudgments("A Bradley–Terry model", needed=2, got=len(names), unit="bots")
    refuse_disconnected(counts, names)
    separated = len(groups_of(counts, connection="strong")) > 1
    if separated and prior == 0.0:
        prior = SEPARATION_PRIOR
    anchored = fit_strengths(counts, prior=prior)
    strengths = anchored - anchored.mean()
    covariance = _covariance(counts, anchored, prior=prior, variance=variance)
    return BradleyTerry(
        names=tuple(names),
        strengths=strengths,
        standard_errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        lack_of_fit=None if prior else _lack_of_fit(counts, strengths),
        separated=separated,
        prior=prior,
        log_likelihood=_log_likelihood(counts, strengths),
        n=float(counts.sum()),
        level=level,
        method=f"Bradley–Terry, {variance} variance" + (f", prior {prior:g}" if prior else ""),
    )


def fit_strengths(
    counts: NDArray[np.float64], *, prior: float = 0.0, start: NDArray[np.float64] | None = None
) -> NDArray[np.float64]:
    """The strengths that maximise the likelihood, by Newton's method with step-halving.

    Without a prior they add up to zero; with one, zero is the average bot that the prior is about.

    Raises:
        NotConverged: The maximum was not reached; with connected data this does not happen.
    """
    return maximise(
        lambda strengths: _penalised(counts, strengths, prior),
        lambda strengths: derivatives_of(counts, strengths, prior),
        np.zeros(len(counts)) if start is None else start - start.mean(),
        method="The Bradley–Terry fit",
    )


def _penalised(counts: NDArray[np.float64], strengths: NDArray[np.float64], prior: float) -> float:
    likelihood = _log_likelihood(counts, strengths)
    against_average = special.log_expit(strengths) + special.log_expit(-strengths)
    return likelihood + prior * float(against_average.sum())


def _log_likelihood(counts: NDArray[np.float64], strengths: NDArray[np.float64]) -> float:
    return float((counts * special.log_expit(strengths[:, None] - strengths[None, :])).sum())


def surprises_of(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """In row i and column j, the chance that i had of losing to j."""
    return np.asarray(special.expit(strengths[None, :] - strengths[:, None]))


def derivatives_of(
    counts: NDArray[np.float64], strengths: NDArray[np.float64], prior: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The gradient and the information matrix, made regular along the direction that cannot be seen."""
    surprises = surprises_of(strengths)
    unexpected = counts * surprises
    against_average = special.expit(strengths)
    gradient = unexpected.sum(axis=1) - unexpected.sum(axis=0) + prior * (1 - 2 * against_average)
    weights = (counts + counts.T) * surprises * surprises.T
    information = np.diag(weights.sum(axis=1) + 2 * prior * against_average * (1 - against_average)) - weights
    if prior == 0.0:
        information += weights.sum() / len(counts) ** 2  # anchors the mean at zero, leaves contrasts alone
    return gradient, information


def _covariance(
    counts: NDArray[np.float64],
    anchored: NDArray[np.float64],
    *,
    prior: float,
    variance: Literal["model", "sandwich"],
) -> NDArray[np.float64]:
    """The covariance of the strengths after their mean has been subtracted."""
    _, information = derivatives_of(counts, anchored, prior)
    inverse = scipy.linalg.cho_solve(scipy.linalg.cho_factor(information), np.eye(len(counts)))
    if variance == "sandwich":
        inverse = inverse @ _scatter(counts, anchored) @ inverse
    centring = np.eye(len(counts)) - 1 / len(counts)
    covariance: NDArray[np.float64] = centring @ inverse @ centring
    return (covariance + covariance.T) / 2


def _scatter(counts: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """The sum over judgments of the outer product of their scores."""
    weights = counts * surprises_of(strengths) ** 2
    weights = weights + weights.T
    scatter: NDArray[np.float64] = np.diag(weights.sum(axis=1)) - weights
    return scatter


def _lack_of_fit(counts: NDArray[np.float64], strengths: NDArray[np.float64]) -> LackOfFit | None:
    games = counts + counts.T
    df = int(np.count_nonzero(np.triu(games))) - (len(counts) - 1)
    if df == 0:
        return None
    free = special.xlogy(counts, counts) - special.xlogy(counts, games)
    statistic = max(0.0, 2 * (float(free.sum()) - _log_likelihood(counts, strengths)))
    return LackOfFit(statistic, df, float(special.chdtrc(df, statistic)))
