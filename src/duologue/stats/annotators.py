"""Annotators one by one: agreement with the others, leaning to a side, weight in the result, speed.

Diagnostics for a person to look at, not rules: an annotator who differs may be the careful one. Exclusion
rules are set down before the study, in its screening.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.binomial import sign_test
from duologue.stats.counts import check_numbers, check_positive
from duologue.stats.multiplicity import holm

SPREAD_OF_A_NORMAL = 1.4826
"""Standard deviations in one median absolute deviation, for normal numbers."""


@dataclass(frozen=True, slots=True)
class AnnotatorAgreement:
    """How often others gave the same answer to the items that this annotator judged.

    ``rate`` is None where nobody else judged the same items. ``judgments`` counts those that somebody did.
    """

    annotator: int
    rate: float | None
    judgments: int


@dataclass(frozen=True, slots=True)
class PositionPreference:
    """How often an annotator chose what was shown first, tested against one half, Holm over annotators."""

    annotator: int
    rate: float
    n: int
    p_value: float
    adjusted_p_value: float


@dataclass(frozen=True, slots=True)
class AnnotatorInfluence:
    """What becomes of the rate without this annotator, and how much of the data is theirs.

    ``rate_without`` is None for an annotator who gave every judgment there is.
    """

    annotator: int
    share: float
    rate: float
    rate_without: float | None
    change: float


@dataclass(frozen=True, slots=True)
class AnnotatorSpeed:
    """An annotator's median seconds, against the median annotator's.

    ``score`` is the distance of the logarithms in robust standard deviations (median absolute deviation over
    annotators): below −3 is suspiciously quick. It is 0 for all where annotators do not differ.
    """

    annotator: int
    median_seconds: float
    ratio: float
    score: float
    n: int


def agreement_with_others(
    annotators: ArrayLike, items: ArrayLike, answers: ArrayLike
) -> tuple[AnnotatorAgreement, ...]:
    """Compare each annotator's answers with the others' answers to the same items.

    The mean over an annotator's judgments of the share of other judgments of the item that are the same.
    Assumes that nobody judged an item twice.

    Args:
        annotators: The integer code of the annotator of each judgment.
        items: The integer code of its item.
        answers: The answer, as a number.

    Returns:
        One for each annotator, by code.

    Raises:
        BadNumber: The arrays do not fit each other.

    Example:
        >>> [a.rate for a in agreement_with_others([0, 1, 2, 0, 1], [5, 5, 5, 6, 6], [1, 1, 2, 1, 1])]
        [0.75, 0.75, 0.0]
    """
    given = check_numbers("answers", answers)
    people, who = _codes("annotators", annotators, len(given))
    _, item = _codes("items", items, len(given))
    _, answer = np.unique(given, return_inverse=True)
    cell = item * (int(answer.max(initial=0)) + 1) + answer
    _, cell, same = np.unique(cell, return_inverse=True, return_counts=True)
    others = np.bincount(item, minlength=1)[item] - 1
    shares = (same[cell] - 1) / np.maximum(others, 1)
    is_shared = others > 0
    judged = np.bincount(who[is_shared], minlength=len(people))
    totals = np.bincount(who[is_shared], weights=shares[is_shared], minlength=len(people))
    return tuple(
        AnnotatorAgreement(int(code), float(total / n) if n else None, int(n))
        for code, total, n in zip(people, totals, judged, strict=True)
    )


def position_preferences(annotators: ArrayLike, chose_first: ArrayLike) -> tuple[PositionPreference, ...]:
    """Test each annotator for always taking the same side.

    The exact binomial test of how often what was shown first was chosen, adjusted over annotators by Holm.
    The order must have been random. Few judgments cannot show much: six on one side give 0.03 unadjusted.

    Args:
        annotators: The integer code of the annotator of each judgment.
        chose_first: 1 where what was shown first was chosen, 0 where it was not; ties left out.

    Returns:
        One for each annotator, by code.

    Raises:
        BadNumber: The arrays do not fit each other, or there is something else than 0 and 1.

    Example:
        >>> [p.rate for p in position_preferences([3, 3, 3, 4, 4], [1, 1, 1, 0, 1])]
        [1.0, 0.5]
    """
    first = check_numbers("chose_first", chose_first, low=0, high=1)
    if not np.isin(first, (0, 1)).all():
        raise BadNumber("chose_first", expected="zeros and ones", got=first[~np.isin(first, (0, 1))][0])
    people, who = _codes("annotators", annotators, len(first))
    n = np.bincount(who, minlength=len(people))
    chosen = np.bincount(who, weights=first, minlength=len(people)).astype(np.int64)
    tests = [sign_test(int(k), int(m - k)) for k, m in zip(chosen, n, strict=True)]
    adjusted = holm([test.p_value for test in tests])
    return tuple(
        PositionPreference(int(code), test.win_rate, test.n, test.p_value, float(p))
        for code, test, p in zip(people, tests, adjusted, strict=True)
    )


def annotator_influence(annotators: ArrayLike, outcomes: ArrayLike) -> tuple[AnnotatorInfluence, ...]:
    """Leave each annotator out of a rate in turn.

    Args:
        annotators: The integer code of the annotator of each judgment of one matchup.
        outcomes: One number from 0 to 1 for each judgment: 1 a win, 0 a loss, 0.5 a tie if ties count half.

    Returns:
        One for each annotator, the largest change first.

    Raises:
        NotEnoughJudgments: There is no judgment.
        BadNumber: The arrays do not fit each other, or an outcome is not from 0 to 1.

    Example:
        >>> most = annotator_influence([0, 0, 0, 1, 2], [1, 1, 1, 0, 0])[0]
        >>> most.annotator, most.share, most.rate_without
        (0, 0.6, 0.0)
    """
    values = check_numbers("outcomes", outcomes, low=0, high=1)
    people, who = _codes("annotators", annotators, len(values))
    if len(values) == 0:
        raise NotEnoughJudgments("Annotators' influence", needed=1, got=0)
    n = np.bincount(who)
    totals = np.bincount(who, weights=values)
    rate = float(values.mean())
    influences = []
    for code, own, total in zip(people, n, totals, strict=True):
        rest = len(values) - int(own)
        without = float((values.sum() - total) / rest) if rest else None
        change = 0.0 if without is None else without - rate
        influences.append(
            AnnotatorInfluence(int(code), int(own) / len(values), float(total / own), without, change)
        )
    return tuple(sorted(influences, key=lambda one: -abs(one.change)))


def annotator_speeds(annotators: ArrayLike, seconds: ArrayLike) -> tuple[AnnotatorSpeed, ...]:
    """Compare annotators' median seconds a judgment.

    Args:
        annotators: The integer code of the annotator of each judgment.
        seconds: The seconds each judgment took, above 0.

    Returns:
        One for each annotator, the quickest first.

    Raises:
        BadNumber: The arrays do not fit each other, or seconds are not above 0.

    Example:
        >>> [(s.annotator, round(s.ratio, 2)) for s in annotator_speeds([0, 1, 2], [2.0, 20.0, 40.0])]
        [(0, 0.1), (1, 1.0), (2, 2.0)]
    """
    times = check_numbers("seconds", seconds)
    if len(times):
        check_positive("seconds", float(times.min()))
    people, who = _codes("annotators", annotators, len(times))
    if len(times) == 0:
        return ()
    n = np.bincount(who)
    medians = _medians(who, np.log(times), n)
    middle = float(np.median(medians))
    spread = SPREAD_OF_A_NORMAL * float(np.median(np.abs(medians - middle)))
    scores = (medians - middle) / spread if spread > 0 else np.zeros(len(medians))
    speeds = [
        AnnotatorSpeed(int(code), float(np.exp(m)), float(np.exp(m - middle)), float(score), int(count))
        for code, m, score, count in zip(people, medians, scores, n, strict=True)
    ]
    return tuple(sorted(speeds, key=lambda one: one.median_seconds))


def _medians(who: NDArray[np.intp], values: NDArray[np.float64], n: NDArray[np.intp]) -> NDArray[np.float64]:
    """The median of each annotator's values."""
    ordered = values[np.lexsort((values, who))]
    begins = np.cumsum(n) - n
    return np.asarray((ordered[begins + (n - 1) // 2] + ordered[begins + n // 2]) / 2)


def _codes(name: str, values: ArrayLike, length: int) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """The different codes in order, and which of them each judgment has."""
    codes = np.asarray(values)
    if codes.shape != (length,) or not (np.issubdtype(codes.dtype, np.integer) or length == 0):
        got = f"an array of {codes.dtype} of shape {codes.shape}"
        raise BadNumber(name, expected=f"{length} integer codes, one for each judgment", got=got)
    distinct, renumbered = np.unique(codes.astype(np.int64), return_inverse=True)
    return distinct, renumbered
