"""Who was compared with whom."""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csgraph

from duologue.errors import Disconnected
from duologue.stats.strengths.win_graph import groups_of, refuse_disconnected


def test_one_win_links_two_bots_weakly_and_a_win_back_links_them_strongly() -> None:
    once = np.array([[0.0, 1.0], [0.0, 0.0]])
    assert groups_of(once, connection="weak") == [[0, 1]]
    assert groups_of(once, connection="strong") == [[0], [1]]
    assert groups_of(once + once.T, connection="strong") == [[0, 1]]


def test_a_chain_of_comparisons_is_enough() -> None:
    wins = np.diag([2.0, 3.0], k=1)
    refuse_disconnected(wins, "ABC")


def test_a_bot_without_judgments_is_named_as_a_group_of_its_own() -> None:
    wins = np.zeros((3, 3))
    wins[0, 2] = 1
    with pytest.raises(Disconnected, match=r"\{A, C\}; \{B\}"):
        refuse_disconnected(wins, "ABC")


def _wins(bots: int) -> st.SearchStrategy[np.ndarray]:
    return arrays(np.float64, (bots, bots), elements=st.sampled_from([0, 0, 0, 2]))


@given(st.integers(1, 9).flatmap(_wins), st.sampled_from(["weak", "strong"]))
def test_groups_are_those_that_scipy_finds(wins: np.ndarray, connection: Literal["weak", "strong"]) -> None:
    number, labels = csgraph.connected_components(wins > 0, connection=connection)
    expected = [np.flatnonzero(labels == group).tolist() for group in range(number)]
    assert groups_of(wins, connection=connection) == sorted(expected)


def test_no_bots_make_no_group() -> None:
    assert groups_of(np.zeros((0, 0)), connection="weak") == []
