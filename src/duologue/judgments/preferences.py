"""Graded preferences: which of two bots was preferred, and how clearly.

Answers come as words ("A much better", "right slightly better"), as signs ("A>>B", "B>A", "A=B"), or as
numbers from -2 to 2 (or -3 to 3). What a plain "better" is worth depends on the other answers of the table,
so all of them are read together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from duologue.judgments.cells import is_whole, read_number

Strength = Literal["slightly", "plainly", "much"]


@dataclass(frozen=True, slots=True)
class Preference:
    """One answer: the side preferred (1 or 2, 0 for neither), and how clearly (1, 0.5 slightly, 0 not)."""

    side: int
    lead: float


EXPECTED_WORDS = (
    "model_a, model_b, tie, the name of one of the two bots, or a graded answer such as A>>B or B slightly "
    "better"
)
EXPECTED_NUMBERS = "a number from -2 (the first much better) to 2, or words such as A slightly better"

_FIRST = frozenset({"a", "left", "first", "1"})
_SECOND = frozenset({"b", "right", "second", "2"})
_WITH_ARTICLE = frozenset({"bit", "little", "lot"})
_SLIGHT = frozenset({"slightly", "slight", "somewhat", "weakly", "weak", "marginally", "bit", "little"})
_MUCH = frozenset(
    {"much", "far", "clearly", "clear", "significantly", "strongly", "strong", "definitely", "lot"}
)
_NEITHER = frozenset({"tie", "tied", "same", "equal", "equally", "neither", "both", "draw", "similar"})
_FILLING = frozenset(
    {"is", "are", "the", "model", "bot", "system", "response", "assistant", "answer", "dialogue", "option"}
    | {"better", "prefer", "preferred", "preference", "for", "wins", "win", "by", "very", "about", "roughly"}
    | {"good", "bad", "bothbad", "no", "they", "it", "s"}
)
_SIGN = re.compile(r"([ab])(>>?|<<?|=|~)([ab])")
_LARGEST = 3
"""Of a scale of seven points. 4 and 5 are of one that counts from 1 and does not say where its middle is."""


def read_preferences(cells: Iterable[str], *, with_numbers: bool = True) -> dict[str, Preference]:
    """What each different answer of a table means; those that are not understood are left out.

    Negative numbers prefer the first bot, as on a slider from left to right. A plain answer ("A better", A>B,
    1) is a plain win, unless the table also has a stronger one ("much better", A>>B, 2) and none that is said
    to be slight: then the plain one is the slight one. Where 1 and 2 stand without 0 or a negative number
    they are the first and the second bot, and a 3 beside them is not understood.

    Example:
        >>> found = read_preferences(["A much better", "B slightly better", "tie", "model_a"])
        >>> [(one.side, one.lead) for one in found.values()]
        [(1, 1.0), (2, 0.5), (0, 0.0), (1, 1.0)]
        >>> {cell: one.lead for cell, one in read_preferences(["-1", "2", "0"]).items()}
        {'-1': 0.5, '2': 1.0, '0': 0.0}
    """
    found: dict[str, tuple[int, Strength]] = {}
    different = dict.fromkeys(cells)
    with_numbers = with_numbers and not _are_sides(different)
    for cell in different:
        answer = _numbered(cell) if with_numbers else None
        answer = _worded(cell) if answer is None else answer
        if answer is not None:
            found[cell] = answer
    strengths = {strength for side, strength in found.values() if side}
    leads: dict[Strength, float] = {"slightly": 0.5, "plainly": 1.0, "much": 1.0}
    if "much" in strengths and "slightly" not in strengths:
        leads["plainly"] = 0.5
    return {
        cell: Preference(side, leads[strength] if side else 0.0) for cell, (side, strength) in found.items()
    }


def say_numbers(cells: Collection[str], first: str, second: str) -> str:
    """How the numbers among the answers of a table are read; empty where there are none.

    Example:
        >>> say_numbers(["-1", "2"], "left", "right")
        'negative numbers are taken to prefer left, positive ones right'
        >>> say_numbers(["1", "2"], "left", "right"), say_numbers(["A>B"], "left", "right")
        ('1 is taken for left and 2 for right', '')
    """
    if _are_sides(cells):
        return f"1 is taken for {first} and 2 for {second}"
    if any(_numbered(cell) is not None for cell in cells):
        return f"negative numbers are taken to prefer {first}, positive ones {second}"
    return ""


def _are_sides(cells: Collection[str]) -> bool:
    """Whether 1 and 2 are the first and the second bot, and no numbers of a scale."""
    if not {cell for cell in cells if _counts_from_one(cell)} >= {"1", "2"}:
        return False
    return not any(_numbered(cell) is not None and not _counts_from_one(cell) for cell in cells)


def _counts_from_one(cell: str) -> bool:
    return is_whole(cell) and int(cell) > 0


def _numbered(cell: str) -> tuple[int, Strength] | None:
    try:
        number = read_number(cell.replace("−", "-"))
    except ValueError:
        return None
    if not number.is_integer() or abs(number) > _LARGEST:
        return None
    return (0 if number == 0 else 1 if number < 0 else 2), "plainly" if abs(number) == 1 else "much"


def _worded(cell: str) -> tuple[int, Strength] | None:
    """The side and the strength as the words tell them."""
    text = cell.lower()
    sign = _SIGN.fullmatch(re.sub(r"[\s\[\]_]|model|assistant", "", text))
    if sign is not None:
        return _signed(*sign.groups())
    words = set(re.findall(r"[^\W_]+", re.split(r" (?:than|over) ", text)[0]))
    if words - _FIRST - _SECOND - _SLIGHT - _MUCH - _NEITHER - _FILLING:
        return None
    if words & _NEITHER or words == {"no", "preference"}:
        return 0, "plainly"
    sides = words & (_FIRST | _SECOND)
    if len(sides) > 1 and words & _WITH_ARTICLE:
        sides -= {"a"}  # "B a bit better"
    is_slight, is_much = bool(words & _SLIGHT), bool(words & _MUCH)
    if len(sides) != 1 or (is_slight and is_much):
        return None
    return (1 if sides <= _FIRST else 2), "slightly" if is_slight else "much" if is_much else "plainly"


def _signed(one: str, sign: str, other: str) -> tuple[int, Strength] | None:
    if one == other:
        return None
    if sign in "=~":
        return 0, "plainly"
    better = one if sign[0] == ">" else other
    return (1 if better == "a" else 2), "much" if len(sign) == 2 else "plainly"
