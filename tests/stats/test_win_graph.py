"""Who was compared with whom."""

from __future__ import annotations

import numpy as np
import pytest

from duologue.errors import Disconnected
from duologue.stats.win_graph import groups_of, refuse_disconnected


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
