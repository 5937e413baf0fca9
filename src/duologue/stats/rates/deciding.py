"""The rule that decides: the larger of several p-values, Holm over a family, and the interval that agrees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol, Self

import numpy as np
from scipy import special

from duologue.stats.multiplicity import holm_steps
from duologue.stats.rates.binomial import sign_test
from duologue.stats.rates.binomial_distribution import chance_from, chance_up_to
from duologue.stats.rates.intervals import Interval, exact_limits, normal_quantile
from duologue.stats.rates.position import OrderEffect

ROUNDING = 1e-9
"""An end of an interval as near to the null as this may be on the wrong side of it by rounding."""


class Evidence(Protocol):
    """A test of one comparison, with the interval that inverts it."""

    @property
    def p_value(self) -> float:
        """Of the null that the whole family has."""

    def interval_at(self, level: float) -> Interval:
        """The values that the test does not reject at 1 − level."""


@dataclass(frozen=True, slots=True)
class ExactRate:
    """The exact two-sided binomial test of a rate, inverted by Clopper and Pearson's interval.

    The p-value is twice the smaller tail, which is what the interval inverts. Of an even split, the null
    unless another one is stated, this is scipy's `binomtest`.
    """

    wins: int
    losses: int
    null: float = 0.5

    @property
    def p_value(self) -> float:
        """Of an even split it is the same whichever side won more often."""
        if self.null == 0.5:
            return _exact_p(min(self.wins, self.losses), max(self.wins, self.losses))
        n = self.wins + self.losses
        tails = (float(tail(self.wins, n, self.null)) for tail in (chance_up_to, chance_from))
        return min(1.0, 2 * min(tails))

    def interval_at(self, level: float) -> Interval:
        """Clopper and Pearson's."""
        return Interval(*exact_limits(self.wins, self.wins + self.losses, level), level, "clopper-pearson")


@lru_cache(maxsize=65_536)
def _exact_p(fewer: int, more: int) -> float:
    return sign_test(fewer, more).p_value


@dataclass(frozen=True, slots=True)
class ExactDifference:
    """A rate that is taken as known, minus one that was seen in ``n`` independent units: exact binomial.

    For a few units that were right nearly always, or nearly never: the distribution of their mean is skewed
    then, which Student's t does not see. Twice the smaller tail of the seen rate under the known one, which
    the interval of Clopper and Pearson inverts; ``n`` may be an effective number. The known rate counts as
    free of error, so it stands beside a test that allows for both, and the larger p-value decides.

    Example:
        >>> test = ExactDifference(known=0.9, seen=1.0, n=30)
        >>> round(test.p_value, 3), round(test.interval_at(0.95).low, 3)
        (0.085, -0.1)
    """

    known: float
    seen: float
    n: float

    @property
    def p_value(self) -> float:
        """That both rates are the same."""
        wins, losses = self.seen * self.n, (1 - self.seen) * self.n
        lower = 1.0 if losses <= 0 else special.betainc(losses, wins + 1, 1 - self.known)
        upper = 1.0 if wins <= 0 else special.betainc(wins, losses + 1, self.known)
        return min(1.0, 2 * float(min(lower, upper)))

    def interval_at(self, level: float) -> Interval:
        """The known rate minus Clopper and Pearson's limits of the seen one."""
        low, high = exact_limits(self.seen * self.n, self.n, level)
        return Interval(self.known - high, self.known - low, level, "clopper-pearson")


SPENT = 1e-5
"""The part of the error that is left to the effect of the order lying outside the limits allowed for."""


@dataclass(frozen=True, slots=True)
class OrderAdjustedTest:
    """A test of a comparison that was shown in one order more than in the other, freed of what that does.

    Between equals the order moves the log-odds of the first by something from ``lowest`` to ``highest``, with
    a confidence of 1 − `SPENT`. All of it is allowed for (Berger and Boos 1994): the interval is the union of
    those moved back by each, and the p-value inverts it.
    """

    test: Evidence
    lowest: float
    highest: float

    @classmethod
    def of(cls, test: Evidence, effect: OrderEffect, *, lean: float) -> Self:
        """The test without an effect of the order.

        ``lean``: how much more often than not what the test is about was shown first: 1 always, 0 in half of
        the judgments, -1 never.
        """
        reach = normal_quantile(1 - SPENT) * effect.standard_error
        chances = special.expit(effect.estimate + np.array([-reach, reach]))
        moved = special.logit(0.5 + lean * (chances - 0.5))  # what equals get so far from one half
        return cls(test, float(moved.min()), float(moved.max()))

    @property
    def p_value(self) -> float:
        """The smallest error rate at which the interval excludes one half."""
        low, high = np.log(SPENT) - 12.0, -1e-9  # of the error rate that is left to the test itself: below 1
        if self._spans(float(np.exp(high))):
            return 1.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (middle, high) if self._spans(float(np.exp(middle))) else (low, middle)
        return float(min(1.0, SPENT + np.exp(high)))

    def interval_at(self, level: float) -> Interval:
        """Of the win rate without the effect of the order."""
        left = 1 - level - SPENT
        low, high = self._limits(left) if left > 0.0 else (0.0, 1.0)
        return Interval(low, high, level, "without the order")

    def _limits(self, error: float) -> tuple[float, float]:
        own = self.test.interval_at(1 - error)
        low, high = special.logit([own.low, own.high]) - [self.highest, self.lowest]
        return float(special.expit(low)), float(special.expit(high))

    def _spans(self, error: float) -> bool:
        low, high = self._limits(error)
        return low <= 0.5 <= high


