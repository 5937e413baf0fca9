"""In which order two measurements put the same bots, and which bots change their place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.metrics import Degeneration
from duologue.stats import correlations

_DIGITS = 12
"""Scores that agree in so many digits are equal."""


@dataclass(frozen=True, slots=True)
class TwicePlacedBot:
    """A bot in both measurements; every pair of values has that of the first measurement first."""

    bot: str
    scores: tuple[float, float]
    """Strengths from the pairs that both measurements have, whose mean is zero."""
    places: tuple[int, int]
    rank_correlation_without: float | None
    """Spearman's, of the other bots; None of fewer than three."""
    contradictions: tuple[str, ...]
    """Opponents against whom the two measurements come to opposite verdicts."""
    repetition: tuple[Degeneration | None, Degeneration | None] = (None, None)
    """How much it repeats itself in the dialogues of each; only of bots that moved."""

    @property
    def has_moved(self) -> bool:
        """Whether its places differ."""
        return self.places[0] != self.places[1]


def strengths_of(
    pairs: Sequence[tuple[str, str, float]], bots: Sequence[str], even: float
) -> tuple[float, ...] | None:
    """The strengths whose differences come closest to the estimates (least squares); their mean is zero.

    Where every two bots are a pair they are in the order of the bots' mean estimates.

    Args:
        pairs: Two bots, and the estimate of the first.
        bots: All bots of the pairs.
        even: The estimate of two equal bots.

    Returns:
        None where no chain of pairs connects all bots: then nothing orders them.

    Example:
        >>> strengths_of([("A", "B", 0.6), ("B", "C", 0.7), ("A", "C", 0.8)], ["A", "B", "C"], 0.5)
        (0.133333333333, 0.033333333333, -0.166666666667)
        >>> strengths_of([("A", "B", 0.6), ("C", "D", 0.7)], ["A", "B", "C", "D"], 0.5) is None
        True
    """
    number = {bot: index for index, bot in enumerate(bots)}
    design = np.zeros((len(pairs), len(bots)))
    for row, (first, second, _) in enumerate(pairs):
        design[row, number[first]], design[row, number[second]] = 1.0, -1.0
    differences = np.array([estimate - even for *_, estimate in pairs])
    found, _, rank, _ = np.linalg.lstsq(design, differences, rcond=None)
    if rank < len(bots) - 1:
        return None
    return tuple(round(float(one), _DIGITS) for one in found - found.mean())


def places_of(scores: Sequence[float]) -> tuple[int, ...]:
    """The place of every score, the largest first; equal ones share the better place.

    Example:
        >>> places_of([0.5, 0.7, 0.5, 0.1])
        (2, 1, 2, 4)
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def place_bots(
    bots: Sequence[str],
    scores: tuple[Sequence[float], Sequence[float]],
    *,
    contradictions: Mapping[str, Sequence[str]],
    repetition: tuple[Mapping[str, Degeneration], Mapping[str, Degeneration]],
) -> tuple[TwicePlacedBot, ...]:
    """Every bot with its place in both measurements, in the order of the first one."""
    places = places_of(scores[0]), places_of(scores[1])
    found = []
    for number, bot in enumerate(bots):
        moved = places[0][number] != places[1][number]
        rest = [[one for n, one in enumerate(side) if n != number] for side in scores]
        found.append(
            TwicePlacedBot(
                bot=bot,
                scores=(scores[0][number], scores[1][number]),
                places=(places[0][number], places[1][number]),
                rank_correlation_without=rank_correlation(*rest),
                contradictions=tuple(contradictions.get(bot, ())),
                repetition=(repetition[0].get(bot), repetition[1].get(bot)) if moved else (None, None),
            )
        )
    return tuple(sorted(found, key=lambda one: (one.places, one.bot)))


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's; None of fewer than three, or where one side has no order.

    Example:
        >>> round(rank_correlation([0.9, 0.6, 0.3], [0.7, 0.8, 0.1]), 2)
        0.5
    """
    if len(first) < 3 or len(set(first)) == 1 or len(set(second)) == 1:
        return None
    found = correlations(first, second, draws=0, rng=np.random.default_rng(0))
    return found.spearman.value
