"""How often McNemar's test finds a gap between two bots judged on the same turns: exact power.

Only discordant turns (one bot selected, the other not) speak. Their number is binomial, and given it the
test is a binomial test of one half; so power is the average of binomial power over the number of
discordant turns. Exact, and quick: no table is enumerated.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.paired.mcnemar import McNemarMethod
from duologue.stats.planning.binomial_power import (
    RejectionRegion,
    binomial_region,
    require_open_probability,
    require_probability,
)
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_of


def mcnemar_power(
    n: ArrayLike, gap: float, *, discordance: float, alpha: float = 0.05, test: McNemarMethod = "mid-p"
) -> Floats:
    """Exact power of McNemar's test at each number of turns in ``n``.

    Assumes independent turns. With ``discordance = 1`` it is the power of a forced choice.

    Args:
        n: Numbers of turns.
        gap: Difference between the two bots' win rates.
        discordance: Share of turns on which exactly one of the two bots is selected.
        alpha: Level of the test.
        test: Which form of the test.

    Raises:
        DesignError: The gap exceeds the discordance, or a number is out of range.

    Example:
        >>> mcnemar_power([667], 0.1, discordance=0.85).round(4).tolist()
        [0.8014]
    """
    require_discordance(gap, discordance)
    turns = np.atleast_1d(np.asarray(n, dtype=np.int64))
    if turns.size == 0:
        return np.zeros(0)
    if turns.min() < 0:
        raise DesignError(f"the number of turns must not be negative; got {turns.min()}.")
    spread = 10 * np.sqrt(turns * discordance * (1 - discordance)) + 30
    lowest = np.maximum(0, np.floor(turns * discordance - spread)).astype(np.int64)
    width = int(np.ceil(2 * spread.max())) + 2
    base = int(lowest.min())
    speaking = np.arange(base, int(lowest.max()) + width)
    wins = (discordance + gap) / (2 * discordance)
    given = paired_region(speaking, alpha=alpha, test=test).chance(wins)
    return _average(given, base, turns, lowest, width, discordance)


def _average(given: Floats, base: int, n: Ints, lowest: Ints, width: int, discordance: float) -> Floats:
    """Average conditional power over the number of discordant turns, some rows of the table at a time."""
    power = np.zeros(n.size)
    rows = max(1, 2_000_000 // width)
    for start in range(0, n.size, rows):
        part = slice(start, start + rows)
        count = lowest[part, None] + np.arange(width)
        power[part] = (chance_of(count, n[part, None], discordance) * given[count - base]).sum(axis=1)
    return np.minimum(power, 1.0)


def paired_region(discordant: Ints, *, alpha: float, test: McNemarMethod) -> RejectionRegion:
    """The counts of turns won by the first bot, out of the discordant ones, at which McNemar's test rejects.

    Example:
        >>> region = paired_region(np.array([100]), alpha=0.05, test="chi-square")
        >>> int(region.low[0]), int(region.high[0])
        (40, 60)
    """
    require_open_probability(alpha, "alpha")
    if test in ("mid-p", "exact"):
        return binomial_region(discordant, alpha=alpha, test=test)
    correction = 1.0 if test == "corrected" else 0.0
    needed = np.sqrt(special.chdtri(1, alpha) * discordant) + correction
    low = np.floor((discordant - needed) / 2).astype(np.int64)
    low = np.where(discordant == 0, -1, np.maximum(low, -1))
    return RejectionRegion(n=discordant, low=low, high=discordant - low)


def require_discordance(gap: float, discordance: float) -> None:
    """Refuse a gap that the stated discordance cannot carry.

    Raises:
        DesignError: ``discordance`` is not a share, or smaller than ``gap``.
    """
    require_probability(discordance, "the discordance")
    if not abs(gap) <= discordance or discordance == 0:
        raise DesignError(
            f"two bots can differ by {gap:g} only when exactly one of them is selected on at least that "
            f"share of turns; the discordance is {discordance:g}. Plan a smaller gap or more discordance."
        )
