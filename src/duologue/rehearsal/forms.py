"""How a simulated annotator fills in a form about themselves: by the kind of each question and the seed."""

from __future__ import annotations

import numpy as np

from duologue.protocols import FieldValue, FormValues
from duologue.rehearsal.kinds import CARELESS, NEVER_A_REASON, SimulatedAnnotator
from duologue.studies import FIELD, FormQuestion, FormSettings

ANSWERED = 0.9
"""The share of optional questions that are answered."""
_LEAST, _MOST = 18, 80
"""Numbers where the question sets no bounds: an age, most often."""
_WORDS = "I read a lot and chat with friends every day"


def fill_in_answers(annotator: SimulatedAnnotator, form: FormSettings) -> FormValues:
    """What an annotator sends for a form: the same for the same annotator and seed, and always legal.

    The careless answer only what they must, with whatever stands first.
    """
    fields: dict[str, FieldValue] = {"form": form.name}
    for question in form.questions:
        rng = annotator.rng(f"{form.name}/{question.name}")
        is_left_out = annotator.kind == CARELESS or rng.random() >= ANSWERED
        if annotator.kind == NEVER_A_REASON and question.kind == "text":
            is_left_out = True
        if question.required or not is_left_out:
            fields[FIELD + question.name] = _answer(annotator, question, rng)
    return FormValues(fields)


def _answer(annotator: SimulatedAnnotator, question: FormQuestion, rng: np.random.Generator) -> FieldValue:
    is_careless = annotator.kind == CARELESS
    if question.kind == "text":
        return "x" if is_careless else _WORDS[: question.max_chars].strip()
    if question.kind == "number":
        return _number(question, rng)
    if is_careless:
        return question.choices[0]
    if question.kind == "one":
        return question.choices[int(rng.integers(len(question.choices)))]
    chosen = [choice for choice in question.choices if rng.random() < 0.5]
    return chosen or question.choices[0]


def _number(question: FormQuestion, rng: np.random.Generator) -> str:
    low = question.min if question.min is not None else min(_LEAST, question.max or _LEAST)
    high = question.max if question.max is not None else max(_MOST, low)
    number = round(float(rng.uniform(low, high)))
    return f"{number}" if question.allows(number) else f"{low:.15g}"
