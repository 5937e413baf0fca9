"""The questions of an analysis of ratings: those of the study, those that a table holds, and their scales."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from duologue.judgments import Ratings
from duologue.likert.settings import RatingQuestionSettings
from duologue.protocols import say_list


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """One question as the analysis knows it."""

    name: str
    text: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    told: tuple[int, int] | None = None
    """The scale that it should have been, where the ratings do not keep to it."""
    is_guessed: bool = False
    """Whether the scale is the one that the ratings span, as no other is known or fits."""


def questions_asked(ratings: Ratings, questions: Sequence[RatingQuestionSettings]) -> Iterator[AskedQuestion]:
    """The questions of the study first, then others that the table holds."""
    known = {question.name: question for question in questions}
    names = [name for name in known if name in ratings.points]
    names += [name for name in ratings.points if name not in known]
    for name in names:
        question = known.get(name)
        scale = (question.low, question.high) if question else ratings.scales.get(name)
        low, high = _scale(ratings, name, scale)
        is_guessed = (low, high) != scale
        yield AskedQuestion(
            name=name,
            text=question.text if question else ratings.texts.get(name, ""),
            low=low,
            high=high,
            labels=question.labels if question and not is_guessed else (),
            told=scale,
            is_guessed=is_guessed,
        )


def _scale(ratings: Ratings, name: str, told: tuple[int, int] | None) -> tuple[int, int]:
    """The ends of a scale as they were told, and as far as the ratings that count go beyond them."""
    points = ratings.points[name]
    rated = ~np.isnan(points)
    counted = rated & ratings.counts
    given = points[counted if counted.any() else rated]
    low, high = (math.floor(given.min()), math.ceil(given.max())) if len(given) else told or (0, 1)
    if told is not None:
        return min(low, told[0]), max(high, told[1])
    return low, max(high, low + 1)


def scale_warnings(asked: Sequence[AskedQuestion]) -> Iterator[str]:
    """One sentence for all scales that are not known, and one for each that the ratings do not keep to."""
    unknown = [one for one in asked if one.is_guessed and one.told is None]
    if unknown:
        spans = say_list(f"{one.low} to {one.high} for {one.name}" for one in unknown)
        which = "The scale is" if len(unknown) == 1 else "Scales are"
        yield f"{which} not known; by the ratings taken to be {spans}."
    for one in asked:
        if one.is_guessed and one.told is not None:
            yield (
                f"{one.name}: the scale should be {one.told[0]} to {one.told[1]}; by the ratings it is taken "
                f"to be {one.low} to {one.high}."
            )
