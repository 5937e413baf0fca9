"""What a ranking of three asks for, what its form says, and which answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duologue.acute.questions import Question
from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.protocols import Item

SLOTS = 3
"""Dialogues of a ranking."""

PLACES = tuple(range(1, SLOTS + 1))


def is_ranking(item: Item) -> bool:
    """Whether an item is ranked: it has three dialogues."""
    return len(item.dialogues) == SLOTS


def place_field(place: int, ending: str = "") -> str:
    """The field of the form that says who has a place, by one of several questions if it has an ending."""
    return f"rank-{place}{ending}"


def read_ranks(form: Mapping[str, str], ending: str = "") -> list[Json]:
    """The places that a form gives, by shown position: ``[2, 1, 3]`` puts the second one first.

    Args:
        form: The fields that were sent.
        ending: Of the fields' names, where several questions are asked.

    Raises:
        AnswerError: A place is empty, or two places have the same speaker.

    Example:
        >>> read_ranks({"rank-1": "2", "rank-2": "1", "rank-3": "3"})
        [2, 1, 3]
    """
    chosen = [form.get(place_field(place, ending), "") for place in PLACES]
    if sorted(chosen) != [str(place) for place in PLACES]:
        empty = next((place for place in PLACES if chosen[place - 1] not in map(str, PLACES)), SLOTS)
        raise AnswerError("Please give every speaker a place of its own.", field=place_field(empty, ending))
    return [chosen.index(str(position)) + 1 for position in PLACES]


def ranked_slots(question: Question, order: Sequence[int], ranks: Sequence[int]) -> tuple[int, ...]:
    """The slots of the item from the best to the worst.

    Where a question credits the other side ("Which speaker is more boring?"), the last place is the best.

    Example:
        >>> from duologue.acute.questions import PUBLISHED
        >>> ranked_slots(PUBLISHED["fun"], (2, 0, 1), (2, 1, 3))
        (0, 2, 1)
    """
    from_first = tuple(order[list(ranks).index(place)] for place in PLACES)
    return from_first if question.credits == "chosen" else from_first[::-1]


def ranks_in(values: Mapping[str, object]) -> tuple[int, ...] | None:
    """The places in a stored answer; None where it is no ranking."""
    ranks = values.get("ranks")
    return tuple(ranks) if isinstance(ranks, list | tuple) else None


def gold_place(item: Item) -> tuple[int, int] | None:
    """The slot of a ranking whose place is known, and that place; None where nothing (legal) is known.

    ``gold`` is ``{"last": slot}`` or ``{"first": slot}``.

    Example:
        >>> three = ("ada", "ada", "eco"), ("d1", "d2", "d3"), ("A", "A", "E")
        >>> gold_place(Item("p1", "ada__vs__ada__vs__eco", *three, role="onboarding", gold={"last": 2}))
        (2, 3)
    """
    gold = item.gold
    if not isinstance(gold, dict) or len(gold) != 1:
        return None
    ((end, slot),) = gold.items()
    if end not in ("first", "last") or not isinstance(slot, int) or isinstance(slot, bool):
        return None
    return (slot, 1 if end == "first" else SLOTS) if 0 <= slot < len(item.bots) else None
