"""Pooled strengths with less noise: what is known of all dialogues explains part of the answers.

A control variate: of the dialogues that were judged some are longer than those of their bot on average, by
chance, and longer ones may be preferred. How far they are off is known without asking anybody.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber
from duologue.stats.rates.intervals import normal_quantile
from duologue.stats.strengths.cluster_scores import VoteResiduals

FEWEST_FOR_COVARIATES = 200
"""With fewer judgments it is not known well enough what covariates explain."""

DIALOGUES_FOR_COVARIATE = 20
"""So many judged dialogues for each covariate: with fewer what is learned of them is chance."""

GATE = 0.05
"""They must explain at least this share of the variance within matchups, by the lower bound."""

GATE_LEVEL = 0.90
"""Of the interval whose lower end that is."""

FOLDS = 5
"""Parts of the annotators; what covariates say of a judgment is learned from the other parts."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.intp]

WhyShut = Literal["", "few", "weak", "separated", "idle"]
"""Why covariates are not used: few judgments or dialogues, little explained, a bot that never won or lost, or
nothing would be saved."""


@dataclass(frozen=True, slots=True)
class Covariates:
    """Numbers known of every dialogue of the bots that could have been judged, and which ones were.

    ``values`` has a row for each dialogue and a column for each covariate, ``owner`` the number of its bot.
    ``of_first`` and ``of_second`` are rows of ``values`` for the two dialogues of each judgment, -1 where
    nothing is known of one.
    """

    values: ArrayLike
    owner: ArrayLike
    of_first: ArrayLike
    of_second: ArrayLike


@dataclass(frozen=True, slots=True)
class ControlVariate:
    """What covariates explain of the answers within matchups, and what that saved.

    ``explained`` is the share of the variance of residuals within matchups, ``low`` the lower end of its 90 %
    interval, by which the gate opens. ``weight`` is λ, 0 where it stayed shut. ``saved`` is how much smaller
    the variance of the difference of two strengths became, on average over all pairs: what as many more
    judgments would have been needed for. ``shown`` of ``dialogues`` were judged.
    """

    explained: float
    low: float
    weight: float
    saved: float
    n: int
    shown: int
    dialogues: int
    why_shut: WhyShut

    @property
    def is_open(self) -> bool:
        """Whether strengths were corrected."""
        return not self.why_shut

    def with_saved(self, saved: float) -> ControlVariate:
        """The same, saying what is saved; where that is nothing, the gate shuts."""
        if saved <= 0:
            return replace(self, weight=0.0, why_shut="idle")
        return replace(self, saved=saved)


@dataclass(frozen=True, slots=True)
class CovariateShift:
    """How far strengths move, residuals without what covariates explain, and what the pool leaves open."""

    moved: Vector
    """Is added to the strengths."""
    scored: VoteResiduals
    pool: Matrix
    """The part of the scatter that comes from dialogues being a sample of what their bot says."""
    sizes: Codes
    """Dialogues of each bot, judged or not."""
    found: ControlVariate

    @classmethod
    def of(
        cls, scored: VoteResiduals, inverse: Matrix, people: Codes, given: Covariates, *, is_separated: bool
    ) -> CovariateShift:
        """One step of the fit to judgments freed of λ(f − f̄).

        f is the difference of two dialogues as the covariates tell it, by a linear regression of residuals
        within matchups, for each part of the annotators learned from the others; f̄ the same of the means
        over *all* dialogues of both bots. λ = cov(residual, f) / var(f) within matchups, from 0 to 1.

        The dialogues are a sample of what their bot says, whether they were judged or not. ``pool`` is what
        that adds to the scatter of the scores: Σ over dialogues of (r + c)(r + c)ᵀ − rrᵀ, r the scores of
        the judgments about a dialogue, c = λ (f − f̄) of that dialogue by itself, times the judgments of its
        bot over the number of its dialogues. Where all dialogues were judged equally often it gives back
        what the residuals lost, so that nothing seems saved that was not.

        Raises:
            BadNumber: The arrays do not fit each other.
        """
        rows = _Rows.of(scored, given)
        nothing = np.zeros((scored.width, scored.width))
        shut = cls(np.zeros(scored.judged.bots), scored, nothing, rows.sizes, rows.shut("few"))
        if is_separated:
            return replace(shut, found=rows.shut("separated"))
        if (
            len(rows.known) < FEWEST_FOR_COVARIATES
            or shut.found.shown < DIALOGUES_FOR_COVARIATE * rows.values.shape[1]
        ):
            return shut
        fitted = _CrossFit.of(rows, people)
        explained, low = fitted.explained(people)
        found = replace(rows.shut("weak"), explained=explained, low=low)
        if low < GATE:
            return replace(shut, found=found)
        weight = fitted.weight
        change = np.zeros(len(scored.lead))
        change[rows.known] = weight * fitted.beyond_pool
        judged = scored.judged
        push = np.zeros(scored.width)
        push[: judged.bots] = np.bincount(judged.first, weights=change, minlength=judged.bots)
        push[: judged.bots] -= np.bincount(judged.second, weights=change, minlength=judged.bots)
        moved = -(inverse @ push)[: judged.bots]
        change += scored.curve_of_each * (moved[judged.first] - moved[judged.second])
        corrected = replace(scored, lead=scored.lead - change)
        return cls(
            moved=moved,
            scored=corrected,
            pool=fitted.of_pool(corrected, weight),
            sizes=rows.sizes,
            found=replace(found, weight=weight, why_shut=""),
        )


