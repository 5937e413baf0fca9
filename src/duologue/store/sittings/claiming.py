"""Which item an annotator is handed next.

Onboarding items come first. Then comes the group this annotator has judged least, of those the one with
most left to do, and in it the first free slot with an item and dialogues that are new to the annotator.
Where an annotator may have only so many items of a group, as with live chats, `groups` chooses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, insert, literal_column, select, update

from duologue.dialogues import Dialogue
from duologue.protocols import Item, item_of
from duologue.store.chats.briefed import Briefed
from duologue.store.chats.candidates import seen_from
from duologue.store.chats.held_dialogues import HELD_DIALOGUE, dialogue_ids
from duologue.store.chats.seats import Seat, seen_by, take_seat
from duologue.store.chats.selected import selections_of
from duologue.store.database.encoding import new_token, order_of, order_text
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.numbers import NextNumber
from duologue.store.database.schema import (
    annotators,
    arms,
    assignments,
    dialogues,
    item_dialogues,
    items,
    judged_quotas,
    onboarding_items,
    quotas,
    revisions,
    seen_dialogues,
    slots,
)
from duologue.store.database.times import later
from duologue.store.records import Assignment
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.groups import groups_in_order
from duologue.store.sittings.leases import EXPIRED, take_back
from duologue.store.sittings.orders import Order, balanced_order, random_number
from duologue.store.sittings.reasons import screen_annotator
from duologue.store.sittings.room import leaves_room
from duologue.store.sittings.sitting import Sitting
from duologue.studies import Caps

NEW_GROUPS_TRIED = 4
"""Groups that are looked up by an index; in a large study, putting all groups in order costs more."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is about to be handed out; an onboarding item fills no slot."""

    item: int
    order: Order
    slot: int | None = None
    quota: int | None = None


def claim(tx: Transaction, sitting: Sitting, caps: Caps) -> Assignment | None:
    """Hand out the next item; None when nothing is left for this annotator."""
    wanted = sitting.onboarding_wanted or 0
    if sitting.onboarding_asked < wanted:
        has_begun = sitting.onboarding_asked > 0 or sitting.assignment is not None
        if has_begun and not leaves_room(tx, caps, sitting.annotator, tx.now):
            return None
        chosen = _onboarding_item(tx, sitting, caps)
        if chosen is not None:
            return _hand_out(tx, sitting, caps, chosen, total=wanted + _cap(tx, sitting, caps))
    expired, ((groups,), *_) = tx.several(
        (EXPIRED, {"now": tx.now}), (_GROUPS_OPEN, {"arm": sitting.annotator.arm})
    )
    cap = _cap_of(groups, caps)
    if sitting.done >= cap:
        return None
    _take_back_and_screen(tx, sitting, caps, expired)
    if wanted and sitting.done and not leaves_room(tx, caps, sitting.annotator, tx.now):
        return None
    chosen = _free_slot(tx, sitting, caps, groups=groups)
    return None if chosen is None else _hand_out(tx, sitting, caps, chosen, total=wanted + cap)


_GROUPS_OPEN = select(func.coalesce(func.max(arms.c.groups_open), 0)).where(arms.c.name == bindparam("arm"))


def _cap(tx: Transaction, sitting: Sitting, caps: Caps) -> int:
    if caps.max_judgments is not None:
        return caps.max_judgments
    ((groups,),) = tx.rows(_GROUPS_OPEN, arm=sitting.annotator.arm)
    return _cap_of(groups, caps)


def _cap_of(groups: int, caps: Caps) -> int:
    """How many judgments an annotator may give: as many as there are groups, unless the study says.

    Where it says how many items of each group an annotator may have, that many times the groups.
    """
    return groups * (caps.max_per_group or 1) if caps.max_judgments is None else caps.max_judgments


def _is_new_to_annotator(item: ColumnElement[int]) -> ColumnElement[bool]:
    was_handed = exists().where(assignments.c.annotator == bindparam("annotator"), assignments.c.item == item)
    has_seen = exists().where(
        item_dialogues.c.item == item,
        seen_dialogues.c.dialogue == item_dialogues.c.dialogue,
        seen_dialogues.c.annotator == bindparam("annotator"),
    )
    return and_(~was_handed, ~has_seen)


