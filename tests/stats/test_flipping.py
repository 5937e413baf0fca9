"""Judgments that decide who is first: by trying every way to turn some round."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from duologue.stats import votes_to_flip_top
from duologue.stats.strengths.cluster_scores import PooledModel
from duologue.stats.strengths.pooled import fit_parameters
from duologue.stats.strengths.ties import PairCounts

NONE = np.zeros((3, 3))
Wins = NDArray[np.float64]


def first_of(wins: Wins, ties: Wins, model: PooledModel) -> int | None:
    strengths = fit_parameters(PairCounts.of(wins, ties), model)[:3]
    order = np.argsort(-strengths)
    return int(order[0]) if strengths[order[0]] - strengths[order[1]] > 1e-9 else None


def by_trying(wins: Wins, ties: Wins, model: PooledModel) -> int | None:
    """The fewest judgments that put another bot first, over every way to turn them round."""
    top = first_of(wins, ties, model)
    cells = [(i, j) for i in range(3) for j in range(3) if wins[i, j]]
    for votes in range(1, int(wins.sum()) + 1):
        for chosen in itertools.combinations_with_replacement(cells, votes):
            if any(chosen.count(cell) > wins[cell] for cell in cells):
                continue
            turned = wins.copy()
            for i, j in chosen:
                turned[i, j] -= 1
                turned[j, i] += 1
            if first_of(turned, ties, model) not in (top, None):
                return votes
    return None


@given(
    cells=st.lists(st.integers(0, 5), min_size=6, max_size=6),
    ties=st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
def test_so_few_judgments_suffice_and_hardly_fewer_do(cells: list[int], ties: list[int]) -> None:
    wins, tied = NONE.copy(), NONE.copy()
    wins[~np.eye(3, dtype=bool)] = cells
    tied[np.triu_indices(3, 1)] = ties
    tied = tied + tied.T
    model: PooledModel = "davidson" if tied.any() else "bradley-terry"
    assume((wins + wins.T + tied > 0)[np.triu_indices(3, 1)].all() and wins.any())
    found = votes_to_flip_top([wins], tied, "ABC", model=model)
    if first_of(wins, tied, model) is None:
        assert found is None
        return
    fewest = by_trying(wins, tied, model) if found is None or found.votes <= 5 else 1
    assert (found is None) == (fewest is None)
    if found is not None and fewest is not None and found.votes <= 5:
        assert fewest <= found.votes <= fewest + 1
        assert found.n == wins.sum() + tied.sum() / 2


def test_a_slight_win_moves_half_as_much() -> None:
    clear, slight = np.array([[0.0, 10], [0, 0]]), np.array([[0.0, 0], [4, 0]])
    found = votes_to_flip_top([clear, slight], np.zeros((2, 2)), ("A", "B"))
    assert found is not None
    assert (found.top, found.other, found.votes) == ("A", "B", 5)
    # 10 clear wins are a score of 10 to the 2 of four slight losses: five turned make it 5 to 7.


def test_nobody_is_first_among_equals() -> None:
    assert votes_to_flip_top([np.array([[0.0, 5], [5, 0]])], np.zeros((2, 2)), "AB") is None


def test_a_large_lead_needs_many() -> None:
    wins = np.array([[0.0, 900, 900], [100, 0, 500], [100, 500, 0]])
    found = votes_to_flip_top([wins], NONE, "ABC")
    assert found is not None
    # With every matchup judged as often, who won most is first: 1,800 to 600, and each one turned moves two.
    assert found.votes == 601


def test_a_lead_of_less_than_one_judgment_cannot_be_turned() -> None:
    assert votes_to_flip_top([np.array([[0.0, 0.5], [0, 0]])], np.zeros((2, 2)), "AB") is None
