"""How often a difference of recall is found when annotators *and* items are samples.

More annotators do not make up for few items: with I items, two answers to one of which correlate by ρ, the
variance of a recall stays above ρ/I of that of one answer, however many people answer them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from duologue.errors import DesignError
from duologue.stats.planning.designs import RateAgainstStandard, TwoGroups
from duologue.stats.planning.difference_power import t_power
from duologue.stats.rates.binomial_distribution import Floats
from duologue.stats.rates.intervals import normal_quantile, student_quantile

_ENDLESS = 100_000_000
"""Answers beyond which more change nothing, because the items are what limits the test."""
_MOST_ITEMS = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedAnswers:
    """Answers of annotators to items, tested with a variance that is clustered by both: numbers are answers.

    With m answers of each annotator, and k = n / ``items`` to each item, the variance of a group's recall is
    p(1 − p)/n · (1 + (m − 1)·icc + (k − 1)·item_icc). Where two groups answer the same items, what is hard
    for both cancels in their difference: −item_icc is left of the last term. The test is Student's t on one
    degree of freedom less than there are annotators or items, whichever are fewer (of both groups together).
    """

    design: TwoGroups | RateAgainstStandard
    per_annotator: float
    items: int
    """That each group answers."""
    icc: float = 0.0
    """How two answers of one annotator correlate."""
    item_icc: float = 0.0
    """How two answers to one item correlate, within a group."""
    same_items: bool = False
    """Whether both groups answer the same items, and the same ones are hard for both."""

    def __post_init__(self) -> None:
        if self.items < 2 or not 1 <= self.per_annotator <= self.items:
            raise DesignError(
                "there are at least two items, and an annotator answers each of them once at most; got "
                f"{self.per_annotator:g} answers of an annotator to {self.items} items."
            )
        for name, value in (("--icc", self.icc), ("--item-icc", self.item_icc)):
            if not 0 <= value < 1:
                raise DesignError(f"{name} must be 0 or more and below 1; got {value:g}.")

    @property
    def alpha(self) -> float:
        """Of the design."""
        return self.design.alpha

    @property
    def method(self) -> str:
        """Both tests, and which variance the second rests on."""
        item = "the same items" if self.same_items else f"{self.items} items"
        return (
            f"{self.design.method}, and the t-test clustered by annotator ({self.per_annotator:g} answers "
            f"each, ICC {self.icc:g}) and item ({item}, ICC {self.item_icc:g})"
        )

    @property
    def largest_gap(self) -> float:
        """Of the design."""
        return self.design.largest_gap

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Chance of finding ``gap`` with both tests at each number of answers in ``n``.

        Example:
            >>> few = CrossedAnswers(design=TwoGroups(), per_annotator=10, items=100, icc=0.1, item_icc=0.1)
            >>> few.power([800, 2000, 100_000], 0.1).round(2).tolist()
            [0.7, 0.9, 0.99]
        """
        answers = np.atleast_1d(np.asarray(n, dtype=np.float64))
        worth = answers / self.factor(answers)
        whole, where = np.unique(np.floor(np.round(worth, 6)).astype(np.int64), return_inverse=True)
        return np.minimum(self.design.power(whole, gap)[where], self._t_power(answers, gap))

    def about(self, gap: float, power: float) -> float:
        """Where the t-test reaches the power.

        Raises:
            DesignError: It never does with so few items; says how many it takes.
        """

        def is_found(answers: int, design: CrossedAnswers = self) -> bool:
            return bool(design._t_power(np.array([float(answers)]), gap)[0] >= power)

        if not is_found(_ENDLESS):
            enough = _first(
                lambda items: is_found(_ENDLESS, replace(self, items=items)),
                above=self.items,
                most=_MOST_ITEMS,
            )
            raise DesignError(
                f"{self.items:,} items, two answers to one of which correlate by {self.item_icc:g}, do not "
                f"show a gap of {gap:g} with power {power:g}, however many people answer them. Use at least "
                f"{enough:,} items, or plan a larger gap."
            )
        return float(_first(is_found, above=1, most=_ENDLESS))

    def factor(self, n: ArrayLike) -> Floats:
        """How many of so many answers say as much as one independent answer."""
        each = np.asarray(n, dtype=np.float64) / self.items
        by_item = (np.maximum(each, 1.0) - 1) * self.item_icc
        shared = each * self.item_icc if self.same_items else 0.0
        return np.asarray(1 + (self.per_annotator - 1) * self.icc + by_item - shared, dtype=np.float64)

    def width(self, n: int, *, level: float = 0.95) -> float:
        """The width of the interval of one group's recall that the analysis is to give.

        Example:
            >>> paper = CrossedAnswers(
            ...     design=TwoGroups(base=0.66), per_annotator=10, items=30, icc=0.1, item_icc=0.14
            ... )
            >>> round(paper.width(1450), 3), round(paper.published_width(1450), 3)
            (0.149, 0.049)
        """
        alone = replace(self, design=RateAgainstStandard(null=self.rate), same_items=False)
        error = math.sqrt(self._variance * float(alone.factor(n)) / n)
        return 2 * student_quantile(level, float(alone._df(np.array([n]))[0])) * error

    def published_width(self, n: int, *, level: float = 0.95) -> float:
        """The same by the published formula: the normal approximation, of independent answers."""
        return 2 * normal_quantile(level) * math.sqrt(self._variance / n)

    @property
    def rate(self) -> float:
        """The recall that the number is planned for."""
        return self.design.base if isinstance(self.design, TwoGroups) else self.design.null

    @property
    def _variance(self) -> float:
        return self.rate * (1 - self.rate)

    def _df(self, n: Floats) -> Floats:
        groups = 2 if isinstance(self.design, TwoGroups) else 1
        items = self.items * (1 if self.same_items else groups)
        return np.asarray(np.minimum(groups * n / self.per_annotator, items) - 1, dtype=np.float64)

    def _t_power(self, n: Floats, gap: float) -> Floats:
        if isinstance(self.design, TwoGroups):
            rates = RateAgainstStandard(null=self.design.base).rates(gap)
            variance = self._variance / 2 + max(rate * (1 - rate) for rate in rates) / 2
            worth = n / self.factor(n)
        else:
            variance = max(rate * (1 - rate) for rate in self.design.rates(gap))
            worth = 2 * n / self.factor(n)
        spread = math.sqrt(max(variance, _LEAST_VARIANCE))
        return t_power(worth, gap, sd=spread, alpha=self.alpha, df=self._df(n))


_LEAST_VARIANCE = 1e-6
"""Of one answer: where all are alike, any number shows it."""


def _first(holds: Callable[[int], bool], *, above: int, most: int) -> int:
    """The smallest number above another of which a claim holds that holds of all larger ones."""
    low, high = above, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high
