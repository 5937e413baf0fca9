"""How far a question separates bots: what one judgment by it is worth, and how many another would need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.stats.clusters.jackknife import jackknife_interval
from duologue.stats.counts import check_codes, check_numbers, check_share
from duologue.stats.planning.chi_square_power import noncentrality_interval
from duologue.stats.rates.intervals import Interval

FEWEST_DIALOGUES = 6
"""With fewer dialogues of a bot the numbers hold for these dialogues: they are no sample of others."""

GROUPS = 50
"""More annotators than this are left out in so many groups, one after another."""

Codes = NDArray[np.intp]
Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Separation:
    """How far judgments by one question separate bots.

    ``statistic`` is the sum over matchups of (Σ s)² / Σ S², ``noncentrality`` what is left of it without the
    one that each matchup of equal bots has on average, ``per_judgment`` the same for each judgment: 0 where
    the question separates nothing, 1 where every judgment is for the same bot. ``interval`` is that of
    ``per_judgment``.
    """

    n: int
    matchups: int
    statistic: float
    noncentrality: float
    per_judgment: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class RelativeCost:
    """How many times as many judgments a question needs as another, for verdicts that are as sure.

    None is no limit: where the question may not separate the bots at all, no number may be enough.
    """

    times: float | None
    low: float
    high: float | None
    level: float


def separation(
    scores: ArrayLike,
    matchups: ArrayLike,
    *,
    annotators: ArrayLike,
    dialogues: Sequence[ArrayLike] = (),
    level: float = 0.95,
) -> Separation | None:
    """How far judgments separate the bots of their matchups: the noncentrality of the score test.

    In each matchup (Σ s)² / Σ S², s the score of a judgment for the first bot (−1 to 1, ties 0) and S their
    sums over clusters: of annotators, of dialogues where there are at least six of a bot, or the single
    judgments, whichever gives the most. For independent choices this is McNemar's (wins − losses)² over wins
    and losses. Under equal bots each is 1 on average, which is taken off: so the sum over matchups, less
    their number, over judgments less the number of matchups, has no bias for independent choices. For a win
    rate p it is (2p − 1)². A verdict that is as sure takes judgments in inverse proportion to it.

    The interval joins that by the noncentral chi-square distribution with that of the jackknife over
    annotators, and ends at 0 and 1. Its upper end is never that of a statistic below the average of equal
    bots: few judgments that happen to be even do not show that nothing is separated.

    Args:
        scores: Of each judgment: −1 to 1, positive for the first bot of its matchup.
        matchups: The integer code of the matchup of each judgment.
        annotators: The integer code of its annotator.
        dialogues: Integer codes of the dialogue of the first, and of the second bot.
        level: Confidence of the interval.

    Returns:
        None where no matchup has two judgments.

    Raises:
        BadNumber: A score is not from −1 to 1, or the codes do not fit the scores.

    Example:
        >>> found = separation([1] * 15 + [-1] * 5, [0] * 20, annotators=range(20))
        >>> found.statistic, round(found.per_judgment, 3)
        (5.0, 0.211)
    """
    s = check_numbers("scores", scores, low=-1.0, high=1.0)
    level, n = check_share("level", level), len(s)
    where, count = check_codes("matchups", matchups, length=n)
    people, size = check_codes("annotators", annotators, length=n)
    if n <= count:
        return None
    kinds = [people, *(check_codes("dialogues", codes, length=n)[0] for codes in dialogues)]
    judged = _ClusteredScores(s, where, count, tuple(kinds))
    statistic = judged.statistic(np.ones(n, dtype=np.bool_))
    low, _ = noncentrality_interval(statistic, df=count, level=level)
    _, high = noncentrality_interval(max(statistic, float(count)), df=count, level=level)
    free = n - count
    limits = [low / free, high / free]
    if size > 1:
        groups = people % min(size, GROUPS)
        over_people = jackknife_interval(judged.per_judgment, groups, level=level, bounds=(0.0, 1.0))
        if over_people is not None:
            limits = [min(limits[0], over_people.low), max(limits[1], over_people.high)]
    method = "noncentral chi-square, joined with the jackknife over annotators"
    return Separation(
        n=n,
        matchups=count,
        statistic=statistic,
        noncentrality=max(0.0, statistic - count),
        per_judgment=max(0.0, statistic - count) / free,
        interval=Interval(max(0.0, limits[0]), min(1.0, limits[1]), level, method),
    )


def relative_cost(one: Separation, best: Separation) -> RelativeCost:
    """How many times as many judgments a question needs as the best, for verdicts that are as sure.

    The ratio of both separations. Its interval is put together from theirs on the logarithmic scale (MOVER:
    Donner and Zou 2012), which is cautious where the same annotators answered both questions. It is not
    widened for having looked for the best.

    Example:
        >>> many, few = range(200), range(20)
        >>> best = separation([1] * 180 + [-1] * 20, [0] * 200, annotators=many)
        >>> weak = separation([1] * 140 + [-1] * 60, [0] * 200, annotators=many)
        >>> round(relative_cost(weak, best).times, 2)
        4.1
    """
    if one is best:
        return RelativeCost(1.0, 1.0, 1.0, best.interval.level)
    if best.per_judgment == 0.0 or one.per_judgment == 0.0:
        return RelativeCost(None, 0.0, None, best.interval.level)
    ours, theirs = math.log(one.per_judgment), math.log(best.per_judgment)
    our_low, our_high = _distances(one)
    their_low, their_high = _distances(best)
    ratio = theirs - ours
    high = ratio + math.hypot(their_high, our_low)
    return RelativeCost(
        times=math.exp(ratio),
        low=math.exp(ratio - math.hypot(their_low, our_high)),
        high=math.exp(high) if math.isfinite(high) else None,
        level=best.interval.level,
    )


def _distances(found: Separation) -> tuple[float, float]:
    """How far the interval reaches to either side, on the logarithmic scale."""
    middle = math.log(found.per_judgment)
    low, high = found.interval.limits
    return middle - math.log(low) if low > 0 else math.inf, math.log(high) - middle


@dataclass(frozen=True, slots=True)
class _ClusteredScores:
    """Scores with the matchup and the clusters of each."""

    scores: Scores
    matchups: Codes
    count: int
    kinds: tuple[Codes, ...]
    """Annotators first, then dialogues."""

    def per_judgment(self, kept: NDArray[np.bool_]) -> float | None:
        """The separation of the judgments that are kept; None where there are too few."""
        matchups = len(np.unique(self.matchups[kept]))
        free = int(kept.sum()) - matchups
        return (self.statistic(kept) - matchups) / free if free else None

    def statistic(self, kept: NDArray[np.bool_]) -> float:
        scores, matchups = self.scores[kept], self.matchups[kept]
        total = np.bincount(matchups, weights=scores, minlength=self.count)
        scatter = np.bincount(matchups, weights=scores * scores, minlength=self.count)
        for number, codes in enumerate(self.kinds):
            keys, which = np.unique(codes[kept] * self.count + matchups, return_inverse=True)
            sums = np.bincount(which, weights=scores)
            squares = np.bincount(keys % self.count, weights=sums * sums, minlength=self.count)
            several = np.bincount(keys % self.count, minlength=self.count) >= FEWEST_DIALOGUES
            counted = squares if number == 0 else np.where(several, squares, 0.0)
            scatter = np.maximum(scatter, counted)
        judged = scatter > 0
        return float((total[judged] ** 2 / scatter[judged]).sum())
