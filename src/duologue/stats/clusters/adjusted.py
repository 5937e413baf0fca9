"""Selection rates freed of where replies were shown: every position weighs the same for every bot."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.stats.clusters.equality import contrasts_of
from duologue.stats.counts import check_codes
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to
from duologue.stats.rates.deciding import ExactRate
from duologue.stats.rates.intervals import Interval, exact_limits, student_p_value, student_quantile

METHOD = "position-adjusted, CR3"


@dataclass(frozen=True, slots=True)
class AdjustedDifference:
    """How far two position-adjusted rates differ; the null is no difference."""

    estimate: float
    standard_error: float
    clusters: float
    """How many of equal size would say as much."""

    @property
    def p_value(self) -> float:
        """Student's t; where no variance can be seen, each effective cluster counts as one judgment."""
        if self.standard_error > 0.0:
            return student_p_value(self.estimate / self.standard_error, self._df)
        wins = self._share * self.clusters
        tails = (float(tail(wins, self.clusters, 0.5)) for tail in (chance_up_to, chance_from))
        return min(1.0, 2 * min(tails))

    def interval_at(self, level: float) -> Interval:
        """The differences that the test does not reject."""
        if self.standard_error > 0.0:
            half = student_quantile(level, self._df) * self.standard_error
            return Interval(max(-1.0, self.estimate - half), min(1.0, self.estimate + half), level, METHOD)
        low, high = exact_limits(self._share * self.clusters, self.clusters, level)
        return Interval(2 * low - 1, 2 * high - 1, level, METHOD)

    @property
    def _df(self) -> float:
        return max(1.0, self.clusters - 1)

    @property
    def _share(self) -> float:
        return (self.estimate + 1) / 2


@dataclass(frozen=True, slots=True, eq=False)
class AdjustedRates:
    """For each bot the mean of its selection rates at each position, with their covariance (CR3)."""

    rates: NDArray[np.float64]
    covariance: NDArray[np.float64]
    clusters: float
    """How many of equal size would say as much, where they say least: of one bot at one position."""

    def difference(self, first: int, second: int) -> AdjustedDifference:
        """Of two bots, by their columns."""
        variance = self.covariance[first, first] + self.covariance[second, second]
        variance -= 2 * self.covariance[first, second]
        error = float(np.sqrt(variance)) if variance > 1e-12 else 0.0
        return AdjustedDifference(float(self.rates[first] - self.rates[second]), error, self.clusters)

    @property
    def p_value(self) -> float:
        """Of equal rates of all bots, by T² as `clustered_equality`; 1 where it can see no variance."""
        contrasts = contrasts_of(len(self.rates))
        difference = self.rates @ contrasts
        variance = contrasts.T @ self.covariance @ contrasts
        rank, effective = len(difference), self.clusters
        if np.linalg.matrix_rank(variance, tol=1e-12) < rank or effective <= rank:
            return 1.0
        t_squared = float(difference @ np.linalg.solve(variance, difference))
        statistic = t_squared * (effective - rank) / ((effective - 1) * rank)
        return float(special.fdtrc(rank, effective - rank, statistic))


def adjusted_rates(selected: ArrayLike, positions: ArrayLike, clusters: ArrayLike) -> AdjustedRates | None:
    """The rates that bots would have were each of them at every position equally often.

    Of each bot the mean, over positions, of how often it was selected there. That removes what a position
    does, whichever bot is there, from bots that were at some positions more often than at others. CR3: the
    jackknife that leaves out one cluster at a time. A cluster weighs as much as it has turns.

    Assumes that clusters are independent, and that a position does the same to every bot.

    Args:
        selected: A matrix of turns × bots, 1 where the bot was selected and 0 where it was not.
        positions: The same shape: where its reply was shown, from 1 to the number of bots.
        clusters: The integer code of each turn's cluster.

    Returns:
        None where some bot was never at some position, or only in one cluster: turns do not tell then what is
        the bot's and what the position's.

    Raises:
        BadNumber: The codes do not fit the turns.

    Example:
        >>> selected = [[1, 0], [1, 0], [0, 1], [1, 0], [1, 0], [0, 1]]
        >>> positions = [[1, 2], [1, 2], [2, 1], [1, 2], [1, 2], [2, 1]]
        >>> found = adjusted_rates(selected, positions, [0, 0, 0, 1, 1, 1])
        >>> found.rates.tolist()
        [0.5, 0.5]
    """
    chosen, places = np.asarray(selected, dtype=np.float64), np.asarray(positions)
    codes, size = check_codes("clusters", clusters, length=len(chosen))
    turns, bots = chosen.shape
    at = (places[:, :, None] == np.arange(1, bots + 1)).astype(np.float64)
    shown = _by_cluster(at, codes, size)
    wins = _by_cluster(at * chosen[:, :, None], codes, size)
    times = shown.sum(axis=0)
    left = times - shown
    if turns == 0 or (left == 0).any():
        return None
    rates = (wins.sum(axis=0) / times).mean(axis=1)
    change = ((wins.sum(axis=0) - wins) / left).mean(axis=2) - rates
    return AdjustedRates(
        rates=rates,
        covariance=change.T @ change * (size - 1) / size,
        clusters=float((times**2 / (shown**2).sum(axis=0)).min()),
    )


def _by_cluster(cells: NDArray[np.float64], codes: NDArray[np.intp], size: int) -> NDArray[np.float64]:
    """Sums over turns of clusters × bots × positions."""
    flat = cells.reshape(len(cells), -1)
    sums = np.stack([np.bincount(codes, weights=one, minlength=size) for one in flat.T], axis=1)
    found: NDArray[np.float64] = sums.astype(np.float64).reshape(size, *cells.shape[1:])
    return found


def are_positions_unbalanced(positions: ArrayLike, *, alpha: float = 0.05) -> bool:
    """Whether some bot is at some position more often than random orders bring about, or always at one.

    Two bots: the exact binomial test. More: Pearson's chi-square of how often each bot was at one position,
    for every position at ``alpha`` by itself, so that nothing goes unnoticed here that the chi-square test of
    the bots would take for a difference.

    Args:
        positions: Turns × bots, each from 1 to the number of bots.
        alpha: How often random orders are called unbalanced at most.
    """
    places = np.asarray(positions)
    turns, bots = places.shape
    if turns < 2:
        return False
    times = np.array([(places == place).sum(axis=0) for place in range(1, bots + 1)])
    if (times.max(axis=0) == turns).any():
        return True
    if bots == 2:
        return ExactRate(int(times[0, 0]), turns - int(times[0, 0])).p_value < alpha
    chi_square = ((times - turns / bots) ** 2).sum(axis=1) / (turns / bots)
    return bool(special.chdtrc(bots - 1, chi_square).min() < alpha)
