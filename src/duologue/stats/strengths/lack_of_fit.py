"""Is one strength for each bot enough? What matchups show beside what strengths predict, with clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.stats.strengths.cluster_scores import DialogueClusters, VoteResiduals

GROUPS = 512
"""More clusters than this are taken in so many groups, which costs no more however many they are."""

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.intp]


class LackOfFit(NamedTuple):
    """How far free win rates are from those of the model: a chi-square statistic, and its p-value."""

    statistic: float
    df: float
    p_value: float


def lack_of_fit_of(
    scored: VoteResiduals, inverse: Matrix, people: Codes, size: int, dialogues: DialogueClusters | None
) -> LackOfFit | None:
    """Whether one strength for each bot is enough: squared residuals of matchups against their expectation.

    Residuals are freed of what fitting takes away. Their sum of squares is a sum of chi-squares with the
    eigenvalues of the clustered covariance as weights; the first two moments of it give the reference.
    """
    counts, bots = scored.judged.counts, scored.judged.bots
    played = np.flatnonzero(counts.won + counts.lost + counts.tied)
    free = len(played) - (bots - 1)
    if free <= 0:
        return None
    residuals = _Residuals.of(scored, inverse, played)
    groups = min(size, GROUPS)
    by_person = residuals.of_clusters(scored, [people], groups)
    total = by_person.sum(axis=0)
    statistic = float(total @ total)
    centred = by_person - total / groups
    gram = centred @ centred.T * groups / (groups - 1)
    expected = float(np.trace(gram))
    own = float((np.diagonal(gram) ** 2).sum())
    squared = (float((gram * gram).sum()) - own) * groups / (groups - 1)
    df = min(float(free), expected**2 / squared) if squared > expected**2 / free else float(free)
    if dialogues is not None and dialogues.repeats.any():
        expected = max(expected, residuals.expected_by_dialogue(scored, dialogues))
    if (
        expected <= 1e-12 * free
    ):  # every cluster has the same residuals: there is nothing to hold them against
        return None
    ratio = statistic / expected
    return LackOfFit(ratio * df, df, float(special.fdtrc(df, df * (groups - 1), ratio)))


@dataclass(frozen=True, slots=True)
class _Residuals:
    """How residuals of matchups are freed of the fit and brought to one scale."""

    played: Codes
    place: Codes
    """Of each cell of the matrix of bots: its matchup among those played."""
    weights: Vector
    taken: Matrix
    """What the fitted parameters take away: parameters down, matchups across."""

    @classmethod
    def of(cls, scored: VoteResiduals, inverse: Matrix, played: Codes) -> _Residuals:
        counts, bots = scored.judged.counts, scored.judged.bots
        first, second = counts.first[played], counts.second[played]
        place = np.zeros(bots * bots, dtype=np.intp)
        place[first * bots + second] = place[second * bots + first] = np.arange(len(played))
        own = np.zeros((scored.width, len(played)))
        own[first, np.arange(len(played))] = scored.curve[played]
        own[second, np.arange(len(played))] = -scored.curve[played]
        if scored.tie is not None:
            own[-1] = scored.lead_tie[played]
        weights = 1 / np.sqrt(scored.curve[played])
        return cls(played, place, weights, (inverse @ own) * weights)

    def of_clusters(self, scored: VoteResiduals, clusters: Sequence[Codes], groups: int) -> Matrix:
        """Residuals of so many groups of clusters, one row each."""
        judged, width = scored.judged, len(self.played)
        cell = self.place[judged.first * judged.bots + judged.second]
        turned = np.where(judged.first < judged.second, scored.lead, -scored.lead)
        grouped = [codes % groups for codes in clusters]
        found = np.zeros((groups, width))
        for codes in grouped:
            flat = np.bincount(codes * width + cell, weights=turned, minlength=groups * width)
            found += flat.reshape(groups, width) * self.weights - scored.scores(codes, groups) @ self.taken
        return found

    def expected_by_dialogue(self, scored: VoteResiduals, dialogues: DialogueClusters) -> float:
        """The expected sum of squares when judgments of one dialogue are correlated."""
        groups = min(dialogues.size, GROUPS)
        shared = self.of_clusters(scored, [dialogues.of_first, dialogues.of_second], groups)
        lead, _, cell = dialogues.per_pairing(scored)
        once = float((lead * lead * self.weights[self.place[cell]] ** 2).sum())
        shared = shared - shared.sum(axis=0) / groups
        return float((shared * shared).sum()) * groups / (groups - 1) - once
