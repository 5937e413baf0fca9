"""How firmly the first bot is first: the fewest judgments that, turned round, would put another one first."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duologue.stats.strengths.cluster_scores import PooledModel
from duologue.stats.strengths.pooled import fit_parameters, inverse_information
from duologue.stats.strengths.ties import PairCounts

CANDIDATES = 3
"""So many bots are tried as the next first one: those for which the fewest judgments should do."""

AHEAD = 1e-9
"""A lead of less than this is a tie by rounding."""


@dataclass(frozen=True, slots=True)
class FlippedTop:
    """The fewest judgments found that, turned round, put another bot first."""

    top: str
    other: str
    votes: int
    n: int


def votes_to_flip_top(
    wins: Sequence[NDArray[np.float64]],
    ties: NDArray[np.float64],
    names: Sequence[str],
    *,
    model: PooledModel = "bradley-terry",
) -> FlippedTop | None:
    """Find how few judgments decide who is first, by strengths pooled over all matchups.

    Wins are turned into losses, those first that move the lead most, and the strengths are fitted again: an
    upper bound that is sharp to within a few votes. A number that is small beside all judgments says that
    the first place hangs on a handful of people (compare Huang et al. 2025, who drop votes).

    Args:
        wins: ``wins[0][i, j]`` is how often bot i clearly beat bot j; ``wins[1]``, where answers are graded,
            how often it did slightly (half of the score).
        ties: How often i and j tied; symmetric.
        names: The bots.
        model: As for `pooled_strengths`: whether ties have a parameter of their own.

    Returns:
        None where no bot is ahead, or where turning round what there is changes nothing.

    Example:
        >>> wins = np.array([[0.0, 60, 70], [40, 0, 55], [30, 45, 0]])
        >>> found = votes_to_flip_top([wins], np.zeros((3, 3)), "ABC")
        >>> found.top, found.other, found.votes
        ('A', 'B', 18)
    """
    table = _WinTable(tuple(wins), ties, model)
    counts = table.counts()
    parameters = fit_parameters(counts, model)
    bots = len(names)
    strengths = parameters[:bots]
    top = int(np.argmax(strengths))
    others = np.delete(np.arange(bots), top)
    if strengths[top] - strengths[others].max() < AHEAD:
        return None
    inverse = inverse_information(counts, parameters, model)[:bots, :bots]
    plans = [_FlipPlan.of(table, inverse, strengths, top, int(other)) for other in others]
    plans = sorted((plan for plan in plans if plan.guess is not None), key=lambda plan: plan.guess or 0)
    best: tuple[int, int] | None = None
    for plan in plans[:CANDIDATES]:
        found = _fewest(table, plan, top, parameters, most=None if best is None else best[0] - 1)
        if found is not None:
            best = found
    n = round(float(sum(each.sum() for each in wins) + ties.sum() / 2))
    return None if best is None else FlippedTop(names[top], names[best[1]], best[0], n)


@dataclass(frozen=True, slots=True)
class _WinTable:
    wins: tuple[NDArray[np.float64], ...]
    ties: NDArray[np.float64]
    model: PooledModel

    def counts(self) -> PairCounts:
        """Preferences added up by matchup."""
        if self.model == "davidson":
            return PairCounts.of(self.wins[0], self.ties)
        preferred = self.wins[0] + self.ties / 2
        if len(self.wins) > 1:
            preferred = preferred + 0.75 * self.wins[1] + 0.25 * self.wins[1].T
        return PairCounts.of(preferred, np.zeros_like(self.ties))

    def turned(self, plan: _FlipPlan, votes: int) -> _WinTable:
        """With so many judgments turned round, in the order of the plan."""
        wins = np.stack(self.wins)
        taken = np.diff(np.minimum(np.cumsum(plan.count), votes), prepend=0)
        wins[plan.kind, plan.winner, plan.loser] -= taken
        wins[plan.kind, plan.loser, plan.winner] += taken
        return replace(self, wins=tuple(wins))


@dataclass(frozen=True, slots=True)
class _FlipPlan:
    """In which order to turn judgments round so that a certain bot overtakes the first one."""

    kind: NDArray[np.intp]
    """Clear or slight wins."""
    winner: NDArray[np.intp]
    loser: NDArray[np.intp]
    count: NDArray[np.int64]
    """How many there are."""
    guess: int | None
    """How many should do, were strengths linear in the judgments."""

    @classmethod
    def of(
        cls,
        table: _WinTable,
        inverse: NDArray[np.float64],
        strengths: NDArray[np.float64],
        top: int,
        other: int,
    ) -> _FlipPlan:
        pull = inverse[top] - inverse[other]
        moves = pull[:, None] - pull[None, :]
        wins = np.stack(table.wins)
        kind, winner, loser = np.nonzero((wins >= 1) & (moves > 0))
        move = np.array([1.0, 0.5])[kind] * moves[winner, loser]
        best_first = np.argsort(-move, kind="stable")
        kind, winner, loser, move = (values[best_first] for values in (kind, winner, loser, move))
        count = wins[kind, winner, loser].astype(np.int64)
        lead = float(strengths[top] - strengths[other])
        moved = np.cumsum(count * move)
        last = int(np.searchsorted(moved, lead))
        if last == len(moved):
            return cls(kind, winner, loser, count, None)
        still = lead - float(moved[last] - count[last] * move[last])
        needed = int(count[:last].sum()) + math.ceil(still / float(move[last]))
        return cls(kind, winner, loser, count, needed)


def _fewest(
    table: _WinTable, plan: _FlipPlan, top: int, start: NDArray[np.float64], *, most: int | None
) -> tuple[int, int] | None:
    """The smallest number that puts another bot first, and which; None when ``most`` do not."""

    def first_after(votes: int) -> int | None:
        strengths = fit_parameters(table.turned(plan, votes).counts(), table.model, start)[: len(table.ties)]
        ahead = int(np.argmax(strengths))
        return ahead if strengths[ahead] - strengths[top] > AHEAD else None

    high = int(plan.count.sum())
    high = high if most is None else min(high, most)
    found = first_after(high) if high > 0 else None
    if found is None:
        return None
    low = 0
    while high - low > 1:
        middle = (low + high) // 2
        ahead = first_after(middle)
        if ahead is None:
            low = middle
        else:
            high, found = middle, ahead
    return high, found
