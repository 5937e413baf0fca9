"""Single votes, winner and loser by number: counted in one pass, and with their clusters kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import linalg

from duologue.errors import BadNumber, NotEnoughJudgments
from duologue.stats.counts import check_codes
from duologue.stats.strengths import BradleyTerry, bradley_terry, derivatives_of, fit_strengths, surprises_of

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


def bradley_terry_clustered(
    winners: ArrayLike,
    losers: ArrayLike,
    clusters: ArrayLike,
    names: Sequence[str],
    *,
    level: float = 0.95,
    prior: float = 0.0,
) -> BradleyTerry:
    """Fit Bradley–Terry strengths whose uncertainty allows for votes that hang together.

    The strengths are those of `bradley_terry`; their covariance is the cluster-robust sandwich H⁻¹ (Σ_g s_g
    s_gᵀ) H⁻¹ G/(G − 1), with s_g the summed scores of the votes of one annotator (or dialogue). It stays
    right when an annotator's votes lean the same way, given some twenty clusters or more;
    `bootstrap_clustered_strengths` is the alternative.

    Args:
        winners: The number of the winning bot of each vote, in the order of the names.
        losers: The number of the losing bot of each vote.
        clusters: The integer code of the cluster of each vote.
        names: The bots.
        level: Confidence of the intervals.
        prior: Wins and losses of each bot against an average bot, added to the data.

    Raises:
        NotEnoughJudgments: There are fewer than two bots or fewer than two clusters.
        Disconnected: Some bots were never compared with the others.
        BadNumber: The arrays do not fit each other or the names.

    Example:
        >>> votes = [0, 0, 1, 0, 1, 0], [1, 1, 0, 1, 0, 1]
        >>> fit = bradley_terry_clustered(*votes, [0, 0, 1, 1, 2, 2], ["A", "B"])
        >>> [round(float(error), 3) for error in fit.standard_errors]
        [0.375, 0.375]
    """
    won, lost = _bot_numbers("winners", winners, len(names)), _bot_numbers("losers", losers, len(names))
    counts = count_wins(won, lost, bots=len(names))
    codes, size = check_codes("clusters", clusters, length=len(won))
    fit = bradley_terry(counts, names, level=level, prior=prior)
    if size < 2:
        raise NotEnoughJudgments("A clustered Bradley–Terry model", needed=2, got=size, unit="clusters")
    anchored = fit_strengths(counts, prior=fit.prior, start=fit.strengths)
    surprise = surprises_of(anchored)[won, lost]
    scores = np.zeros((size, len(names)))
    np.add.at(scores, (codes, won), surprise)
    np.add.at(scores, (codes, lost), -surprise)
    _, information = derivatives_of(counts, anchored, fit.prior)
    half = linalg.cho_solve(linalg.cho_factor(information), scores.T)
    half -= half.mean(axis=0)
    covariance = half @ half.T * size / (size - 1)
    return replace(
        fit,
        covariance=covariance,
        standard_errors=np.sqrt(np.diagonal(covariance)),
        method=fit.method.replace("model variance", f"sandwich over {size} clusters"),
    )


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
