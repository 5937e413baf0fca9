"""A rate against a standard, from few clusters: tested on the scale of log-odds, where it is not skewed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.stats.clusters.clustered import ClusteredRate, clustered_rate
from duologue.stats.rates.intervals import Interval, student_p_value, student_quantile


@dataclass(frozen=True, slots=True)
class ClusteredLogOdds:
    """A clustered rate whose test and interval are worked out from its log-odds.

    ``standard_error`` is that of the log-odds. Where without some cluster all judgments are alike, it is the
    largest that clusters can have: as if each were one judgment. Where all judgments are alike, test and
    interval are those of ``rate``.
    """

    rate: ClusteredRate
    standard_error: float

    @property
    def p_value(self) -> float:
        """Two-sided, against the null of the rate."""
        if self.rate.standard_error == 0.0:
            return self.rate.p_value
        distance = special.logit(self.rate.estimate) - special.logit(self.rate.null)
        return student_p_value(float(distance) / self.standard_error, self.rate.df)

    def interval_at(self, level: float) -> Interval:
        """The rates that the test does not reject."""
        if self.rate.standard_error == 0.0:
            return self.rate.interval_at(level)
        middle = special.logit(self.rate.estimate)
        half = student_quantile(level, self.rate.df) * self.standard_error
        low, high = (float(special.expit(middle + side * half)) for side in (-1, 1))
        return Interval(low, high, level, f"{self.rate.method}, log-odds")


def clustered_log_odds(
    outcomes: ArrayLike, clusters: Sequence[ArrayLike], *, null: float
) -> ClusteredLogOdds:
    """Test a rate against a standard when judgments come in clusters, on the scale of log-odds.

    As `clustered_rate`, with the jackknife (CR3) of log(rate/(1 − rate)) instead of the rate: the variance is
    (G−1)/G Σ_g (log-odds without g − log-odds)², Student's t on G* − 1 degrees of freedom. A rate near a null
    such as .8 is skewed: the test of the rate itself errs in .078 of studies of 14 unequal chats (intraclass
    correlation .2), this one in .047. For a null of one half they hardly differ.

    Assumes that clusters are independent of each other.

    Args:
        outcomes: One number from 0 to 1 for each judgment.
        clusters: One array of integer codes for each kind of cluster.
        null: The rate under the hypothesis tested.

    Raises:
        NotEnoughJudgments: There are fewer than two clusters of some kind.
        BadNumber: An outcome is not from 0 to 1, or the codes do not fit the outcomes.

    Example:
        >>> chats = np.repeat(range(6), 3)
        >>> selected = [1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 1]
        >>> found = clustered_log_odds(selected, [chats], null=0.8)
        >>> round(found.p_value, 3), [round(one, 2) for one in found.interval_at(0.95).limits]
        (0.434, [0.5, 0.98])
    """
    rate = clustered_rate(outcomes, clusters, null=null)
    values = np.asarray(outcomes, dtype=np.float64)
    if rate.method.startswith("independent"):  # every cluster has the same rate: CR3 sees nothing
        return ClusteredLogOdds(rate, rate.standard_error / (rate.estimate * (1 - rate.estimate)))
    variance = 0.0 if rate.standard_error == 0.0 else _variance(values, [np.asarray(one) for one in clusters])
    if np.isinf(variance):
        variance = 1 / (min(rate.effective_clusters) * rate.estimate * (1 - rate.estimate))
    return ClusteredLogOdds(rate, float(np.sqrt(variance)))


def _variance(values: NDArray[np.float64], kinds: Sequence[NDArray[np.int64]]) -> float:
    """Inclusion and exclusion over kinds of clusters, at least the largest by one kind."""
    one_way = [_jackknife(values, codes) for codes in kinds]
    if np.isinf(one_way).any():
        return float("inf")
    total = sum(
        (-1) ** (together + 1) * _jackknife(values, _shared(subset))
        for together in range(1, len(kinds) + 1)
        for subset in itertools.combinations(kinds, together)
    )
    return float(max(total, *one_way))


def _shared(kinds: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The clusters of judgments that share one of each kind."""
    found: NDArray[np.int64] = np.unique(np.stack(kinds), axis=1, return_inverse=True)[1].ravel()
    return found


def _jackknife(values: NDArray[np.float64], codes: NDArray[np.int64]) -> float:
    """The variance of the log-odds, from what they are without each cluster."""
    _, numbers, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    without = (values.sum() - np.bincount(numbers, weights=values)) / (len(values) - sizes)
    change = special.logit(np.clip(without, 0.0, 1.0)) - special.logit(values.mean())
    return float(change @ change) * (len(sizes) - 1) / len(sizes)