@dataclass(frozen=True, slots=True)
class OpposedTests:
    """Tests of one comparison whose estimates lie on different sides of the null: nothing is decided.

    The larger of their p-values could still be small, though they contradict each other. As a test of a
    direction, which a verdict is, this one has p = 1; the union of the intervals spans the null at any level.
    """

    tests: tuple[Evidence, ...]

    @property
    def p_value(self) -> float:
        """No direction is borne out by all of them."""
        return 1.0

    def interval_at(self, level: float) -> Interval:
        """From the lowest to the highest value that one of them does not reject."""
        return _union(self.tests, level)


@dataclass(frozen=True, slots=True)
class Decision:
    """What one comparison of a family comes to.

    ``interval`` is Holm-compatible: at its level it excludes the null exactly when ``is_different``.
    ``unadjusted`` is the same at 1 − alpha, for this comparison alone. ``deciding`` is the place of the test
    with the larger p-value among those given.
    """

    p_value: float
    p_adjusted: float
    is_different: bool
    interval: Interval
    unadjusted: Interval
    deciding: int
    family: int


def decide_together(
    comparisons: Sequence[Sequence[Evidence]],
    *,
    alpha: float = 0.05,
    family: int | None = None,
    null: float = 0.5,
) -> tuple[Decision | None, ...]:
    """Decide the comparisons of a family by one rule.

    A comparison is as sure as the least sure of its tests: its p-value is the largest of theirs. These
    p-values are adjusted by Holm over the family. What inverts a maximum of p-values is the union of the
    intervals; it is given at the level at which Holm's procedure decided (see `holm_steps`).

    Args:
        comparisons: The tests of each. One without any is not decided (None) and counts as p = 1.
        alpha: Chance of any false verdict in the family.
        family: How many comparisons share alpha, where more were planned than are given.
        null: What every test tests.

    Raises:
        BadNumber: The family is smaller than the comparisons given.

    Example:
        >>> [found] = decide_together([[ExactRate(66, 44)]])
        >>> found.is_different, round(found.p_value, 3), round(found.interval.low, 3)
        (True, 0.045, 0.502)
    """
    largest = [max((one.p_value for one in tests), default=1.0) for tests in comparisons]
    steps = holm_steps(largest, alpha=alpha, family=family)
    return tuple(
        _decision(tests, p, float(adjusted), bool(rejected), float(level), alpha, null, steps.family)
        if tests
        else None
        for tests, p, adjusted, rejected, level in zip(
            comparisons, largest, steps.adjusted, steps.rejected, steps.levels, strict=True
        )
    )


def _decision(
    tests: Sequence[Evidence],
    p_value: float,
    p_adjusted: float,
    is_different: bool,
    level: float,
    alpha: float,
    null: float,
    family: int,
) -> Decision:
    return Decision(
        p_value=p_value,
        p_adjusted=p_adjusted,
        is_different=is_different,
        interval=_agreeing(_union(tests, level), is_different, null),
        unadjusted=_union(tests, 1 - alpha),
        deciding=[one.p_value for one in tests].index(p_value),
        family=family,
    )


def _union(tests: Sequence[Evidence], level: float) -> Interval:
    found = [one.interval_at(level) for one in tests]
    method = " or ".join(dict.fromkeys(one.method for one in found))
    return Interval(min(one.low for one in found), max(one.high for one in found), level, method)


def _agreeing(interval: Interval, is_different: bool, null: float) -> Interval:
    """The interval, where rounding of a p-value that is exactly at its bound would make it disagree."""
    is_low = abs(interval.low - null) < ROUNDING
    if is_different == (null not in interval) or not (is_low or abs(interval.high - null) < ROUNDING):
        return interval
    if is_low:
        return replace(interval, low=float(np.nextafter(null, np.inf)) if is_different else null)
    return replace(interval, high=float(np.nextafter(null, -np.inf)) if is_different else null)
