"""Rates and means from judgments that are not independent: several by one annotator or on one dialogue."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to
from duologue.stats.rates.intervals import (
    Interval,
    exact_limits,
    student_interval,
    student_p_value,
    student_quantile,
)

Kind = tuple[NDArray[np.intp], int]
"""One kind of cluster: which of them each judgment belongs to, and how many there are."""

Groups = tuple[NDArray[np.float64], ...]
"""Residuals of one group of judgments, or of two that are compared (the second with the sign turned)."""


@dataclass(frozen=True, slots=True)
class ClusteredRate:
    """A rate, or a mean, whose uncertainty allows for correlated judgments.

    ``clusters`` counts the clusters of each kind given; ``effective_clusters`` is how many of equal size
    would say as much, n² / Σm² of each kind; ``df`` are the degrees of freedom of Student's t. ``icc`` is the
    intraclass correlation within the coarsest kind, None where it cannot be estimated (one judgment each, or
    all judgments alike). ``effective_n`` is how many independent judgments would say as much (never more than
    ``n``).
    """

    estimate: float
    interval: Interval
    standard_error: float
    p_value: float
    null: float
    n: int
    clusters: tuple[int, ...]
    effective_clusters: tuple[float, ...]
    df: float
    icc: float | None
    effective_n: float
    method: str
    bounds: tuple[float, float] = (0.0, 1.0)

    def interval_at(self, level: float) -> Interval:
        """The interval at another level of confidence."""
        low, high = self.bounds
        if self.standard_error == 0.0:  # all judgments alike
            clusters = min(self.effective_clusters)
            below, above = exact_limits((self.estimate - low) / (high - low) * clusters, clusters, level)
            return Interval(low + (high - low) * below, low + (high - low) * above, level, self.method)
        half = student_quantile(level, self.df) * self.standard_error
        return Interval(max(low, self.estimate - half), min(high, self.estimate + half), level, self.method)


@dataclass(frozen=True, slots=True)
class ClusteredDifference:
    """The mean of one group of judgments minus that of another, allowing for clusters that they share."""

    estimate: float
    interval: Interval
    standard_error: float
    p_value: float
    n: tuple[int, int]
    clusters: tuple[int, ...]
    effective_clusters: tuple[float, ...]
    df: float
    method: str

    def interval_at(self, level: float) -> Interval:
        """The interval at another level of confidence."""
        return student_interval(self.estimate, self.standard_error, self.df, level, self.method)


def clustered_rate(
    outcomes: ArrayLike, clusters: Sequence[ArrayLike], *, level: float = 0.95, null: float = 0.5
) -> ClusteredRate:
    """Estimate a rate with an interval and a test that hold when judgments come in clusters.

    The mean of ``outcomes`` with the cluster-robust variance CR3, the jackknife that leaves out one cluster
    at a time: (G−1)/G Σ_g (mean without g − mean)². The test is Student's t on G* − 1 degrees of freedom (at
    least 1), where G* = n² / Σ_g m_g² is the effective number of clusters (Carter, Schnepel and Steigerwald
    2017). With clusters of one size this is CR1 (Liang and Zeger 1986) on G − 1. With unequal ones CR1 errs:
    .24 instead of .05 where one annotator gave 60 judgments and four others 5 each.

    Two or more kinds of clusters that cross (annotators and dialogues) add their variances and subtract that
    of their intersections (Cameron, Gelbach and Miller 2011), on the smallest G* − 1; when one kind is nested
    in the other this is the variance by the coarser; when it comes out below the largest one-way variance,
    that is used. A kind in which every judgment is a cluster of its own changes nothing. The interval is cut
    off at 0 and 1.

    When all judgments are alike no variance can be seen; the effective clusters are then counted as single
    judgments in an exact binomial interval and test, which is the cautious end. When every cluster has
    exactly the same rate, CR3 is zero, and the variance of independent judgments is used.

    Assumes that clusters are independent of each other.

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
    kinds = _kinds(clusters, len(values))
    sizes = tuple(size for _, size in kinds)
    estimate = float(values.mean())
    groups = (values - estimate,)
    effective = _effective_clusters(groups, kinds)
    if values.min() == values.max():
        return _unanimous_rate(float(values[0]), len(values), sizes, effective, level=level, null=null)
    variance, method = _variance(groups, kinds)
    error, df = float(np.sqrt(variance)), max(1.0, min(effective) - 1)
    half = student_quantile(level, df) * error
    return ClusteredRate(
        estimate=estimate,
        interval=Interval(max(0.0, estimate - half), min(1.0, estimate + half), level, method),
        standard_error=error,
        p_value=student_p_value((estimate - null) / error, df),
        null=null,
        n=len(values),
        clusters=sizes,
        effective_clusters=effective,
        df=df,
        icc=_correlation_within(values, kinds[sizes.index(min(sizes))]),
        effective_n=float(min(len(values), values.var(ddof=1) / variance)),
        method=method,
    )