_was_judged = exists().where(
    judged_quotas.c.annotator == bindparam("annotator"), judged_quotas.c.quota == quotas.c.n
)
_is_open = and_(quotas.c.arm == bindparam("arm"), quotas.c.cohort == bindparam("cohort"), quotas.c.free > 0)
_NEW_QUOTAS = (
    select(quotas.c.n, quotas.c.free, literal_column("0"))
    .where(_is_open, ~_was_judged)
    .order_by(quotas.c.free.desc(), quotas.c.n)
    .limit(bindparam("most"))
)
_times_judged = func.coalesce(judged_quotas.c.judged, 0)
_QUOTAS_TO_FILL = (
    select(quotas.c.n, quotas.c.free, _times_judged)
    .select_from(
        quotas.outerjoin(
            judged_quotas,
            and_(judged_quotas.c.quota == quotas.c.n, judged_quotas.c.annotator == bindparam("annotator")),
        )
    )
    .where(_is_open)
    .order_by(_times_judged, quotas.c.free.desc(), quotas.c.n)
)
_FREE_SLOT = (
    select(slots.c.n, slots.c.item, slots.c.shown)
    .where(
        slots.c.quota == bindparam("quota"),
        slots.c.state == "free",
        _is_new_to_annotator(slots.c.item),
    )
    .order_by(slots.c.position)
    .limit(1)
    .with_for_update(of=slots, key_share=True, skip_locked=True)
)
"""A slot that somebody is taking just now is passed over."""


def _free_slot(tx: Transaction, sitting: Sitting, caps: Caps, *, groups: int) -> _Chosen | None:
    """The next slot, from the first group that has one for this annotator."""
    briefed = Briefed(tx, sitting.n) if caps.max_per_group is not None else None
    for quota in _groups(tx, sitting, caps, groups):
        row = (briefed and briefed.free_slot(quota)) or tx.row(_FREE_SLOT, annotator=sitting.n, quota=quota)
        if row is not None:
            slot, item, shown = row
            return _Chosen(item, order_of(shown), slot, quota)
    if slot_changes.has_set_free(tx):
        tx.shut_others_out()  # groups that had nothing before are not among those read
    return None


def _groups(tx: Transaction, sitting: Sitting, caps: Caps, groups: int) -> Iterator[int]:
    """Groups with free slots; a few that are new to the annotator are tried before all are put in order."""
    if caps.max_per_group is not None:
        yield from groups_in_order(tx, sitting.n, sitting.annotator, caps, most=caps.max_per_group)
        return
    asked = {
        "annotator": sitting.n,
        "arm": sitting.annotator.arm,
        "cohort": caps.places_of(sitting.annotator.cohort),
    }
    if sitting.judged < groups:
        few = NEW_GROUPS_TRIED + tx.in_flight
        yield from _in_order(tx, tx.rows(_NEW_QUOTAS, **asked, most=few))
    yield from _in_order(tx, tx.rows(_QUOTAS_TO_FILL, **asked))


def _in_order(tx: Transaction, rows: Sequence[Row]) -> Iterator[int]:
    """Groups as the database put them in order, or as they are after what this transaction did so far."""
    if not tx.in_flight:
        return (quota for quota, _free, _judged in rows)
    now = [(judged, -slot_changes.free_now(tx, quota=n, read=free), n) for n, free, judged in rows]
    return (quota for _judged, free, quota in sorted(now) if free)


is_item_in_use = exists().where(items.c.n == onboarding_items.c.item, items.c.is_retired.is_(False))
"""Whether an onboarding item is not retired. A join would start from the items, of which there are many."""

