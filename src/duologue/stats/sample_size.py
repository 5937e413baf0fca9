"""How many judgments a study needs, worked out before it is run."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import special

from duologue.errors import DesignError
from duologue.stats.binomial_distribution import Floats, Ints
from duologue.stats.power import (
    BinomialTest,
    binomial_power_curve,
    binomial_region,
    require_open_probability,
)

MOST_JUDGMENTS = 100_000_000
"""No study collects more; a design that would need more is refused."""


@dataclass(frozen=True, slots=True)
class SampleSize:
    """Judgments needed, and every assumption the number rests on."""

    judgments: int
    gap: float
    alpha: float
    power: float
    method: str
    first: int | None = None
    """Smallest number that reaches the power at all; a few more can fall below it again (exact tests)."""


@dataclass(frozen=True, slots=True)
class DetectableGap:
    """The smallest gap that a number of judgments can show, and what it rests on."""

    gap: float
    judgments: int
    alpha: float
    power: float
    method: str


def judgments_for_forced_choice(gap: float, *, alpha: float = 0.05, power: float = 0.80) -> SampleSize:
    """Judgments needed to tell two bots ``gap`` apart when one must be chosen.

    Exact two-sided binomial test; every larger number of judgments also reaches the power. Assumes
    independent judgments: multiply by the design effect when annotators or dialogues are judged more
    than once.

    Args:
        gap: Difference between the two win rates (0.20 is 60 % against 40 %).
        alpha: Chance of declaring a winner between equal bots.
        power: Chance of seeing a gap this large when it is there.

    Raises:
        DesignError: ``gap`` is not between 0 and 1.

    Example:
        >>> judgments_for_forced_choice(0.20).judgments
        210
    """
    require_gap(gap)
    first, stable = binomial_sizes((1 + gap) / 2, null=0.5, alpha=alpha, power=power)
    return SampleSize(
        judgments=stable,
        gap=gap,
        alpha=alpha,
        power=power,
        method="exact binomial test, two-sided",
        first=first,
    )


def detectable_gap(n: int, *, alpha: float = 0.05, power: float = 0.80) -> DetectableGap:
    """The smallest gap between two bots that ``n`` forced choices show with the power asked for.

    Raises:
        DesignError: ``n`` judgments cannot be significant whatever the gap.

    Example:
        >>> round(detectable_gap(210).gap, 3)
        0.195
    """
    _require_level_and_power(alpha, power)
    if binomial_power_curve([n], 1.0, alpha=alpha)[0] < power:
        raise DesignError(
            f"{n} judgments cannot be significant at alpha = {alpha:g}, however large the gap. Plan for more."
        )
    region = binomial_region([n], alpha=alpha)
    rate = smallest_that(lambda p: bool(region.chance(p)[0] >= power), low=0.5, high=1.0)
    return DetectableGap(
        gap=2 * rate - 1, judgments=n, alpha=alpha, power=power, method="exact binomial test, two-sided"
    )


def binomial_sizes(
    p: float, *, null: float, alpha: float, power: float, test: BinomialTest = "exact"
) -> tuple[int, int]:
    """First and stable number of judgments at which a binomial test of ``null`` finds the rate ``p``.

    Example:
        >>> binomial_sizes(0.7, null=0.8, alpha=0.05, power=0.8)
        (141, 151)
    """
    _require_level_and_power(alpha, power)
    spread = _quantile(1 - alpha / 2) * math.sqrt(null * (1 - null)) + _quantile(power) * math.sqrt(
        p * (1 - p)
    )
    guess = (spread / (p - null)) ** 2
    return first_and_stable(
        lambda n: binomial_power_curve(n, p, null=null, alpha=alpha, test=test), power=power, guess=guess
    )


def first_and_stable(power_at: Callable[[Ints], Floats], *, power: float, guess: float) -> tuple[int, int]:
    """The smallest n that reaches ``power``, and the smallest from which every larger n does.

    Power rises with n apart from teeth of height O(1/sqrt(n)), so it falls short only below, or within
    some sqrt(n) of, where the smooth curve crosses it. The window looked at is a multiple of that and
    grows until the quarter at its top is clear, and the quarter at its bottom is clearly too small.

    Args:
        power_at: Power at each of many n.
        power: The power to reach.
        guess: About where it is reached (a normal approximation will do).

    Raises:
        DesignError: More than ``MOST_JUDGMENTS`` would be needed.
    """
    half = 8 * math.sqrt(max(guess, 1.0)) + 100
    bottom, top = max(1, int(guess - half)), int(guess + half)
    while True:
        if top > 2 * MOST_JUDGMENTS:
            raise DesignError(
                f"more than {MOST_JUDGMENTS:,} judgments would be needed. Plan a larger gap or less power."
            )
        reached = power_at(np.arange(bottom, top + 1, dtype=np.int64)) >= power
        width = top - bottom
        if not reached[-(width // 4) :].all():
            top += width
        elif bottom > 1 and reached[: width // 4].any():
            bottom = max(1, bottom - width)
        else:
            break
    short = np.flatnonzero(~reached)
    return bottom + int(np.argmax(reached)), bottom + (int(short[-1]) + 1 if short.size else 0)


def smallest_that(holds: Callable[[float], bool], *, low: float, high: float) -> float:
    """The smallest number between ``low`` and ``high`` from which a claim holds; it must hold at ``high``."""
    while high - low > 1e-13:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def require_gap(gap: float) -> None:
    """Refuse a gap that cannot be one between two win rates.

    Raises:
        DesignError: ``gap`` is not between 0 and 1.
    """
    if not 0 < gap <= 1:
        raise DesignError(f"the gap must lie between 0 and 1 (0.20 is 60 % against 40 %); got {gap:g}.")


def _require_level_and_power(alpha: float, power: float) -> None:
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    if power <= alpha:
        raise DesignError(f"power must be larger than alpha; got {power:g} and {alpha:g}.")


def _quantile(probability: float) -> float:
    return float(special.ndtri(probability))