def clustered_mean(
    values: ArrayLike,
    clusters: Sequence[ArrayLike],
    *,
    bounds: tuple[float, float],
    level: float = 0.95,
    null: float = 0.0,
) -> ClusteredRate:
    """Estimate a mean of bounded numbers as `clustered_rate` estimates that of numbers from 0 to 1.

    For paired differences of selections (select-all-that-apply: −1, 0 or 1 a turn; ``bounds=(-1, 1)``), which
    is McNemar's question with clusters allowed for, and for points on a scale.

    Args:
        values: One number for each judgment.
        clusters: One array of integer codes for each kind of cluster.
        bounds: The smallest and the largest number a judgment can be; the interval stays within them.
        level: Confidence.
        null: The mean under the hypothesis tested, inside the bounds.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters of some kind.
        BadNumber: A value or the null is out of bounds, or the codes do not fit the values.

    Example:
        >>> mean = clustered_mean([1, 0, -1, 1, 1, 0], [[0, 0, 1, 1, 2, 2]], bounds=(-1, 1))
        >>> round(mean.estimate, 3), round(mean.p_value, 3)
        (0.333, 0.184)
    """
    low, high = bounds
    if not -np.inf < low < high < np.inf:
        raise BadNumber("bounds", expected="two finite numbers, the smaller first", got=bounds)
    if not low < null < high:
        raise BadNumber("null", expected=f"a number inside the bounds {low:g} and {high:g}", got=null)
    numbers = check_numbers("values", values, low=low, high=high)
    width = high - low
    rate = clustered_rate((numbers - low) / width, clusters, level=level, null=(null - low) / width)
    return replace(
        rate,
        estimate=low + width * rate.estimate,
        interval=replace(
            rate.interval, low=low + width * rate.interval.low, high=low + width * rate.interval.high
        ),
        standard_error=width * rate.standard_error,
        null=null,
        bounds=bounds,
    )


