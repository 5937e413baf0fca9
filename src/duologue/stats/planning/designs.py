"""What is judged and which test will decide: the designs whose size can be worked out.

Each knows the exact (or, for tests over many bots, the non-central chi-square) power of its test at any
number of judgments and any gap. The gap always means the same thing: the difference between two bots
(or between a bot and a standard), never a bot's distance from the average.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.paired.mcnemar import McNemarMethod
from duologue.stats.planning.binomial_power import (
    BinomialTest,
    binomial_power_curve,
    require_open_probability,
)
from duologue.stats.planning.chi_square_power import (
    chi_square_power,
    cochran_noncentrality,
    least_favourable_effect,
    noncentrality_for,
    require_bots,
    worst_discordance,
)
from duologue.stats.planning.difference_power import t_power, two_proportions_power
from duologue.stats.planning.paired_power import mcnemar_power
from duologue.stats.rates.binomial_distribution import Floats

OBSERVED_DISCORDANCE = 0.85
"""Share of turns with exactly one of two bots selected, averaged over the per-turn paper's Table 3."""


class Design(Protocol):
    """A test and everything it assumes but the number of judgments and the gap."""

    @property
    def alpha(self) -> float:
        """Chance of finding a difference between equal bots."""

    @property
    def method(self) -> str:
        """The test, in words."""

    @property
    def largest_gap(self) -> float:
        """The largest gap that is possible."""

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Chance of finding ``gap`` at each number of judgments in ``n``."""

    def about(self, gap: float, power: float) -> float:
        """About how many judgments are needed (normal approximation): where to start looking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForcedChoice:
    """One of two bots must be chosen: an ACUTE matchup, or pairwise select-one-best (PM-SOBA).

    Win rates of .6 and .4 are a gap of .2. Independent judgments are assumed.
    """

    alpha: float = 0.05
    test: BinomialTest = "exact"

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"{_BINOMIAL_NAMES[self.test]}, two-sided, against 0.5"

    @property
    def largest_gap(self) -> float:
        """One bot always wins."""
        return 1.0

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Exact power of the binomial test."""
        return binomial_power_curve(n, (1 + gap) / 2, alpha=self.alpha, test=self.test)

    def about(self, gap: float, power: float) -> float:
        """Normal approximation with the variance of each hypothesis."""
        return _binomial_guess((1 + gap) / 2, 0.5, self.alpha, power)


@dataclass(frozen=True, slots=True, kw_only=True)
class AllThatApply:
    """Any of two bots may be selected on a turn (PM-SATA): McNemar's test on the discordant turns.

    The gap is the difference of the two win rates; ``discordance`` the share of turns on which exactly
    one bot is selected. The number of turns grows in proportion to it.
    """

    discordance: float = OBSERVED_DISCORDANCE
    alpha: float = 0.05
    test: McNemarMethod = "mid-p"

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"McNemar's test, {self.test}, two-sided"

    @property
    def largest_gap(self) -> float:
        """Every discordant turn goes to the same bot."""
        return self.discordance

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Exact power, averaged over the number of discordant turns."""
        return mcnemar_power(n, gap, discordance=self.discordance, alpha=self.alpha, test=self.test)

    def about(self, gap: float, power: float) -> float:
        """Connor's formula."""
        spread = _z(1 - self.alpha / 2) * math.sqrt(self.discordance)
        spread += _z(power) * math.sqrt(max(self.discordance - gap**2, 0.0))
        return (spread / gap) ** 2


