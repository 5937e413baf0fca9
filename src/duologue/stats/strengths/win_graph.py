"""Who was compared with whom, and who won: the bots as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from duologue.errors import Disconnected


def groups_of(wins: NDArray[np.float64], *, connection: Literal["weak", "strong"]) -> list[list[int]]:
    """The groups into which bots fall: linked by comparisons (weak), or by wins both ways round (strong).

    Example:
        >>> groups_of(np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), connection="weak")
        [[0, 1], [2]]
    """
    reaches = (wins > 0) | np.eye(len(wins), dtype=bool)
    if connection == "weak":
        reaches |= reaches.T
    while True:  # twice as far in every round
        further = reaches.astype(np.float32) @ reaches.astype(np.float32) > 0
        if (further == reaches).all():
            break
        reaches = further
    together = reaches & reaches.T
    return [np.flatnonzero(row).tolist() for bot, row in enumerate(together) if not row[:bot].any()]


def refuse_disconnected(wins: NDArray[np.float64], names: Sequence[str]) -> None:
    """Let pass only bots that were all compared, directly or through a chain of others.

    Raises:
        Disconnected: They fall into groups; the error names them.
    """
    groups = groups_of(wins, connection="weak")
    if len(groups) > 1:
        raise Disconnected([[names[bot] for bot in group] for group in groups])
