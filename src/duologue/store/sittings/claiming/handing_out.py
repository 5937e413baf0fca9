"""Putting an item into the hands of an annotator, with its dialogues and its live chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import bindparam, func, insert, select, update

from duologue.dialogues import Dialogue
from duologue.protocols import Item
from duologue.store.chats.candidates import seen_from
from duologue.store.chats.held_dialogues import HELD_DIALOGUE, dialogue_ids
from duologue.store.chats.seats import Seat, seen_by, take_seat
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import new_token, order_text
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.numbers import NextNumber
from duologue.store.database.schema import (
    annotators,
    assignments,
    dialogues,
    item_dialogues,
    items,
    revisions,
    seen_dialogues,
)
from duologue.store.records import Assignment
from duologue.store.schedule.deadlines import deadline_of, lease_ends_at
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.claiming.next_item import NextItem
from duologue.store.sittings.crediting import skips_left
from duologue.store.sittings.sitting import Sitting, arm_before
from duologue.studies import StudyRules

_ITEM_AND_DIALOGUES = (
    select(items.c.body, dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
    .select_from(items.outerjoin(item_dialogues).outerjoin(dialogues))
    .where(items.c.n == bindparam("item"))
    .order_by(item_dialogues.c.place)
)
ITEM_TO_HAND_OUT = _ITEM_AND_DIALOGUES.add_columns(NextNumber(assignments))

_HAS_SEEN = select(seen_dialogues.c.dialogue).where(
    seen_dialogues.c.annotator == bindparam("annotator"), seen_dialogues.c.dialogue == bindparam("dialogue")
)
_ADD_ASSIGNMENT = insert(assignments).values(
    revision=select(func.coalesce(func.max(revisions.c.number), 0)).scalar_subquery()
)
_TAKE_IN_HAND = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        assignment=bindparam("new_assignment"), last_seen=bindparam("now"), began_at=bindparam("new_begin")
    )
)


def hand_out(
    tx: Transaction, sitting: Sitting, caps: StudyRules, chosen: NextItem, *, total: int
) -> Assignment:
    """Hand out what was chosen; ``total`` is how many items the annotator will have had in all."""
    rows = chosen.rows or tx.rows(ITEM_TO_HAND_OUT, item=chosen.item)
    item, shown_dialogues, numbers = _content_of(tx, rows)
    assigned: int = rows[0][-1]
    order = chosen.order
    number = sitting.answered + 1
    total = max(total, number)
    began_at = sitting.began_at or tx.now
    deadline = deadline_of(caps, now=tx.now, began_at=began_at)
    key = new_token()
    seat = take_seat(
        tx, caps, annotator=sitting.n, arm=chosen.arm, number=chosen.item, item=item, slot=chosen.slot
    )
    tx.do(
        _ADD_ASSIGNMENT,
        n=assigned,
        key=key,
        annotator=sitting.n,
        item=chosen.item,
        slot=chosen.slot,
        arm=chosen.arm,
        shown=order_text(order),
        number=number,
        total=total,
        state="running",
        leased_at=tx.now,
        expires_at=lease_ends_at(
            caps, now=tx.now, deadline_at=deadline, began_at=began_at, is_in_block=bool(sitting.item_block)
        ),
        chat=None if seat is None else seat.chat.n,
        seat=0 if seat is None else seat.number,
        occasion=chosen.occasion,
        deadline_at=deadline,
    )
    if chosen.slot is not None and chosen.quota is not None:
        slot_changes.lease(tx, slot=chosen.slot, quota=chosen.quota, assignment=assigned)
    if chosen.occasion == 1:
        new = dict.fromkeys(numbers)
        if caps.one_per_factor:
            new = {n: None for n in new if tx.row(_HAS_SEEN, annotator=sitting.n, dialogue=n) is None}
        tx.add_many(seen_dialogues, ("annotator", "dialogue"), [(sitting.n, n) for n in new])
    tx.do(_TAKE_IN_HAND, number=sitting.n, new_assignment=assigned, now=tx.now, new_begin=began_at)
    assignment = Assignment(
        key=key,
        item=item,
        dialogues=shown_dialogues,
        order=order,
        arm=chosen.arm,
        number=number,
        total=total,
        leased_at=tx.now,
        deadline_at=deadline,
        skips_left=min(skips_left(tx, sitting, caps), total - number + 1),
        arm_before=arm_before(tx, sitting.n, assigned, caps),
        annotator=sitting.n,
    )
    return assignment if seat is None else with_chat(tx, assignment, seat)


def with_chat(tx: Transaction, assignment: Assignment, seat: Seat) -> Assignment:
    """An assignment with its live chat, and once that is over with what was said in it."""
    return replace(
        assignment,
        item=seen_by(seat, assignment.item),
        dialogues=_held(tx, seat),
        chat=seen_from(tx, seat.chat, seat=seat.number, order=assignment.order),
        selections=selections_of(tx, assignment.key) if seat.chat.is_over and seat.chat.plan.choose else (),
    )


def _held(tx: Transaction, seat: Seat) -> tuple[Dialogue, ...]:
    if not seat.chat.is_over:
        return ()
    keys = dialogue_ids(seat.chat.id, seat.number, threads=seat.chat.threads)
    rows = [row for key in keys if (row := tx.row(HELD_DIALOGUE, dialogue=key)) is not None]
    return tuple(tx.dialogue(*row) for row in rows)


def content(tx: Transaction, item: int) -> tuple[Item, tuple[Dialogue, ...], tuple[int, ...]]:
    """An item, its dialogues, and the numbers of their rows."""
    return _content_of(tx, tx.rows(_ITEM_AND_DIALOGUES, item=item))


def _content_of(tx: Transaction, rows: Sequence[Row]) -> tuple[Item, tuple[Dialogue, ...], tuple[int, ...]]:
    shown = [row[1:4] for row in rows if row[1] is not None]
    found = [tx.dialogue(*row) for row in shown]
    return tx.item(rows[0][0]), tuple(found), tuple(row[0] for row in shown)
