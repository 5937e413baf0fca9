"""Forms that annotators have filled in: kept once, apart from judgments, and erased when they withdraw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import bindparam, func, insert, select, update

from duologue.dialogues import Json
from duologue.store.database.encoding import json_text
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import WITHDRAWN_TEXT, annotators, filled_forms, revisions

_FILLED = select(filled_forms.c.form).where(filled_forms.c.annotator == bindparam("annotator"))
_ADD = insert(filled_forms).values(
    revision=select(func.coalesce(func.max(revisions.c.number), 0)).scalar_subquery()
)
_JOIN_COHORT = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(cohort=bindparam("new_cohort"))
)
_ERASE = (
    update(filled_forms).where(filled_forms.c.annotator == bindparam("number")).values(answers=WITHDRAWN_TEXT)
)


def first_unfilled(tx: Transaction, annotator: int, forms: Sequence[str]) -> str | None:
    """The first of some forms that an annotator has not filled in; None when there is none."""
    if not forms:
        return None
    filled = {form for (form,) in tx.rows(_FILLED, annotator=annotator)}
    return next((form for form in forms if form not in filled), None)


def keep_form(tx: Transaction, annotator: int, form: str, answers: Mapping[str, Json]) -> None:
    """Keep what an annotator answered."""
    tx.do(_ADD, annotator=annotator, form=form, answers=json_text(dict(answers)), at=tx.now)


def join_cohort(tx: Transaction, annotator: int, cohort: str) -> None:
    """The annotator belongs to a cohort from now on."""
    tx.do(_JOIN_COHORT, number=annotator, new_cohort=cohort)


def erase_forms(tx: Transaction, annotator: int) -> None:
    """Erase what an annotator answered; that the forms were filled in stays known."""
    tx.do(_ERASE, number=annotator)
