"""Judgments of the same pairs by several phrasings, made up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from duologue.acute.phrasings.analysis import Phrasing
from duologue.acute.questions import PUBLISHED
from duologue.judgments import Row

ENGAGING = ("engaging-to-talk-to", "long-conversation", "captivating")
HUMAN = ("sounds-human", "human-or-bot")


def asked(*arms: str) -> list[Phrasing]:
    return [Phrasing(arm, PUBLISHED[arm].axis, PUBLISHED[arm]) for arm in arms]


def judged(
    arm: str, first: int, second: int, *, pair: int = 1, who: str = "", **columns: object
) -> Iterator[Row]:
    """So many judgments for the first bot, and so many for the second, each by somebody else."""
    for number in range(first + second):
        winner, loser = ("good", "weak") if number < first else ("weak", "good")
        yield {
            "winner": winner,
            "loser": loser,
            "winner_dialogue": f"{winner}-{pair}",
            "loser_dialogue": f"{loser}-{pair}",
            "winner_side": 1 + number % 2,
            "arm": arm,
            "annotator": f"{who or arm}-{number}",
            **columns,
        }


def judged_all(counts: Mapping[str, tuple[int, int]]) -> list[Row]:
    return [row for arm, (first, second) in counts.items() for row in judged(arm, first, second)]


def over_pairs(arm: str, counts: Sequence[tuple[int, int]]) -> list[Row]:
    """The same annotators on several pairs."""
    return [
        row
        for number, (first, second) in enumerate(counts)
        for row in judged(arm, first, second, pair=number)
    ]