_ONBOARDING_ITEM = (
    select(
        onboarding_items.c.item,
        onboarding_items.c.handed,
        select(items.c.id).where(items.c.n == onboarding_items.c.item).scalar_subquery(),
        select(func.count())
        .select_from(item_dialogues)
        .where(item_dialogues.c.item == onboarding_items.c.item)
        .scalar_subquery(),
    )
    .where(is_item_in_use, _is_new_to_annotator(onboarding_items.c.item))
    .order_by(onboarding_items.c.handed, onboarding_items.c.item)
    .limit(bindparam("most"))
)
_COUNT_ONBOARDING_ITEM = (
    update(onboarding_items)
    .where(onboarding_items.c.item == bindparam("number"))
    .values(handed=onboarding_items.c.handed + bindparam("more"))
)
_ITEM_AND_DIALOGUES = (
    select(items.c.body, dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
    .select_from(items.outerjoin(item_dialogues).outerjoin(dialogues))
    .where(items.c.n == bindparam("item"))
    .order_by(item_dialogues.c.place)
)
_ITEM_TO_HAND_OUT = _ITEM_AND_DIALOGUES.add_columns(NextNumber(assignments))


def _onboarding_item(tx: Transaction, sitting: Sitting, caps: Caps) -> _Chosen | None:
    """The onboarding item handed out least so far; its orders alternate in random blocks of two."""
    rows = tx.rows(_ONBOARDING_ITEM, annotator=sitting.n, most=1 + tx.in_flight)
    if not rows:
        return None
    counted = [
        (handed + tx.uncounted(_COUNT_ONBOARDING_ITEM, "more", number=item), item, key, length)
        for item, handed, key, length in rows
    ]
    handed, item, key, length = min(counted)
    tx.count(_COUNT_ONBOARDING_ITEM, {"number": item}, {"more": 1})
    block = f"{key}\0{handed // 2}"
    first = balanced_order(
        max(1, length),
        draw=lambda: random_number(caps.seed, "onboarding order", block),
        straight=0,
        reversed_=0,
    )
    return _Chosen(item, first if handed % 2 == 0 else first[::-1])


_ADD_ASSIGNMENT = insert(assignments).values(
    revision=select(func.coalesce(func.max(revisions.c.number), 0)).scalar_subquery()
)
_TAKE_IN_HAND = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(assignment=bindparam("new_assignment"), last_seen=bindparam("now"))
)


def _hand_out(tx: Transaction, sitting: Sitting, caps: Caps, chosen: _Chosen, *, total: int) -> Assignment:
    rows = tx.rows(_ITEM_TO_HAND_OUT, item=chosen.item)
    item, shown_dialogues, numbers = _content_of(tx, rows)
    assigned: int = rows[0][-1]
    order = chosen.order
    number = sitting.onboarding_asked + sitting.done + 1
    key = new_token()
    seat = take_seat(
        tx,
        caps,
        annotator=sitting.n,
        arm=sitting.annotator.arm,
        number=chosen.item,
        item=item,
        slot=chosen.slot,
    )
    tx.do(
        _ADD_ASSIGNMENT,
        n=assigned,
        key=key,
        annotator=sitting.n,
        item=chosen.item,
        slot=chosen.slot,
        arm=sitting.annotator.arm,
        shown=order_text(order),
        number=number,
        total=max(total, number),
        state="running",
        leased_at=tx.now,
        expires_at=later(tx.now, caps.lease_seconds),
        chat=None if seat is None else seat.chat.n,
        seat=0 if seat is None else seat.number,
    )
    if chosen.slot is not None and chosen.quota is not None:
        slot_changes.lease(tx, slot=chosen.slot, quota=chosen.quota, assignment=assigned)
    tx.add_many(seen_dialogues, ("annotator", "dialogue"), [(sitting.n, n) for n in dict.fromkeys(numbers)])
    tx.do(_TAKE_IN_HAND, number=sitting.n, new_assignment=assigned, now=tx.now)
    assignment = Assignment(
        key=key,
        item=item,
        dialogues=shown_dialogues,
        order=order,
        arm=sitting.annotator.arm,
        number=number,
        total=max(total, number),
        leased_at=tx.now,
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
    return item_of(rows[0][0]), tuple(found), tuple(row[0] for row in shown)


def take_back_and_screen(tx: Transaction, sitting: Sitting, caps: Caps) -> None:
    """Return the slots of those who have left to the pool, and screen what they have judged."""
    _take_back_and_screen(tx, sitting, caps, tx.rows(EXPIRED, now=tx.now))


def _take_back_and_screen(tx: Transaction, sitting: Sitting, caps: Caps, expired: Sequence[Row]) -> None:
    for annotator in take_back(tx, expired):
        if caps.excludes_without_reason and annotator != sitting.n:
            screen_annotator(tx, annotator)
