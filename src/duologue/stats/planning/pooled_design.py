"""All pairs of several bots, compared by strengths pooled over all matchups: how many judgments they need."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import DesignError
from duologue.stats.counts import check_share
from duologue.stats.planning.designs import Design, ForcedChoice
from duologue.stats.planning.graded_design import GradedChoice, scores_at
from duologue.stats.rates.binomial_distribution import Floats
from duologue.stats.strengths.tukey_range import range_threshold

FEWEST_ANNOTATORS = 20
"""With fewer, pooled verdicts do not decide."""

PAIRED_IN_THREES = 4 / 3
"""The variance of the three pairs of a ranking over that of three independent ones, between equal bots."""

AnswerKind = Literal["choice", "graded", "ranking"]
"""One of two, on four points, or three put in order."""

FITS = 0.99
"""How often the lack-of-fit test of a section lets pooled verdicts decide where they should."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledChoice:
    """Every bot meets every other, and pooled verdicts decide: a difference of strengths, all pairs together.

    The gap is between the win rates of two bots when they meet; the others lie half-way between them. The
    power is that of the strictest step (Tukey's range), by the non-central t on one degree of freedom less
    than there are annotators. One study in a hundred fails the lack-of-fit test by chance, and some have too
    few annotators: direct verdicts decide there, and have their own power. Where sections share alpha, they
    decide in all of them as soon as one does not fit.

    Answers may be graded: then strengths and errors are those of (1 + score)/2, with the scores of
    `GradedChoice`. Or three are ranked: its pairs are judgments, of which three are worth what 2¼ independent
    ones are, as a first and a last place are given together.
    """

    bots: int
    per_annotator: int
    """Judgments of two that one annotator gives: three in a ranking."""
    alpha: float = 0.05
    """Chance of any false verdict."""
    answer: AnswerKind = "choice"
    sections: int = 1
    """Questions or arms that share an error rate, of which ``alpha`` is the part of one."""

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

    def annotators(self, n: ArrayLike) -> Floats:
        """How many annotators give ``n`` judgments for each matchup."""
        return np.ceil(np.asarray(n, dtype=np.float64) * self.pairs / self.per_annotator)

    def can_decide(self, annotators: ArrayLike) -> NDArray[np.bool_]:
        """Whether pooled verdicts decide with so many annotators, where the model fits."""
        people = np.asarray(annotators, dtype=np.float64)
        return np.asarray((people >= FEWEST_ANNOTATORS) & (people > self.bots))

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Chance of finding ``gap`` between two of the bots with ``n`` judgments for each matchup."""
        return self.power_of(n, gap, judgments=n)

    def power_of(self, n: ArrayLike, gap: float, *, judgments: ArrayLike) -> Floats:
        """The same where ``judgments`` for each matchup, of which the annotators come, are worth ``n``."""
        if self.bots < 3:
            raise DesignError(f"pooled verdicts need three bots or more; got {self.bots}.")
        if self.per_annotator < 1:
            raise DesignError(f"an annotator gives at least one judgment; got {self.per_annotator}.")
        each = np.asarray(n, dtype=np.float64)
        annotators = self.annotators(judgments)
        df = np.maximum(annotators - 1, 1.0)
        needed = _bound(df, _strictest_level(self.bots, self.alpha))
        pooled = needed.chance_of(self._lead_in_errors(gap) * np.sqrt(np.maximum(each, 1e-9)))
        direct = self.direct.power(n, gap)
        fits = FITS**self.sections
        return np.where(self.can_decide(annotators), fits * pooled + (1 - fits) * direct, direct)

    @property
    def direct(self) -> Design:
        """What decides where pooled verdicts do not."""
        level = self.alpha / self.pairs  # of Holm's first step over all sections
        return GradedChoice(alpha=level) if self.answer == "graded" else ForcedChoice(alpha=level)

    def _lead_in_errors(self, gap: float) -> float:
        """The difference of the two strengths over its standard error, with one judgment for each matchup."""
        between = math.tanh(math.atanh(gap) / 2)  # the gap to a bot that lies half-way
        others = self.bots - 2
        if self.answer == "graded":
            (mean, spread), (half_mean, half_spread) = scores_at(gap), scores_at(between)
        else:
            mean, half_mean = gap, between
            spread, half_spread = 1 - gap**2, 1 - between**2
        known = 2 * (1 - mean**2) / 4 + others * (1 - half_mean**2) / 4
        dispersion = (2 * spread + others * half_spread) / (4 * known)
        if self.answer == "ranking":
            dispersion *= PAIRED_IN_THREES
        return 2 * math.atanh(mean) / math.sqrt(2 * dispersion / known)

    def about(self, gap: float, power: float) -> float:
        """The number for direct verdicts, times 2 over the number of bots."""
        more = PAIRED_IN_THREES if self.answer == "ranking" else 1.0
        return self.direct.about(gap, power) * 2 / self.bots * more


@dataclass(frozen=True, slots=True)
class _Bound:
    """What a difference in standard errors must exceed, and the spread of what is seen of it.

    The non-central t by a normal approximation, which does not fail for thousands of annotators.
    """

    middle: Floats
    spread: Floats

    def chance_of(self, shift: ArrayLike) -> Floats:
        """How often a true difference of so many standard errors exceeds it, in either direction."""
        far = np.asarray(shift, dtype=np.float64)
        found = special.ndtr((far - self.middle) / self.spread)
        return np.asarray(found + special.ndtr((-far - self.middle) / self.spread), dtype=np.float64)


def _bound(df: ArrayLike, level: float) -> _Bound:
    own = np.asarray(df, dtype=np.float64)
    needed = -special.stdtrit(own, level / 2)
    return _Bound(needed * (1 - 1 / (4 * own)), np.sqrt(1 + needed**2 / (2 * own)))


def _strictest_level(bots: int, alpha: float) -> float:
    """The p-value that a pair is compared with at the first step: all pairs together."""
    by_range = 2 * float(special.ndtr(-range_threshold(1 - alpha, bots=bots)))
    return max(alpha / (bots * (bots - 1) // 2), by_range)


def times_as_many_judgments(
    standard_error: float, *, df: float, gap: float, bots: int, alpha: float = 0.05, power: float = 0.80
) -> float:
    """By which factor the judgments of a study must grow for its pooled verdicts to find a gap.

    The error of a difference of strengths falls with the square root of the number of judgments, as long as
    the further ones come from annotators, and on dialogues, as those so far: clusters are part of it as they
    are. Sized for the strictest step, with the degrees of freedom that there are; given that the pooled
    verdicts still decide. Below 1 there are enough.

    Args:
        standard_error: Of the difference, as it is now.
        df: Its degrees of freedom.
        gap: Between the win rates of the two bots when they meet.
        bots: How many bots are compared, every pair of them.
        alpha: Chance of any false verdict.
        power: Chance of finding the gap.

    Raises:
        BadNumber: Gap, alpha or power are not shares.

    Example:
        >>> round(times_as_many_judgments(0.2, df=39, gap=0.2, bots=5), 2)
        3.42
    """
    gap, alpha, power = check_share("gap", gap), check_share("alpha", alpha), check_share("power", power)
    lead = math.log((1 + gap) / (1 - gap))
    bound = _bound(df, _strictest_level(bots, alpha))
    shift = float(bound.middle + bound.spread * special.ndtri(power))
    return (shift * standard_error / lead) ** 2


def pooled_cluster_size(bots: int, per_annotator: float) -> float:
    """How many correlated judgments one annotator gives in a difference of two strengths.

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
