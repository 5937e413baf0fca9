"""Every two bots compared by their pooled strengths, all claims together: contrasts and rank sets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.stats.counts import check_share
from duologue.stats.intervals import Interval
from duologue.stats.pooled import PooledStrengths
from duologue.stats.studentized_range import range_tail, range_threshold

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

    ``threshold`` is how many standard errors two strengths must differ by to be told apart in rank (1.96
    would be it for one pair looked at alone). All sets hold together with confidence 1 − ``alpha``.
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

    Step-down on the largest |difference| / standard error: at each step it is held against Tukey's
    studentized range over all pairs, or against Bonferroni's bound over the pairs that are left, whichever
    asks less; both bound the chance that any of these is false. Rank sets come from the simultaneous
    intervals of the first step (Tukey–Kramer): a bot's best rank is one more than the bots surely above it,
    its worst the number of bots less those surely below it. Bots that are apart in rank are always apart by
    a verdict as well.

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
    bots, df = len(fit.names), fit.df
    first, second = np.triu_indices(bots, 1)
    leads = (fit.strengths[first] - fit.strengths[second]).astype(np.float64)
    errors = fit.lead_errors[first, second]
    sizes = np.abs(leads) / errors
    p_values = np.asarray(2 * special.stdtr(df, -sizes), dtype=np.float64)
    steps = _step_down(sizes, p_values, bots=bots, df=df, alpha=alpha)
    threshold = range_threshold(1 - alpha, bots=bots, df=df)
    alone = float(-special.stdtrit(df, alpha / 2))
    pairs = tuple(
        Contrast(
            first=fit.names[i],
            second=fit.names[j],
            lead=float(lead),
            standard_error=float(error),
            rate=float(special.expit(lead)),
            p_value=float(p),
            p_adjusted=float(adjusted),
            is_different=bool(is_different),
            interval=_interval(lead, error, needed, 1 - 2 * float(special.stdtr(df, -needed)), is_different),
            unadjusted=_interval(lead, error, alone, 1 - alpha, None),
        )
        for i, j, lead, error, p, adjusted, is_different, needed in zip(
            first, second, leads, errors, p_values, steps.adjusted, steps.rejected, steps.needed, strict=True
        )
    )
    return Contrasts(pairs, rank_sets(fit, threshold), threshold, alpha)


def rank_sets(fit: PooledStrengths, threshold: float) -> tuple[RankSet, ...]:
    """The ranks that each bot may have when strengths so many standard errors apart are told apart."""
    above = fit.strengths[:, None] - fit.strengths[None, :] > threshold * fit.lead_errors
    beaten_by, beats, bots = above.sum(axis=0), above.sum(axis=1), len(fit.names)
    order = sorted(range(bots), key=lambda bot: (-round(float(fit.strengths[bot]), 9), fit.names[bot]))
    return tuple(RankSet(fit.names[i], 1 + int(beaten_by[i]), bots - int(beats[i])) for i in order)


@dataclass(frozen=True, slots=True)
class _Steps:
    adjusted: NDArray[np.float64]
    rejected: NDArray[np.bool_]
    needed: NDArray[np.float64]
    """Standard errors at which each pair was decided."""


def _step_down(
    sizes: NDArray[np.float64], p_values: NDArray[np.float64], *, bots: int, df: float, alpha: float
) -> _Steps:
    count = len(sizes)
    order = np.argsort(-sizes, kind="stable")
    left = np.arange(count, 0, -1)
    steps = np.minimum(left * p_values[order], 1.0)
    close = np.flatnonzero(steps > NEGLIGIBLE)  # below it the two bounds are as good as equal
    tails = np.maximum(range_tail(sizes[order][close], bots=bots, df=df), p_values[order][close])
    steps[close] = np.minimum(steps[close], tails)
    adjusted, needed = np.empty(count), np.empty(count)
    adjusted[order] = np.maximum.accumulate(steps)
    rejected = adjusted <= alpha
    alone = -special.stdtrit(df, alpha / 2)  # at least: rounding must not ask less than for one pair
    by_range = max(alone, range_threshold(1 - alpha, bots=bots, df=df))
    asked = np.minimum(-special.stdtrit(df, alpha / left / 2), by_range)
    step = np.searchsorted(
        -sizes[order], -sizes[order], side="left"
    )  # equal ones share the first of their steps
    last = min(int(rejected.sum()), count - 1)
    needed[order] = asked[np.minimum(step, last)]
    return _Steps(adjusted, rejected, needed)


def _interval(lead: float, error: float, needed: float, level: float, is_different: bool | None) -> Interval:
    """The win rate from the lead and its margin; rounding never makes it disagree with the verdict."""
    low, high = lead - needed * error, lead + needed * error
    if is_different is False:
        low, high = min(low, 0.0), max(high, 0.0)
    elif is_different is True and low <= 0.0 <= high:
        low, high = (1e-12, high) if lead > 0 else (low, -1e-12)
    ends = special.expit([low, high]).tolist()
    return Interval(ends[0], ends[1], level, "pooled")
