"""Who was compared with whom, and who won: the bots as a graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csgraph

from duologue.errors import Disconnected


def groups_of(wins: NDArray[np.float64], *, connection: Literal["weak", "strong"]) -> list[list[int]]:
    """The groups into which bots fall: linked by comparisons (weak), or by wins both ways round (strong).

    Example:
        >>> groups_of(np.array([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]), connection="weak")
        [[0, 1], [2]]
    """
    groups, labels = csgraph.connected_components(wins > 0, connection=connection)
    members: list[list[int]] = [[] for _ in range(groups)]
    for bot, group in enumerate(labels.tolist()):
        members[group].append(bot)
    return sorted(members)


def refuse_disconnected(wins: NDArray[np.float64], names: Sequence[str]) -> None:
    """Let pass only bots that were all compared, directly or through a chain of others.

    Raises:
        Disconnected: They fall into groups; the error names them.
    """
    groups = groups_of(wins, connection="weak")
    if len(groups) > 1:
        raise Disconnected([[names[bot] for bot in group] for group in groups])
