"""How many judgments a study needs, worked out before it is run."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability
from duologue.stats.planning.designs import (
    AllThatApplyOfMany,
    Design,
    ForcedChoice,
    RatingDifference,
)
from duologue.stats.rates.binomial_distribution import Floats, Ints

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
    assumptions: Mapping[str, float | str] = field(default_factory=dict)
    """What else the number rests on, by name: the discordance, the number of bots, the null rate."""


@dataclass(frozen=True, slots=True)
class DetectableGap:
    """The smallest gap that a number of judgments can show, and what it rests on."""

    gap: float
    judgments: int
    alpha: float
    power: float
    method: str


def sample_size(design: Design, gap: float, *, power: float = 0.80) -> SampleSize:
    """Judgments that a design needs to find ``gap``: every larger number also reaches the power.

    Args:
        design: What is judged, and the test.
        gap: Difference between two bots (or between a bot and the standard).
        power: Chance of seeing a gap this large when it is there.

    Raises:
        DesignError: The gap is impossible in this design, or a number is out of range.

    Example:
        >>> sample_size(ForcedChoice(), 0.20).judgments
        210
    """
    _require_level_and_power(design.alpha, power)
    design.power([1], 0.0)  # refuses a design that cannot be
    if not 0 < gap <= design.largest_gap + 1e-9:
        hint = " (0.20 is 60 % against 40 %)" if isinstance(design, ForcedChoice) else ""
        raise DesignError(f"the gap must lie between 0 and {design.largest_gap:.3g}{hint}; got {gap:g}.")
    try:
        guess = design.about(gap, power)
    except (ZeroDivisionError, OverflowError):  # of a gap or a level that is next to nothing
        guess = math.inf
    first, stable = first_and_stable(lambda n: design.power(n, gap), power=power, guess=guess)
    assumed = {name: value for name, value in _facts(design).items() if name != "alpha" and value is not None}
    return SampleSize(stable, gap, design.alpha, power, design.method, first, assumed)


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
    return sample_size(ForcedChoice(alpha=alpha), gap, power=power)


def ratings_for_difference(
    gap: float, *, sd: float = 1.0, alpha: float = 0.05, power: float = 0.80
) -> SampleSize:
    """Ratings needed *per bot* to tell two mean ratings ``gap`` points apart (Likert).

    Example:
        >>> ratings_for_difference(0.5).judgments
        64
    """
    return sample_size(RatingDifference(sd=sd, alpha=alpha), gap, power=power)


def detectable_gap(
    n: int,
    *,
    alpha: float = 0.05,
    power: float = 0.80,
    design: Design | None = None,
    unit: str = "judgments",
) -> DetectableGap:
    """The smallest gap between two bots that ``n`` judgments show with the power asked for.

    Args:
        n: Number of judgments.
        alpha: Level of the test; a ``design`` has its own.
        power: Chance of seeing the gap.
        design: What is judged; a forced choice between two bots when not given.
        unit: What is counted, in words.

    Raises:
        DesignError: ``n`` judgments cannot reach the power whatever the gap.

    Example:
        >>> round(detectable_gap(210).gap, 3)
        0.195
    """
    chosen = ForcedChoice(alpha=alpha) if design is None else design
    _require_level_and_power(chosen.alpha, power)

    def is_seen(gap: float) -> bool:
        return bool(chosen.power([n], gap)[0] >= power)

    if not is_seen(chosen.largest_gap):
        raise DesignError(
            f"{n} {unit} do not reach a power of {power:g} at alpha = {chosen.alpha:g}, however large the "
            "gap. Plan for more."
        )
    gap = _smallest_that(is_seen, high=chosen.largest_gap)
    return DetectableGap(gap=gap, judgments=n, alpha=chosen.alpha, power=power, method=chosen.method)


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
    too_many = DesignError(
        f"more than {MOST_JUDGMENTS:,} judgments would be needed. Plan a larger gap or less power."
    )
    if not guess <= 2 * MOST_JUDGMENTS:
        raise too_many
    half = 8 * math.sqrt(max(guess, 1.0)) + 100
    bottom, top = max(1, int(guess - half)), int(guess + half)
    while True:
        if top > 2 * MOST_JUDGMENTS:
            raise too_many
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


def _smallest_that(holds: Callable[[float], bool], *, high: float) -> float:
    """The smallest number above 0 from which a claim holds; it must hold at ``high``."""
    low = 0.0
    while high - low > 1e-13 * max(high, 1.0):
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _require_level_and_power(alpha: float, power: float) -> None:
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    if power <= alpha:
        raise DesignError(f"power must be larger than alpha; got {power:g} and {alpha:g}.")


def _facts(design: Design) -> dict[str, float | str | None]:
    """The fields of a design by name, with a discordance that was left open filled in."""
    facts: dict[str, float | str | None] = dataclasses.asdict(design)  # type: ignore[call-overload]
    if isinstance(design, AllThatApplyOfMany):
        facts["discordance"] = design.mean_discordance
    return facts


def chance_of_all(power: float, tests: int, *, correlation: float) -> float:
    """Chance that all of several tests find what each finds with this power, when their statistics correlate.

    Args:
        power: Of each test.
        tests: How many.
        correlation: Of every two of their (normal) statistics.

    Example:
        >>> round(chance_of_all(0.8, 2, correlation=0.0), 3), round(chance_of_all(0.8, 4, correlation=0.4), 3)
        (0.64, 0.526)
    """
    from scipy.special import ndtr, ndtri

    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    alone = ndtr((ndtri(power) + math.sqrt(correlation) * nodes) / math.sqrt(1 - correlation))
    return float(weights @ alone**tests / math.sqrt(2 * math.pi))
