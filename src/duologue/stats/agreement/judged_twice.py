"""How often two annotators agree about the same item, and the ceiling this puts on any judge."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes, check_count, check_numbers, check_share
from duologue.stats.rates.intervals import Interval, normal_quantile, student_quantile


@dataclass(frozen=True, slots=True)
class JudgeCeiling:
    """How often the best possible judge agrees with the judgment of one annotator.

    ``value`` is reached where every item is equally hard; ``interval`` takes the ends of the interval of the
    agreement. ``answers`` is how many different answers there are.
    """

    value: float
    interval: Interval
    answers: int


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """How often two annotators who judged the same item gave the same answer.

    ``interval`` is the wider of Wilson's and ``clustered``, which is clustered by item and annotator.
    """

    rate: float
    pairs: int
    items: int
    annotators: int
    interval: Interval
    clustered: Interval


def pair_agreement(
    same: ArrayLike, items: ArrayLike, first: ArrayLike, second: ArrayLike, *, level: float = 0.95
) -> PairAgreement:
    """How often two annotators agree, from pairs of judgments of the same item.

    The rate is the mean over items; an item with several pairs counts once. Pairs that share an item or an
    annotator are not independent. The clustered variance adds up the products of the residuals of all pairs
    that share any of these (the dyadic sandwich estimator: Fafchamps and Gubert 2007, Aronow, Samii and
    Assenova 2015), times A/(A−1) for A annotators, and is never below that of independent items. Quantiles
    are those of t with A*−1 degrees of freedom, where A* is the effective number of annotators,
    (Σm)²/Σm² over the number of pairs m of each. The interval reported is the wider of this one and
    Wilson's, which holds where nothing repeats.

    Args:
        same: Whether both gave the same answer, of each pair.
        items: The integer code of its item.
        first: The integer code of one annotator.
        second: The integer code of the other.
        level: Confidence of the interval.

    Raises:
        NotEnoughJudgments: There is no pair.
        BadNumber: The arrays do not fit each other.

    Example:
        >>> found = pair_agreement([1, 1, 0, 1], [0, 1, 2, 3], [0, 1, 2, 0], [3, 4, 5, 6])
        >>> found.rate, found.items, round(found.interval.low, 3), round(found.interval.high, 3)
        (0.75, 4, 0.115, 1.0)
    """
    agree = check_numbers("same", same)
    if len(agree) == 0:
        raise NotEnoughJudgments("Agreement of two annotators", needed=2, got=0)
    level = check_share("level", level)
    item, count = check_codes("items", items, length=len(agree))
    check_codes("first", first, length=len(agree))
    check_codes("second", second, length=len(agree))
    people, who = np.unique(np.concatenate([np.asarray(first), np.asarray(second)]), return_inverse=True)
    weights = 1 / np.bincount(item, minlength=count)[item]
    rate = float((agree * weights).sum() / count)
    plain = _wilson(rate, count, level=level)
    clustered = _clustered(agree, weights, rate, item, who, level=level)
    method = "the wider of Wilson's and that clustered by item and annotator"
    widest = Interval(min(plain.low, clustered.low), max(plain.high, clustered.high), level, method)
    return PairAgreement(rate, len(agree), count, len(people), widest, clustered)


def _wilson(rate: float, n: int, *, level: float) -> Interval:
    """Wilson's interval of a rate that is a mean of shares, and so no count over n."""
    z2 = normal_quantile(level) ** 2
    middle = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (rate * (1 - rate) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Interval(max(0.0, middle - half), min(1.0, middle + half), level, "wilson")


def _clustered(
    agree: NDArray[np.float64],
    weights: NDArray[np.float64],
    rate: float,
    item: NDArray[np.intp],
    who: NDArray[np.intp],
    *,
    level: float,
) -> Interval:
    one, other = who[: len(agree)], who[len(agree) :]
    met = np.bincount(who).astype(np.float64)
    people, items = len(met), int(item.max()) + 1
    effective = float(met.sum() ** 2 / (met * met).sum())
    residual = weights * (agree - rate)
    by_item = np.bincount(item, weights=residual)
    independent = float((by_item * by_item).sum())
    # Pairs that share an annotator, and those that share an item; those that share both are in either.
    within = _shared(residual, item * people + one, item * people + other, items * people)
    variance = _shared(residual, one, other, people) + independent - within
    variance = max(variance * people / (people - 1), independent) / items**2
    half = student_quantile(level, max(1.0, effective - 1)) * math.sqrt(variance)
    return Interval(max(0.0, rate - half), min(1.0, rate + half), level, "clustered by item and annotator")


def _shared(
    residual: NDArray[np.float64], one: NDArray[np.intp], other: NDArray[np.intp], size: int
) -> float:
    """The sum of products of residuals over all two pairs that share an annotator, each taken once."""
    by_one = np.bincount(one, weights=residual, minlength=size)
    by_one += np.bincount(other, weights=residual, minlength=size)
    both = np.minimum(one, other) * size + np.maximum(one, other)
    _, same = np.unique(both, return_inverse=True)
    by_both = np.bincount(same, weights=residual)
    return float((by_one * by_one).sum() - (by_both * by_both).sum())


def judge_ceiling(agreement: PairAgreement, *, answers: int = 2) -> JudgeCeiling:
    """How often the best possible judge agrees with one annotator, when two annotators agree so often.

    Where annotators give the commonest answer to an item with probability p, and the other answers equally
    often, two of them agree with probability q = p² + (1−p)²/(k−1), and a judge that always gives that answer
    agrees with one of them with probability p = (1 + √((k−1)(kq−1)))/k; for two answers (1+√(2q−1))/2. This
    is concave in q: where items are unequally hard the best judge reaches less. So it is an upper bound. A
    judge never needs to do worse than q itself.

    Args:
        agreement: How often two annotators agree.
        answers: How many different answers there are (k).

    Raises:
        BadNumber: There are fewer than two answers.

    Example:
        >>> [round(ceiling_of(q), 3) for q in (0.68, 0.75, 1.0, 0.4)]
        [0.8, 0.854, 1.0, 0.5]
        >>> round(ceiling_of(0.68, answers=3), 3)
        0.814
    """
    if check_count("answers", answers) < 2:
        raise BadNumber("answers", expected="at least 2", got=answers)
    interval = agreement.interval
    ends = Interval(
        ceiling_of(interval.low, answers=answers),
        ceiling_of(interval.high, answers=answers),
        interval.level,
        interval.method,
    )
    return JudgeCeiling(ceiling_of(agreement.rate, answers=answers), ends, answers)


def ceiling_of(rate: float, *, answers: int = 2) -> float:
    """`judge_ceiling` of one rate; below what chance gives, it is that of guessing."""
    over = max(0.0, answers * rate - 1)
    return (1 + math.sqrt((answers - 1) * over)) / answers
