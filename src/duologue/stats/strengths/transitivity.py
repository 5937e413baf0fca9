"""Do the verdicts line up? The order by pairwise majority, and the bots that go round in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.stats.counts import check_win_matrix
from duologue.stats.strengths.win_graph import groups_of


@dataclass(frozen=True, slots=True)
class MajorityOrder:
    """The bots in tiers from the best down, and every circle in which each beats the next.

    ``is_transitive`` says that there is no circle of strict majorities, of any length.
    """

    tiers: tuple[tuple[str, ...], ...]
    cycles: tuple[tuple[str, ...], ...]
    is_transitive: bool


def majority_order(wins: ArrayLike, names: Sequence[str]) -> MajorityOrder:
    """Order bots by how many of the others they beat in more than half of the judgments.

    Copeland's score: matchups won minus matchups lost, over matchups judged; bots with the same score share a
    tier (in the order given), and matchups that were never judged do not count. It uses only who won each
    matchup, not by how much or how surely: `pooled_strengths` uses all, and may order close bots differently.

    Args:
        wins: ``wins[i, j]`` is how often bot i beat bot j.
        names: The bots, in the order of the rows.

    Returns:
        The tiers, and as ``cycles`` all cycles of three, each in winning order. Where bots go
        round in a circle without any three of them doing so (not all were compared), a shortest circle.

    Raises:
        BadNumber: The matrix is not one of counts, or does not fit the names.

    Example:
        >>> majority_order([[0, 6, 4], [4, 0, 6], [6, 4, 0]], ["rock", "scissors", "paper"]).cycles
        (('rock', 'scissors', 'paper'),)
    """
    counts = check_win_matrix(wins, names)
    beats = counts > counts.T
    compared = ((counts + counts.T) > 0).sum(axis=1)
    net = beats.sum(axis=1) - beats.sum(axis=0)
    score = net / np.maximum(compared, 1)
    steps = sorted(set(score.tolist()), reverse=True)
    tiers = [tuple(name for name, own in zip(names, score, strict=True) if own == step) for step in steps]
    cycles = _triples(beats)
    cycles += _longer_circles(beats, covered={bot for cycle in cycles for bot in cycle})
    return MajorityOrder(
        tiers=tuple(tiers),
        cycles=tuple(tuple(names[i] for i in cycle) for cycle in cycles),
        is_transitive=not cycles,
    )


def _triples(beats: NDArray[np.bool_]) -> list[tuple[int, ...]]:
    """All i → j → k → i, each once, starting from its first bot."""
    found: list[tuple[int, ...]] = []
    for i in range(len(beats)):
        beaten = i + 1 + np.flatnonzero(beats[i, i + 1 :])
        beating = i + 1 + np.flatnonzero(beats[i + 1 :, i])
        pairs = np.argwhere(beats[np.ix_(beaten, beating)])
        found += [(i, int(beaten[j]), int(beating[k])) for j, k in pairs]
    return found


def _longer_circles(beats: NDArray[np.bool_], *, covered: set[int]) -> list[tuple[int, ...]]:
    """A shortest circle for each group of bots that go round but have no triple among them."""
    going_round = [
        group for group in groups_of(beats.astype(np.float64), connection="strong") if len(group) > 1
    ]
    return [
        min((_circle_through(beats, bot) for bot in group), key=len)
        for group in going_round
        if covered.isdisjoint(group)
    ]


def _circle_through(beats: NDArray[np.bool_], start: int) -> tuple[int, ...]:
    """The shortest way from a bot back to itself along victories, breadth first."""
    paths: list[tuple[int, ...]] = [(start,)]
    seen: set[int] = set()
    while True:
        longer: list[tuple[int, ...]] = []
        for path in paths:
            for bot in np.flatnonzero(beats[path[-1]]).tolist():
                if bot == start:
                    return path
                if bot not in seen:
                    seen.add(bot)
                    longer.append((*path, bot))
        paths = longer
