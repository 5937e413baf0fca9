"""Rates from judgments that are not independent: several by one annotator, several on one dialogue."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import NotEnoughJudgments
from duologue.stats.binomial import chance_of_at_least, chance_of_at_most
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.intervals import Interval, exact_limits, student_quantile


@dataclass(frozen=True, slots=True)
class ClusteredRate:
    """A rate whose uncertainty allows for judgments that hang together.

    ``clusters`` counts the clusters of each kind given. ``icc`` is the intraclass correlation within the
    coarsest kind, None where it cannot be estimated (one judgment each, or all judgments alike).
    ``effective_n`` is how many independent judgments would say as much (never more than ``n``).
    """

    estimate: float
    interval: Interval
    standard_error: float
    p_value: float
    null: float
    n: int
    clusters: tuple[int, ...]
    icc: float | None
    effective_n: float
    method: str


def clustered_rate(
    outcomes: ArrayLike, clusters: Sequence[ArrayLike], *, level: float = 0.95, null: float = 0.5
) -> ClusteredRate:
    """Estimate a rate with an interval and a test that hold when judgments come in clusters.

    The mean of ``outcomes`` with the cluster-robust variance CR1 (Liang and Zeger 1986), G/(G−1) Σ_g (Σ_i
    e_gi)² / n², and Student's t on G − 1 degrees of freedom. Two or more kinds of clusters that cross
    (annotators and dialogues) add their variances and take off that of their intersections (Cameron, Gelbach
    and Miller 2011), on the smallest G − 1; when one kind is nested in the other this is CR1 on the coarser;
    when it comes out below the largest one-way variance, that is used. The interval is cut off at 0 and 1.

    When all judgments are alike no variance can be seen; the clusters are then counted as single judgments in
    an exact binomial interval and test, which is the cautious end. When every cluster has exactly the same
    rate, CR1 is zero, and the variance of independent judgments is used.

    Assumes that clusters are independent of each other, and that there are enough of them: about 20; with
    fewer see `sign_flip_test`.

    Args:
        outcomes: One number from 0 to 1 for each judgment: 1 a win, 0 a loss, 0.5 a tie if ties count half.
        clusters: One array of integer codes for each kind of cluster, e.g. ``[annotator, dialogue]``.
        level: Confidence.
        null: The rate under the hypothesis tested.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters of some kind.
        BadNumber: An outcome is not from 0 to 1, or the codes do not fit the outcomes.

    Example:
        >>> rate = clustered_rate([1, 1, 1, 0, 1, 0, 1, 1], [[0, 0, 1, 1, 2, 2, 3, 3]])
        >>> rate.estimate, rate.clusters, round(rate.interval.low, 3)
        (0.75, (4,), 0.291)
    """
    values = check_numbers("outcomes", outcomes, low=0.0, high=1.0)
    level, null = check_share("level", level), check_share("null", null)
    kinds = [check_codes("clusters", codes, length=len(values)) for codes in clusters]
    sizes = tuple(size for _, size in kinds)
    if min(sizes, default=0) < 2:
        raise NotEnoughJudgments(
            "A clustered interval", needed=2, got=min(sizes, default=0), unit="clusters of each kind"
        )
    n, fewest = len(values), min(sizes)
    if values.min() == values.max():
        return _unanimous_rate(float(values[0]), n, sizes, level=level, null=null)
    estimate = float(values.mean())
    variance, method = _variance_of_mean(values - estimate, kinds)
    error = float(np.sqrt(variance))
    half = student_quantile(level, fewest - 1) * error
    t = abs(estimate - null) / error
    return ClusteredRate(
        estimate=estimate,
        interval=Interval(max(0.0, estimate - half), min(1.0, estimate + half), level, method),
        standard_error=error,
        p_value=float(2 * special.stdtr(fewest - 1, -t)),
        null=null,
        n=n,
        clusters=sizes,
        icc=intraclass_correlation(values, kinds[sizes.index(fewest)][0]),
        effective_n=float(min(n, values.var(ddof=1) / variance)),
        method=method,
    )


def intraclass_correlation(outcomes: ArrayLike, clusters: ArrayLike) -> float | None:
    """How alike judgments of one cluster are: the analysis-of-variance estimate (Donner 1986).

    (MSB − MSW) / (MSB + (m₀ − 1) MSW), where m₀ is the cluster size corrected for unequal sizes. It is 0 when
    clusters do not matter, 1 when all judgments within one agree, and can come out below 0.

    Returns:
        The estimate, or None where there is none: fewer than two clusters, one judgment in each of them, or
        all judgments alike.

    Raises:
        BadNumber: An outcome is not a number, or the codes do not fit the outcomes.

    Example:
        >>> intraclass_correlation([1, 1, 0, 0, 1, 1], [0, 0, 1, 1, 2, 2])
        1.0
    """
    values = check_numbers("outcomes", outcomes)
    codes, groups = check_codes("clusters", clusters, length=len(values))
    n = len(values)
    if groups < 2 or groups == n or values.min() == values.max():
        return None
    sizes = np.bincount(codes)
    means = np.bincount(codes, weights=values) / sizes
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (groups - 1)
    within = float(((values - means[codes]) ** 2).sum()) / (n - groups)
    typical = (n - float((sizes.astype(np.float64) ** 2).sum()) / n) / (groups - 1)
    return (between - within) / (between + (typical - 1) * within)


def _variance_of_mean(
    residuals: NDArray[np.float64], kinds: Sequence[tuple[NDArray[np.intp], int]]
) -> tuple[float, str]:
    """CR1 on one kind of cluster; inclusion and exclusion over all subsets of several kinds."""
    one_way = [_one_way_variance(residuals, codes, size) for codes, size in kinds]
    independent = float(residuals @ residuals) / len(residuals) / (len(residuals) - 1)
    if max(one_way) < 1e-9 * independent:  # every cluster has exactly the same mean: CR1 sees nothing
        return independent, "independent (every cluster has the same rate)"
    if len(kinds) == 1:
        return one_way[0], "CR1"
    variance = sum(one_way)
    for together in range(2, len(kinds) + 1):
        for subset in itertools.combinations(kinds, together):
            codes, size = subset[0]
            for more_codes, more_size in subset[1:]:
                codes, size = check_codes("clusters", codes * more_size + more_codes, length=len(residuals))
            variance += (-1) ** (together + 1) * _one_way_variance(residuals, codes, size)
    return max(variance, *one_way), f"CR1, {len(kinds)}-way"


def _one_way_variance(residuals: NDArray[np.float64], codes: NDArray[np.intp], size: int) -> float:
    totals = np.bincount(codes, weights=residuals, minlength=size)
    return float(totals @ totals) / len(residuals) ** 2 * size / (size - 1)


def _unanimous_rate(
    rate: float, n: int, sizes: tuple[int, ...], *, level: float, null: float
) -> ClusteredRate:
    clusters = min(sizes)
    method = "exact, each cluster as one judgment"
    tails = (
        chance_of_at_most(rate * clusters, clusters, null),
        chance_of_at_least(rate * clusters, clusters, null),
    )
    return ClusteredRate(
        estimate=rate,
        interval=Interval(*exact_limits(rate * clusters, clusters, level), level, method),
        standard_error=0.0,
        p_value=min(1.0, 2 * min(tails)),
        null=null,
        n=n,
        clusters=sizes,
        icc=None,
        effective_n=float(clusters),
        method=method,
    )
