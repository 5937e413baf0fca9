"""What bots are truly worth to careful simulated annotators: a mean rating for each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from duologue.errors import DesignError

WORST, BEST = 0.25, 0.80
"""Where on a scale from 0 to 1 the means of the worst and the best bot lie when none is stated."""
MIDDLE = (WORST + BEST) / 2
"""Where the mean of a bot lies that has no other: the only one, or one that only attention checks show."""


@dataclass(frozen=True, slots=True)
class Means:
    """True mean ratings: stated ones in points of the scale, and for other bots a place on it from 0 to 1."""

    places: Mapping[str, float]
    stated: Mapping[str, float] = field(default_factory=dict)

    def mean(self, bot: str, *, lowest: int, highest: int) -> float:
        """The true mean of a bot on a scale.

        Example:
            >>> Means({"a": 0.5}, {"b": 3.2}).mean("a", lowest=1, highest=4)
            2.5
        """
        if bot in self.stated:
            return self.stated[bot]
        return lowest + self.places.get(bot, MIDDLE) * (highest - lowest)


def parse_means(texts: Iterable[str]) -> dict[str, float]:
    """Mean ratings as they are written on the command line: ``companion=3.2``.

    Raises:
        DesignError: One is not written so, or a bot comes twice.

    Example:
        >>> parse_means(["companion=3.2", "parrot=1.5"])
        {'companion': 3.2, 'parrot': 1.5}
    """
    stated: dict[str, float] = {}
    for text in texts:
        bot, _, number = text.rpartition("=")
        try:
            mean = float(number)
        except ValueError:
            mean = math.nan
        if not bot.strip() or not math.isfinite(mean):
            raise DesignError(f"--mean {text}: expected a bot and its true mean rating, such as A=3.2.")
        if bot.strip() in stated:
            raise DesignError(f"--mean {text}: the mean of {bot.strip()} is stated twice.")
        stated[bot.strip()] = mean
    return stated


def draw_means(
    bots: Sequence[str], *, stated: Mapping[str, float] | None = None, rng: np.random.Generator
) -> Means:
    """Means of ``bots``: those stated, and for the others places spread evenly in an order that is drawn.

    Raises:
        DesignError: A mean is stated for a bot that is not in the study.
    """
    stated = dict(stated or {})
    for bot in stated:
        if bot not in bots:
            raise DesignError(f"--mean names {bot!r}; the bots of this study are {', '.join(sorted(bots))}.")
    places = np.linspace(WORST, BEST, len(bots)) if len(bots) > 1 else np.array([MIDDLE])
    order = rng.permutation(len(bots))
    return Means({bot: float(places[at]) for bot, at in zip(sorted(bots), order, strict=True)}, stated)
