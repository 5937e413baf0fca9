"""Assignments that end with credit: nothing was judged, through no fault of the annotator, and it is paid."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import bindparam, func, select, update

from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, assignments, items
from duologue.store.records import CreditedChats
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.sitting import AssignmentRow, Sitting

_CREDIT = (
    update(assignments)
    .where(assignments.c.n == bindparam("number"))
    .values(state="credited", credit=bindparam("why"), draft="")
)
_COUNT = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        credited=annotators.c.credited + 1,
        assignment=bindparam("still_in_hand"),
        last_seen=bindparam("now"),
    )
)


def credit(tx: Transaction, sitting: Sitting, held: AssignmentRow, why: str) -> Sitting:
    """End an assignment with credit; its place is free again, and the sitting as it is afterwards."""
    tx.do(_CREDIT, number=held.n, why=why)
    in_hand = None if sitting.assignment == held.n else sitting.assignment
    tx.do(_COUNT, number=sitting.n, still_in_hand=in_hand, now=tx.now)
    if held.state == "running" and held.slot is not None:
        slot_changes.set_free(tx, slot=held.slot)
    return replace(sitting, assignment=in_hand, credited=sitting.credited + 1)


_CREDITED = (
    select(
        assignments.c.arm,
        items.c.group_name,
        assignments.c.credit,
        func.count(),
        func.count(assignments.c.annotator.distinct()),
    )
    .select_from(assignments.join(items, items.c.n == assignments.c.item))
    .where(assignments.c.state == "credited")
    .group_by(assignments.c.arm, items.c.group_name, assignments.c.credit)
    .order_by(assignments.c.arm, items.c.group_name, assignments.c.credit)
)


@reads
def fetch_credited(reading: Reading) -> tuple[CreditedChats, ...]:
    """Live chats that ended with credit, by arm, group and why."""
    return tuple(CreditedChats(*row) for row in reading.rows(_CREDITED))
