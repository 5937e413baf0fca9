"""``[[forms]]`` and ``[[cohorts]]``: what is asked about annotators, and which groups of them there are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

QuestionKind = Literal["text", "number", "one", "several"]
FormMoment = Literal["before", "after"]

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$")]
Line = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500, pattern=r"^[^\r\n]*$")
]

MOST_FIELDS = 200
"""What one form may send: its questions, and each choice of those with several answers."""
MOST_CHARS = 15_000
"""What can be written in all texts of one form together."""


class _FormTable(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FormQuestion(_FormTable):
    """``[[forms.questions]]``: one question about the annotator."""

    name: Name
    kind: QuestionKind
    label: Line
    required: bool = False
    choices: tuple[Line, ...] = ()
    """Of kinds ``one`` and ``several``, as they are shown and stored."""
    min: Annotated[float, Field(allow_inf_nan=False)] | None = None
    max: Annotated[float, Field(allow_inf_nan=False)] | None = None
    max_chars: Annotated[int, Field(ge=1, le=MOST_CHARS)] = 1000

    @model_validator(mode="after")
    def _fits_its_kind(self) -> FormQuestion:
        is_choice = self.kind in ("one", "several")
        least = {"one": 2, "several": 1}.get(self.kind, 0)
        if len(self.choices) < least:
            raise ValueError(f"choices: a question of kind {self.kind!r} needs {least} or more.")
        if self.choices and not is_choice:
            raise ValueError(f"choices: only kinds 'one' and 'several' have choices, not {self.kind!r}.")
        if twice := first_twice(self.choices):
            raise ValueError(f"choices: {twice!r} is there twice.")
        if self.kind != "number" and not (self.min is self.max is None):
            raise ValueError(
                f"{'min' if self.min is not None else 'max'}: only numbers have a least or a most."
            )
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(f"min: the least number ({self.min:g}) is more than the most ({self.max:g}).")
        if self.kind != "text" and "max_chars" in self.model_fields_set:
            raise ValueError("max_chars: only questions of kind 'text' have it.")
        return self

    @property
    def fields(self) -> int:
        """How many fields of a page it can send."""
        return len(self.choices) if self.kind == "several" else 1

    def allows(self, number: float) -> bool:
        """Whether a number may be given."""
        least = -math.inf if self.min is None else self.min
        most = math.inf if self.max is None else self.max
        return least <= number <= most


class FormSettings(_FormTable):
    """``[[forms]]``: a page of questions about the annotator, before the items or after them."""

    name: Name
    when: FormMoment
    title: Line
    text: str = ""
    lang: str = ""
    """The language of its words; that of the study when empty."""
    dir: Literal["", "ltr", "rtl", "auto"] = ""
    questions: tuple[FormQuestion, ...]

    @model_validator(mode="after")
    def _can_be_sent(self) -> FormSettings:
        if not self.questions:
            raise ValueError("questions: a form needs at least one [[forms.questions]].")
        if twice := first_twice(question.name for question in self.questions):
            raise ValueError(f"questions: two questions are called {twice!r}; give each a name of its own.")
        if sum(question.fields for question in self.questions) > MOST_FIELDS:
            raise ValueError(f"questions: one form has at most {MOST_FIELDS} fields; make two forms of it.")
        if sum(question.max_chars for question in self.questions if question.kind == "text") > MOST_CHARS:
            raise ValueError(
                f"questions: the texts of one form have at most {MOST_CHARS:,} characters together; lower "
                "max_chars, or make two forms of it."
            )
        return self

    def question(self, name: str) -> FormQuestion | None:
        """The question of that name."""
        return next((question for question in self.questions if question.name == name), None)


class CohortSettings(_FormTable):
    """``[[cohorts]]``: a group of annotators that results are split by."""

    name: Name
    annotations_per_item: Annotated[int, Field(ge=1)] | None = None
    """How many of this cohort judge each item; None: they share the places of all others."""
    items: Annotated[int, Field(ge=1)] | None = None
    """How many of the study's items this cohort judges; None: all of them."""
    answers: tuple[Line, ...] = ()
    """Answers to the question ``cohort_from`` that put somebody into it."""

    @property
    def copies(self) -> int | None:
        """Judgments of each of their items in places of their own; None where they have no such places."""
        return (
            1 if self.annotations_per_item is None and self.items is not None else self.annotations_per_item
        )


def first_twice(names: Iterable[str]) -> str:
    """The first name that is there twice; empty when none is.

    Example:
        >>> first_twice(["a", "b", "a"])
        'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


def cohort_problems(
    forms: tuple[FormSettings, ...], cohorts: tuple[CohortSettings, ...], cohort_from: str
) -> Iterator[str]:
    """What is wrong with how answers make cohorts, each beginning with the table it is in."""
    if not cohort_from:
        if named := [cohort.name for cohort in cohorts if cohort.answers]:
            yield (
                f"cohorts: {named[0]!r} has answers, and nothing says to which question. Set cohort_from in "
                '[annotators] to "FORM.QUESTION".'
            )
        return
    if not cohorts:
        yield "annotators: cohort_from needs [[cohorts]] with the answers that lead to each."
    form_name, _, question_name = cohort_from.partition(".")
    form = next((form for form in forms if form.name == form_name), None)
    question = form.question(question_name) if form is not None else None
    if form is None or question is None:
        yield f"annotators: cohort_from: there is no form and question {cohort_from!r}."
        return
    if form.when != "before" or question.kind != "one":
        yield (
            f"annotators: cohort_from: {cohort_from!r} must be a question of kind 'one' in a form with "
            'when = "before".'
        )
        return
    given = [answer for cohort in cohorts for answer in cohort.answers]
    if twice := first_twice(given):
        yield f"cohorts: the answer {twice!r} leads to two cohorts."
    for answer in given:
        if answer not in question.choices:
            yield f"cohorts: {answer!r} is not among the choices of {cohort_from!r}."
