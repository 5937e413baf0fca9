"""Planning several questions about the same dialogues: what they share, what they take, what they find."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator

from duologue.acute.design.answers import answer_of, asked_of, usual_seconds
from duologue.errors import DesignError
from duologue.protocols import say_percent
from duologue.stats import chance_of_all
from duologue.studies import QUESTION_SECONDS, PlannedDesign, PlanRequest, hours_of, required

CORRELATION = 0.4
"""How far differences of bots by two questions correlate, unless that is stated: .38 in Ji et al. (2022)."""


OF_QUESTIONS = ("ask_together", "question_seconds", "question_correlation", "primary")
"""The options of a plan that are about them."""


def with_questions(request: PlanRequest, matchups: int) -> PlanRequest:
    """A request for several questions: they share alpha, unless one is primary, and each takes some seconds.

    Raises:
        DesignError: What is said of questions makes no sense.
    """
    asked = asked_of(request)
    count = asked.ask_together or 1
    if count == 1:
        for name, value in (("question-seconds", asked.question_seconds), ("primary", asked.primary)):
            if value:
                raise DesignError(f"--{name} is for several questions: say --ask-together as well.")
        return request
    correlation = asked.question_correlation
    if correlation is not None and not 0 <= correlation < 1:
        raise DesignError(f"--question-correlation must be at least 0 and below 1; got {correlation:g}.")
    tests = request.tests or (matchups if asked.primary else matchups * count)
    seconds = request.seconds or usual_seconds(answer_of(request))
    each = QUESTION_SECONDS if asked.question_seconds is None else asked.question_seconds
    return dataclasses.replace(request, tests=tests, seconds=seconds + (count - 1) * each)


def notes_on_questions(planned: PlannedDesign) -> Iterator[str]:
    """What several questions cost for each, what they would cost apart, and what all of them find."""
    request = planned.request
    asked = asked_of(request)
    count = asked.ask_together or 1
    if count == 1:
        return
    each = QUESTION_SECONDS if asked.question_seconds is None else asked.question_seconds
    hours, first = hours_of(planned), required(request.seconds) - (count - 1) * each
    apart = dataclasses.replace(planned, request=dataclasses.replace(request, seconds=first))
    further = f", {each:g} s for each further one" if each else ""
    said = f"{count} questions about the same dialogues{further}: {hours / count:.1f} person-hours a question"
    if each:
        said += f"; asked apart they take {count * hours_of(apart):.1f} in all"
    yield f"{said}."
    if asked.primary:
        yield "one question is primary and has all of alpha; verdicts by the others are secondary."
        return
    correlation = CORRELATION if asked.question_correlation is None else asked.question_correlation
    chance = chance_of_all(request.power, count, correlation=correlation)
    yield (
        f"alpha is shared by the questions. One of them finds the gap with a power of {request.power:g}; all "
        f"{count} find it with {say_percent(math.floor(1000 * chance) / 1000, 0)}, if the differences that "
        f"they find correlate {correlation:g}."
    )
