"""The chance of a verdict at other sizes of a study, by drawing its answers again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.rates.intervals import Interval

FEWEST_CLUSTERS = 5
METHOD = "whole clusters drawn again"

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RedrawnPower:
    """How often a difference would be found with so many clusters (annotators)."""

    clusters: int
    answers: float
    """In the mean."""
    chance: float
    interval: Interval
    """From drawing the collected clusters themselves again: what other annotators would have shown."""


def redrawn_power(
    values: ArrayLike,
    clusters: ArrayLike,
    about_first: ArrayLike | None = None,
    *,
    sizes: Sequence[int],
    alpha: float = 0.05,
    draws: int = 400,
    outer: int = 40,
    level: float = 0.95,
    rng: np.random.Generator,
) -> tuple[RedrawnPower, ...]:
    """How often a difference between two bots would be found, had so many clusters been asked.

    Clusters are drawn with replacement, each with all of its answers, and tested two-sided: comparisons for
    or against by the exact binomial test, and where a cluster has several answers by the larger of its
    p-value and the clustered one; graded comparisons and ratings by clusters. The clustered test is that of
    verdicts (CR3 with t(G* - 1)), and a bot with one rating has no verdict. It assumes that the truth is
    what was collected, so it is no evidence for a difference: it tells what study would find what was seen.

    Args:
        values: Of a comparison 1 for the first bot and 0 for the second (or between); of a rating its points.
        clusters: The annotator of each answer.
        about_first: Which ratings are of the first bot; left out for comparisons.
        sizes: Numbers of clusters.
        alpha: The error rate.
        draws: Studies that are drawn for every size.
        outer: How often the collected clusters are drawn again for the interval (fewer studies each).
        level: Of the interval.
        rng: Where the randomness comes from.

    Raises:
        BadNumber: The columns differ in length, or a size is below 2.
        NotEnoughJudgments: There are fewer than five clusters.

    Example:
        >>> wins = [1] * 70 + [0] * 30
        >>> found = redrawn_power(wins, range(100), sizes=[20, 100], rng=np.random.default_rng(1))
        >>> [round(one.chance, 1) for one in found]
        [0.4, 1.0]
    """
    moments, is_binary = _moments(values, clusters, about_first)
    units = len(moments)
    if units < FEWEST_CLUSTERS:
        raise NotEnoughJudgments(
            "drawing answers again", needed=FEWEST_CLUSTERS, got=units, unit="annotators"
        )
    if any(size < 2 for size in sizes):
        raise BadNumber("sizes", expected="at least 2 clusters", got=str(min(sizes)))
    again = [moments[rng.integers(0, units, units)] for _ in range(outer)]
    few = max(50, draws // 4)
    found = []
    for size in sizes:
        chances = [_chance(one, size, few, alpha, is_binary=is_binary, rng=rng) for one in again]
        low, high = np.quantile(chances, [(1 - level) / 2, (1 + level) / 2])
        found.append(
            RedrawnPower(
                clusters=size,
                answers=float(size * moments[:, [_COUNT, _COUNT_2]].sum() / units),
                chance=_chance(moments, size, draws, alpha, is_binary=is_binary, rng=rng),
                interval=Interval(float(low), float(high), level, METHOD),
            )
        )
    return tuple(found)


_COUNT, _SUM, _COUNT_2, _SUM_2 = range(4)
"""Columns: answers and their sum of the first bot (or of the comparison), and of the second."""


def _moments(values: ArrayLike, clusters: ArrayLike, about_first: ArrayLike | None) -> tuple[Floats, bool]:
    """Answers and sums of every cluster, and whether the answers are plain comparisons."""
    found = np.asarray(values, dtype=np.float64)
    _, which = np.unique(np.asarray(clusters), return_inverse=True)
    is_first = np.ones(len(found), bool) if about_first is None else np.asarray(about_first, bool)
    if not len(found) == len(which) == len(is_first):
        raise BadNumber("clusters", expected=f"{len(found)} of them, one an answer", got=str(len(which)))
    units = int(which.max()) + 1 if len(which) else 0
    columns = [
        np.bincount(which, weights, minlength=units)
        for side in (is_first, ~is_first)
        for weights in (side.astype(np.float64), np.where(side, found, 0.0))
    ]
    is_binary = about_first is None and bool(np.isin(found, (0.0, 1.0)).all())
    return np.stack(columns, axis=1), is_binary


def _chance(
    moments: Floats, size: int, draws: int, alpha: float, *, is_binary: bool, rng: np.random.Generator
) -> float:
    weights = rng.multinomial(size, np.full(len(moments), 1 / len(moments)), size=draws).astype(np.float64)
    has_second = bool(moments[:, _COUNT_2].any())
    with np.errstate(divide="ignore", invalid="ignore"):
        p_values = _clustered_p(moments, weights, size, against_half=not has_second)
    if is_binary:
        totals = weights @ moments[:, [_COUNT, _SUM]]
        exact = _exact_p(totals)
        is_single = bool((moments[:, _COUNT] == 1).all())
        if not is_single:
            p_values = np.where(_is_unanimous(totals), _unanimous_p(moments, weights), p_values)
        p_values = exact if is_single else np.fmax(exact, p_values)
    return float((p_values <= alpha).mean())


def _exact_p(totals: Floats) -> Floats:
    """Of the exact binomial test against one half, two-sided."""
    from scipy.special import bdtr

    n, wins = totals.T
    found: Floats = np.minimum(1.0, 2 * bdtr(np.minimum(wins, n - wins), n.astype(int), 0.5))
    return found


def _is_unanimous(totals: Floats) -> NDArray[np.bool_]:
    n, wins = totals.T
    same: NDArray[np.bool_] = (wins == 0) | (wins == n)
    return same


def _unanimous_p(moments: Floats, weights: Floats) -> Floats:
    """Of the exact test where all agree, each effective cluster as one answer (as in `clustered_rate`)."""
    found: Floats = 2 * 0.5 ** _effective(weights, moments[:, _COUNT][None, :])
    return found


def _effective(weights: Floats, of_each: Floats) -> Floats:
    """(Σw)² / Σw² over the clusters of each draw."""
    found: Floats = (weights * of_each).sum(axis=1) ** 2 / (weights * of_each**2).sum(axis=1)
    return found


def _clustered_p(moments: Floats, weights: Floats, size: int, *, against_half: bool) -> Floats:
    """Of the mean against one half, or of the difference of two means: CR3 with t(G* - 1), as in verdicts.

    What the estimate changes by without each cluster is its variance. NaN, which is no verdict, where every
    cluster says exactly the same, a bot has fewer than two ratings, or one cluster has all of a bot's.
    """
    from scipy.special import stdtr

    change, of_each, estimate = np.zeros_like(weights), np.zeros_like(weights), np.zeros(len(weights))
    for count, total, sign in ((_COUNT, _SUM, 1), (_COUNT_2, _SUM_2, -1)):
        if against_half and sign < 0:
            estimate -= 0.5
            continue
        n = weights @ moments[:, count]
        mean = weights @ moments[:, total] / n
        left = np.where(n < 2, np.nan, n)[:, None] - moments[:, count]
        change += sign * (moments[:, total] - mean[:, None] * moments[:, count]) / left
        of_each += moments[:, count] / n[:, None] ** 2
        estimate += sign * mean
    change[weights == 0] = 0.0
    variance = (size - 1) / size * (weights * change**2).sum(axis=1)
    spread = np.where(variance > 1e-18, np.sqrt(np.maximum(variance, 0)), np.nan)
    df = np.maximum(1.0, _effective(weights, of_each) - 1)
    found: Floats = 2 * stdtr(df, -np.abs(estimate) / spread)
    return found
