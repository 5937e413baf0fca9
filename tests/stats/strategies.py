"""Hypothesis builds win matrices: bots that met, with counts large and small."""

from __future__ import annotations

import string

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

Wins = NDArray[np.float64]


def bot_names(bots: int) -> list[str]:
    return list(string.ascii_uppercase[:bots])


@st.composite
def win_matrices(draw: st.DrawFn, *, most: int = 6, fewest_wins: int = 1) -> Wins:
    """Every bot met every other; ``fewest_wins`` of 1 keeps the strengths finite."""
    bots = draw(st.integers(min_value=2, max_value=most))
    counts = st.integers(min_value=fewest_wins, max_value=200)
    cells = draw(st.lists(counts, min_size=bots * bots, max_size=bots * bots))
    wins = np.array(cells, dtype=np.float64).reshape(bots, bots)
    np.fill_diagonal(wins, 0)
    return wins
