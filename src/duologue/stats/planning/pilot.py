"""What a pilot may say about the size of a study: always less than it seems to.

A pilot's effect is biased upwards (by (k − 1)/n for w²), and its discordance is uncertain; a study sized
from the raw numbers is too small more often than not. Effects are therefore shrunk, and the discordance
is taken at the end of its interval that costs more.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.chi_square_power import (
    noncentrality_for,
    noncentrality_interval,
    require_bots,
    worst_discordance,
)


@dataclass(frozen=True, slots=True)
class PilotEffect:
    """How unequal the shares of several bots were in a pilot, as Cohen's w squared.

    ``raw`` is what was seen; ``shrunk`` has its bias subtracted and is what may be planned with (0 when
    the pilot shows nothing beyond noise). ``low`` and ``high`` are a 90 % interval.
    """

    raw: float
    shrunk: float
    low: float
    high: float
    turns: int
    bots: int


@dataclass(frozen=True, slots=True)
class PilotDiscordance:
    """How often exactly one of two bots was selected in a pilot, averaged over pairs.

    ``cautious`` is the upper end of a one-sided 95 % interval, and what should be planned with.
    """

    seen: float
    cautious: float
    turns: int
    bots: int


def pilot_effect(chosen: Sequence[int]) -> PilotEffect:
    """The effect in a pilot in which one bot was chosen on each turn.

    The expected raw w² exceeds the true one by (k − 1)/n; that is subtracted, which is the same as moving
    the shares towards equal ones (a positive-part shrinkage). The interval inverts the non-central
    chi-square.

    Args:
        chosen: How often each bot was chosen.

    Raises:
        DesignError: Fewer than two bots, no turn, or a negative count.

    Example:
        >>> effect = pilot_effect([56, 38, 54, 52])
        >>> round(effect.raw, 4), round(effect.shrunk, 4)
        (0.02, 0.005)
    """
    counts = _counts(chosen, "how often each bot was chosen")
    bots, turns = counts.size, int(counts.sum())
    require_bots(bots)
    statistic = float(((counts - turns / bots) ** 2).sum() * bots / turns)
    low, high = noncentrality_interval(statistic, df=bots - 1, level=0.90)
    return PilotEffect(
        raw=statistic / turns,
        shrunk=max(0.0, statistic - (bots - 1)) / turns,
        low=low / turns,
        high=high / turns,
        turns=turns,
        bots=bots,
    )


def turns_for_effect(effect: float, *, bots: int, alpha: float = 0.05, power: float = 0.80) -> int:
    """Turns that Pearson's chi-square over ``bots`` needs to see an effect of this w².

    Raises:
        DesignError: The effect is not positive: no number of turns would do.

    Example:
        >>> turns_for_effect(0.02, bots=4), turns_for_effect(0.04, bots=4)
        (546, 273)
    """
    require_bots(bots)
    if not 0 < effect < math.inf:
        raise DesignError(
            f"an effect of {effect:g} cannot be planned for: the pilot shows no difference beyond noise. "
            "Leave the pilot out to plan for the smallest gap of interest."
        )
    return math.ceil(noncentrality_for(power, df=bots - 1, alpha=alpha) / effect)


def pilot_discordance(turns_by_selected: Sequence[int]) -> PilotDiscordance:
    """The discordance in a pilot in which any number of bots could be selected on each turn.

    On a turn with X of k bots selected, X(k − X) of the k(k − 1)/2 pairs are discordant. The cautious
    value is Wilson's upper limit of its share of the largest possible discordance, which no distribution
    with that mean exceeds in spread.

    Args:
        turns_by_selected: Turns on which 0, 1, …, k bots were selected.

    Raises:
        DesignError: Fewer than two bots, no turn, or a negative count.

    Example:
        >>> pilot = pilot_discordance([5, 85, 10])
        >>> round(pilot.seen, 3), round(pilot.cautious, 3)
        (0.85, 0.899)
    """
    counts = _counts(turns_by_selected, "turns on which 0, 1, … bots were selected")
    bots, turns = counts.size - 1, int(counts.sum())
    worst = worst_discordance(bots)
    selected = np.arange(bots + 1)
    seen = float((counts * selected * (bots - selected)).sum() / turns / (bots * (bots - 1) / 2))
    return PilotDiscordance(
        seen=seen, cautious=worst * _upper_limit(min(seen / worst, 1.0), turns), turns=turns, bots=bots
    )


def _upper_limit(share: float, n: int) -> float:
    """Wilson's one-sided 95 % upper limit."""
    z = float(special.ndtri(0.95))
    centre = share + z * z / (2 * n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return min(1.0, (centre + half) / (1 + z * z / n))


def _counts(values: Sequence[int], meaning: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    counts = np.asarray(values, dtype=np.float64)
    if counts.ndim != 1 or not np.isfinite(counts).all() or (counts < 0).any() or counts.sum() < 1:
        raise DesignError(f"a pilot is given as counts of at least 0, {meaning}, with at least one turn.")
    return counts
