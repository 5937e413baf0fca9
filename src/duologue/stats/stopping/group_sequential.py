"""Looking a few times at agreed points: O'Brien–Fleming, Wang–Tsiatis and Pocock boundaries, exactly.

Published constants hold for normal statistics. Here the boundary is that of the win counts themselves:
the smallest constant whose exact chance of a verdict between equal bots stays at or below alpha.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_of
from duologue.stats.stopping.rules import StoppingRule, no_rule

OBRIEN_FLEMING, WANG_TSIATIS, POCOCK = 0.0, 0.25, 0.5
"""Shapes: the boundary for |z| at the k-th of K looks is C·(k/K)^(shape − 1/2)."""


@dataclass(frozen=True, slots=True)
class GroupSequential:
    """When to look, and the wins at which to stop: the whole rule, with its exact error.

    At the k-th look, after ``looks[k]`` judgments, the first bot is better from ``first_from[k]`` wins on
    and the second up to ``second_upto[k]``: where |z| exceeds ``constant``·(k/K)^(``shape`` − 1/2).
    """

    looks: tuple[int, ...]
    first_from: tuple[int, ...]
    second_upto: tuple[int, ...]
    constant: float
    shape: float
    alpha: float
    error: float
    """Exact chance of a verdict between equal bots."""

    @property
    def most(self) -> int:
        """The largest number of judgments."""
        return self.looks[-1]

    def rule(self) -> StoppingRule:
        """The same as a `StoppingRule`, for `operating_characteristics`."""
        rule = no_rule(self.most)
        looks = list(self.looks)
        rule.first_from[looks], rule.second_upto[looks] = self.first_from, self.second_upto
        return rule


def group_sequential(
    most: int, *, looks: int = 5, shape: float = OBRIEN_FLEMING, alpha: float = 0.05
) -> GroupSequential:
    """The group-sequential test of ``most`` judgments with evenly spread looks.

    Args:
        most: Judgments at the last look.
        looks: How often to look, the last time included.
        shape: 0 is O'Brien–Fleming (hard to stop early), 0.5 Pocock (equally hard at all looks), and
            values between are Wang–Tsiatis.
        alpha: Chance of a verdict between equal bots over all looks.

    Raises:
        DesignError: There are more looks than judgments, or a number is out of range.

    Example:
        >>> plan = group_sequential(202)
        >>> plan.looks, plan.first_from, round(plan.error, 4)
        ((40, 81, 121, 162, 202), (35, 56, 76, 96, 116), 0.0487)
    """
    require_open_probability(alpha, "alpha")
    if not 0 <= shape <= 0.5:
        raise DesignError(f"the shape of a boundary lies between 0 and 0.5; got {shape:g}.")
    if not 1 <= looks <= most:
        raise DesignError(f"looks lie between 1 and the number of judgments ({most}); got {looks}.")
    at = np.array([math.floor(most * k / looks + 0.5) for k in range(1, looks + 1)], dtype=np.int64)
    scale = (np.arange(1, looks + 1) / looks) ** (0.5 - shape)
    levels = [_levels(int(n)) * factor for n, factor in zip(at, scale, strict=True)]
    # The statistic only takes these values, so the boundary changes only where the constant passes one.
    candidates = np.unique(np.concatenate(levels))
    low, high = 0, len(candidates) - 1
    while low < high:
        middle = (low + high) // 2
        is_safe = _verdicts(at, _first_from(at, levels, candidates[middle]), 0.5) <= alpha
        low, high = (low, middle) if is_safe else (middle + 1, high)
    first_from = _first_from(at, levels, candidates[low])
    return GroupSequential(
        looks=tuple(at.tolist()),
        first_from=tuple(first_from.tolist()),
        second_upto=tuple((at - first_from).tolist()),
        constant=float(candidates[low]),
        shape=shape,
        alpha=alpha,
        error=_verdicts(at, first_from, 0.5),
    )


def plan_group_sequential(
    gap: float,
    *,
    looks: int = 5,
    shape: float = OBRIEN_FLEMING,
    alpha: float = 0.05,
    power: float = 0.80,
) -> GroupSequential:
    """The smallest group-sequential test that finds ``gap`` with the power asked for.

    Above 500 judgments the number is found in steps of 0.2 %.

    Example:
        >>> plan_group_sequential(0.2).most
        202
    """
    if not 0 < gap < 1:
        raise DesignError(f"the gap must lie between 0 and 1 (0.20 is 60 % against 40 %); got {gap:g}.")
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    spread = special.ndtri(1 - alpha / 2) + special.ndtri(power) * math.sqrt(1 - gap**2)
    most = max(looks, math.floor(0.97 * (spread / gap) ** 2))
    while True:
        plan = group_sequential(most, looks=looks, shape=shape, alpha=alpha)
        if _verdicts(np.array(plan.looks), np.array(plan.first_from), (1 + gap) / 2) >= power:
            return plan
        most += max(1, most // 500)


def _levels(n: int) -> Floats:
    """The values of z from zero up, at n judgments."""
    return np.asarray((2 * np.arange((n + 1) // 2, n + 1) - n) / math.sqrt(n), dtype=np.float64)


def _first_from(at: Ints, levels: list[Floats], constant: float) -> Ints:
    """At each look the smallest number of wins whose statistic exceeds the constant; n + 1 if none does."""
    passed = [int(np.searchsorted(values, constant, side="right")) for values in levels]
    return (at + 1) // 2 + np.array(passed, dtype=np.int64)


def _verdicts(at: Ints, first_from: Ints, rate: float) -> float:
    """Chance of a verdict at any look, going from look to look; wins beyond ten deviations are left out."""
    lowest, running, before, total = 0, np.ones(1), 0, 0.0  # chance of lowest, … wins without a verdict
    for n, high in zip(at.tolist(), first_from.tolist(), strict=True):
        more = n - before
        reach = 10 * math.sqrt(more * rate * (1 - rate)) + 30
        fewest = max(0, math.floor(more * rate - reach))
        gained = np.arange(fewest, min(more, math.ceil(more * rate + reach)) + 1)
        running = np.convolve(running, chance_of(gained, more, rate))
        lowest += fewest
        down, up = max(n - high + 1 - lowest, 0), max(high - lowest, 0)
        total += float(running[:down].sum() + running[up:].sum())
        running = running[down:up]
        lowest += down
        before = n
        if not running.size:
            break
    return total
