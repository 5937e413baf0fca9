"""What would other judgments have said? Rates and strengths refitted on resampled data.

Cells of the win matrix are resampled as Poisson counts, or whole clusters with all their votes. Wins are
never resampled within a matchup: with few votes each that would understate the uncertainty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_count, check_win_matrix
from duologue.stats.rates.intervals import Interval
from duologue.stats.strengths.bradley_terry import (
    SEPARATION_PRIOR,
    bradley_terry,
    derivatives_of,
    fit_strengths,
)
from duologue.stats.strengths.votes import count_wins
from duologue.stats.strengths.win_graph import groups_of

ROUNDS = 60
"""Steps with the Hessian of the whole data before a replicate is fitted on its own."""

CLOSE_ENOUGH = 1e-8
"""The squared distance from a replicate's own maximum, in standard errors, at which to stop."""

MANY_VOTES = 400
"""From here on a Poisson count is drawn as a normal one: it is 20 standard deviations from zero."""

AT_A_TIME = 1_000_000
"""So many resampled counts are held at a time."""


@dataclass(frozen=True, slots=True)
class BootstrappedStrengths:
    """Bradley–Terry strengths and what they were in resampled data, one row a replicate (all with mean zero).

    ``separated_replicates`` counts those that had no finite answer of their own and were given the prior of
    `bradley_terry`; when there are many, the intervals lean on it.
    """

    names: tuple[str, ...]
    strengths: NDArray[np.float64]
    standard_errors: NDArray[np.float64]
    covariance: NDArray[np.float64]
    intervals: tuple[Interval, ...]
    replicates: NDArray[np.float64]
    separated_replicates: int
    level: float
    method: str


def bootstrap_strengths(
    wins: ArrayLike,
    names: Sequence[str],
    *,
    rng: np.random.Generator,
    replicates: int = 1000,
    level: float = 0.95,
    prior: float = 0.0,
) -> BootstrappedStrengths:
    """Refit Bradley–Terry strengths on resampled win matrices.

    Every cell is drawn from a Poisson distribution with its count as mean, which is resampling votes with a
    random total; cells of `MANY_VOTES` or more from the normal distribution of that mean and variance, which
    is several times quicker. The cost does not depend on the number of votes. Assumes independent votes; for
    clusters see `bootstrap_clustered_strengths`.

    Args:
        wins: ``wins[i, j]`` is how often bot i beat bot j.
        names: The bots, in the order of the rows.
        rng: Where resampling comes from.
        replicates: How often to resample.
        level: Confidence of the intervals, each by itself.
        prior: Wins and losses of each bot against an average bot, added to every replicate.

    Raises:
        NotEnoughJudgments: There are fewer than two bots.
        Disconnected: Some bots were never compared with the others.
        BadNumber: The matrix is not one of counts, or there are fewer than two replicates.

    Example:
        >>> rng = np.random.default_rng(7)
        >>> result = bootstrap_strengths([[0, 70, 90], [30, 0, 60], [10, 40, 0]], "ABC", rng=rng)
        >>> [round(float(error), 1) for error in result.standard_errors]
        [0.1, 0.1, 0.1]
    """
    counts, replicates = check_win_matrix(wins, names), _check_replicates(replicates)
    means = counts.ravel()
    few, many = np.flatnonzero((means > 0) & (means < MANY_VOTES)), np.flatnonzero(means >= MANY_VOTES)

    def draw(wanted: int) -> NDArray[np.float64]:
        drawn = np.zeros((counts.size, wanted))
        drawn[few] = rng.poisson(means[few, None], size=(len(few), wanted))
        noise = rng.standard_normal((len(many), wanted), dtype=np.float32)
        drawn[many] = means[many, None] + np.sqrt(means[many, None]) * noise
        return drawn

    return _bootstrap(counts, names, draw, replicates, level, prior, "Poisson bootstrap of cells")


