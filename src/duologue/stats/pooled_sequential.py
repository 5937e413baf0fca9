"""Stopping a comparison of several bots early, on strengths pooled over all their matchups.

At a few agreed looks the Bradley–Terry strengths are fitted to all judgments so far, and every pair of bots
is tested by the difference of their strengths against a Wang–Tsiatis boundary. Pooling needs about 2/k of
the judgments that k bots need matchup by matchup, if the model holds: the lack of fit is always told.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from duologue.errors import DesignError
from duologue.stats.chi_square_power import require_bots
from duologue.stats.group_sequential import WANG_TSIATIS, group_sequential, plan_group_sequential
from duologue.stats.sequential import FUTILITY, Decision
from duologue.stats.strengths import LackOfFit, bradley_terry

FEWEST_BEFORE_A_LOOK = 8
"""Judgments for each matchup before the first look: with fewer the test is too eager."""

_CALIBRATED_AT = 4000
"""The constant hardly depends on the number of judgments; with so many it is that of the normal limit."""


@dataclass(frozen=True, slots=True)
class PooledPlan:
    """A sequential test of all pairs of several bots, as it should be preregistered."""

    bots: int
    gap: float
    """The gap it looks for in a matchup; smaller ones may be called futile."""
    most: int
    """Judgments for each matchup at the last look."""
    looks: int
    alpha: float
    """Level for each pair."""
    constant: float
    """The boundary for |z| at a share t of all judgments is constant · t^(−1/4)."""
    futility: float | None = FUTILITY

    @property
    def look_at(self) -> tuple[int, ...]:
        """Judgments over all matchups at which to look."""
        pairs = self.bots * (self.bots - 1) // 2
        each = [math.floor(self.most * look / self.looks + 0.5) for look in range(1, self.looks + 1)]
        return tuple(n * pairs for n in each if n >= min(FEWEST_BEFORE_A_LOOK, self.most))


@dataclass(frozen=True, slots=True)
class PooledPair:
    """Two bots: how far apart their strengths are, and whether that is enough."""

    first: str
    second: str
    difference: float
    """Of strengths, on the log-odds scale."""
    z: float
    decision: Decision


@dataclass(frozen=True, slots=True)
class PooledVerdict:
    """What may be said about every pair at this look, and whether to go on."""

    pairs: tuple[PooledPair, ...]
    judgments: int
    share: float
    """Of the judgments planned at most."""
    needed: float
    """|z| that a verdict needs at this look."""
    next_look: int | None
    lack_of_fit: LackOfFit | None
    """Whether one strength for each bot is enough; below 0.05 trust the direct comparisons instead."""
    plan: PooledPlan

    @property
    def is_over(self) -> bool:
        """Whether every pair is decided, futile, or out of judgments."""
        return all(pair.decision != "continue" for pair in self.pairs)


def plan_pooled(
    gap: float,
    *,
    bots: int,
    looks: int = 10,
    alpha: float = 0.05,
    power: float = 0.80,
    is_familywise: bool = True,
) -> PooledPlan:
    """The pooled sequential test that finds ``gap`` in any matchup with the power asked for.

    The constant is calibrated on the win counts of two bots for this number of looks (2.21 for ten, 2.28
    for forty, at 5 %); simulations with three to eight bots keep the level with it. The largest number of
    judgments is the two-bot number times 2/bots, which is what pooling is worth when the model holds.

    Args:
        gap: Difference between the two win rates of a matchup.
        bots: How many bots; all their pairs are compared.
        looks: How often to look.
        alpha: Chance of any false verdict; for each pair when not ``is_familywise``.
        power: Chance of finding the gap in a given matchup.
        is_familywise: Divide alpha by the number of pairs.

    Example:
        >>> plan = plan_pooled(0.2, bots=8, is_familywise=False)
        >>> plan.most, round(plan.constant, 2)
        (53, 2.21)
    """
    require_bots(bots)
    each = alpha / (bots * (bots - 1) // 2) if is_familywise else alpha
    direct = plan_group_sequential(gap, looks=looks, shape=WANG_TSIATIS, alpha=each, power=power)
    boundary = group_sequential(_CALIBRATED_AT, looks=looks, shape=WANG_TSIATIS, alpha=each)
    return PooledPlan(
        bots=bots,
        gap=gap,
        most=math.ceil(direct.most * 2 / bots),
        looks=looks,
        alpha=each,
        constant=boundary.constant,
    )


def pooled_sequential_test(wins: ArrayLike, names: Sequence[str], plan: PooledPlan) -> PooledVerdict:
    """Test every pair of bots at one look, on the strengths pooled over all matchups so far.

    The variance is the sandwich with the correction N/(N − k + 1). A verdict reached at an earlier look
    stands. Assumes independent judgments spread evenly over the matchups, and at most ``plan.looks`` looks;
    looking more often makes the error larger.

    Args:
        wins: ``wins[i, j]`` is how often bot i beat bot j so far.
        names: The bots, in the order of the rows.
        plan: The preregistered plan.

    Raises:
        DesignError: The plan is for another number of bots, or it is too early to look.
        Disconnected: Some bots were never compared.

    Example:
        >>> wins = [[0, 26, 28], [4, 0, 17], [2, 13, 0]]
        >>> [pair.decision for pair in pooled_sequential_test(wins, "ABC", plan_pooled(0.4, bots=3)).pairs]
        ['first-better', 'first-better', 'continue']
    """
    counts = np.asarray(wins, dtype=np.float64)
    pairs = plan.bots * (plan.bots - 1) // 2
    if len(names) != plan.bots:
        raise DesignError(f"the plan is for {plan.bots} bots, and there are {len(names)}.")
    total = int(counts.sum())
    if total < plan.look_at[0]:
        raise DesignError(
            f"it is too early to look: the first look is at {plan.look_at[0]} judgments; there are {total}."
        )
    fit = bradley_terry(counts, tuple(names), variance="sandwich")
    covariance = fit.covariance * total / (total - plan.bots + 1)
    share = min(1.0, total / (plan.most * pairs))
    needed = plan.constant * share ** (WANG_TSIATIS - 0.5)
    tested = []
    for i, j in itertools.combinations(range(plan.bots), 2):
        difference = float(fit.strengths[i] - fit.strengths[j])
        variance = float(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        decision = _decide(plan, difference, variance, needed, is_last=share >= 1)
        tested.append(
            PooledPair(fit.names[i], fit.names[j], difference, difference / math.sqrt(variance), decision)
        )
    return PooledVerdict(
        pairs=tuple(tested),
        judgments=total,
        share=share,
        needed=needed,
        next_look=next((at for at in plan.look_at if at > total), None),
        lack_of_fit=fit.lack_of_fit,
        plan=plan,
    )


def _decide(
    plan: PooledPlan, difference: float, variance: float, needed: float, *, is_last: bool
) -> Decision:
    if abs(difference) / math.sqrt(variance) >= needed:
        return "first-better" if difference > 0 else "second-better"
    if plan.futility is not None and plan.gap < 1:
        apart = math.log((1 + plan.gap) / (1 - plan.gap))  # the gap as a difference of strengths
        log_ratio = (abs(difference) * apart - apart**2 / 2) / variance
        if log_ratio <= -math.log(plan.futility):
            return "futile"
    return "undecided" if is_last else "continue"
