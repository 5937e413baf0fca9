"""What careful simulated annotators truly prefer: how often one bot is chosen over another."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import pairwise

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
    clarity: Mapping[str, float] = field(default_factory=dict)
    """Where phrasings are compared: by each, how often the truly better bot is chosen, whichever two meet."""
    drifted: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """What is true when a matchup is asked again, where that is something else."""

    def rate_again(self, bot: str, other: str) -> float:
        """How often a careful annotator prefers ``bot`` to ``other`` when that is asked again.

        Example:
            >>> Preferences({}, {("a", "b"): 0.7}, drifted={("b", "a"): 0.9}).rate_again("a", "b")
            0.1
        """
        if (bot, other) in self.drifted:
            return self.drifted[bot, other]
        if (other, bot) in self.drifted:
            return round(1 - self.drifted[other, bot], 12)
        return self.rate(bot, other)

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


def parse_preferences(texts: Iterable[str], *, option: str = "--prefer") -> dict[tuple[str, str], float]:
    """Preferences as they are written on the command line: ``A:B=0.7``.

    Raises:
        DesignError: One is not written so, its rate is not between 0 and 1, or a matchup comes twice.

    Example:
        >>> parse_preferences(["companion:parrot=0.9"])
        {('companion', 'parrot'): 0.9}
    """
    stated: dict[tuple[str, str], float] = {}
    for text in texts:
        bot, other, rate = _parse(text, option)
        if (bot, other) in stated or (other, bot) in stated:
            raise DesignError(f"{option} {text}: the preference between {bot} and {other} is stated twice.")
        stated[bot, other] = rate
    return stated


def parse_order(text: str) -> tuple[str, ...]:
    """An order of bots as it is written on the command line, the best first: ``A > B > C``.

    Raises:
        DesignError: There are not at least two, one is empty, or one comes twice.

    Example:
        >>> parse_order("human > alice > cobe")
        ('human', 'alice', 'cobe')
    """
    names = tuple(name.strip() for name in text.split(">"))
    if len(names) < 2 or not all(names):
        raise DesignError(f'--order {text}: expected bots from best to worst, such as "A > B > C".')
    if twice := [name for name in names if names.count(name) > 1]:
        raise DesignError(f"--order {text}: {twice[0]!r} stands in it twice.")
    return names


def draw_preferences(
    bots: Sequence[str],
    *,
    stated: Mapping[tuple[str, str], float] | None = None,
    order: Sequence[str] = (),
    drifted: Mapping[tuple[str, str], float] | None = None,
    rng: np.random.Generator,
) -> Preferences:
    """Preferences among ``bots``: those stated, and strengths for the other matchups.

    The strengths are one logit apart from bot to bot, so that neighbours differ enough (73 %) for a study of
    the usual size to find out. Their order is drawn among those that agree with ``order``, and with every
    stated preference and what follows from them: where A is better than B and B than C, A is better than C.

    Raises:
        DesignError: A bot is not in the study, or what is stated contradicts itself.
    """
    stated = dict(stated or {})
    for option, pairs in (("--prefer", stated), ("--drift", drifted or {})):
        for pair in pairs:
            for bot in pair:
                if bot not in bots:
                    raise DesignError(
                        f"{option} names {bot!r}; the bots of this study are {', '.join(sorted(bots))}."
                    )
    for bot in order:
        if bot not in bots:
            raise DesignError(f"--order names {bot!r}; the bots of this study are {', '.join(sorted(bots))}.")
    better = {(bot, other) for (bot, other), rate in stated.items() if rate > 0.5}
    better |= {(other, bot) for (bot, other), rate in stated.items() if rate < 0.5}
    better |= set(pairwise(order))
    places = rng.permutation(len(bots)).tolist()
    drawn = [bot for _, bot in sorted(zip(places, sorted(bots), strict=True))]
    from_worst = _worst_first(drawn, better)
    strengths = {bot: float(place) for place, bot in enumerate(from_worst)}
    return Preferences(strengths, stated, drifted=dict(drifted or {}))


def _worst_first(bots: Sequence[str], better: Set[tuple[str, str]]) -> list[str]:
    """The bots from worst to best: as they stand where nothing is said, and never against what is.

    Raises:
        DesignError: What is said goes round in a circle.
    """
    left, ordered = list(bots), []
    while left:
        worst = next((bot for bot in left if not any((bot, other) in better for other in left)), None)
        if worst is None:
            raise DesignError(
                "--prefer and --order contradict each other: they go round in a circle, "
                f"{' > '.join(_circle(left, better))}."
            )
        left.remove(worst)
        ordered.append(worst)
    return ordered


def _circle(bots: Sequence[str], better: Set[tuple[str, str]]) -> list[str]:
    """Bots each of which is better than the next, and the last of them the first again."""
    path = [bots[0]]
    while path[-1] not in path[:-1]:
        path.append(next(other for other in bots if (path[-1], other) in better))
    return path[path.index(path[-1]) :]


def _parse(text: str, option: str) -> tuple[str, str, float]:
    found = _STATED.fullmatch(text)
    try:
        rate = float(found["rate"]) if found else math.nan
    except ValueError:
        rate = math.nan
    if found is None or not 0 <= rate <= 1:
        raise DesignError(f"{option} {text}: expected two bots and a rate between 0 and 1, such as A:B=0.7.")
    bot, other = found["better"].strip(), found["worse"].strip()
    if bot == other:
        raise DesignError(f"{option} {text}: a bot is not preferred to itself.")
    return bot, other, rate
