"""Single judgments after a pooled fit: their residuals, added up by annotator and by dialogue."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from duologue.stats.counts import check_codes
from duologue.stats.strengths.ties import PairCounts, davidson_logs, davidson_slopes

AT_A_TIME = 2_000_000
"""So many scores of clusters are held at a time."""

PooledModel = Literal["bradley-terry", "davidson"]

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Codes = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Judgments:
    """Checked judgments, ready to be fitted: who was preferred to whom and how clearly."""

    bots: int
    first: Codes
    second: Codes
    preference: Vector
    """From 0 to 1, for the first bot."""
    counts: PairCounts
    model: PooledModel

    @property
    def is_davidson(self) -> bool:
        """Whether ties have a parameter of their own."""
        return self.model == "davidson"


@dataclass(frozen=True, slots=True)
class VoteResiduals:
    """Every judgment's residual: how far its preference, and its being a tie, were from what was expected."""

    judged: Judgments
    lead: Vector
    tie: Vector | None
    curve: Vector
    """For each matchup: the expected sum of squared residuals, n times the variance."""
    lead_tie: Vector
    """For each matchup: the same of residual and tie together; zeros without ties."""

    @classmethod
    def of(cls, judged: Judgments, parameters: Vector) -> VoteResiduals:
        """Judgments beside what these parameters expect."""
        counts, bots = judged.counts, judged.bots
        strengths = parameters[:bots]
        apart = strengths[:, None] - strengths[None, :]
        lead = strengths[counts.first] - strengths[counts.second]
        cell = judged.first * bots + judged.second
        if not judged.is_davidson:
            chance = special.expit(lead)
            games = counts.won + counts.lost
            residual = judged.preference - special.expit(apart).ravel()[cell]
            return cls(judged, residual, None, games * chance * (1 - chance), np.zeros(len(lead)))
        logs = davidson_logs(apart, float(parameters[-1]))
        won, _, draw = (np.exp(log) for log in logs)
        residual = judged.preference - (won + draw / 2).ravel()[cell]
        is_tie = (judged.preference == 0.5).astype(np.float64)
        _, _, curve, lead_tie, _ = davidson_slopes(counts, lead, float(parameters[-1]))
        return cls(judged, residual, is_tie - draw.ravel()[cell], curve, lead_tie)

    @property
    def width(self) -> int:
        """Parameters that a score has."""
        return self.judged.bots + (self.tie is not None)

    @property
    def curve_of_each(self) -> Vector:
        """Of each judgment: the variance that is expected of its residual."""
        counts, judged, size = self.judged.counts, self.judged, self.judged.bots
        games = counts.won + counts.lost + counts.tied
        table = np.zeros((size, size))
        table[counts.first, counts.second] = np.divide(
            self.curve, games, out=np.zeros(len(games)), where=games > 0
        )
        return np.asarray((table + table.T)[judged.first, judged.second])

    @property
    def dispersion(self) -> float:
        """Squared residuals over what the model expects of them."""
        return float(self.lead @ self.lead) / float(self.curve.sum())

    def scores(self, codes: Codes, size: int, weights: Vector | None = None) -> Matrix:
        """The summed scores of each cluster."""
        judged, width = self.judged, self.width
        lead = self.lead if weights is None else self.lead * weights
        flat = np.bincount(codes * width + judged.first, weights=lead, minlength=size * width)
        flat -= np.bincount(codes * width + judged.second, weights=lead, minlength=size * width)
        found = flat.reshape(size, width)
        if self.tie is not None:
            tie = self.tie if weights is None else self.tie * weights
            found[:, -1] = np.bincount(codes, weights=tie, minlength=size)
        return np.asarray(found, dtype=np.float64)

    def scatter(
        self, clusters: Sequence[Codes], size: int, weights: Sequence[tuple[Vector, Codes] | None] = (None,)
    ) -> Matrix:
        """The sum over clusters of the outer products of their scores, so many clusters at a time.

        A judgment may belong to several clusters, with a weight in each: that of the bot it is about there.
        """
        each = max(1, AT_A_TIME // self.width)
        found = np.zeros((self.width, self.width))
        for begin in range(0, size, each):
            own = min(each, size - begin)
            scores = np.zeros((own, self.width))
            for codes, weight in zip(clusters, weights, strict=True):
                if own == size:
                    scores += self.scores(codes, size, None if weight is None else weight[0][weight[1]])
                    continue
                rows = np.flatnonzero((codes >= begin) & (codes < begin + own))
                part = None if weight is None else weight[0][weight[1][rows]]
                scores += self.select(rows).scores(codes[rows] - begin, own, part)
            found += scores.T @ scores
        return found

    def select(self, rows: Codes) -> VoteResiduals:
        """Only these judgments."""
        judged = replace(
            self.judged,
            first=self.judged.first[rows],
            second=self.judged.second[rows],
            preference=self.judged.preference[rows],
        )
        tie = None if self.tie is None else self.tie[rows]
        return replace(self, judged=judged, lead=self.lead[rows], tie=tie)


@dataclass(frozen=True, slots=True)
class DialogueClusters:
    """Which dialogues each judgment is about, and which judgments are about the same two."""

    of_first: Codes
    of_second: Codes
    size: int
    each: Codes
    """Dialogues of each bot."""
    repeats: NDArray[np.bool_]
    """Of each bot: whether a dialogue of it occurs more than once."""
    pairing: Codes
    pairings: int

    @classmethod
    def of(
        cls, judged: Judgments, of_first: ArrayLike, of_second: ArrayLike, screens: Codes | None = None
    ) -> DialogueClusters:
        """From the integer codes of the dialogue of the first and of the second bot.

        Where judgments were given together (``screens``), a dialogue repeats when several screens show it.
        """
        n = len(judged.preference)
        both = np.concatenate([np.asarray(of_first), np.asarray(of_second)])
        codes, size = check_codes("dialogues", both, length=2 * n)
        one, other = codes[:n], codes[n:]
        owner = np.empty(size, dtype=np.intp)
        owner[one], owner[other] = judged.first, judged.second
        each = np.bincount(owner, minlength=judged.bots)
        if screens is None:
            shown = np.concatenate([judged.first, judged.second])
        else:
            key = np.concatenate([screens, screens]) * size + codes
            _, rows = np.unique(key, return_index=True)
            shown = np.concatenate([judged.first, judged.second])[rows]
        repeats = np.bincount(shown, minlength=judged.bots) > each
        if not repeats.any():
            return cls(one, other, size, each, repeats, np.arange(n), n)
        pairing, pairings = _numbered(np.minimum(one, other) * size + np.maximum(one, other))
        return cls(one, other, size, each, repeats, pairing, pairings)

    def scatter(self, scored: VoteResiduals) -> Matrix:
        """The sum over dialogues of the outer products of their scores, D/(D − 1) times, D those of a bot."""
        more = np.sqrt(self.each / np.maximum(self.each - 1, 0.5))
        weights = [(more, scored.judged.first), (more, scored.judged.second)]
        return scored.scatter([self.of_first, self.of_second], self.size, weights)

    def of_pairings(self, scored: VoteResiduals) -> Matrix:
        """The sum over pairings of the outer products of their scores, which are all about one matchup."""
        bots, width = scored.judged.bots, scored.width
        lead, tie, cell = self.per_pairing(scored)
        found = np.zeros((width, width))
        squares = np.bincount(cell, weights=lead * lead, minlength=bots * bots).reshape(bots, bots)
        squares = squares + squares.T
        found[:bots, :bots] = np.diag(squares.sum(axis=1)) - squares
        if tie is not None:
            mixed = np.bincount(cell, weights=lead * tie, minlength=bots * bots).reshape(bots, bots)
            found[-1, :bots] = found[:bots, -1] = mixed.sum(axis=1) - mixed.sum(axis=0)
            found[-1, -1] = tie @ tie
        return found

    def per_pairing(self, scored: VoteResiduals) -> tuple[Vector, Vector | None, Codes]:
        """Of each pairing: its residual, that of its ties, and its matchup (the smaller number first)."""
        judged = scored.judged
        low, high = np.minimum(judged.first, judged.second), np.maximum(judged.first, judged.second)
        turned = np.where(judged.first == low, scored.lead, -scored.lead)
        cell = np.empty(self.pairings, dtype=np.intp)
        cell[self.pairing] = low * judged.bots + high
        lead, tie = np.zeros(self.pairings), None
        lead += np.bincount(self.pairing, weights=turned, minlength=self.pairings)
        if scored.tie is not None:
            tie = np.zeros(self.pairings)
            tie += np.bincount(self.pairing, weights=scored.tie, minlength=self.pairings)
        return lead, tie, cell


def _numbered(keys: Codes) -> tuple[Codes, int]:
    """Keys numbered 0, 1, 2, …, and how many different ones there are."""
    order = np.argsort(keys)
    ranks = np.concatenate([[0], np.cumsum(np.diff(keys[order]) != 0)])
    numbers = np.empty(len(keys), dtype=np.intp)
    numbers[order] = ranks
    return numbers, int(ranks[-1]) + 1
