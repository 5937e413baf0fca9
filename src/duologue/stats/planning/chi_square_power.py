"""How often a chi-square test over several bots finds a gap: power by the non-central chi-square.

Two designs share it: Pearson's goodness of fit (one bot chosen per turn) and Cochran's Q (any number
chosen). Both are sized for the *least favourable* truth with the gap asked for: one bot half the gap
above the average, one half below, all others on it. Every other truth with that gap is easier to see.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability, require_probability
from duologue.stats.rates.binomial_distribution import Floats


def chi_square_power(noncentrality: ArrayLike, *, df: int, alpha: float = 0.05) -> Floats:
    """Power of a chi-square test whose statistic has this non-centrality.

    Example:
        >>> chi_square_power([10.9026], df=3).round(4).tolist()
        [0.8]
    """
    require_open_probability(alpha, "alpha")
    shift = np.atleast_1d(np.asarray(noncentrality, dtype=np.float64))
    return np.asarray(1 - special.chndtr(special.chdtri(df, alpha), df, shift), dtype=np.float64)


def noncentrality_for(power: float, *, df: int, alpha: float = 0.05) -> float:
    """The non-centrality at which a chi-square test has the power asked for.

    Example:
        >>> [round(noncentrality_for(0.8, df=df), 4) for df in (1, 2, 3)]
        [7.8489, 9.6347, 10.9026]
    """
    require_open_probability(alpha, "alpha")
    require_open_probability(power, "power")
    return float(special.chndtrinc(special.chdtri(df, alpha), df, 1 - power))


def noncentrality_interval(statistic: float, *, df: int, level: float = 0.95) -> tuple[float, float]:
    """The interval of the non-centrality of a chi-square; an end is 0 where the statistic allows no more.

    Example:
        >>> [round(end, 2) for end in noncentrality_interval(20.0, df=3)]
        [4.82, 38.97]
    """
    require_open_probability(level, "level")
    below, tail = float(special.chdtr(df, statistic)), (1 - level) / 2
    low = float(special.chndtrinc(statistic, df, 1 - tail)) if below > 1 - tail else 0.0
    high = float(special.chndtrinc(statistic, df, tail)) if below > tail else 0.0
    return low, high


def least_favourable_effect(gap: float, *, bots: int) -> float:
    """Cohen's w squared of the shares that are hardest to tell from equal ones, with this largest gap.

    The shares are (1/k + gap/2, 1/k − gap/2, 1/k, …).

    Raises:
        DesignError: Shares with that gap do not exist.

    Example:
        >>> round(least_favourable_effect(0.1, bots=4) ** 0.5, 6)
        0.141421
    """
    require_bots(bots)
    if gap > 2 / bots + 1e-9:
        raise DesignError(
            f"with {bots} bots and one chosen per turn the average share is {1 / bots:.3g}, so no gap "
            f"around it exceeds {2 / bots:.3g}; got {gap:g}. Plan a smaller gap."
        )
    return bots * gap**2 / 2


def worst_discordance(bots: int) -> float:
    """The largest mean share of turns on which exactly one of two bots is selected, over all pairs.

    Reached when always half of the bots are selected: 1 for two bots, 2/3 for four, and towards 1/2.

    Example:
        >>> [round(worst_discordance(bots), 4) for bots in (2, 3, 4)]
        [1.0, 0.6667, 0.6667]
    """
    require_bots(bots)
    half = bots // 2
    return 2 * half * (bots - half) / (bots * (bots - 1))


def cochran_noncentrality(n: ArrayLike, gap: float, *, discordance: float) -> Floats:
    """Non-centrality of Cochran's Q after ``n`` turns at the least favourable win rates with this gap.

    In general it is n k(k−1) Σ(pⱼ − p̄)² / E[X(k − X)] with X the number selected on a turn, and
    E[X(k − X)] the sum of the pairwise discordances; with one pair half the gap off on each side that
    is n gap² / mean discordance.
    """
    require_probability(discordance, "the discordance")
    if discordance == 0:
        raise DesignError("the discordance must be larger than 0.")
    return np.atleast_1d(np.asarray(n, dtype=np.float64)) * gap**2 / discordance


def require_bots(bots: int) -> None:
    """Refuse fewer than two bots.

    Raises:
        DesignError: ``bots`` is below 2.
    """
    if bots < 2:
        raise DesignError(f"a comparison needs at least two bots; got {bots}.")
