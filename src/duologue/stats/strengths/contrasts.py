"""Every two bots compared by their pooled strengths, all claims together: contrasts and rank sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.stats.counts import check_share
from duologue.stats.rates.intervals import Interval
from duologue.stats.strengths.closed import closed_p_values
from duologue.stats.strengths.pooled import PooledStrengths
from duologue.stats.strengths.tukey_range import range_threshold


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two bots compared by the difference of their strengths, read as a win rate of the first.

    ``interval`` is simultaneous: those of all pairs hold together with confidence 1 − alpha, before any is
    cut. It excludes one half exactly when ``is_different``: that of a decided pair ends at one half where it
    would reach further. Then it is marked as cut, and its end at one half is as sure as the verdicts.
    ``unadjusted`` is at 1 − alpha for this pair alone.
    """

    first: str
    second: str
    lead: float
    standard_error: float
    df: float
    rate: float
    p_value: float
    p_adjusted: float
    is_different: bool
    interval: Interval
    unadjusted: Interval

    @property
    def better(self) -> str | None:
        """The better bot; None when no difference is detected."""
        if not self.is_different:
            return None
        return self.first if self.lead > 0 else self.second


@dataclass(frozen=True, slots=True)
class RankSet:
    """The ranks that a bot may have, from ``best`` to ``worst`` (1 is the top)."""

    name: str
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class Contrasts:
    """All pairs of bots, and the ranks that each may have, strongest first.

    ``threshold`` is how many standard errors the simultaneous intervals reach to either side, given many
    annotators (1.96 would be it for one pair looked at alone): Tukey's c for all the bots. All sets hold
    together with confidence 1 − ``alpha``.
    """

    pairs: tuple[Contrast, ...]
    ranks: tuple[RankSet, ...]
    threshold: float
    alpha: float

    @property
    def top(self) -> tuple[str, ...]:
        """The bots that may be the best."""
        return tuple(one.name for one in self.ranks if one.best == 1)


def compare_strengths(fit: PooledStrengths, *, alpha: float = 0.05) -> Contrasts:
    """Compare all pairs of bots so that the chance of any false verdict is at most alpha.

    Every difference has a p-value by Student's t on its own degrees of freedom, and closed testing adjusts
    them (`closed_p_values`). Intervals are simultaneous (Tukey–Kramer). Rank sets are counted from the
    verdicts: a bot's best rank is one more than there are bots decided better, its worst the number of bots
    less those decided worse.

    Args:
        fit: The strengths.
        alpha: Chance of any false verdict.

    Raises:
        BadNumber: ``alpha`` is not a share.

    Example:
        >>> from duologue.stats import pooled_strengths
        >>> first, second = np.repeat([[0, 0, 1], [1, 2, 2]], 100, axis=1)
        >>> won = np.arange(300) % 10 < np.repeat([7, 8, 5], 100)
        >>> fit = pooled_strengths(first, second, won, "ABC", annotators=np.arange(300) // 7)
        >>> found = compare_strengths(fit)
        >>> [(one.name, one.best, one.worst) for one in found.ranks]
        [('A', 1, 1), ('B', 2, 3), ('C', 2, 3)]
    """
    alpha = check_share("alpha", alpha)
    bots = len(fit.names)
    first, second = np.triu_indices(bots, 1)
    leads = (fit.strengths[first] - fit.strengths[second]).astype(np.float64)
    errors, df = fit.lead_errors[first, second], np.minimum(fit.df[first], fit.df[second])
    p_values = np.asarray(2 * special.stdtr(df, -np.abs(leads) / errors), dtype=np.float64)
    adjusted = closed_p_values(p_values, bots=bots)
    rejected = adjusted <= alpha
    threshold = range_threshold(1 - alpha, bots=bots)
    alone = -special.stdtrit(df, alpha / 2)
    needed = np.maximum(-special.stdtrit(df, special.ndtr(-threshold)), alone)
    pairs = tuple(
        Contrast(
            first=fit.names[i],
            second=fit.names[j],
            lead=float(lead),
            standard_error=float(error),
            df=float(own_df),
            rate=float(special.expit(lead)),
            p_value=float(p),
            p_adjusted=float(p_adjusted),
            is_different=bool(is_different),
            interval=_interval(lead, error * more, 1 - alpha, bool(is_different)),
            unadjusted=_interval(lead, error * less, 1 - alpha, None),
        )
        for i, j, lead, error, own_df, p, p_adjusted, is_different, more, less in zip(
            *(first, second, leads, errors, df, p_values, adjusted, rejected, needed, alone), strict=True
        )
    )
    return Contrasts(pairs, _rank_sets(fit, first, second, leads, rejected), threshold, alpha)


def _rank_sets(
    fit: PooledStrengths,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    leads: NDArray[np.float64],
    is_apart: NDArray[np.bool_],
) -> tuple[RankSet, ...]:
    bots = len(fit.names)
    above = np.zeros((bots, bots), dtype=np.bool_)
    above[first, second], above[second, first] = is_apart & (leads > 0), is_apart & (leads < 0)
    beaten_by, beats = above.sum(axis=0), above.sum(axis=1)
    order = sorted(range(bots), key=lambda bot: (-round(float(fit.strengths[bot]), 9), fit.names[bot]))
    return tuple(RankSet(fit.names[i], 1 + int(beaten_by[i]), bots - int(beats[i])) for i in order)


def _interval(lead: float, margin: float, level: float, is_different: bool | None) -> Interval:
    """The win rate from the lead and its margin, cut where it would disagree with the verdict."""
    low, high = lead - margin, lead + margin
    is_cut = is_different is True and bool(low <= 0.0 <= high)
    if is_different is False:
        low, high = min(low, 0.0), max(high, 0.0)
    elif is_cut:
        low, high = (1e-12, high) if lead > 0 else (low, -1e-12)
    ends = special.expit([low, high]).tolist()
    return Interval(ends[0], ends[1], level, "pooled", is_cut=is_cut)
