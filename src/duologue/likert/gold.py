"""The known answer of a dialogue that is not judged: the ratings that it should get, by question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from duologue.dialogues import Json
from duologue.likert.settings import RatingQuestionSettings
from duologue.protocols import Item

Span = tuple[int, int]
"""The lowest and the highest rating that are right."""


def gold_ratings(item: Item) -> Mapping[str, Span]:
    """The ratings that are right, by question; nothing where no question has a known answer.

    ``gold`` is an object: a question with a point, or with a span of points.

    Example:
        >>> gold = {"sense": 1, "fun": "-2 to 0"}
        >>> item = Item("c1", "ada", ("ada",), ("d1",), ("A",), "attention", gold=gold)
        >>> gold_ratings(item)
        {'sense': (1, 1), 'fun': (-2, 0)}
    """
    spans = {name: _span(point) for name, point in item.gold.items()} if isinstance(item.gold, dict) else {}
    return {name: span for name, span in spans.items() if span is not None}


def gold_problem(item: Item, questions: Sequence[RatingQuestionSettings]) -> str:
    """What is wrong with the known answer of an item; empty where nothing is."""
    first = questions[0]
    expected = (
        f'write each question with its right rating, such as {{"{first.name}": {first.high}}} or '
        f'{{"{first.name}": "{first.high - 1} to {first.high}"}}'
    )
    if not isinstance(item.gold, dict) or not item.gold:
        return f"gold is {item.gold!r}: {expected}."
    asked = {question.name: question for question in questions}
    for name, point in item.gold.items():
        if name not in asked:
            return f"gold names {name!r}, which is no question (there are: {', '.join(asked)})."
        span, question = _span(point), asked[name]
        if span is None or not question.low <= span[0] <= span[1] <= question.high:
            return (
                f"gold of {name} is {point!r}, and the scale goes from {question.low} to {question.high}: "
                f"{expected}."
            )
    return ""


def _span(point: Json) -> Span | None:
    if isinstance(point, int) and not isinstance(point, bool):
        return point, point
    if not isinstance(point, str):
        return None
    low, is_span, high = point.partition(" to ")
    try:
        return int(low), int(high if is_span else low)
    except ValueError:
        return None
