"""The bootstrap by whole clusters, for anything that can be worked out from sums over examples."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.rates.intervals import Interval

FEWEST_CLUSTERS = 2
FEW_CLUSTERS = 20
"""Below this a percentile interval is too narrow: 93 % instead of 95 % with 20 clusters, 85 % with 5."""
_CELLS = 4_000_000
"""Weights that are held in memory at a time."""


def cluster_totals(columns: ArrayLike, clusters: ArrayLike) -> NDArray[np.float64]:
    """The sums of each column over the examples of each cluster.

    Args:
        columns: One row for each example.
        clusters: To which cluster each example belongs: whole numbers from 0, none of them left out.

    Example:
        >>> cluster_totals([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [0, 1, 0]).tolist()
        [[6.0, 8.0], [3.0, 4.0]]
    """
    values, codes = np.asarray(columns, dtype=np.float64), np.asarray(clusters, dtype=np.intp)
    size = int(codes.max()) + 1 if len(codes) else 0
    return np.stack([np.bincount(codes, weights=one, minlength=size) for one in values.T], axis=1)


def resampled_totals(
    totals: ArrayLike, *, draws: int = 1000, rng: np.random.Generator
) -> NDArray[np.float64]:
    """The sums over all clusters in each of many samples of as many clusters, drawn with replacement.

    A row of the result is what the sums over everything would have been in another sample. Any statistic that
    is a function of such sums (a mean, a ratio, a perplexity, BLEU) gets its bootstrap values from it, and
    two statistics worked out from the same rows are paired. The cost is one product of two matrices.

    Assumes independent clusters. Not for statistics that are no function of sums (a number of different
    words, a median).

    Args:
        totals: Sums by cluster, as `cluster_totals` gives them.
        draws: How many samples.
        rng: Where the randomness comes from.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters.

    Example:
        >>> drawn = resampled_totals([[1.0, 1.0], [0.0, 1.0]], draws=5, rng=np.random.default_rng(1))
        >>> drawn.shape, set(drawn[:, 1].tolist())
        ((5, 2), {2.0})
    """
    sums = np.asarray(totals, dtype=np.float64)
    groups = len(sums)
    if groups < FEWEST_CLUSTERS:
        raise NotEnoughJudgments(
            "a bootstrap by cluster", needed=FEWEST_CLUSTERS, got=groups, unit="clusters"
        )
    if draws < 1:
        raise BadNumber("draws", expected="at least 1", got=draws)
    at_once = max(1, _CELLS // groups)
    drawn = []
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        chosen = rng.integers(0, groups, size=(rows, groups)) + groups * np.arange(rows)[:, None]
        weights = np.bincount(chosen.ravel(), minlength=rows * groups).reshape(rows, groups)
        drawn.append(weights.astype(np.float64) @ sums)
    return np.concatenate(drawn)


def percentile_interval(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """The interval between two quantiles of bootstrap values that are numbers (Efron 1979).

    Raises:
        NotEnoughJudgments: No value is a number.

    Example:
        >>> percentile_interval(range(101), level=0.5).limits
        (25.0, 75.0)
    """
    numbers = np.asarray(values, dtype=np.float64)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        raise NotEnoughJudgments("a percentile interval", needed=1, got=0, unit="bootstrap values")
    low, high = np.quantile(numbers, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, "percentile bootstrap by cluster")