def bootstrap_clustered_strengths(
    winners: ArrayLike,
    losers: ArrayLike,
    clusters: ArrayLike,
    names: Sequence[str],
    *,
    rng: np.random.Generator,
    replicates: int = 1000,
    level: float = 0.95,
    prior: float = 0.0,
) -> BootstrappedStrengths:
    """Refit Bradley–Terry strengths on resampled annotators (or dialogues), each with all its votes.

    Needs some 50 clusters; `pooled_strengths` is quicker and needs fewer.

    Args:
        winners: The number of the winning bot of each vote, in the order of the names.
        losers: The number of the losing bot of each vote.
        clusters: The integer code of the cluster of each vote.
        names: The bots.
        rng: Where resampling comes from.
        replicates: How often to resample.
        level: Confidence of the intervals, each by itself.
        prior: Wins and losses of each bot against an average bot, added to every replicate.

    Raises:
        NotEnoughJudgments: There are fewer than two bots or fewer than two clusters.
        Disconnected: Some bots were never compared with the others.
        BadNumber: The arrays do not fit each other or the names.

    Example:
        >>> rng, votes = np.random.default_rng(7), np.arange(400)
        >>> winners = (votes % 3 == 0).astype(int)
        >>> result = bootstrap_clustered_strengths(winners, 1 - winners, votes // 4, ["A", "B"], rng=rng)
        >>> [round(float(s), 2) for s in result.strengths]
        [0.34, -0.34]
    """
    bots, replicates = len(names), _check_replicates(replicates)
    counts = count_wins(winners, losers, bots=bots)
    codes, size = check_codes("clusters", clusters, length=len(np.asarray(winners)))
    if size < 2:
        raise NotEnoughJudgments("A cluster bootstrap", needed=2, got=size, unit="clusters")
    cells = np.asarray(winners, dtype=np.intp) * bots + np.asarray(losers, dtype=np.intp)
    from scipy import sparse  # heavy: it would slow the start of every command

    by_cluster = sparse.coo_array((np.ones(len(cells)), (cells, codes)), shape=(counts.size, size)).tocsr()

    def draw(wanted: int) -> NDArray[np.float64]:
        drawn = np.zeros((counts.size, wanted))
        columns = max(1, AT_A_TIME // size)
        for begin in range(0, wanted, columns):
            part = min(columns, wanted - begin)
            weights = [np.bincount(rng.integers(0, size, size), minlength=size) for _ in range(part)]
            drawn[:, begin : begin + part] = np.asarray(by_cluster @ np.array(weights, dtype=np.float64).T)
        return drawn

    return _bootstrap(counts, names, draw, replicates, level, prior, f"bootstrap of {size} clusters")


def _bootstrap(
    counts: NDArray[np.float64],
    names: Sequence[str],
    draw: Callable[[int], NDArray[np.float64]],
    replicates: int,
    level: float,
    prior: float,
    method: str,
) -> BootstrappedStrengths:
    fit = bradley_terry(counts, names, level=level, prior=prior)
    anchored = fit_strengths(counts, prior=fit.prior, start=fit.strengths)
    inverse = scipy.linalg.inv(derivatives_of(counts, anchored, fit.prior)[1])
    refitted, separated = [], 0
    columns = max(1, AT_A_TIME // counts.size)
    for begin in range(0, replicates, columns):
        strengths, lost = _refit(draw(min(columns, replicates - begin)), anchored, inverse, fit.prior)
        refitted.append(strengths)
        separated += lost
    values = np.concatenate(refitted, axis=1).T
    values -= values.mean(axis=1, keepdims=True)
    lows, highs = np.quantile(values, [(1 - level) / 2, (1 + level) / 2], axis=0)
    covariance = np.atleast_2d(np.cov(values, rowvar=False))
    return BootstrappedStrengths(
        names=tuple(names),
        strengths=fit.strengths,
        standard_errors=np.sqrt(np.diagonal(covariance)),
        covariance=covariance,
        intervals=tuple(
            Interval(float(low), float(high), fit.level, f"{method}, percentile")
            for low, high in zip(lows, highs, strict=True)
        ),
        replicates=values,
        separated_replicates=separated,
        level=fit.level,
        method=method + (f", prior {fit.prior:g}" if fit.prior else ""),
    )


def _refit(
    drawn: NDArray[np.float64], anchored: NDArray[np.float64], inverse: NDArray[np.float64], prior: float
) -> tuple[NDArray[np.float64], int]:
    """Fit every resampled matrix (one a column), all together; the stubborn ones one by one.

    Steps use the inverse information of the whole data, which is close to each replicate's own: each costs
    one logistic function a matchup and no factorisation.
    """
    bots, wanted = len(anchored), drawn.shape[1]
    drawn = drawn.reshape(bots, bots, wanted)
    games = [drawn[bot, bot + 1 :] + drawn[bot + 1 :, bot] for bot in range(bots)]
    lead = drawn.sum(axis=1)  # wins, less the games of each pair counted for its second bot
    for bot in range(bots):
        lead[bot + 1 :] -= games[bot]
    strengths = np.repeat(anchored[:, None], wanted, axis=1)
    unsettled = np.ones(wanted, dtype=bool)
    for _ in range(ROUNDS):
        gradient = lead - prior * np.tanh(strengths / 2) if prior else lead.copy()
        _take_off_expected_wins(gradient, games, strengths)
        step = inverse @ gradient
        unsettled = (gradient * step).sum(axis=0) > CLOSE_ENOUGH
        strengths += np.where(unsettled, step, 0.0)
        if not unsettled.any():
            break
    separated = 0
    for replicate in np.flatnonzero(unsettled):
        alone = np.ascontiguousarray(drawn[:, :, replicate])
        is_separated = prior == 0.0 and len(groups_of(alone, connection="strong")) > 1
        separated += is_separated
        strengths[:, replicate] = fit_strengths(alone, prior=SEPARATION_PRIOR if is_separated else prior)
    return strengths, separated


def _take_off_expected_wins(
    gradient: NDArray[np.float64], games: Sequence[NDArray[np.float64]], strengths: NDArray[np.float64]
) -> None:
    """Turn wins into wins beyond expectation, in place; each pair's logistic function is worked out once."""
    for bot in range(len(strengths) - 1):
        wins = np.subtract(strengths[bot], strengths[bot + 1 :])
        special.expit(wins, out=wins)
        wins *= games[bot]
        gradient[bot] -= wins.sum(axis=0)
        gradient[bot + 1 :] += wins


def _check_replicates(replicates: int) -> int:
    replicates = check_count("replicates", replicates)
    if replicates < 2:
        raise BadNumber("replicates", expected="at least 2", got=replicates)
    return replicates
