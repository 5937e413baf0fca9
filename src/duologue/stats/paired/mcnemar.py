"""Two bots selected or not on the same turns: McNemar's test and the difference of their rates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from duologue.errors import NotEnoughJudgments
from duologue.stats.counts import check_count, check_share
from duologue.stats.rates.binomial import exact_p_value, mid_p_value
from duologue.stats.rates.intervals import Interval, normal_quantile

McNemarMethod = Literal["mid-p", "exact", "chi-square", "corrected"]
"""Mid-p and exact are binomial; chi-square and its continuity correction are for matching papers."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Turns on which only one of two bots was selected, and whether one of them was selected more often.

    ``statistic`` is the chi-square, None for the binomial methods. ``odds_ratio`` is only_first over
    only_second, infinite when the second was never alone. Ties, where both or neither was selected, say
    nothing about the difference and are not part of the test.
    """

    only_first: int
    only_second: int
    p_value: float
    method: McNemarMethod
    statistic: float | None
    odds_ratio: float


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """By how much the first bot's selection rate exceeds the second's, on the same turns."""

    estimate: float
    interval: Interval
    first_rate: float
    second_rate: float
    discordance: float
    n: int


def mcnemar_test(only_first: int, only_second: int, *, method: McNemarMethod = "mid-p") -> McNemar:
    """Test whether two bots are selected equally often, when both are judged on every turn.

    Given the turns on which exactly one was selected, the first of them is selected in half if there is no
    difference: a binomial test of ``only_first`` in ``only_first + only_second`` against one half (McNemar
    1947). ``mid-p`` is our default: the exact conditional test is too cautious here, and mid-p keeps close to
    alpha (Fagerland et al. 2013). ``chi-square`` is (b − c)²/(b + c), ``corrected`` (|b − c| − 1)²/(b + c).

    Assumes independent turns; turns of one dialogue are not, so read it beside `clustered_mean` of the
    differences with ``bounds=(-1, 1)``.

    Args:
        only_first: Turns on which only the first bot was selected.
        only_second: Turns on which only the second was.
        method: How the p-value is worked out.

    Raises:
        NotEnoughJudgments: On no turn was exactly one of them selected.
        BadNumber: A count is negative or not whole.

    Example:
        >>> round(mcnemar_test(320, 253).p_value, 5), round(mcnemar_test(320, 253, method="exact").p_value, 5)
        (0.00512, 0.00578)
    """
    first, second = check_count("only_first", only_first), check_count("only_second", only_second)
    differing = first + second
    if differing == 0:
        raise NotEnoughJudgments(
            "McNemar's test", needed=1, got=0, unit="judgments that select only one of the bots"
        )
    statistic = None
    if method == "mid-p":
        p_value = mid_p_value(first, differing, 0.5)
    elif method == "exact":
        p_value = exact_p_value(first, differing, 0.5)
    else:
        distance = abs(first - second)
        if method == "corrected":
            distance = max(0, distance - 1)  # a correction never makes equal counts differ
        statistic = distance * distance / differing
        p_value = float(special.chdtrc(1, statistic))
    odds = first / second if second else np.inf
    return McNemar(first, second, p_value, method, statistic, odds)


def paired_difference(
    only_first: int, only_second: int, both: int, neither: int, *, level: float = 0.95
) -> PairedDifference:
    """Estimate the difference of two bots' selection rates on the same turns.

    The estimate is (b − c)/n; the interval is that of Bonett and Price (2012): the normal one after adding
    one turn to each kind on which they differ, cut off at −1 and 1. It keeps its level with few turns, where
    the plain one does not, and has a width when nothing differed. Assumes independent turns; with several in
    a dialogue use `clustered_mean`.

    Args:
        only_first: Turns on which only the first bot was selected.
        only_second: Turns on which only the second was.
        both: Turns on which both were (tie-win).
        neither: Turns on which neither was (tie-loss).
        level: Confidence.

    Raises:
        NotEnoughJudgments: There is no turn.
        BadNumber: A count is negative or not whole, or the level is not between 0 and 1.

    Example:
        >>> difference = paired_difference(320, 253, 67, 27)
        >>> [round(number, 4) for number in (difference.estimate, *difference.interval.limits)]
        [0.1004, 0.0303, 0.17]
    """
    counts = {"only_first": only_first, "only_second": only_second, "both": both, "neither": neither}
    first, second, ties, misses = (check_count(name, value) for name, value in counts.items())
    level = check_share("level", level)
    n = first + second + ties + misses
    if n == 0:
        raise NotEnoughJudgments("A paired difference", needed=1, got=0)
    ours, theirs = (first + 1) / (n + 2), (second + 1) / (n + 2)
    half = normal_quantile(level) * float(np.sqrt((ours + theirs - (ours - theirs) ** 2) / (n + 2)))
    low, high = max(-1.0, ours - theirs - half), min(1.0, ours - theirs + half)
    return PairedDifference(
        estimate=(first - second) / n,
        interval=Interval(low, high, level, "bonett-price"),
        first_rate=(first + ties) / n,
        second_rate=(second + ties) / n,
        discordance=(first + second) / n,
        n=n,
    )
