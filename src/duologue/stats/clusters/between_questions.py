"""What several questions about the same item say of each other: how far their answers correlate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.clusters.correlation import Correlation, correlations

Floats = NDArray[np.float64]

DRAWS = 1000
"""Samples of annotators, for an interval."""


@dataclass(frozen=True, slots=True)
class AnswerCorrelation:
    """How far the answers to two questions about the same items correlate."""

    first: str
    second: str
    n: int
    """Items that both were answered about."""
    correlation: Correlation | None
    """Pearson's r of what differs from the mean of the group; the interval is by annotator."""
    why_none: str = ""


def correlate_answers(
    answers: Mapping[str, Floats],
    groups: NDArray[np.integer],
    annotators: NDArray[np.integer],
    *,
    rng: np.random.Generator,
    level: float = 0.95,
) -> Iterator[AnswerCorrelation]:
    """The correlation of every two questions within groups, such as matchups or bots.

    Args:
        answers: By question, a number for each item; NaN where it was not answered.
        groups: What each item compares: its mean is taken off, since bots may well differ by every question.
        annotators: Who answered.
        rng: Where the resampling comes from.
        level: Of the intervals.
    """
    for first, second in combinations(answers, 2):
        both = ~np.isnan(answers[first]) & ~np.isnan(answers[second])
        one, other = (_without_means(answers[name][both], groups[both]) for name in (first, second))
        count = int(both.sum())
        try:
            found = correlations(one, other, annotators[both], level=level, draws=DRAWS, rng=rng).pearson
        except (BadNumber, NotEnoughJudgments):
            yield AnswerCorrelation(first, second, count, None, "too few answers that differ")
        else:
            yield AnswerCorrelation(first, second, count, found)


def _without_means(values: Floats, groups: NDArray[np.integer]) -> Floats:
    _, code = np.unique(groups, return_inverse=True)
    means = np.bincount(code, values) / np.maximum(np.bincount(code), 1)
    left: Floats = np.round(values - means[code], 12)
    return left
