"""All pairs of several bots, compared by strengths pooled over all matchups: how many judgments they need."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.binomial_distribution import Floats
from duologue.stats.designs import ForcedChoice
from duologue.stats.tukey_range import range_threshold

FEWEST_ANNOTATORS = 20
"""With fewer, pooled verdicts do not decide."""

FITS = 0.95
"""How often the lack-of-fit test lets pooled verdicts decide where they should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledChoice:
    """Every bot meets every other, and pooled verdicts decide: a difference of strengths, all pairs together.

    The gap is between the win rates of two bots when they meet; the others lie half-way between them. The
    power is that of the strictest step (Tukey's range), by the non-central t on one degree of freedom less
    than there are annotators. One study in twenty fails the lack-of-fit test by chance, and some have too few
    annotators: direct verdicts decide there, and have their own power.
    """

    bots: int
    per_annotator: int
    alpha: float = 0.05
    """Chance of any false verdict."""

    @property
    def pairs(self) -> int:
        """How many matchups there are."""
        return self.bots * (self.bots - 1) // 2

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"difference of strengths pooled over all {self.bots} bots, all pairs together"

    @property
    def largest_gap(self) -> float:
        """Beyond it the approximation says nothing."""
        return 0.98

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Chance of finding ``gap`` between two of the bots with ``n`` judgments for each matchup."""
        if self.bots < 3:
            raise DesignError(f"pooled verdicts need three bots or more; got {self.bots}.")
        if self.per_annotator < 1:
            raise DesignError(f"an annotator gives at least one judgment; got {self.per_annotator}.")
        each = np.asarray(n, dtype=np.float64)
        annotators = np.ceil(each * self.pairs / self.per_annotator)
        df = np.maximum(annotators - 1, 1.0)
        lead = math.log((1 + gap) / (1 - gap))
        own, half = (1 - gap**2) / 4, float(special.expit(lead / 2) * special.expit(-lead / 2))
        error = np.sqrt(2 / np.maximum(each * (2 * own + (self.bots - 2) * half), 1e-9))
        level = max(self.alpha / self.pairs, 2 * float(special.ndtr(-self._threshold)))
        needed = -special.stdtrit(df, level / 2)
        shift = lead / error
        # The non-central t by a normal approximation, which does not fail for thousands of annotators.
        spread = np.sqrt(1 + needed**2 / (2 * df))
        bound = needed * (1 - 1 / (4 * df))
        pooled = special.ndtr((shift - bound) / spread) + special.ndtr((-shift - bound) / spread)
        direct = ForcedChoice(alpha=self.alpha / self.pairs).power(n, gap)
        is_enough = (annotators >= FEWEST_ANNOTATORS) & (annotators > self.bots)
        return np.where(is_enough, FITS * pooled + (1 - FITS) * direct, direct)

    def about(self, gap: float, power: float) -> float:
        """The number for direct verdicts, times 2 over the number of bots."""
        return ForcedChoice(alpha=self.alpha / self.pairs).about(gap, power) * 2 / self.bots

    @property
    def _threshold(self) -> float:
        return range_threshold(1 - self.alpha, bots=self.bots)


def pooled_cluster_size(bots: int, per_annotator: float) -> float:
    """How many judgments of one annotator hang together in a difference of two strengths.

    An annotator with a taste of their own who judges every matchup r times gives r · bots / 2 judgments that
    pull a difference the same way; with fewer judgments than matchups, correspondingly fewer.

    Example:
        >>> pooled_cluster_size(8, 28), pooled_cluster_size(2, 5), pooled_cluster_size(8, 1)
        (4.0, 5.0, 1.0)
    """
    pairs = bots * (bots - 1) / 2
    if per_annotator >= pairs:
        return per_annotator / (bots - 1)
    return 1 + (max(per_annotator, 1.0) - 1) / (bots + 1)
