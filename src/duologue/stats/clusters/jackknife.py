"""The interval of any statistic of clustered data: leave one cluster out at a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_codes, check_share
from duologue.stats.rates.intervals import Interval, student_quantile


def jackknife_interval(
    statistic: Callable[[NDArray[np.bool_]], float | None],
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    bounds: tuple[float, float] = (-1.0, 1.0),
) -> Interval | None:
    """The interval of a statistic, by the jackknife over clusters with Student's t.

    θ ± t(G − 1) · √((G − 1)/G · Σ(θ₍g₎ − θ̄)²), where θ₍g₎ is the statistic without cluster g, θ̄ their mean.
    For a mean of clusters of equal size this is the interval of the mean of the clusters' means.
    Assumes that clusters are independent and that the statistic is smooth (rates, kappa, alpha; not medians).
    None where it is not defined without some cluster, or the same without each: nothing says then how far it
    might vary.

    Args:
        statistic: Computes it from the observations that are kept; None where it is not defined.
        clusters: The integer code of each observation's cluster.
        level: Confidence of the interval.
        bounds: Between which values the statistic can be.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters.

    Example:
        >>> values = np.array([0.2, 0.4, 0.3, 0.7])
        >>> found = jackknife_interval(lambda kept: float(values[kept].mean()), [0, 1, 2, 3])
        >>> round(found.low, 3), round(found.high, 3)
        (0.056, 0.744)
    """
    check_share("level", level)
    codes, count = check_codes("clusters", clusters, length=np.size(clusters))
    if count < 2:
        raise NotEnoughJudgments("the jackknife", needed=2, got=count, unit="clusters")
    whole = statistic(np.ones(len(codes), dtype=np.bool_))
    without = [statistic(codes != cluster) for cluster in range(count)]
    if whole is None or any(one is None for one in without):
        return None
    left = np.array(without, dtype=np.float64)
    error = float(np.sqrt((count - 1) / count * ((left - left.mean()) ** 2).sum()))
    if error == 0.0:
        return None
    half = student_quantile(level, count - 1) * error
    low, high = bounds
    return Interval(max(low, whole - half), min(high, whole + half), level, "jackknife over clusters")