@dataclass(frozen=True, slots=True)
class _Rows:
    """The judgments of which both dialogues are known, with what is known."""

    scored: VoteResiduals
    values: Matrix
    owner: Codes
    of_first: Codes
    of_second: Codes
    known: Codes

    @classmethod
    def of(cls, scored: VoteResiduals, given: Covariates) -> _Rows:
        judged, n = scored.judged, len(scored.lead)
        values = np.asarray(given.values, dtype=np.float64)
        owner = np.asarray(given.owner)
        first, second = np.asarray(given.of_first), np.asarray(given.of_second)
        if (
            values.ndim != 2
            or not values.size
            or not np.isfinite(values).all()
            or owner.shape != values.shape[:1]
        ):
            got = f"an array of shape {values.shape}"
            raise BadNumber("covariates", expected="a row of finite numbers for each dialogue", got=got)
        for codes, bot in ((first, judged.first), (second, judged.second)):
            if codes.shape != (n,) or codes.min() < -1 or codes.max() >= len(values):
                raise BadNumber(
                    "covariates", expected="a row of the dialogues for each judgment", got=codes.shape
                )
            if (owner[codes[codes >= 0]] != bot[codes >= 0]).any():
                raise BadNumber("covariates", expected="dialogues of the bots that were judged", got="others")
        return cls(scored, values, owner, first, second, np.flatnonzero((first >= 0) & (second >= 0)))

    @property
    def sizes(self) -> Codes:
        """Dialogues of each bot."""
        return np.bincount(self.owner, minlength=self.scored.judged.bots)

    @property
    def matchup(self) -> Codes:
        """Of each judgment."""
        judged = self.scored.judged
        low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
        return (low * judged.bots + high)[self.known]

    @property
    def turn(self) -> Vector:
        """1, or -1 where the bot with the larger number is first: matchups are seen from one side."""
        judged = self.scored.judged
        return np.where(judged.first < judged.second, 1.0, -1.0)[self.known]

    def shut(self, why: WhyShut) -> ControlVariate:
        shown = np.unique(np.concatenate([self.of_first[self.known], self.of_second[self.known]]))
        there = np.isin(self.owner, np.unique([self.scored.judged.first, self.scored.judged.second]))
        return ControlVariate(0.0, 0.0, 0.0, 0.0, len(self.known), len(shown), int(there.sum()), why)