def clustered_difference(
    first: ArrayLike,
    second: ArrayLike,
    clusters_of_first: Sequence[ArrayLike],
    clusters_of_second: Sequence[ArrayLike],
    *,
    level: float = 0.95,
) -> ClusteredDifference:
    """Compare the means of two groups of judgments that may share annotators or dialogues.

    Mean of ``first`` minus mean of ``second`` with the CR3 variance of `clustered_rate`: the difference is
    computed again without each cluster of both groups. An annotator who judged in both counts once, and is
    left out of both. Each group may have its own variance, as in Welch's test, to which this is close when
    every judgment is its own cluster. A cluster weighs m₁/n₁² + m₂/n₂² in the effective number of clusters
    (Σw)² / Σw², which is n² / Σm² for groups of one size.

    Args:
        first: One number for each judgment of the first group.
        second: One number for each judgment of the second group.
        clusters_of_first: One array of integer codes for each kind of cluster.
        clusters_of_second: The same kinds in the same order and the same codes.
        level: Confidence.

    Raises:
        NotEnoughJudgments: A group has fewer than two judgments, or fewer than two clusters of a kind, or all
            judgments in each group are alike, so that no variance can be seen.
        BadNumber: A value is not a finite number, or the codes do not fit the values.

    Example:
        >>> difference = clustered_difference([4, 3, 4, 2], [2, 3, 2, 1], [[0, 1, 2, 3]], [[0, 1, 2, 3]])
        >>> difference.estimate, round(difference.p_value, 3)
        (1.25, 0.08)
    """
    ours, theirs = check_numbers("first", first), check_numbers("second", second)
    level = check_share("level", level)
    if min(len(ours), len(theirs)) < 2:
        raise NotEnoughJudgments(
            "A clustered difference",
            needed=2,
            got=min(len(ours), len(theirs)),
            unit="judgments in each group",
        )
    if len(clusters_of_first) != len(clusters_of_second):
        got = f"{len(clusters_of_first)} and {len(clusters_of_second)}"
        raise BadNumber("clusters", expected="the same kinds of clusters for both groups", got=got)
    pairs = zip(clusters_of_first, clusters_of_second, strict=True)
    kinds = _kinds([np.concatenate([a, b]) for a, b in pairs], len(ours) + len(theirs))
    groups = (ours - ours.mean(), theirs.mean() - theirs)
    if not any(residuals.any() for residuals in groups):
        raise NotEnoughJudgments(
            "A clustered difference", needed=2, got=1, unit="different answers in a group"
        )
    if any((codes == codes[0]).all() for kind, _ in kinds for codes in np.split(kind, [len(ours)])):
        raise NotEnoughJudgments(
            "A clustered difference", needed=2, got=1, unit="clusters of each kind in each group"
        )
    effective = _effective_clusters(groups, kinds)
    variance, method = _variance(groups, kinds)
    error, df = float(np.sqrt(variance)), max(1.0, min(effective) - 1)
    estimate = float(ours.mean() - theirs.mean())
    return ClusteredDifference(
        estimate=estimate,
        interval=student_interval(estimate, error, df, level, method),
        standard_error=error,
        p_value=student_p_value(estimate / error, df),
        n=(len(ours), len(theirs)),
        clusters=tuple(size for _, size in kinds),
        effective_clusters=effective,
        df=df,
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
    return _correlation_within(values, check_codes("clusters", clusters, length=len(values)))


def _correlation_within(values: NDArray[np.float64], kind: Kind) -> float | None:
    (codes, groups), n = kind, len(values)
    if groups < 2 or groups == n or values.min() == values.max():
        return None
    sizes = np.bincount(codes)
    means = np.bincount(codes, weights=values) / sizes
    between = float((sizes * (means - values.mean()) ** 2).sum()) / (groups - 1)
    within = float(((values - means[codes]) ** 2).sum()) / (n - groups)
    typical = (n - float((sizes.astype(np.float64) ** 2).sum()) / n) / (groups - 1)
    return (between - within) / (between + (typical - 1) * within)


def _kinds(clusters: Sequence[ArrayLike], length: int) -> list[Kind]:
    """The clusters of each kind renumbered; fewer than two of any kind are refused."""
    kinds = [check_codes("clusters", codes, length=length) for codes in clusters]
    fewest = min((size for _, size in kinds), default=0)
    if fewest < 2:
        raise NotEnoughJudgments("A clustered interval", needed=2, got=fewest, unit="clusters of each kind")
    return kinds


def _variance(groups: Groups, kinds: Sequence[Kind]) -> tuple[float, str]:
    """The variance of a mean or a difference: CR3, with inclusion and exclusion over several kinds."""
    independent = _single_variance(groups)
    one_way = [_one_way_variance(groups, kind) for kind in kinds]
    if max(one_way) < 1e-9 * independent:  # every cluster has exactly the same mean: CR3 sees nothing
        return independent, "independent (every cluster has the same mean)"
    if len(kinds) == 1:
        return one_way[0], "CR3"
    variance, n = sum(one_way), sum(map(len, groups))
    for together in range(2, len(kinds) + 1):
        for subset in itertools.combinations(kinds, together):
            both = _intersection(subset)
            alone = independent if both[1] == n else _one_way_variance(groups, both)
            variance += (-1) ** (together + 1) * alone
    return max(variance, *one_way), f"CR3, {len(kinds)}-way"


def _one_way_variance(groups: Groups, kind: Kind) -> float:
    """(G−1)/G Σ_g c_g², where c_g is what the estimate changes by without cluster g."""
    codes, size = kind
    change, begin = np.zeros(size), 0
    for residuals in groups:
        own = codes[begin : begin + len(residuals)]
        left = len(residuals) - np.bincount(own, minlength=size)
        change += np.bincount(own, weights=residuals, minlength=size) / left
        begin += len(residuals)
    return float(change @ change) * (size - 1) / size


def _single_variance(groups: Groups) -> float:
    """The same where every judgment is a cluster of its own."""
    n = sum(map(len, groups))
    squares = (float(residuals @ residuals) / (len(residuals) - 1) ** 2 for residuals in groups)
    return sum(squares) * (n - 1) / n


def _effective_clusters(groups: Groups, kinds: Sequence[Kind]) -> tuple[float, ...]:
    """(Σw)² / Σw² of each kind, where a cluster weighs the m/n² of each group, up to a factor."""
    found = []
    for codes, size in kinds:
        weights, begin = np.zeros(size), 0
        for residuals in groups:
            own = codes[begin : begin + len(residuals)]
            weights += np.bincount(own, minlength=size) * (len(groups[0]) / len(residuals)) ** 2
            begin += len(residuals)
        found.append(float(weights.sum() ** 2 / (weights @ weights)))
    return tuple(found)


def _intersection(kinds: Sequence[Kind]) -> Kind:
    """The clusters of judgments that share all of these clusters."""
    codes, size = kinds[0]
    for more_codes, more_size in kinds[1:]:
        keys = codes * more_size + more_codes
        ordered = np.sort(keys)
        if (ordered[1:] != ordered[:-1]).all():  # no two judgments share both: quicker than numbering them
            return np.arange(len(codes)), len(codes)
        codes, size = check_codes("clusters", keys, length=len(codes))
    return codes, size


def _unanimous_rate(
    rate: float,
    n: int,
    sizes: tuple[int, ...],
    effective: tuple[float, ...],
    *,
    level: float,
    null: float,
) -> ClusteredRate:
    clusters = min(effective)
    method = "exact, each effective cluster as one judgment"
    wins = rate * clusters
    smaller_tail = min(float(tail(wins, clusters, null)) for tail in (chance_up_to, chance_from))
    return ClusteredRate(
        estimate=rate,
        interval=Interval(*exact_limits(wins, clusters, level), level, method),
        standard_error=0.0,
        p_value=min(1.0, 2 * smaller_tail),
        null=null,
        n=n,
        clusters=sizes,
        effective_clusters=effective,
        df=max(1.0, clusters - 1),
        icc=None,
        effective_n=clusters,
        method=method,
    )
