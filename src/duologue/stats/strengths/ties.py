"""Strengths when a comparison may end in a tie: the likelihood of Davidson's model, and its slopes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Matrix = NDArray[np.float64]
Slopes = tuple[Vector, float, Vector, Vector, float]
"""Of the log-likelihood: by lead, by tie; and minus its second ones: lead twice, lead and tie, tie twice."""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Every matchup once: wins of the first, wins of the second, ties."""

    bots: int
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    won: Vector
    lost: Vector
    tied: Vector

    @classmethod
    def of(cls, won: Matrix, tied: Matrix) -> PairCounts:
        """From the matrices of wins and ties."""
        first, second = np.triu_indices(len(won), 1)
        return cls(len(won), first, second, won[first, second], won[second, first], tied[first, second])

    def per_first(self, values: Vector) -> Vector:
        """Values of matchups added up by their first bot."""
        return np.bincount(self.first, values, self.bots).astype(np.float64)

    def per_second(self, values: Vector) -> Vector:
        """Values of matchups added up by their second bot."""
        return np.bincount(self.second, values, self.bots).astype(np.float64)

    @property
    def tie_share(self) -> float:
        """Of all judgments."""
        return float(self.tied.sum() / (self.won + self.lost + self.tied).sum())


def spread(pairs: PairCounts, by_lead: Vector) -> Vector:
    """From slopes by the lead of the first over the second to slopes by each bot's strength."""
    return pairs.per_first(by_lead) - pairs.per_second(by_lead)


def davidson_logs(lead: Vector, tie: float) -> tuple[Vector, Vector, Vector]:
    """The logarithms of the chances of win, loss and tie, exact also where they are near zero."""
    won = -np.logaddexp(0, np.logaddexp(-lead, tie - lead / 2))
    lost = -np.logaddexp(0, np.logaddexp(lead, tie + lead / 2))
    return won, lost, -np.logaddexp(0, np.logaddexp(lead / 2, -lead / 2) - tie)


def davidson_slopes(pairs: PairCounts, lead: Vector, tie: float) -> Slopes:
    """First and second derivatives of Davidson's likelihood, matchup by matchup."""
    first, second, draw = (np.exp(log) for log in davidson_logs(lead, tie))
    games, balance, decided = pairs.won + pairs.lost + pairs.tied, (first - second) / 2, first + second
    # Written with the chances of what did not happen, so that counts of 10⁹ do not cancel.
    by_lead = pairs.won * (second + draw / 2) - pairs.lost * (first + draw / 2) - pairs.tied * balance
    return (
        by_lead,
        float((pairs.tied * decided - (pairs.won + pairs.lost) * draw).sum()),
        games * (decided * draw / 4 + first * second),
        -games * draw * balance,
        float((games * draw * decided).sum()),
    )