@dataclass(frozen=True, slots=True)
class _CrossFit:
    """What the covariates say of each judgment, learned from other annotators."""

    rows: _Rows
    fold: Codes
    slopes: Matrix
    """Folds down, covariates across."""
    means: Matrix
    """Of each bot over all its dialogues."""
    said: Vector
    """f of each judgment, within its matchup."""
    residual: Vector
    """The same of the answer."""

    @classmethod
    def of(cls, rows: _Rows, people: Codes) -> _CrossFit:
        bots, own = rows.scored.judged.bots, rows.known
        sizes = np.maximum(rows.sizes, 1)
        means = np.stack(
            [np.bincount(rows.owner, weights=column, minlength=bots) / sizes for column in rows.values.T],
            axis=1,
        )
        turn = rows.turn
        apart = (rows.values[rows.of_first[own]] - rows.values[rows.of_second[own]]) * turn[:, None]
        _, cell = np.unique(rows.matchup, return_inverse=True)
        residual = _within(rows.scored.lead[own] * turn, cell)
        fold = people[own] % min(FOLDS, int(people.max()) + 1)
        within = np.stack([_within(column, cell) for column in apart.T], axis=1)
        spread = within.std(axis=0)
        slopes = np.zeros((int(fold.max()) + 1, apart.shape[1]))
        scale = np.where(spread > 0, spread, 1.0)
        for number in range(len(slopes)):
            others = fold != number
            slopes[number] = np.linalg.lstsq(within[others] / scale, residual[others], rcond=None)[0] / scale
        said = _within((within * slopes[fold]).sum(axis=1), cell)
        return cls(rows, fold, slopes, means, said, residual)

    @property
    def weight(self) -> float:
        """λ: the slope of answers on what covariates say."""
        return float(np.clip(self.residual @ self.said / (self.said @ self.said), 0.0, 1.0))

    @property
    def beyond_pool(self) -> Vector:
        """f − f̄ of each judgment, from the side of its first bot."""
        rows, judged = self.rows, self.rows.scored.judged
        own, by_fold = rows.known, self.slopes[self.fold]
        first = rows.values[rows.of_first[own]] - self.means[judged.first[own]]
        second = rows.values[rows.of_second[own]] - self.means[judged.second[own]]
        return np.asarray(((first - second) * by_fold).sum(axis=1))

    def explained(self, people: Codes) -> tuple[float, float]:
        """The share of the variance within matchups that f explains, and the lower end of its interval.

        The squared correlation; its error allows for clusters of annotators and of either bot's dialogues.
        """
        rows = self.rows
        norms = float(np.sqrt((self.said @ self.said) * (self.residual @ self.residual)))
        if norms == 0.0:
            return 0.0, 0.0
        correlation, n = float(self.said @ self.residual) / norms, len(self.said)
        said, residual = self.said * math.sqrt(n / (self.said @ self.said)), self.residual
        residual = residual * math.sqrt(n / (residual @ residual))
        influence = said * residual - correlation * (said**2 + residual**2) / 2
        kinds = [people[rows.known], rows.of_first[rows.known], rows.of_second[rows.known]]
        squares = [float((np.bincount(kind, weights=influence) ** 2).sum()) for kind in kinds]
        error = math.sqrt(max(squares)) / n
        low = correlation - normal_quantile(GATE_LEVEL) * error
        return max(0.0, correlation) ** 2, max(0.0, low) ** 2

    def of_pool(self, corrected: VoteResiduals, weight: float) -> Matrix:
        """What it adds to the scatter that the dialogues are a sample (see `CovariateShift.of`)."""
        rows, judged = self.rows, corrected.judged
        bots, own, size = judged.bots, rows.known, len(rows.values)
        known = corrected.select(own)
        scores = known.scores(rows.of_first[own], size) + known.scores(rows.of_second[own], size)
        leads = np.zeros((len(self.slopes), bots, bots))  # of each fold: how often a bot met another
        np.add.at(leads, (self.fold, judged.first[own], judged.second[own]), 1.0)
        leads = leads + leads.transpose(0, 2, 1)
        met = -leads
        met[:, np.arange(bots), np.arange(bots)] = leads.sum(axis=2)
        told = np.einsum("fk,fbc->bkc", self.slopes, met) / np.maximum(rows.sizes, 1)[:, None, None]
        added = np.zeros((size, corrected.width))
        added[:, :bots] = weight * np.einsum(
            "dk,dkc->dc", rows.values - self.means[rows.owner], told[rows.owner]
        )
        mixed = scores.T @ added
        return np.asarray(mixed + mixed.T + added.T @ added)


def _within(values: Vector, cell: Codes) -> Vector:
    """Less their mean in each matchup."""
    sizes = np.bincount(cell)
    return np.asarray(values - (np.bincount(cell, weights=values) / sizes)[cell])
