"""What correlated judgments cost: more of them are needed for the same certainty."""

from __future__ import annotations

import math
from dataclasses import dataclass

from duologue.errors import DesignError


@dataclass(frozen=True, slots=True)
class DesignEffect:
    """By how much clustering multiplies the number of judgments: 1 + (m − 1)·ICC (Kish 1965).

    ``cluster_size`` is how many judgments one annotator gives, or how many turns of one dialogue are
    judged; ``icc`` how alike two of them are beyond chance (0 independent, 1 copies).
    """

    icc: float
    cluster_size: float

    def __post_init__(self) -> None:
        if not 0 <= self.icc <= 1:
            raise DesignError(f"the intraclass correlation must lie between 0 and 1; got {self.icc:g}.")
        if not 1 <= self.cluster_size < math.inf:
            raise DesignError(f"a cluster holds at least one judgment; got {self.cluster_size:g}.")

    @property
    def factor(self) -> float:
        """How many judgments say as much as one independent judgment.

        Example:
            >>> round(DesignEffect(icc=0.1, cluster_size=10).factor, 3)
            1.9
        """
        return 1 + (self.cluster_size - 1) * self.icc

    def inflate(self, independent: int) -> int:
        """Judgments needed when so many independent ones would do.

        Example:
            >>> DesignEffect(icc=0.1, cluster_size=10).inflate(210)
            399
        """
        return math.ceil(round(independent * self.factor, 6))

    def effective(self, judgments: int) -> int:
        """How many independent judgments so many clustered ones are worth, rounded down.

        Example:
            >>> DesignEffect(icc=0.1, cluster_size=10).effective(399)
            210
        """
        return math.floor(round(judgments / self.factor, 6))
