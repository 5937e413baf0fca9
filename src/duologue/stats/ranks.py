"""Which ranks each bot may have, all claims together: sets of ranks, not ranks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duologue.errors import BadNumber
from duologue.stats.counts import check_count, check_share

AT_A_TIME = 4_000_000
"""So many drawn differences are held at a time."""


class FittedStrengths(Protocol):
    """What any fit of strengths has: plain, clustered, bootstrapped, with ties or with position."""

    @property
    def names(self) -> tuple[str, ...]:
        """The bots."""

    @property
    def strengths(self) -> NDArray[np.float64]:
        """Their strengths."""

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The covariance of the strengths."""


@dataclass(frozen=True, slots=True)
class RankSet:
    """The ranks that a bot may have, from ``best`` to ``worst`` (1 is the top)."""

    name: str
    best: int
    worst: int


@dataclass(frozen=True, slots=True)
class RankSets:
    """Sets of ranks that all hold together with confidence ``level``, strongest bot first.

    ``threshold`` is how many standard errors two strengths must differ by to be told apart (1.96 would be it
    for one pair looked at alone). ``top`` names the bots that may be the best.
    """

    sets: tuple[RankSet, ...]
    threshold: float
    level: float

    @property
    def top(self) -> tuple[str, ...]:
        """The bots that may be the best."""
        return tuple(one.name for one in self.sets if one.best == 1)


def rank_sets(
    fit: FittedStrengths, *, rng: np.random.Generator, level: float = 0.95, draws: int = 20_000
) -> RankSets:
    """Sets of ranks that hold for all bots at once.

    Two bots are told apart when their strengths differ by more standard errors than the largest of all such
    differences would in ``level`` of cases by chance alone: the distribution of max |z| over all pairs, drawn
    from the covariance of the strengths. A bot's best rank is one more than the bots surely above it; its
    worst is the number of bots less those surely below it.

    Assumes that strengths are about normal; for judgments in clusters give a fit that allows for them.

    Args:
        fit: Strengths with their covariance: a `bradley_terry`, clustered, bootstrapped, or with ties.
        rng: Where draws come from.
        level: The confidence with which all sets hold together.
        draws: How many to draw; 20,000 fix the threshold to about 0.01.

    Raises:
        BadNumber: The level is not between 0 and 1, or there are no draws.

    Example:
        >>> from duologue.stats import bradley_terry
        >>> fit = bradley_terry([[0, 70, 72], [30, 0, 52], [28, 48, 0]], "ABC")
        >>> [(s.name, s.best, s.worst) for s in rank_sets(fit, rng=np.random.default_rng(7)).sets]
        [('A', 1, 1), ('B', 2, 3), ('C', 2, 3)]
    """
    level = check_share("level", level)
    errors = pair_errors(fit.covariance)
    threshold = float(np.quantile(largest_differences(fit.covariance, rng=rng, draws=draws), level))
    lead = fit.strengths[:, None] - fit.strengths[None, :]
    above = lead > threshold * errors
    order = np.argsort(-fit.strengths, kind="stable").tolist()
    beaten_by, beats = above.sum(axis=0), above.sum(axis=1)
    bots = len(order)
    return RankSets(
        sets=tuple(RankSet(fit.names[i], 1 + int(beaten_by[i]), bots - int(beats[i])) for i in order),
        threshold=threshold,
        level=level,
    )


def largest_differences(
    covariance: ArrayLike, *, rng: np.random.Generator, draws: int = 20_000
) -> NDArray[np.float64]:
    """Draw max |z| over all pairs: how far apart equal strengths with this covariance come out by chance.

    Args:
        covariance: The covariance of the strengths.
        rng: Where draws come from.
        draws: How many.

    Returns:
        The largest |difference| in standard errors of each draw.

    Raises:
        BadNumber: There are no draws.

    Example:
        >>> largest = largest_differences(np.eye(2), rng=np.random.default_rng(7))
        >>> round(float(np.quantile(largest, 0.95)), 2)
        1.94
    """
    matrix = np.asarray(covariance, dtype=np.float64)
    if check_count("draws", draws) == 0:
        raise BadNumber("draws", expected="at least 1", got=draws)
    variances, axes = np.linalg.eigh(matrix)
    root = axes * np.sqrt(np.maximum(variances, 0.0))
    errors = pair_errors(matrix)
    bots, largest = len(matrix), np.zeros(draws)
    columns = max(1, AT_A_TIME // max(1, bots))
    for begin in range(0, draws, columns):
        drawn = root @ rng.standard_normal((bots, min(columns, draws - begin)))
        part = largest[begin : begin + columns]
        for bot in range(bots - 1):
            z = np.abs(drawn[bot] - drawn[bot + 1 :]) / errors[bot, bot + 1 :, None]
            np.maximum(part, z.max(axis=0), out=part)
    return largest


def pair_errors(covariance: NDArray[np.float64]) -> NDArray[np.float64]:
    """The standard error of every difference; 1 on the diagonal, where there is none."""
    variances = np.diagonal(covariance)
    squares = variances[:, None] + variances[None, :] - 2 * covariance
    return np.sqrt(np.where(np.eye(len(covariance)) > 0, 1.0, np.maximum(squares, 1e-300)))
