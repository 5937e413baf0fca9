"""Do strengths from judgments of two kinds agree? A Wald test on their differences, with clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes
from duologue.stats.rates.intervals import Interval, student_quantile
from duologue.stats.strengths.cluster_scores import VoteResiduals
from duologue.stats.strengths.pooled import checked_judgments, fit_parameters, inverse_information

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.intp]

NO_VARIANCE = 1e-9
"""Directions in which the differences vary less than this share of the largest are not tested."""


@dataclass(frozen=True, slots=True)
class AgreeingStrengths:
    """Strengths by judgments of one kind less those by the other, and the test that all are equal.

    ``differences`` add up to zero; ``errors`` are their standard errors. ``statistic`` is F on ``df``
    degrees of freedom. ``clusters`` says which kind of cluster had the larger p-value and decides.
    """

    names: tuple[str, ...]
    differences: Vector
    errors: Vector
    statistic: float
    df: tuple[float, float]
    p_value: float
    clusters: str
    n: tuple[int, int]

    @property
    def largest(self) -> int:
        """The bot whose two strengths differ by the most standard errors."""
        return int(np.argmax(np.abs(self.differences) / np.maximum(self.errors, 1e-300)))

    def interval(self, bot: int, level: float = 0.95) -> Interval:
        """An interval for the difference of one bot."""
        margin = student_quantile(level, self.df[1] + self.df[0] - 1) * float(self.errors[bot])
        middle = float(self.differences[bot])
        return Interval(middle - margin, middle + margin, level, "Wald")


def agreeing_strengths(
    first: ArrayLike,
    second: ArrayLike,
    preference: ArrayLike,
    names: Sequence[str],
    *,
    is_one_kind: ArrayLike,
    annotators: ArrayLike,
    dialogues: tuple[ArrayLike, ArrayLike] | None = None,
) -> AgreeingStrengths:
    """Test whether judgments of two kinds, such as rankings and comparisons of two, give the same strengths.

    Each kind has Bradley–Terry strengths of its own, as `pooled_strengths` fits them. The covariance of their
    differences is the sandwich over annotators: the sum of the outer products of H₁⁻¹s₁ − H₂⁻¹s₂, s₁ and s₂
    an annotator's scores of either kind, A/(A − 1) times; annotators may give both kinds, or one. Where
    dialogues are given, the same over dialogues. T² = dᵀV⁻¹d over the k − 1 contrasts of k bots, times
    (G − k + 1)/((G − 1)(k − 1)), is referred to F(k − 1, G − k + 1), G the annotators (dialogues) of the kind
    that has fewer. The larger p-value decides.

    No difference detected is not proof of agreement: look at the intervals.

    Args:
        first: The number of one bot of each judgment, in the order of the names.
        second: The number of the other.
        preference: How far the first was preferred, from 0 to 1.
        names: The bots.
        is_one_kind: Whether each judgment is of the one kind.
        annotators: The integer code of the annotator of each judgment.
        dialogues: The integer codes of the dialogue of the first and of the second bot.

    Raises:
        NotEnoughJudgments: A kind has no judgments, or no more annotators than bots.
        Disconnected: Some bots were never compared with the others by one kind.
        BadNumber: The arrays do not fit each other or the names.
    """
    kind = np.asarray(is_one_kind)
    one, other, y = (np.asarray(values) for values in (first, second, preference))
    if kind.shape != y.shape or kind.dtype != np.bool_:
        raise BadNumber("is_one_kind", expected=f"{len(y)} truth values", got=f"{kind.dtype} {kind.shape}")
    people, size = check_codes("annotators", annotators, length=len(y))
    rows = [np.flatnonzero(kind), np.flatnonzero(~kind)]
    fits = [_Fit.of(one[own], other[own], y[own], names) for own in rows]
    difference = _centred(fits[0].strengths - fits[1].strengths)
    found = [(_by(fits, [[people[own]] for own in rows], size), "annotators")]
    if dialogues is not None:
        codes, several = check_codes("dialogues", np.concatenate(dialogues), length=2 * len(y))
        both = [codes[: len(y)], codes[len(y) :]]
        by_dialogue = _by(fits, [[ends[own] for ends in both] for own in rows], several)
        found.append((_less(by_dialogue, fits), "dialogues"))
    tests = [(*_tested(difference, spread), spread, what) for spread, what in found]
    statistic, df, p_value, spread, what = max(tests, key=lambda test: test[2])
    return AgreeingStrengths(
        names=tuple(names),
        differences=difference,
        errors=np.sqrt(np.maximum(np.diagonal(spread.covariance), 0.0)),
        statistic=statistic,
        df=df,
        p_value=p_value,
        clusters=what,
        n=(len(rows[0]), len(rows[1])),
    )


@dataclass(frozen=True, slots=True)
class _Fit:
    strengths: Vector
    scored: VoteResiduals
    inverse: Matrix

    @classmethod
    def of(cls, first: Codes, second: Codes, preference: Vector, names: Sequence[str]) -> _Fit:
        judged = checked_judgments(first, second, preference, names, "bradley-terry")
        parameters = fit_parameters(judged.counts, judged.model)
        return cls(
            parameters,
            VoteResiduals.of(judged, parameters),
            inverse_information(judged.counts, parameters, judged.model),
        )


@dataclass(frozen=True, slots=True)
class _Spread:
    covariance: Matrix
    clusters: int
    """Of the kind of judgments that has fewer."""


def _by(fits: Sequence[_Fit], clusters: Sequence[Sequence[Codes]], size: int) -> _Spread:
    """The covariance of the differences by one kind of cluster; a judgment may belong to several of it."""
    bots = len(fits[0].strengths)
    moved, fewest = np.zeros((size, bots)), size
    for sign, fit, codes in zip((1, -1), fits, clusters, strict=True):
        scores = sum((fit.scored.scores(own, size) for own in codes), np.zeros((size, bots)))
        moved += sign * _centred(scores @ fit.inverse)
        fewest = min(fewest, len(np.unique(np.concatenate(codes))))
    if fewest <= bots:
        raise NotEnoughJudgments(
            "A comparison of strengths by two kinds of judgments",
            needed=bots + 1,
            got=fewest,
            unit="clusters",
        )
    return _Spread(moved.T @ moved * size / (size - 1), fewest)


def _less(spread: _Spread, fits: Sequence[_Fit]) -> _Spread:
    """Every judgment belongs to two dialogues, and is counted once."""
    covariance = spread.covariance.copy()
    for fit in fits:
        scored, bots = fit.scored, len(fit.strengths)
        cell = scored.judged.first * bots + scored.judged.second
        squares = np.bincount(cell, weights=scored.lead**2, minlength=bots * bots).reshape(bots, bots)
        squares = squares + squares.T
        own = np.diag(squares.sum(axis=1)) - squares
        covariance -= _centred(_centred(fit.inverse @ own @ fit.inverse).T)
    return _Spread(covariance, spread.clusters)


def _centred(values: Vector | Matrix) -> Matrix:
    return np.asarray(values - values.mean(axis=-1, keepdims=True), dtype=np.float64)


def _tested(difference: Vector, spread: _Spread) -> tuple[float, tuple[float, float], float]:
    values, vectors = np.linalg.eigh(spread.covariance)
    is_seen = values > NO_VARIANCE * max(float(values.max()), 1e-300)
    rank = int(is_seen.sum())
    along = difference @ vectors
    t_squared = float((along[is_seen] ** 2 / values[is_seen]).sum())
    df = float(max(1, spread.clusters - rank))
    statistic = t_squared * df / ((spread.clusters - 1) * rank)
    return statistic, (float(rank), df), float(special.fdtrc(rank, df, statistic))
