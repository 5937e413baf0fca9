"""What careful simulated annotators truly prefer: how often one bot is chosen over another."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from duologue.errors import DesignError

_STATED = re.compile(r"(?P<better>[^:=]+):(?P<worse>[^:=]+)=(?P<rate>[^:=]+)")


@dataclass(frozen=True, slots=True)
class Preferences:
    """True preferences: stated ones per matchup, and for the rest the strengths of the bots.

    Between two bots of strengths a and b, the first is preferred with probability 1 / (1 + exp(b − a)),
    as in the model of Bradley and Terry (1952). A bot against itself is a toss-up.
    """

    strengths: Mapping[str, float]
    stated: Mapping[tuple[str, str], float] = field(default_factory=dict)

    def rate(self, bot: str, other: str) -> float:
        """How often a careful annotator prefers ``bot`` to ``other``.

        Example:
            >>> Preferences({"a": 1.0, "b": 1.0}, {("a", "c"): 0.7}).rate("a", "b")
            0.5
        """
        if bot == other:
            return 0.5
        if (bot, other) in self.stated:
            return self.stated[bot, other]
        if (other, bot) in self.stated:
            return 1 - self.stated[other, bot]
        return 1 / (1 + math.exp(self.strengths[other] - self.strengths[bot]))


def parse_preferences(texts: Iterable[str]) -> dict[tuple[str, str], float]:
    """Preferences as they are written on the command line: ``A:B=0.7``.

    Raises:
        DesignError: One is not written so, its rate is not between 0 and 1, or a matchup comes twice.

    Example:
        >>> parse_preferences(["companion:parrot=0.9"])
        {('companion', 'parrot'): 0.9}
    """
    stated: dict[tuple[str, str], float] = {}
    for text in texts:
        bot, other, rate = _parse(text)
        if (bot, other) in stated or (other, bot) in stated:
            raise DesignError(f"--prefer {text}: the preference between {bot} and {other} is stated twice.")
        stated[bot, other] = rate
    return stated


def draw_preferences(
    bots: Sequence[str],
    *,
    stated: Mapping[tuple[str, str], float] | None = None,
    rng: np.random.Generator,
) -> Preferences:
    """Preferences among ``bots``: those stated, and strengths drawn for the others.

    The strengths are spread evenly over the bots in an order that is drawn, one logit apart, so that
    neighbours differ enough (73 %) for a study of the usual size to find out.

    Raises:
        DesignError: A preference names a bot that is not in the study.
    """
    stated = dict(stated or {})
    for pair in stated:
        for bot in pair:
            if bot not in bots:
                raise DesignError(
                    f"--prefer names {bot!r}; the bots of this study are {', '.join(sorted(bots))}."
                )
    order = rng.permutation(len(bots))
    strengths = {bot: float(place) for bot, place in zip(sorted(bots), order.tolist(), strict=True)}
    return Preferences(strengths, stated)


def _parse(text: str) -> tuple[str, str, float]:
    found = _STATED.fullmatch(text)
    try:
        rate = float(found["rate"]) if found else math.nan
    except ValueError:
        rate = math.nan
    if found is None or not 0 <= rate <= 1:
        raise DesignError(f"--prefer {text}: expected two bots and a rate between 0 and 1, such as A:B=0.7.")
    bot, other = found["better"].strip(), found["worse"].strip()
    if bot == other:
        raise DesignError(f"--prefer {text}: a bot is not preferred to itself.")
    return bot, other, rate
