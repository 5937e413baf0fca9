"""Reading what was chosen at the turns of an assignment."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from duologue.protocols import Selection
from duologue.store.database.engine import RowSource
from duologue.store.database.schema import assignments, selections
from duologue.strict_json import read_json

_OF_ASSIGNMENT = (
    select(
        selections.c.turn, selections.c.chosen, selections.c.written, selections.c.answer, selections.c.shown
    )
    .select_from(selections.join(assignments, assignments.c.n == selections.c.assignment))
    .where(assignments.c.key == bindparam("assignment"))
    .order_by(selections.c.turn)
)


def selections_of(asked: RowSource, assignment: str) -> tuple[Selection, ...]:
    """What was chosen at the turns of an assignment so far, by its key."""
    return tuple(
        Selection(
            turn,
            tuple(read_json(chosen)),
            written,
            read_json(answer) if answer else {},
            tuple(map(tuple, read_json(shown))),
        )
        for turn, chosen, written, answer, shown in asked.rows(_OF_ASSIGNMENT, assignment=assignment)
    )
