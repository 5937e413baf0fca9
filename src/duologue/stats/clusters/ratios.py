"""A ratio of two totals over clusters, from sums alone: what a single pass over a large corpus can keep."""

from __future__ import annotations

from dataclasses import dataclass

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_share
from duologue.stats.rates.intervals import Interval, student_quantile


@dataclass(frozen=True, slots=True)
class RatioSums:
    """Sums over clusters of x, n, x², x·n and n², where x and n are totals of one cluster.

    They are whole numbers, so that sums of parts of the data add up exactly, in whatever order.
    """

    clusters: int
    x: int
    n: int
    xx: int
    xn: int
    nn: int


def ratio_interval(
    sums: RatioSums, *, level: float = 0.95, bounds: tuple[float, float] = (0.0, float("inf"))
) -> Interval | None:
    """The interval of Σx/Σn with independent clusters, linearised (CR1), with Student's t.

    r ± t(G* − 1) · √(G/(G − 1) · Σ(x − r·n)²) / Σn, where G* = (Σn)²/Σn² is the effective number of clusters
    (at least one degree of freedom). For clusters of equal size it is the interval of the mean of the
    clusters' means. None where all clusters have the same ratio: nothing says then how far it might vary.

    Args:
        sums: Over all clusters that have any n.
        level: Confidence of the interval.
        bounds: Between which values the ratio can be.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters, or Σn is zero.

    Example:
        >>> found = ratio_interval(RatioSums(clusters=4, x=16, n=40, xx=78, xn=160, nn=400))
        >>> round(found.low, 3), round(found.high, 3)
        (0.056, 0.744)
    """
    check_share("level", level)
    if sums.clusters < 2 or sums.n == 0:
        raise NotEnoughJudgments("the interval of a ratio", needed=2, got=sums.clusters, unit="clusters")
    # In whole numbers, since the three terms nearly cancel: this is n² Σ(x − r·n)².
    spread = sums.n**2 * sums.xx - 2 * sums.x * sums.n * sums.xn + sums.x**2 * sums.nn
    if spread == 0:
        return None
    effective = sums.n**2 / sums.nn
    error = (sums.clusters / (sums.clusters - 1) * spread) ** 0.5 / sums.n**2
    half = student_quantile(level, max(1.0, effective - 1)) * error
    value = sums.x / sums.n
    return Interval(
        max(bounds[0], value - half), min(bounds[1], value + half), level, "linearised ratio by cluster"
    )
