"""What a comparison of two phrasings of a question can tell: shares of the most chosen answer."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from duologue.errors import DesignError
from duologue.stats.planning.binomial_power import require_open_probability, require_probability
from duologue.stats.planning.difference_power import rejected_counts
from duologue.stats.rates.binomial_distribution import Floats, Ints, chance_of, chance_up_to


@dataclass(frozen=True, slots=True, kw_only=True)
class ModalDifference:
    """Two phrasings of a question, other annotators for each: does one of them find more agreement?

    ``base`` is the agreement of the clearer phrasing; the other lies the gap below it, and no lower than one
    half. The number is judgments *per phrasing*. What is compared is the share of the most chosen answer,
    whichever that turns out to be, by the two-proportion z-test; its power is enumerated with the folding.
    """

    base: float = 0.9
    alpha: float = 0.05

    @property
    def method(self) -> str:
        """The test, in words."""
        return f"two-proportion z-test of the most chosen answers, two-sided, from {self.base:g} downwards"

    @property
    def largest_gap(self) -> float:
        """Down to coin flips."""
        return self.base - 0.5

    def power(self, n: ArrayLike, gap: float) -> Floats:
        """Enumerated power.

        Raises:
            DesignError: ``base`` is not above one half, or the gap leads below it.

        Example:
            >>> ModalDifference(base=0.95).power([20], 0.35).round(3).tolist()
            [0.811]
        """
        require_open_probability(self.alpha, "alpha")
        require_probability(self.base, "the agreement of the clearer phrasing")
        if not self.base > 0.5 or gap > self.largest_gap + 1e-9:
            raise DesignError(
                f"agreement lies between one half, which is coin flips, and 1; got {self.base:g} for the "
                f"clearer phrasing and {self.base - gap:g} for the other."
            )
        z2 = float(special.chdtri(1, self.alpha))
        sizes = np.atleast_1d(np.asarray(n, dtype=np.int64))
        return np.array([self._power_of_one(int(size), gap, z2) for size in sizes], dtype=np.float64)

    def _power_of_one(self, n: int, gap: float, z2: float) -> float:
        if n < 1:
            return 0.0
        x = np.arange((n + 1) // 2, n + 1)
        low, high = rejected_counts(x, n, z2)
        other = self.base - gap
        rejected = _modal_up_to(low, n, other) + 1 - _modal_up_to(high - 1, n, other)
        mirrored = np.where(2 * x == n, 0.0, chance_of(n - x, n, self.base))
        return float(min(((chance_of(x, n, self.base) + mirrored) * rejected).sum(), 1.0))

    def about(self, gap: float, power: float) -> float:
        """Normal approximation with pooled and separate variances."""
        other = self.base - gap
        middle = (self.base + other) / 2
        level, chance = float(special.ndtri(1 - self.alpha / 2)), float(special.ndtri(power))
        spread = level * math.sqrt(2 * middle * (1 - middle)) + chance * math.sqrt(
            self.base * (1 - self.base) + other * (1 - other)
        )
        return (spread / gap) ** 2


def _modal_up_to(most: Ints, n: int, p: float) -> Floats:
    """The chance that the more frequent of two answers of ``n`` annotators comes up to ``most`` times."""
    inside = chance_up_to(most, n, p) - chance_up_to(n - most - 1, n, p)
    return np.asarray(np.where(2 * most < n, 0.0, inside), dtype=np.float64)
