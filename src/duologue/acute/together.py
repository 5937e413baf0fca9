"""Several questions about the same dialogues: in which order, in which fields, and how the answer is kept.

The answer to the leading question (the primary one, or the first) is kept as if it were the only one: where
one judgment can have one answer alone, as on the page of judgments or in a known answer, it is that one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from duologue.acute.answers import ChoiceView
from duologue.acute.settings import AcuteSettings
from duologue.dialogues import Json
from duologue.protocols import BESIDE
from duologue.seeds import seed_sequence

ALSO, ASKED, TOOK = BESIDE
"""In an answer: what was said to the other questions, the names in the order asked, the seconds of each."""

ROUNDING_SECONDS = 0.1
"""Of each number of seconds that a page says."""


@dataclass(frozen=True, slots=True)
class AskedView:
    """A question as it is shown, and where its answer stands in the form."""

    text: str
    ending: str
    """Of its fields' names; empty where there is one question."""
    has_reason: bool
    """Whether a reason is asked for here."""
    choices: tuple[ChoiceView, ...] = ()
    """None where three are ranked."""


@dataclass(frozen=True, slots=True)
class GivenTogether:
    """What was said to one of several questions."""

    name: str
    values: Mapping[str, Json]
    place: int
    """Which question it was in the order in which they were asked, from 1."""
    seconds: float
    """For how long it was before the annotator; NaN where that is not known."""


@lru_cache(maxsize=1_000)
def asked_order(count: int, annotator: int) -> tuple[int, ...]:
    """The order in which an annotator is asked so many questions, by their places in the study file.

    An annotator keeps it. Every question comes first equally often, and every two in both orders, within a
    random block of twice as many annotators as there are questions.

    Args:
        count: How many questions.
        annotator: The annotator's number in the study, from 1.

    Example:
        >>> firsts = sorted(asked_order(3, annotator)[0] for annotator in range(1, 7))
        >>> firsts
        [0, 0, 1, 1, 2, 2]
    """
    block, place = divmod(annotator - 1, 2 * count)
    drawn = seed_sequence(0, "question order", str(block)).generate_state(2 * count)
    first, is_reversed = divmod(sorted(range(2 * count), key=lambda lot: int(drawn[lot]))[place], 2)
    order = tuple((first + step) % count for step in range(count))
    return (order[0], *reversed(order[1:])) if is_reversed else order


def field_ending(settings: AcuteSettings, name: str) -> str:
    """How the fields of a question end: with its place in the study file; of an only question not at all."""
    if not settings.is_together:
        return ""
    return f"-{settings.question_names.index(name) + 1}"


def names_in_order(settings: AcuteSettings, annotator: int) -> tuple[str, ...]:
    """The questions about an item in the order in which an annotator is asked them."""
    names = settings.question_names
    if settings.question_order == "as-written":
        return names
    return tuple(names[place] for place in asked_order(len(names), annotator))


def kept_together(
    settings: AcuteSettings,
    said: Mapping[str, Mapping[str, Json]],
    order: Sequence[str],
    took: Mapping[str, float],
) -> dict[str, Json]:
    """Several answers as one: that of the leading question, with the others beside it.

    Args:
        settings: Which question leads.
        said: What was answered, by question.
        order: The questions as they were asked.
        took: The seconds of each that are known.
    """
    lead = settings.lead
    also: dict[str, Json] = {name: dict(values) for name, values in said.items() if name != lead}
    kept: dict[str, Json] = {**said[lead], ALSO: also, ASKED: list(order)}
    return {**kept, TOOK: dict(took)} if took else kept


def given_together(
    settings: AcuteSettings, values: Mapping[str, object], *, seconds: float
) -> Iterator[GivenTogether]:
    """Every answer of a judgment with the question it is to; nothing of a judgment with one question.

    Args:
        settings: Which questions there are, and which of them leads.
        values: What was answered.
        seconds: Those of the whole judgment. Where the questions say that they took more, nothing they say is
            believed.
    """
    also, order, took = values.get(ALSO), values.get(ASKED), values.get(TOOK, {})
    if not (isinstance(also, Mapping) and isinstance(order, Sequence) and isinstance(took, Mapping)):
        return
    known = {name: float(spent) for name, spent in took.items() if isinstance(spent, int | float)}
    if sum(known.values()) > seconds + ROUNDING_SECONDS * (1 + len(known)):
        known = {}
    of_lead = {name: value for name, value in values.items() if name not in BESIDE}
    for name in settings.question_names:
        own = of_lead if name == settings.lead else also.get(name)
        if isinstance(own, Mapping) and name in order:
            place = list(order).index(name) + 1
            yield GivenTogether(name, own, place=place, seconds=known.get(name, math.nan))


def seconds_in(text: str) -> float | None:
    """The seconds that a form says were spent on a question; None where it does not, or says nonsense.

    Example:
        >>> seconds_in("12.5"), seconds_in("-1"), seconds_in("1_0")
        (12.5, None, None)
    """
    return round(float(text), 1) if re.fullmatch(r"[0-9]{1,5}(\.[0-9]{1,3})?", text) else None
