"""Reading a form that an annotator filled in: what was answered, and what is wrong beside which question."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from duologue.dialogues import Json
from duologue.protocols import FormValues
from duologue.studies.forms.settings import FormQuestion, FormSettings
from duologue.studies.wording import WordingTable

FIELD = "q."
"""Begins the name of a question's field on the page."""
_LONGEST_NUMBER = 40


@dataclass(frozen=True, slots=True)
class FormReading:
    """What was read of a form; it can be stored when there are no problems."""

    answers: Mapping[str, Json]
    """By question: a text, a number, a choice, or a list of choices; None where nothing was answered."""
    problems: Mapping[str, str]
    """By question, in the study's words."""


def read_answers(form: FormSettings, sent: FormValues, wording: WordingTable) -> FormReading:
    """Read what was sent for a form.

    Args:
        form: The form.
        sent: The page's fields.
        wording: What is said where something is missing or not right.

    Example:
        >>> age = {"name": "age", "kind": "number", "label": "Age", "min": 18}
        >>> form = FormSettings(name="you", when="before", title="You", questions=[age])
        >>> dict(read_answers(form, FormValues({"q.age": "31"}), WordingTable()).answers)
        {'age': 31}
        >>> dict(read_answers(form, FormValues({"q.age": "7"}), WordingTable()).problems)
        {'age': 'Please write a number of at least 18.'}
    """
    answers: dict[str, Json] = {}
    problems: dict[str, str] = {}
    for question in form.questions:
        given = [value for value in sent.every(FIELD + question.name) if value.strip()]
        if not given:
            answers[question.name] = None
            if question.required:
                problems[question.name] = wording.form_required
            continue
        try:
            answers[question.name] = _READERS[question.kind](question, given, wording)
        except ValueError as error:
            problems[question.name] = str(error)
    return FormReading(answers, problems)


def _text(question: FormQuestion, sent: Sequence[str], wording: WordingTable) -> str:
    text = sent[-1].strip()
    if len(text) > question.max_chars:
        raise ValueError(wording.form_too_long.replace("{most}", f"{question.max_chars}"))
    return text


def _number(question: FormQuestion, sent: Sequence[str], wording: WordingTable) -> int | float:
    text = sent[-1].strip()
    if text.count(",") == 1 and "." not in text:
        text = text.replace(",", ".")  # as most of the world writes it
    try:
        number = float(text) if len(text) <= _LONGEST_NUMBER and "_" not in text else math.nan
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(wording.form_number)
    if not question.allows(number):
        raise ValueError(_range(question, wording))
    return int(number) if number.is_integer() else number


def _range(question: FormQuestion, wording: WordingTable) -> str:
    if question.min is None:
        words = wording.form_at_most
    else:
        words = wording.form_at_least if question.max is None else wording.form_between
    for name, bound in (("{min}", question.min), ("{max}", question.max)):
        words = words.replace(name, "" if bound is None else f"{bound:.15g}")
    return words


def _one(question: FormQuestion, sent: Sequence[str], wording: WordingTable) -> str:
    if len(sent) > 1 or sent[0] not in question.choices:
        raise ValueError(wording.form_choose)
    return sent[0]


def _several(question: FormQuestion, sent: Sequence[str], wording: WordingTable) -> list[Json]:
    """What was ticked, in the order of the page, whatever order it was sent in."""
    if not set(sent) <= set(question.choices):
        raise ValueError(wording.form_choose)
    return [choice for choice in question.choices if choice in sent]


_READERS = {"text": _text, "number": _number, "one": _one, "several": _several}
