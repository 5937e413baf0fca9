"""Two independent groups, one rate each: by how much they differ, and whether by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from duologue.stats.rates.intervals import Interval, wilson_interval

RateTest = Literal["score", "fisher"]
"""The large-sample test with a pooled rate, or Fisher's exact test."""


@dataclass(frozen=True, slots=True)
class RateDifference:
    """The first rate minus the second, with Cohen's h as its size and the ratio of the odds.

    ``odds_ratio`` is infinite when the second group has no odds to speak of, and None when it is 0/0.
    """

    estimate: float
    interval: Interval
    p_value: float
    method: RateTest
    first_rate: float
    second_rate: float
    effect: float
    odds_ratio: float | None
    n: tuple[int, int]


def rate_difference(
    first_successes: int,
    first_n: int,
    second_successes: int,
    second_n: int,
    *,
    level: float = 0.95,
    method: RateTest = "score",
) -> RateDifference:
    """Compare two rates from independent groups, such as the recall of experts and of others.

    The interval is Newcombe's (1998) hybrid of two Wilson intervals. ``score`` is the z test with the pooled
    rate; ``fisher`` is exact given the margins, and cautious. Assumes independent judgments within and
    between groups: for two bots judged on the same turns use `paired_difference`, for clusters
    `clustered_difference`.

    Args:
        first_successes: Successes in the first group.
        first_n: Judgments in the first group.
        second_successes: Successes in the second group.
        second_n: Judgments in the second group.
        level: Confidence.
        method: How the p-value is worked out.

    Raises:
        NotEnoughJudgments: A group is empty.
        BadNumber: A count is negative or not whole, or successes exceed judgments.

    Example:
        >>> result = rate_difference(52, 100, 714, 1350)
        >>> round(result.estimate, 4), round(result.p_value, 3)
        (-0.0089, 0.864)
    """
    ours = wilson_interval(first_successes, first_n, level=level)
    theirs = wilson_interval(second_successes, second_n, level=level)
    first, second = first_successes / first_n, second_successes / second_n
    below = float(np.hypot(first - ours.low, theirs.high - second))
    above = float(np.hypot(ours.high - first, second - theirs.low))
    counts = int(first_successes), int(first_n), int(second_successes), int(second_n)
    return RateDifference(
        estimate=first - second,
        interval=Interval(first - second - below, first - second + above, ours.level, "newcombe"),
        p_value=_score_p_value(*counts) if method == "score" else _fisher_p_value(*counts),
        method=method,
        first_rate=first,
        second_rate=second,
        effect=cohen_h(first, second),
        odds_ratio=_odds_ratio(*counts),
        n=(counts[1], counts[3]),
    )


def cohen_h(first: float, second: float) -> float:
    """The size of a difference between two rates: 2 arcsin √p − 2 arcsin √q (Cohen 1988).

    Example:
        >>> round(cohen_h(0.6, 0.5), 4)
        0.2014
    """
    return float(2 * np.arcsin(np.sqrt(first)) - 2 * np.arcsin(np.sqrt(second)))


def _score_p_value(a: int, n: int, b: int, m: int) -> float:
    pooled = (a + b) / (n + m)
    variance = pooled * (1 - pooled) * (1 / n + 1 / m)
    if variance == 0:
        return 1.0  # all judgments are alike in both groups
    return float(special.chdtrc(1, (a / n - b / m) ** 2 / variance))


def _fisher_p_value(a: int, n: int, b: int, m: int) -> float:
    from scipy.stats import fisher_exact  # heavy: it would slow the start of every command

    return float(fisher_exact(np.array([[a, n - a], [b, m - b]])).pvalue)


def _odds_ratio(a: int, n: int, b: int, m: int) -> float | None:
    above, below = a * (m - b), b * (n - a)
    if below == 0:
        return None if above == 0 else np.inf
    return above / below