@dataclass(frozen=True, slots=True, kw_only=True)
class BestOfMany:
    """One of several bots is chosen on each turn (MM-SOBA): Pearson's chi-square of equal shares.

    Sized for the shares that are hardest to tell from equal ones: (1/k + gap/2, 1/k − gap/2, 1/k, …).
    It tests all bots at once, and does not say which differ.
    """

    bots: int
    alpha: float = 0.05

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"Pearson's chi-square, {self.bots - 1} df, least favourable shares"

    @property
    def largest_gap(self) -> float:
        """One bot is never chosen."""
        return 2 / self.bots

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Power by the non-central chi-square."""
        effect = least_favourable_effect(gap, bots=self.bots)
        turns = np.asarray(n, dtype=np.float64)
        return chi_square_power(turns * effect, df=self.bots - 1, alpha=self.alpha)

    def about(self, gap: float, power: float) -> float:
        """The number itself, before rounding up."""
        effect = least_favourable_effect(gap, bots=self.bots)
        return noncentrality_for(power, df=self.bots - 1, alpha=self.alpha) / effect


@dataclass(frozen=True, slots=True, kw_only=True)
class AllThatApplyOfMany:
    """Any of several bots may be selected on each turn (MM-SATA): Cochran's Q.

    ``discordance`` is the share of turns on which exactly one of two bots is selected, averaged over all
    pairs; the worst that is possible unless it is known. Sized for one pair half the gap off the average
    on either side. It tests all bots at once, and does not say which differ.
    """

    bots: int
    discordance: float | None = None
    alpha: float = 0.05

    @property
    def mean_discordance(self) -> float:
        """The discordance stated, or the worst possible."""
        return worst_discordance(self.bots) if self.discordance is None else self.discordance

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"Cochran's Q, {self.bots - 1} df, least favourable win rates"

    @property
    def largest_gap(self) -> float:
        """As far as two bots can differ when so many turns are discordant."""
        return min(1.0, self.mean_discordance * self.bots * (self.bots - 1) / 2)

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Power by the non-central chi-square."""
        require_bots(self.bots)
        shift = cochran_noncentrality(n, gap, discordance=self.mean_discordance)
        return chi_square_power(shift, df=self.bots - 1, alpha=self.alpha)

    def about(self, gap: float, power: float) -> float:
        """The number itself, before rounding up."""
        require_bots(self.bots)
        per_turn = float(cochran_noncentrality(1, gap, discordance=self.mean_discordance)[0])
        return noncentrality_for(power, df=self.bots - 1, alpha=self.alpha) / per_turn


@dataclass(frozen=True, slots=True, kw_only=True)
class RateAgainstStandard:
    """One bot against a stated rate (per-turn single model; NUC recall): the binomial test.

    The bot may be better or worse than the standard by the gap; the direction with less power decides.
    """

    null: float
    alpha: float = 0.05
    test: BinomialTest = "exact"

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"{_BINOMIAL_NAMES[self.test]}, two-sided, against {self.null:g}, worse direction"

    @property
    def largest_gap(self) -> float:
        """Always right, or never."""
        return max(self.null, 1 - self.null)

    def rates(self, gap: float) -> tuple[float, ...]:
        """The rates that lie ``gap`` away from the standard: two, or one when the other is impossible.

        Example:
            >>> [round(rate, 3) for rate in RateAgainstStandard(null=0.8).rates(0.1)]
            [0.7, 0.9]
        """
        require_open_probability(self.null, "the null rate")
        # A rate of 1 may miss 1 by rounding: 0.8 + 0.2.
        near = [
            min(max(rate, 0.0), 1.0)
            for rate in (self.null - gap, self.null + gap)
            if -1e-9 <= rate <= 1 + 1e-9
        ]
        if not near:
            raise DesignError(f"no rate lies {gap:g} away from {self.null:g}. Plan a smaller gap.")
        return tuple(near)

    def harder_rate(self, n: int, gap: float) -> float:
        """The rate ``gap`` away that ``n`` judgments find less often; the standard itself without a gap."""

        def chance(rate: float) -> float:
            return float(binomial_power_curve([n], rate, null=self.null, alpha=self.alpha, test=self.test)[0])

        return min(self.rates(gap), key=chance)

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Exact power in the worse direction."""
        curves = [
            binomial_power_curve(n, rate, null=self.null, alpha=self.alpha, test=self.test)
            for rate in self.rates(gap)
        ]
        return np.asarray(np.min(curves, axis=0), dtype=np.float64)

    def about(self, gap: float, power: float) -> float:
        """Normal approximation with the variance of each hypothesis, in the worse direction."""
        return max(_binomial_guess(rate, self.null, self.alpha, power) for rate in self.rates(gap))


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingDifference:
    """Mean ratings of two bots (Likert): the calibrated contrast, a t-test. The gap is in points.

    The number is ratings *per bot*. ``sd`` is the standard deviation of one rating of one bot: 1 is a
    guess to replace by your own (on a scale from 1 to 4 it cannot exceed 1.5). Every annotator gives
    ``per_annotator`` ratings, of different ``bots`` as far as there are so many, and two ratings by one
    annotator correlate by ``icc``: some are more lenient than others. What is compared within annotators is
    free of that, as in a paired test: a complete design of n annotators has the variance 2 sd² (1 − icc) / n.
    Where annotators rate some of the bots only, what they say within and between annotators is weighted, as
    in an incomplete block design (Yates 1940). Annotators who rate a bot several times have a taste for it,
    taken to be as large as their leniency. With one rating each it is Welch's test of independent ratings.
    """

    sd: float = 1.0
    alpha: float = 0.05
    icc: float = 0.0
    bots: int = 2
    per_annotator: float = 1.0

    @property
    def method(self) -> str:
        """The test, in words."""
        if self.per_annotator <= 1:
            return f"t-test, two-sided, standard deviation {self.sd:g}"
        return (
            f"calibrated contrast (annotators' leniency removed), t-test, two-sided, standard deviation "
            f"{self.sd:g}, ICC {self.icc:g} within annotators"
        )

    @property
    def largest_gap(self) -> float:
        """Far more than any scale has."""
        return 1000 * self.sd

    @property
    def variance_factor(self) -> float:
        """The variance of the difference, as a share of that of as many independent ratings.

        Example:
            >>> paired = RatingDifference(icc=0.4, per_annotator=2)
            >>> paired.variance_factor, RatingDifference(icc=0.4).variance_factor
            (0.6, 1.0)
        """
        within = self.bots * (self._rated - 1) / (self._rated * (self.bots - 1))
        between = 1 + (self._rated - 1) * self.icc
        informed = within / (1 - self.icc) + (1 - within) / between
        return (1 + (self._times - 1) * self.icc) / informed

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Power by the non-central t distribution."""
        if self.bots < 2 or not self.per_annotator >= 1:
            raise DesignError("ratings are compared of two bots or more, and everybody gives at least one.")
        if not 0 <= self.icc < 1:
            raise DesignError(f"the intraclass correlation must be 0 or more and below 1; got {self.icc:g}.")
        spread = self.sd * math.sqrt(self.variance_factor)
        annotators = np.asarray(n, dtype=np.float64) / self._times
        either = annotators * (2 - (self._rated - 1) / (self.bots - 1))
        df = np.atleast_1d(either - (1 if self._rated == self.bots else 2))
        return t_power(n, gap, sd=spread, alpha=self.alpha, df=df)

    def about(self, gap: float, power: float) -> float:
        """Normal approximation."""
        spread = self.sd * math.sqrt(self.variance_factor)
        return 2 * ((_z(1 - self.alpha / 2) + _z(power)) * spread / gap) ** 2

    @property
    def _rated(self) -> float:
        """How many different bots an annotator rates."""
        return min(self.per_annotator, float(self.bots))

    @property
    def _times(self) -> float:
        """How often an annotator rates the same bot."""
        return max(1.0, self.per_annotator / self.bots)


