"""The answers that a comparison offers: a side, in a graded study how clearly, and a tie where one may be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from duologue.acute.questions import Question, Segment, segments
from duologue.dialogues import Json

Strength = Literal["clearly", "slightly"]

LEADS: Mapping[Strength, float] = {"clearly": 1, "slightly": 0.5}
"""What an answer is worth: the score of the side it is for."""

TIE = "tie"


@dataclass(frozen=True, slots=True)
class ChoiceView:
    """An answer as shown: what is submitted, and its words with the speakers to colour."""

    value: str
    side: int | None
    """None of a tie, which is said in the study's wording."""
    segments: tuple[Segment, ...] = ()
    strength: Strength | None = None
    """How clearly, in a graded study; said in the study's wording."""


@lru_cache(maxsize=100)  # for every page the same
def choices_of(question: Question, *, is_graded: bool, ties: bool) -> tuple[ChoiceView, ...]:
    """The answers in the order in which they are shown, and numbered by the keys.

    Example:
        >>> from duologue.acute.questions import PUBLISHED
        >>> [choice.value for choice in choices_of(PUBLISHED["fun"], is_graded=True, ties=True)]
        ['clearly-1', 'slightly-1', 'tie', 'slightly-2', 'clearly-2']
    """
    tie = (ChoiceView(TIE, None),) if ties else ()
    first, second = (segments(choice) for choice in question.choices)
    if not is_graded:
        return (ChoiceView("1", 1, first), ChoiceView("2", 2, second), *tie)
    strengths: tuple[Strength, ...] = ("clearly", "slightly")
    return (
        *(ChoiceView(f"{strength}-1", 1, first, strength) for strength in strengths),
        *tie,
        *(ChoiceView(f"{strength}-2", 2, second, strength) for strength in reversed(strengths)),
    )


def legal_answers(*, is_graded: bool, ties: bool) -> dict[str, dict[str, Json]]:
    """What each submitted answer says: the side, and in a graded study how clearly.

    Example:
        >>> legal_answers(is_graded=False, ties=True)
        {'1': {'side': 1}, '2': {'side': 2}, 'tie': {'side': None}}
    """
    return dict(_legal(is_graded, ties))


def _legal(is_graded: bool, ties: bool) -> Iterator[tuple[str, dict[str, Json]]]:
    for side in (1, 2):
        if not is_graded:
            yield str(side), {"side": side}
            continue
        for name, lead in LEADS.items():
            yield f"{name}-{side}", {"side": side, "lead": lead}
    if ties:
        yield TIE, {"side": None, "lead": 0} if is_graded else {"side": None}
