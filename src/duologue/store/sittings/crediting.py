"""Assignments that end with credit: nothing was judged, through no fault of the annotator, and it is paid.

What is paid is the time from when the live chat was handed out until it was over, by the clock.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace

from sqlalchemy import Select, bindparam, select, update

from duologue.store.database.encoding import seconds_between
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, assignments, chats, items
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


_is_credited = assignments.c.state == "credited"
_with_chat = assignments.join(chats, chats.c.n == assignments.c.chat)
_CREDITED = (
    select(
        assignments.c.arm,
        items.c.group_name,
        assignments.c.credit,
        assignments.c.annotator,
        assignments.c.leased_at,
        chats.c.ended_at,
    )
    .select_from(_with_chat.join(items, items.c.n == assignments.c.item))
    .where(_is_credited)
    .order_by(assignments.c.arm, items.c.group_name, assignments.c.credit, assignments.c.n)
)


@dataclass(slots=True)
class _Credited:
    """Live chats of one arm and group that ended for one reason."""

    annotators: list[int] = field(default_factory=list)
    seconds: float = 0.0


@reads
def fetch_credited(reading: Reading) -> tuple[CreditedChats, ...]:
    """Live chats that ended with credit, by arm, group and why, with the time that they took."""
    found: defaultdict[tuple[str, str, str], _Credited] = defaultdict(_Credited)
    for arm, group, why, annotator, leased_at, ended_at in reading.rows(_CREDITED):
        one = found[arm, group, why]
        one.annotators.append(annotator)
        one.seconds += seconds_between(leased_at, ended_at)
    return tuple(
        CreditedChats(*which, len(one.annotators), len(set(one.annotators)), one.seconds)
        for which, one in found.items()
    )


def credited_seconds(reading: Reading, numbers: Select[tuple[int]]) -> dict[int, float]:
    """The seconds that annotators spent in live chats that ended with credit, of those who had any."""
    query = (
        select(assignments.c.annotator, assignments.c.leased_at, chats.c.ended_at)
        .select_from(_with_chat)
        .where(assignments.c.annotator.in_(numbers), _is_credited)
    )
    found: defaultdict[int, float] = defaultdict(float)
    for annotator, leased_at, ended_at in reading.connection.execute(query):
        found[annotator] += seconds_between(leased_at, ended_at)
    return dict(found)
