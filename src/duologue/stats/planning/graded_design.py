"""A preference on four points, clearly or slightly for either bot: how many answers a matchup needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.designs import ForcedChoice
from duologue.stats.planning.difference_power import t_power
from duologue.stats.rates.binomial_distribution import Floats

CLEARLY = math.log(3)
"""How far apart two dialogues must be, in log-odds, to say "clearly": half of the pairings of equal bots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedChoice:
    """One of two bots is chosen, clearly or slightly: Student's t on scores of ±1 and ±½.

    The gap is that between the win rates when the sides alone are read. How far a judgment is felt to be for
    one side is taken as logistic, and whatever is more than ``clearly`` from even is said to be clear. Real
    annotators use the scale otherwise than that: published answers were worth 0.71 to 0.88 judgments of a
    forced choice, and this model says 0.82. Independent judgments are assumed.
    """

    alpha: float = 0.05
    clearly: float = CLEARLY

    @property
    def method(self) -> str:
        """The test, in words."""
        return "Student's t on scores of four points, two-sided"

    @property
    def largest_gap(self) -> float:
        """Beyond it the approximation says nothing."""
        return 0.98

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Power of the t-test on the mean score.

        Example:
            >>> GradedChoice().power([160, 170], 0.2).round(3).tolist()
            [0.811, 0.834]
        """
        if not 0 <= gap < 1:
            raise DesignError(f"a gap is between 0 and 1; got {gap:g}.")
        mean, variance = scores_at(gap, self.clearly)
        answers = np.atleast_1d(np.asarray(n, dtype=np.float64))
        return t_power(2 * answers, mean, sd=math.sqrt(variance), alpha=self.alpha, df=answers - 1)

    def about(self, gap: float, power: float) -> float:
        """The number for a forced choice, less what the scale saves."""
        mean, variance = scores_at(gap, self.clearly)
        saved = variance / mean**2 * gap**2 / (1 - gap**2)
        return ForcedChoice(alpha=self.alpha).about(gap, power) * min(1.0, saved)


def scores_at(gap: float, clearly: float = CLEARLY) -> tuple[float, float]:
    """Mean and variance of the score of a judgment, −1 to 1, at a gap between two win rates.

    Example:
        >>> [round(number, 3) for number in scores_at(0.2)]
        [0.176, 0.605]
    """
    lead = math.log((1 + gap) / (1 - gap))
    better, worse = float(special.expit(lead)), float(special.expit(-lead))
    clear, clear_worse = float(special.expit(lead - clearly)), float(special.expit(-lead - clearly))
    mean = (clear - clear_worse + better - worse) / 2
    square = (1 + 3 * (clear + clear_worse)) / 4
    return mean, square - mean**2
