"""How far the answers to several questions about the same items correlate."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from duologue.stats.clusters.correlation import FEW_CLUSTERS, Correlation
from duologue.stats.rates.intervals import Interval

Floats = NDArray[np.float64]
Codes = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class AnswerCorrelation:
    """How far the answers to two questions about the same items correlate."""

    first: str
    second: str
    n: int
    """Items that both were answered about."""
    correlation: Correlation | None
    """Pearson's r of what differs from the mean of the group; the interval is by annotator. None where all
    answers are the same."""


def correlate_answers(
    answers: Mapping[str, Floats], groups: Codes, annotators: Codes, *, level: float = 0.95
) -> Iterator[AnswerCorrelation]:
    """The correlation of every two questions within groups, such as matchups or bots.

    Args:
        answers: By question, a number for each item; NaN where it was not answered.
        groups: What each item is about: its mean is taken off, since bots may well differ by every question.
        annotators: Who answered.
        level: Of the intervals.

    Example:
        >>> fun, wit = np.array([1.0, -1, 1, -1]), np.array([1.0, -1, 1, 1])
        >>> (found,) = correlate_answers({"fun": fun, "wit": wit}, np.zeros(4, int), np.arange(4))
        >>> found.n, round(found.correlation.value, 3)
        (4, 0.577)
    """
    for first, second in combinations(answers, 2):
        both = ~np.isnan(answers[first]) & ~np.isnan(answers[second])
        one, other = (_without_means(answers[name][both], groups[both]) for name in (first, second))
        found = _by_annotator(one, other, annotators[both], level)
        yield AnswerCorrelation(first, second, int(both.sum()), found)


def _without_means(values: Floats, groups: Codes) -> Floats:
    _, code = np.unique(groups, return_inverse=True)
    means = np.bincount(code, values) / np.maximum(np.bincount(code), 1)
    left: Floats = np.round(values - means[code], 12)
    return left


def _by_annotator(one: Floats, other: Floats, annotators: Codes, level: float) -> Correlation | None:
    """Pearson's r, and the jackknife over annotators of its Fisher transform."""
    if not one.any() or not other.any():
        return None
    _, code = np.unique(annotators, return_inverse=True)
    sums = np.stack([np.bincount(code, part) for part in (one * other, one**2, other**2)])
    whole = sums.sum(axis=1)
    value = float(whole[0] / math.sqrt(whole[1] * whole[2]))
    clusters = sums.shape[1]
    if clusters < FEW_CLUSTERS:
        return Correlation(value, None, why_no_interval=f"fewer than {FEW_CLUSTERS} annotators")
    left = whole[:, None] - sums
    if (left[1:] <= 0).any() or abs(value) >= 1:
        return Correlation(value, None, why_no_interval="it rests on one annotator")
    without = np.clip(left[0] / np.sqrt(left[1] * left[2]), -1 + 1e-12, 1 - 1e-12)
    z = np.arctanh(without)
    error = math.sqrt((clusters - 1) / clusters * float(((z - z.mean()) ** 2).sum()))
    reach = float(stdtrit(clusters - 1, (1 + level) / 2)) * error
    middle = math.atanh(value)
    low, high = math.tanh(middle - reach), math.tanh(middle + reach)
    return Correlation(value, Interval(low, high, level, "jackknife over annotators"))
