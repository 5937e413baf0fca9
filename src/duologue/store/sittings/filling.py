"""An annotator fills in a form, and goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from duologue.dialogues import Json
from duologue.errors import AnswerError
from duologue.store.database.encoding import can_be_stored
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.records import ConsentStation, FormStation, Station
from duologue.store.sittings.filled_forms import first_unfilled, join_cohort, keep_form
from duologue.store.sittings.judging import station
from duologue.store.sittings.sitting import sitting_of
from duologue.studies import StudyRules


@writes
def fill_in_form(
    tx: Transaction, token: str, caps: StudyRules, *, form: str, answers: Mapping[str, Json], cohort: str = ""
) -> Station:
    """Keep what was answered on a form, and hand out what comes next.

    Only the form that the annotator stands at is kept: one that was filled in, or is not due, changes
    nothing. Who has a cohort by their link keeps it.

    Args:
        tx: The transaction.
        token: The capability in the annotator's link.
        caps: What to hold to.
        form: The name of the form.
        answers: By question.
        cohort: Where the answers put the annotator; empty when they say nothing about it.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
        AnswerError: An answer holds a character that cannot be stored.
    """
    for question, answer in answers.items():
        words = answer if isinstance(answer, list) else [answer]
        if not all(can_be_stored(one) for one in words if isinstance(one, str)):
            raise AnswerError(
                "The answer has a character that cannot be stored. Please retype it.", field=question
            )
    sitting = sitting_of(tx, token)
    if sitting.consented_at is None:
        return ConsentStation(sitting.annotator)
    has_stopped = sitting.answered and sitting.assignment is None and not sitting.finished_at
    if has_stopped and first_unfilled(tx, sitting.n, caps.forms_after) == form:
        keep_form(tx, sitting.n, form, answers)  # also where a place has come free since it was shown
        return station(tx, sitting, caps, saved=True)
    where = station(tx, sitting, caps, saved=False)
    if not isinstance(where, FormStation) or where.form != form:
        return replace(where, saved=first_unfilled(tx, sitting.n, [form]) is None)
    keep_form(tx, sitting.n, form, answers)
    if cohort and not sitting.annotator.cohort:
        join_cohort(tx, sitting.n, cohort)
        sitting = replace(sitting, annotator=replace(sitting.annotator, cohort=cohort))
    return station(tx, sitting, caps, saved=True)
