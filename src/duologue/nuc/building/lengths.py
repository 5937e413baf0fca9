"""Whether the length of a reply gives the answer away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

from duologue.dialogues import Distribution, distribution_of
from duologue.screening import count_words

TELLING = 0.05
"""A rule that looks at lengths alone may be right this much more often than chance."""


@dataclass(frozen=True, slots=True)
class LengthComparison:
    """The words of true and false replies, and how often their number alone gives the answer."""

    items: int
    true: Distribution
    false: Distribution
    chance: float
    """How often a guess is right."""
    longest: float
    """How often the longest candidate is the true one; several as long share."""
    shortest: float

    @property
    def gives_away(self) -> bool:
        """Whether choosing the longest or the shortest candidate does clearly better than a guess.

        Clearly: five points better, and beyond what chance does in so many items (two standard errors).
        """
        error = 2 * sqrt(self.chance * (1 - self.chance) / self.items)
        return max(self.longest, self.shortest) > self.chance + max(TELLING, error)


@dataclass(slots=True)
class ReplyLengths:
    """Counts the words of replies item by item."""

    true: Counter[int] = field(default_factory=Counter)
    false: Counter[int] = field(default_factory=Counter)
    chance: float = 0.0
    longest: float = 0.0
    shortest: float = 0.0

    def add(self, candidates: Sequence[str], truth: int) -> None:
        """Count the candidates of an item."""
        words = [count_words(text) for text in candidates]
        own = words[truth]
        self.true[own] += 1
        self.false.update(words[:truth] + words[truth + 1 :])
        self.chance += 1 / len(words)
        if own == max(words):
            self.longest += 1 / words.count(own)
        if own == min(words):
            self.shortest += 1 / words.count(own)

    def comparison(self) -> LengthComparison | None:
        """What was counted; None before the first item."""
        n = self.true.total()
        if not n:
            return None
        return LengthComparison(
            items=n,
            true=distribution_of(self.true),
            false=distribution_of(self.false),
            chance=self.chance / n,
            longest=self.longest / n,
            shortest=self.shortest / n,
        )