@dataclass(frozen=True, slots=True, kw_only=True)
class TwoGroups:
    """Shares of right answers of two independent groups (NUC recall of two groups, corpora or bots).

    ``base`` is the share in one group; the other lies the gap above or below it, whichever is harder to
    see. The number is answers *per group*.
    """

    base: float = 0.5
    alpha: float = 0.05

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"two-proportion z-test, two-sided, from {self.base:g}, worse direction"

    @property
    def largest_gap(self) -> float:
        """Always right, or never."""
        return max(self.base, 1 - self.base)

    def harder_rate(self, n: int, gap: float) -> float:
        """The rate ``gap`` away that ``n`` answers find less often; the base itself without a gap."""

        def chance(rate: float) -> float:
            return float(two_proportions_power([n], self.base, rate, alpha=self.alpha)[0])

        return min(RateAgainstStandard(null=self.base).rates(gap), key=chance)

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Enumerated power in the worse direction."""
        rates = RateAgainstStandard(null=self.base).rates(gap)
        if self.base == 0.5:
            rates = rates[:1]  # the other direction is its mirror image
        curves = [two_proportions_power(n, self.base, rate, alpha=self.alpha) for rate in rates]
        return np.asarray(np.min(curves, axis=0), dtype=np.float64)

    def about(self, gap: float, power: float) -> float:
        """Normal approximation with pooled and separate variances."""
        return max(self._guess(rate, power) for rate in RateAgainstStandard(null=self.base).rates(gap))

    def _guess(self, rate: float, power: float) -> float:
        middle = (self.base + rate) / 2
        separate = self.base * (1 - self.base) + rate * (1 - rate)
        spread = _z(1 - self.alpha / 2) * math.sqrt(2 * middle * (1 - middle)) + _z(power) * math.sqrt(
            separate
        )
        return (spread / (self.base - rate)) ** 2


_BINOMIAL_NAMES: dict[BinomialTest, str] = {
    "exact": "exact binomial test",
    "mid-p": "mid-p binomial test",
    "equal-tail": "equal-tailed exact binomial test",
}


def _binomial_guess(p: float, null: float, alpha: float, power: float) -> float:
    spread = _z(1 - alpha / 2) * math.sqrt(null * (1 - null)) + _z(power) * math.sqrt(p * (1 - p))
    return (spread / (p - null)) ** 2


def _z(probability: float) -> float:
    return float(special.ndtri(probability))
