"""How often a test that counts in clusters finds a gap: few clusters have few degrees of freedom.

Where turns share a dialogue, or judgments an annotator, the larger of two p-values decides: that of the
published test, and that of a t-test (over several bots Hotelling's T²) on the clusters. The first sees as
many judgments as the design effect leaves; the second estimates its variance from so many clusters only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.stats.clusters.design_effect import DesignEffect
from duologue.stats.planning.chi_square_power import cochran_noncentrality, least_favourable_effect
from duologue.stats.planning.designs import (
    AllThatApply,
    AllThatApplyOfMany,
    BestOfMany,
    Design,
    ForcedChoice,
    RateAgainstStandard,
    RatingDifference,
)
from duologue.stats.planning.difference_power import t_power
from duologue.stats.planning.graded_design import GradedChoice, scores_at
from duologue.stats.planning.pooled_design import PooledChoice
from duologue.stats.rates.binomial_distribution import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredDesign:
    """A design whose judgments come in clusters of one size: the numbers are judgments, not clusters.

    Shares and differences of selections are then decided by a t-test with G − 1 degrees of freedom for G
    clusters, and k bots at once by F(k − 1, G − k + 1). Ratings of two bots are also decided by the
    difference that is clustered by the dialogues of both, with 2G − 1. `PooledChoice`, which counts its
    clusters itself, and `TwoGroups` have the design effect alone.
    """

    design: Design
    effect: DesignEffect

    @property
    def alpha(self) -> float:
        """Of the design."""
        return self.design.alpha

    @property
    def method(self) -> str:
        """Both tests, in words."""
        return f"{self.design.method}, and the test by clusters of {self.effect.cluster_size:g}"

    @property
    def largest_gap(self) -> float:
        """Of the design."""
        return self.design.largest_gap

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Chance of finding ``gap`` with both tests at each number of judgments in ``n``.

        Example:
            >>> few = ClusteredDesign(design=ForcedChoice(), effect=DesignEffect(icc=0.1, cluster_size=10))
            >>> few.power([399, 420], 0.2).round(3).tolist()
            [0.82, 0.835]
        """
        judgments = np.atleast_1d(np.asarray(n, dtype=np.int64))
        worth = [self.effect.effective(int(number)) for number in judgments]
        if isinstance(self.design, PooledChoice):
            return self.design.power_of(worth, gap, judgments=judgments)
        if self.effect.cluster_size == 1:
            return self.design.power(worth, gap)
        return clustered_power(self.design, worth, gap, clusters=judgments / self.effect.cluster_size)

    def about(self, gap: float, power: float) -> float:
        """Of the design, times the design effect, and what the largest degrees of freedom lost may add."""
        return self.design.about(gap, power) * self.effect.factor + 2 * self.effect.cluster_size


def clustered_power(design: Design, worth: ArrayLike, gap: float, *, clusters: ArrayLike) -> Floats:
    """Chance that both the published test and the one by clusters find ``gap``: the smaller of the two.

    Args:
        design: What is judged, and the published test.
        worth: How many independent judgments the judgments are worth.
        gap: The true gap.
        clusters: How many clusters they come from; too few to test have no power.

    Example:
        >>> clustered_power(ForcedChoice(), [210, 210], 0.2, clusters=[12, 200]).round(3).tolist()
        [0.768, 0.82]
    """
    independent, where = np.unique(np.asarray(worth, dtype=np.int64), return_inverse=True)
    published = design.power(independent, gap)[where]
    groups = np.atleast_1d(np.asarray(clusters, dtype=np.float64))
    return np.minimum(
        published, _power_of_clusters(design, independent[where].astype(np.float64), gap, groups)
    )


def _power_of_clusters(design: Design, worth: Floats, gap: float, clusters: Floats) -> Floats:
    match design:
        case ForcedChoice():
            variance = 1 - gap**2
        case GradedChoice():
            gap, variance = scores_at(gap, design.clearly)
        case RateAgainstStandard():
            variance = max(rate * (1 - rate) for rate in design.rates(gap))
        case AllThatApply():
            variance = design.discordance - gap**2
        case BestOfMany():
            shift = np.asarray(worth * least_favourable_effect(gap, bots=design.bots), dtype=np.float64)
            return _hotelling_power(shift, clusters, contrasts=design.bots - 1, alpha=design.alpha)
        case AllThatApplyOfMany():
            shift = cochran_noncentrality(worth, gap, discordance=design.mean_discordance)
            return _hotelling_power(shift, clusters, contrasts=design.bots - 1, alpha=design.alpha)
        case RatingDifference():
            return _power_of_dialogues(design, worth, gap, clusters)
        case _:
            return np.ones_like(clusters)
    spread = math.sqrt(max(variance, _LEAST_VARIANCE))
    return t_power(2 * worth, gap, sd=spread, alpha=design.alpha, df=clusters - 1)


def _power_of_dialogues(design: RatingDifference, worth: Floats, gap: float, dialogues: Floats) -> Floats:
    """Power of the difference clustered by annotator and by so many dialogues of each bot.

    Its variance is never below that by dialogues alone, in which annotators who rate both bots gain nothing.
    Leaving out a dialogue of one bot is one in G of its own, while the jackknife counts 2G clusters.
    """
    several = np.maximum(dialogues, 2.0)
    left = worth * (1 - 1 / several) / (1 - 1 / (2 * several))
    spread = design.sd * math.sqrt(max(1.0, design.variance_factor))
    power = t_power(left, gap, sd=spread, alpha=design.alpha, df=2 * several - 1)
    return np.where(dialogues >= 2, power, 0.0)


_LEAST_VARIANCE = 1e-6
"""Of one judgment: where all fall alike, any number of clusters shows it."""


def _hotelling_power(shift: Floats, clusters: Floats, *, contrasts: int, alpha: float) -> Floats:
    """Power of T² by the non-central F; below two residual degrees of freedom nothing can be tested."""
    left = clusters - contrasts
    df = np.maximum(left, 2.0)
    missed = special.ncfdtr(contrasts, df, shift, special.fdtri(contrasts, df, 1 - alpha))
    return np.asarray(np.where(left >= 2, 1 - missed, 0.0), dtype=np.float64)
