"""Every two bots compared by their pooled strengths, all claims together: contrasts and rank sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.stats.counts import check_share
from duologue.stats.rates.intervals import Interval
from duologue.stats.strengths.pooled import PooledStrengths
from duologue.stats.strengths.tukey_range import range_tail, range_threshold

NEGLIGIBLE = 1e-6
"""Chances below this are not worked out by Tukey's distribution: Bonferroni's bound is as good there."""


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two bots compared by the difference of their strengths, read as a win rate of the first.

    ``interval`` agrees with the verdict: it excludes one half exactly when ``is_different``. ``unadjusted``
    is at 1 − alpha for this pair alone.
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

    ``threshold`` is how many standard errors two strengths must differ by to be told apart in rank, given
    many annotators (1.96 would be it for one pair looked at alone). All sets hold together with confidence
    1 − ``alpha``.
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

    Every difference has a p-value by Student's t on its own degrees of freedom. Step-down from the smallest:
    at each step it is compared with Tukey's range of so many normal numbers, or against Bonferroni's bound
    over the pairs that are left, whichever asks less; both bound the chance that any of these is false. Rank
    sets come from the simultaneous intervals of the first step (Tukey–Kramer): a bot's best rank is one more
    than the bots surely above it, its worst the number of bots less those surely below it. Bots that are
    apart in rank are always apart by a verdict as well.

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
    steps = _step_down(p_values, bots=bots, alpha=alpha)
    needed, alone = -special.stdtrit(df, steps.levels / 2), -special.stdtrit(df, alpha / 2)
    pairs = tuple(
        Contrast(
            first=fit.names[i],
            second=fit.names[j],
            lead=float(lead),
            standard_error=float(error),
            df=float(own_df),
            rate=float(special.expit(lead)),
            p_value=float(p),
            p_adjusted=float(adjusted),
            is_different=bool(is_different),
            interval=_interval(lead, error * more, 1 - float(chance), is_different),
            unadjusted=_interval(lead, error * less, 1 - alpha, None),
        )
        for i, j, lead, error, own_df, p, adjusted, is_different, more, less, chance in zip(
            *(first, second, leads, errors, df, p_values),
            *(steps.adjusted, steps.rejected, needed, alone, steps.levels),
            strict=True,
        )
    )
    ranks = _rank_sets(fit, first, second, leads, p_values < steps.first)
    return Contrasts(pairs, ranks, float(-special.ndtri(steps.first / 2)), alpha)


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


@dataclass(frozen=True, slots=True)
class _Steps:
    adjusted: NDArray[np.float64]
    rejected: NDArray[np.bool_]
    levels: NDArray[np.float64]
    """The p-value that each pair was compared with."""
    first: float
    """That of the first step: all pairs together."""


def _step_down(p_values: NDArray[np.float64], *, bots: int, alpha: float) -> _Steps:
    count = len(p_values)
    # Equal records give p-values that differ in their last digits: they are one.
    rounded = np.round(np.log(np.maximum(p_values, 1e-300)), 9)
    order = np.argsort(rounded, kind="stable")
    ordered, left = p_values[order], np.arange(count, 0, -1)
    steps = np.minimum(left * ordered, 1.0)
    close = np.flatnonzero(steps > NEGLIGIBLE)  # below it the two bounds are as good as equal
    tails = range_tail(special.ndtri(ordered[close] / 2), bots=bots)
    steps[close] = np.minimum(steps[close], np.maximum(tails, ordered[close]))
    adjusted, levels = np.empty(count), np.empty(count)
    adjusted[order] = np.maximum.accumulate(steps)
    rejected = adjusted <= alpha
    # At most alpha: rounding must not ask less than for one pair.
    by_range = min(alpha, 2 * float(special.ndtr(-range_threshold(1 - alpha, bots=bots))))
    asked = np.maximum(alpha / left, by_range)
    keys = rounded[order]
    step = np.searchsorted(keys, keys, side="left")  # equal ones share the first of their steps
    levels[order] = asked[np.minimum(step, min(int(rejected.sum()), count - 1))]
    return _Steps(adjusted, rejected, levels, float(asked[0]))


def _interval(lead: float, margin: float, level: float, is_different: bool | None) -> Interval:
    """The win rate from the lead and its margin; rounding never makes it disagree with the verdict."""
    low, high = lead - margin, lead + margin
    if is_different is False:
        low, high = min(low, 0.0), max(high, 0.0)
    elif is_different is True and low <= 0.0 <= high:
        low, high = (1e-12, high) if lead > 0 else (low, -1e-12)
    ends = special.expit([low, high]).tolist()
    return Interval(ends[0], ends[1], level, "pooled")
