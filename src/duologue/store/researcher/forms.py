"""What annotators answered on forms, for the researcher: as counts, or as a table of its own."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping

from sqlalchemy import select

from duologue.dialogues import Json
from duologue.protocols import QuestionCounts
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads, streams
from duologue.store.database.schema import WITHDRAWN_TEXT, annotators, filled_forms
from duologue.store.records import FilledForm
from duologue.store.store import Store
from duologue.strict_json import read_json
from duologue.studies import Study, StudyRules, count_answers

_AT_A_TIME = 2_000


@streams
def fetch_filled_forms(reading: Reading) -> Iterator[FilledForm]:
    """Every form that was filled in, in the order they came; of who has withdrawn, without the answers."""
    query = (
        select(
            annotators.c.id,
            annotators.c.kind,
            annotators.c.cohort,
            filled_forms.c.form,
            filled_forms.c.revision,
            filled_forms.c.at,
            filled_forms.c.answers,
        )
        .select_from(filled_forms.join(annotators, annotators.c.n == filled_forms.c.annotator))
        .order_by(filled_forms.c.n)
    )
    with reading.connection.execute(query, execution_options={"yield_per": _AT_A_TIME}) as rows:
        for annotator, kind, cohort, form, revision, at, answers in rows:
            given = None if answers == WITHDRAWN_TEXT else read_json(answers)
            yield FilledForm(annotator, kind, cohort, form, revision, at, given)


_FILLED = select(annotators.c.id, filled_forms.c.form).select_from(
    filled_forms.join(annotators, annotators.c.n == filled_forms.c.annotator)
)


@reads
def find_through_forms(reading: Reading, caps: StudyRules) -> frozenset[str]:
    """The annotators who have filled in all forms that come before the items; nobody where there are none."""
    if not caps.forms_before:
        return frozenset()
    filled: defaultdict[str, set[str]] = defaultdict(set)
    for annotator, form in reading.rows(_FILLED):
        filled[annotator].add(form)
    return frozenset(who for who, forms in filled.items() if forms >= set(caps.forms_before))


def form_counts(study: Study, store: Store) -> tuple[QuestionCounts, ...]:
    """How every question was answered, all annotators together."""
    filled = store.stream(fetch_filled_forms())
    given = ((one.form, one.answers) for one in filled if one.answers is not None)
    return count_answers(study.file.forms, given)


def form_rows(study: Study, store: Store) -> Iterator[Mapping[str, Json]]:
    """Every filled-in form as a flat row: who, when, and an answer for each question of any form.

    Several choices are one JSON list. Who has withdrawn has a row without answers.

    Args:
        study: The study.
        store: Its database.
    """
    columns = [f"{form.name}.{question.name}" for form in study.file.forms for question in form.questions]
    earlier = {
        f"{one.form}.{question}": None
        for one in store.stream(fetch_filled_forms())
        for question in one.answers or ()
    }
    names = dict.fromkeys([*columns, *earlier])
    for one in store.stream(fetch_filled_forms()):
        answers = {
            f"{one.form}.{question}": _cell(answer) for question, answer in (one.answers or {}).items()
        }
        yield {
            "annotator": one.annotator,
            "annotator_kind": one.annotator_kind,
            "cohort": one.cohort,
            "form": one.form,
            "revision": one.revision,
            "at": one.at,
            "withdrawn": one.answers is None,
            **{name: answers.get(name) for name in names},
        }


def _cell(answer: Json) -> Json:
    return json.dumps(answer, ensure_ascii=False) if isinstance(answer, list) else answer
