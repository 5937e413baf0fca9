"""What looking at the results until they are significant does to the chance of a false verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import binomial_region
from duologue.stats.rates.binomial_distribution import Floats, Ints
from duologue.stats.stopping.rules import StoppingRule, no_rule, operating_characteristics


@dataclass(frozen=True, slots=True)
class Peeking:
    """The error of stopping as soon as p is at most alpha, at the first look or at any later one."""

    judgments: int
    first_look: int
    every: int
    alpha: float
    gap: float
    """The true gap; 0 means equal bots, and every verdict is false."""
    verdicts: float
    """Chance of a verdict for either bot by the last judgment."""
    wrong: float
    """Chance of a wrong verdict: any between equal bots, one for the worse bot otherwise."""
    expected: float
    """Mean number of judgments when it is over."""
    verdicts_by: Floats
    """Chance of a verdict within the first n judgments; n is the index."""


def peeking(
    judgments: int, *, first_look: int = 10, every: int = 1, alpha: float = 0.05, gap: float = 0.0
) -> Peeking:
    """The exact chance of a verdict when the exact binomial test is looked at again and again.

    Looks come after ``first_look`` judgments and then every so many, up to ``judgments``; the study stops
    at the first p ≤ alpha. No simulation: dynamic programming over the number of wins. What to do instead:
    fix the number before, or use `mixture_sprt`, which may be looked at whenever one likes.

    Args:
        judgments: The most that would be collected.
        first_look: Judgments before the first look.
        every: Judgments between two looks.
        alpha: Level of each single test.
        gap: True gap between the bots.

    Raises:
        DesignError: A number is out of range.

    Example:
        >>> round(peeking(100).wrong, 3), round(peeking(1000).wrong, 3)
        (0.208, 0.393)
    """
    if first_look < 1 or every < 1:
        raise DesignError(f"looks come after at least one judgment; got {first_look} and every {every}.")
    if judgments < first_look:
        raise DesignError(
            f"the first look comes after {first_look} judgments, but only {judgments} are planned."
        )
    if not -1 <= gap <= 1:
        raise DesignError(f"the gap must lie between -1 and 1; got {gap:g}.")
    looks = np.arange(first_look, judgments + 1, every)
    (result,) = operating_characteristics(_rule(judgments, looks, alpha), [(1 + gap) / 2])
    worse = result.second_better if gap > 0 else result.first_better
    return Peeking(
        judgments=judgments,
        first_look=first_look,
        every=every,
        alpha=alpha,
        gap=gap,
        verdicts=result.verdict,
        wrong=result.verdict if gap == 0 else worse,
        expected=result.expected,
        verdicts_by=np.cumsum(result.verdict_at),
    )


def _rule(judgments: int, looks: Ints, alpha: float) -> StoppingRule:
    rule = no_rule(judgments)
    region = binomial_region(looks, alpha=alpha)
    rule.first_from[looks], rule.second_upto[looks] = region.high, region.low
    return rule
