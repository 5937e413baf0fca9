"""How an automatic metric goes along with human scores: correlations with intervals by whole clusters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.rates.intervals import Interval

FEWEST = 3
FEWEST_CLUSTERS = 5
"""Below this there is no interval: resamples of four clusters are too much alike."""
FEW_CLUSTERS = 10
"""Below this an interval says little: with seven systems Pearson's spans most of the scale whatever it is."""


@dataclass(frozen=True, slots=True)
class Correlation:
    """One coefficient; without an interval of fewer than five clusters, or of mostly constant resamples."""

    value: float
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Correlations:
    """Pearson's r, Spearman's rho and Kendall's tau-b of the same pairs."""

    pearson: Correlation
    spearman: Correlation
    kendall: Correlation
    n: int
    clusters: int
    draws: int

    @property
    def has_few_clusters(self) -> bool:
        """Whether there are too few clusters to lean on the intervals."""
        return self.clusters < FEW_CLUSTERS


def correlations(
    first: ArrayLike,
    second: ArrayLike,
    clusters: ArrayLike | None = None,
    *,
    level: float = 0.95,
    draws: int = 1000,
    rng: np.random.Generator,
) -> Correlations:
    """Three correlations of pairs of numbers, with percentile bootstrap intervals by cluster.

    Args:
        first: One number of each pair.
        second: The other.
        clusters: The bot or the dialogue of each pair, of which they are independent; without it every pair.
        level: Of the intervals.
        draws: Samples of the bootstrap.
        rng: Where the randomness comes from.

    Raises:
        NotEnoughJudgments: There are fewer than three pairs.
        BadNumber: The arguments differ in length, or one side is the same everywhere.

    Example:
        >>> found = correlations([1, 2, 3, 4], [1, 3, 2, 4], rng=np.random.default_rng(1))
        >>> round(found.pearson.value, 3), round(found.spearman.value, 3), round(found.kendall.value, 3)
        (0.8, 0.8, 0.667)
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    of = np.arange(len(x)) if clusters is None else np.unique(np.asarray(clusters), return_inverse=True)[1]
    if not len(x) == len(y) == len(of):
        raise BadNumber("second", expected=f"{len(x)} numbers and clusters", got=f"{len(y)} and {len(of)}")
    if len(x) < FEWEST:
        raise NotEnoughJudgments("a correlation", needed=FEWEST, got=len(x), unit="pairs")
    for name, side in (("first", x), ("second", y)):
        if np.ptp(side) == 0:
            raise BadNumber(name, expected="numbers that differ", got=f"{side[0]:g} everywhere")
    members = [np.flatnonzero(of == one) for one in range(int(of.max()) + 1)]
    values = _three(x, y)
    drawn = []
    for _ in range(draws if len(members) >= FEWEST_CLUSTERS else 0):
        chosen = np.concatenate([members[one] for one in rng.integers(0, len(members), len(members))])
        if np.ptp(x[chosen]) > 0 and np.ptp(y[chosen]) > 0:
            drawn.append(_three(x[chosen], y[chosen]))
    intervals = _intervals(np.array(drawn), level) if len(drawn) > draws // 2 else (None,) * 3
    pearson, spearman, kendall = (
        Correlation(value, interval) for value, interval in zip(values, intervals, strict=True)
    )
    return Correlations(pearson, spearman, kendall, len(x), len(members), draws)


def _three(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float, float]:
    from scipy.stats import kendalltau, rankdata

    tau = float(kendalltau(x, y, method="asymptotic").statistic)
    return _pearson(x, y), _pearson(rankdata(x), rankdata(y)), tau


def _pearson(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1, 1))


def _intervals(drawn: NDArray[np.float64], level: float) -> tuple[Interval, ...]:
    limits = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return tuple(
        Interval(float(low), float(high), level, "percentile bootstrap by cluster")
        for low, high in zip(*limits, strict=True)
    )
