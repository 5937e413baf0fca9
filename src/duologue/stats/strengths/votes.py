"""Single votes, winner and loser by number, counted in one pass."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber

CHUNK = 1 << 18
"""Votes counted at a time: so few that they stay in the processor's cache."""


def count_wins(winners: ArrayLike, losers: ArrayLike, *, bots: int) -> NDArray[np.float64]:
    """Count votes into a win matrix: one pass, whatever their number.

    Args:
        winners: The number of the winning bot of each vote, from 0.
        losers: The number of the losing bot of each vote.
        bots: How many bots there are.

    Returns:
        The matrix whose cell i, j is how often i beat j.

    Raises:
        BadNumber: The arrays differ in length, a number is not that of a bot, or a bot meets itself.

    Example:
        >>> count_wins([0, 0, 1], [1, 1, 0], bots=2).tolist()
        [[0.0, 2.0], [1.0, 0.0]]
    """
    won, lost = _bot_numbers("winners", winners, bots), _bot_numbers("losers", losers, bots)
    if len(won) != len(lost):
        raise BadNumber("losers", expected=f"{len(won)} numbers, as many as winners", got=len(lost))
    cells = np.zeros(bots * bots, dtype=np.int64)
    for begin in range(0, len(won), CHUNK):
        part = slice(begin, begin + CHUNK)
        cells += np.bincount(won[part].astype(np.intp) * bots + lost[part], minlength=bots * bots)
    wins = cells.reshape(bots, bots)
    if np.diagonal(wins).any():
        bot = int(np.flatnonzero(np.diagonal(wins))[0])
        raise BadNumber("losers", expected="another bot than the winner", got=f"bot {bot} against itself")
    return wins.astype(np.float64)


def _bot_numbers(name: str, values: ArrayLike, bots: int) -> NDArray[np.integer]:
    numbers = np.asarray(values)
    if numbers.ndim != 1 or (len(numbers) and not np.issubdtype(numbers.dtype, np.integer)):
        got = f"an array of {numbers.dtype} of shape {numbers.shape}"
        raise BadNumber(name, expected="one row of bot numbers", got=got)
    if len(numbers) and not 0 <= int(numbers.min()) <= int(numbers.max()) < bots:
        raise BadNumber(
            name, expected=f"numbers from 0 to {bots - 1}", got=f"{numbers.min()} to {numbers.max()}"
        )
    return numbers
