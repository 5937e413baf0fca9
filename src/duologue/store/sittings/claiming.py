"""Which item an annotator is handed next.

Onboarding items come first. Then comes the group this annotator has judged least, of those the one with
most left to do, and in it the first free slot with an item and dialogues that are new to the annotator.
Where an annotator may have only so many items of a group, as with live chats, `groups` chooses it.
Attention checks come in between, and what is asked a second time at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    Select,
    and_,
    bindparam,
    exists,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)

from duologue.dialogues import Dialogue
from duologue.judgments import Role
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
    gold_items,
    item_dialogues,
    items,
    judged_quotas,
    quotas,
    revisions,
    seen_dialogues,
    slots,
)
from duologue.store.records import Assignment
from duologue.store.schedule.arm_order import arms_to_come, done_in, move_to
from duologue.store.schedule.attention import checks_due, checks_in_all
from duologue.store.schedule.deadlines import deadline_of, lease_ends_at
from duologue.store.schedule.item_blocks import items_in
from duologue.store.schedule.repeats import next_repeat, repeats_of
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.groups import groups_in_order
from duologue.store.sittings.leases import ask_expired, take_back
from duologue.store.sittings.orders import Order, balanced_order, random_number
from duologue.store.sittings.reasons import screen_annotator
from duologue.store.sittings.room import leaves_room
from duologue.store.sittings.sitting import Sitting
from duologue.studies import Caps

NEW_GROUPS_TRIED = 4
"""Groups that are looked up by an index; in a large study, putting all groups in order costs more."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What is about to be handed out; only what is judged fills a slot, and only the first time."""

    item: int
    order: Order
    arm: str
    role: Role = "judged"
    slot: int | None = None
    quota: int | None = None
    occasion: int = 1
    rows: Sequence[Row] = ()
    """Of `_ITEM_TO_HAND_OUT`, where they came with the slot."""


def claim(tx: Transaction, sitting: Sitting, caps: Caps) -> Assignment | None:
    """Hand out the next item; None when nothing is left for this annotator."""
    arm = sitting.annotator.arm
    if sitting.onboarding_asked < (sitting.onboarding_wanted or 0):
        has_begun = sitting.onboarding_asked > 0 or sitting.assignment is not None
        if has_begun and not leaves_room(tx, caps, sitting.annotator, tx.now):
            return None
        chosen = _gold_item(tx, sitting, caps, "onboarding", arm)
        if chosen is not None:
            cap = _cap_over({one: cap_in(tx, sitting, caps, one) for one in _arms_seen(sitting, caps)}, caps)
            return _hand_out(tx, sitting, caps, chosen, total=_total(sitting, caps, cap=cap))
    expired, work = _work_left(tx, sitting, caps)
    chosen = None
    if sitting.done < work.cap:
        _take_back_and_screen(tx, sitting, caps, expired)
        if expired:
            work = replace(work, first_groups=None)  # there may be more now
        chosen = _next_to_judge(tx, sitting, caps, work)
    chosen = chosen or _repeated(tx, sitting, caps)
    if chosen is None:
        return None
    if chosen.arm != arm and chosen.occasion == 1:
        move_to(tx, chosen.arm, number=sitting.n)
    return _hand_out(tx, sitting, caps, chosen, total=_total(sitting, caps, cap=work.cap))


@dataclass(frozen=True, slots=True)
class _Work:
    """What there is for an annotator in each arm that they see."""

    groups: Mapping[str, int]
    most: Mapping[str, int]
    """Judgments that they may give."""
    cap: int
    """Judgments that they may give in all."""
    first_groups: Sequence[Row] | None = None
    """The groups that come first, where they were asked for beforehand."""


def _arms_seen(sitting: Sitting, caps: Caps) -> tuple[str, ...]:
    """The arms that an annotator sees, or may see."""
    arm = sitting.annotator.arm
    return tuple(dict.fromkeys((arm, *caps.arms))) if caps.arms_per_annotator > 1 else (arm,)


def _cap_over(most: Mapping[str, int], caps: Caps) -> int:
    """Judgments that an annotator may give in all, of those in each arm: of each factor in one arm."""
    if not caps.one_per_factor:
        return sum(most.values())
    of_factor: dict[str, int] = {}
    for arm, own in most.items():
        factor = caps.factors.get(arm, "")
        of_factor[factor] = max(own, of_factor.get(factor, 0))
    return sum(of_factor.values())


_GROUPS_OPEN = select(func.coalesce(func.max(arms.c.groups_open), 0)).where(arms.c.name == bindparam("arm"))


def _work_left(tx: Transaction, sitting: Sitting, caps: Caps) -> tuple[Sequence[Row], _Work]:
    """Leases that have run out, and what there is to do, asked for in one go."""
    arm, seen = sitting.annotator.arm, _arms_seen(sitting, caps)
    groups = {} if sitting.groups_open is None else {arm: sitting.groups_open}
    unknown = [one for one in seen if one not in groups]
    looks_ahead = not (unknown or caps.max_per_group is not None or caps.attention.is_on)
    ahead = (_first_groups(tx, sitting, caps, arm, groups[arm]),) if looks_ahead else ()
    asked = (*((_GROUPS_OPEN, {"arm": one}) for one in unknown), *ahead, *ask_expired(tx))
    found = list(tx.several(*asked)) if asked else []
    groups |= {one: int(rows[0][0]) for one, rows in zip(unknown, found, strict=False)}
    expired = () if tx.has_taken_back else found.pop()
    most = {one: _cap_of(tx, sitting, groups[one], caps) for one in seen}
    work = _Work(groups, most, _cap_over(most, caps), found[-1] if ahead else None)
    return expired, work


def cap_in(tx: Transaction, sitting: Sitting, caps: Caps, arm: str) -> int:
    """How many judgments an annotator may give in an arm."""
    if caps.max_judgments is not None:
        return caps.max_judgments
    ((groups,),) = tx.rows(_GROUPS_OPEN, arm=arm)
    return _cap_of(tx, sitting, groups, caps)


def _cap_of(tx: Transaction, sitting: Sitting, groups: int, caps: Caps) -> int:
    """How many judgments an annotator may give: as many as there are groups, unless the study says.

    Where it says how many items of each group an annotator may have, that many times the groups; of a block
    of items, all of them.
    """
    if caps.max_judgments is not None:
        return caps.max_judgments
    return items_in(tx, sitting.item_block) if sitting.item_block else groups * (caps.max_per_group or 1)


def _next_to_judge(tx: Transaction, sitting: Sitting, caps: Caps, work: _Work) -> _Chosen | None:
    """The next item of the first arm that has one, or an attention check that comes before it."""
    places = caps.places_of(sitting.annotator.cohort)
    for arm in arms_to_come(tx, caps, number=sitting.n, arm=sitting.annotator.arm, cohort=places):
        done = done_in(tx, arm, number=sitting.n) if caps.arms_per_annotator > 1 else sitting.done
        annotator = replace(sitting.annotator, arm=arm)
        if done >= work.most[arm]:
            continue
        keeps = sitting.onboarding_wanted or caps.forms_before
        if keeps and sitting.done and not leaves_room(tx, caps, annotator, tx.now):
            continue
        chosen = _attention_check(tx, sitting, caps, arm, cap=work.cap)
        chosen = chosen or _free_slot(tx, sitting, caps, arm, work)
        if chosen is not None:
            return chosen
    return None


def _attention_check(tx: Transaction, sitting: Sitting, caps: Caps, arm: str, *, cap: int) -> _Chosen | None:
    """The attention check that is due, if one is."""
    if not caps.attention.is_on:
        return None
    who, done = sitting.annotator.id, sitting.done
    due = checks_due(caps.attention, seed=caps.seed, annotator=who, judged=done, cap=cap)
    return _gold_item(tx, sitting, caps, "attention", arm) if sitting.attention_asked < due else None


def _repeated(tx: Transaction, sitting: Sitting, caps: Caps) -> _Chosen | None:
    """An item that the annotator is asked about once more."""
    if not caps.repeat:
        return None
    found = next_repeat(tx, caps, number=sitting.n, annotator=sitting.annotator.id)
    return None if found is None else _Chosen(found.item, found.order, found.arm, occasion=2)


def _total(sitting: Sitting, caps: Caps, *, cap: int) -> int:
    """How many items an annotator will have had in all, as far as that is known."""
    checks = 0
    if caps.attention.is_on:
        checks = checks_in_all(caps.attention, seed=caps.seed, annotator=sitting.annotator.id, cap=cap)
    return (sitting.onboarding_wanted or 0) + cap + checks + repeats_of(caps.repeat, cap)


def _is_new_to_annotator(item: ColumnElement[int]) -> ColumnElement[bool]:
    was_handed = exists().where(assignments.c.annotator == bindparam("annotator"), assignments.c.item == item)
    has_seen = exists().where(
        item_dialogues.c.item == item,
        seen_dialogues.c.dialogue == item_dialogues.c.dialogue,
        seen_dialogues.c.annotator == bindparam("annotator"),
    )
    return and_(~was_handed, ~has_seen)


_earlier, _earlier_dialogues = assignments.alias("earlier"), item_dialogues.alias("earlier_dialogues")


def _is_new_in_arm(item: ColumnElement[int]) -> ColumnElement[bool]:
    """The same where another arm may ask about what an annotator has seen in one, but not the same arm."""
    was_handed = exists().where(_earlier.c.annotator == bindparam("annotator"), _earlier.c.item == item)
    has_seen = exists().where(
        _earlier.c.annotator == bindparam("annotator"),
        or_(_earlier.c.arm == bindparam("arm"), _earlier.c.slot.is_(None)),
        _earlier_dialogues.c.item == _earlier.c.item,
        item_dialogues.c.item == item,
        item_dialogues.c.dialogue == _earlier_dialogues.c.dialogue,
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


def _first_free(is_new: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """The first free slot; one that somebody is taking just now is passed over."""
    return (
        select(slots.c.n, slots.c.item, slots.c.shown)
        .where(slots.c.quota == bindparam("quota"), slots.c.state == "free", is_new)
        .order_by(slots.c.position)
        .limit(1)
        .with_for_update(of=slots, key_share=True, skip_locked=True)
    )


_FREE_SLOT = _first_free(_is_new_to_annotator(slots.c.item))
_FREE_SLOT_IN_BLOCK = _FREE_SLOT.where(
    exists().where(items.c.n == slots.c.item, or_(items.c.block == "", items.c.block == bindparam("block")))
)


def _with_content(free_slot: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """A free slot together with its item: a row for each dialogue, as `_ITEM_TO_HAND_OUT` has them."""
    found = free_slot.cte("found")
    return (
        select(found, items.c.body, dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
        .add_columns(NextNumber(assignments))
        .select_from(
            found.join(items, items.c.n == found.c.item).outerjoin(item_dialogues).outerjoin(dialogues)
        )
        .order_by(item_dialogues.c.place)
    )


_SLOT_AND_CONTENT = _with_content(_FREE_SLOT)
_SLOT_AND_CONTENT_IN_BLOCK = _with_content(_FREE_SLOT_IN_BLOCK)
_SLOT_AND_CONTENT_IN_ARM = _with_content(_first_free(_is_new_in_arm(slots.c.item)))


def _free_slot(tx: Transaction, sitting: Sitting, caps: Caps, arm: str, work: _Work) -> _Chosen | None:
    """The next slot, from the first group that has one for this annotator."""
    briefed = Briefed(tx, sitting.n) if caps.max_per_group is not None and not sitting.item_block else None
    for quota in _groups(tx, sitting, caps, arm, work):
        row = briefed and briefed.free_slot(quota)
        rows = [row] if row else _slot_of_group(tx, sitting, caps, arm, quota)
        if rows:
            slot, item, shown = rows[0][:3]
            content_rows = () if row else tuple(one[3:] for one in rows)
            return _Chosen(item, order_of(shown), arm, slot=slot, quota=quota, rows=content_rows)
    if slot_changes.has_set_free(tx):
        tx.shut_others_out()  # groups that had nothing before are not among those read
    return None


def _slot_of_group(tx: Transaction, sitting: Sitting, caps: Caps, arm: str, quota: int) -> Sequence[Row]:
    if caps.one_per_factor:
        return tx.rows(_SLOT_AND_CONTENT_IN_ARM, annotator=sitting.n, arm=arm, quota=quota)
    if not sitting.item_block:
        return tx.rows(_SLOT_AND_CONTENT, annotator=sitting.n, quota=quota)
    return tx.rows(_SLOT_AND_CONTENT_IN_BLOCK, annotator=sitting.n, quota=quota, block=sitting.item_block)


def _groups(tx: Transaction, sitting: Sitting, caps: Caps, arm: str, work: _Work) -> Iterator[int]:
    """Groups with free slots; a few that are new to the annotator are tried before all are put in order."""
    if caps.max_per_group is not None:
        annotator = replace(sitting.annotator, arm=arm)
        yield from groups_in_order(tx, sitting.n, annotator, caps, most=caps.max_per_group)
        return
    statement, values = _first_groups(tx, sitting, caps, arm, work.groups[arm])
    yield from _in_order(tx, tx.rows(statement, **values) if work.first_groups is None else work.first_groups)
    if statement is _NEW_QUOTAS:
        yield from _in_order(tx, tx.rows(_QUOTAS_TO_FILL, **_whose_groups(sitting, caps, arm)))


def _first_groups(
    tx: Transaction, sitting: Sitting, caps: Caps, arm: str, groups: int
) -> tuple[Executable, Mapping[str, object]]:
    """What to ask for the groups that come first: a few new ones, or all where the annotator had as many."""
    asked = _whose_groups(sitting, caps, arm)
    if sitting.judged < groups:
        return _NEW_QUOTAS, {**asked, "most": NEW_GROUPS_TRIED + tx.in_flight}
    return _QUOTAS_TO_FILL, asked


def _whose_groups(sitting: Sitting, caps: Caps, arm: str) -> Mapping[str, object]:
    return {"annotator": sitting.n, "arm": arm, "cohort": caps.places_of(sitting.annotator.cohort)}


def _in_order(tx: Transaction, rows: Sequence[Row]) -> Iterator[int]:
    """Groups as the database put them in order, or as they are after what this transaction did so far."""
    if not tx.in_flight:
        return (quota for quota, _free, _judged in rows)
    now = [(judged, -slot_changes.free_now(tx, quota=n, read=free), n) for n, free, judged in rows]
    return (quota for _judged, free, quota in sorted(now) if free)


is_item_in_use = exists().where(items.c.n == gold_items.c.item, items.c.is_retired.is_(False))
"""Whether an item with a known answer is in use. A join would start from the items, which are many."""

_GOLD_ITEM = (
    select(
        gold_items.c.item,
        gold_items.c.handed,
        select(items.c.body).where(items.c.n == gold_items.c.item).scalar_subquery(),
    )
    .where(gold_items.c.role == bindparam("role"), is_item_in_use, _is_new_to_annotator(gold_items.c.item))
    .order_by(gold_items.c.handed, gold_items.c.item)
    .limit(bindparam("most"))
)
_COUNT_GOLD_ITEM = (
    update(gold_items)
    .where(gold_items.c.item == bindparam("number"))
    .values(handed=gold_items.c.handed + bindparam("more"))
)
_ITEM_AND_DIALOGUES = (
    select(items.c.body, dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
    .select_from(items.outerjoin(item_dialogues).outerjoin(dialogues))
    .where(items.c.n == bindparam("item"))
    .order_by(item_dialogues.c.place)
)
_ITEM_TO_HAND_OUT = _ITEM_AND_DIALOGUES.add_columns(NextNumber(assignments))


def _gold_item(tx: Transaction, sitting: Sitting, caps: Caps, role: Role, arm: str) -> _Chosen | None:
    """The item of a role handed out least so far; its orders alternate in random blocks of two."""
    rows = tx.rows(_GOLD_ITEM, annotator=sitting.n, role=role, most=1 + tx.in_flight)
    if not rows:
        return None
    counted = [
        (handed + tx.uncounted(_COUNT_GOLD_ITEM, "more", number=item), item, body)
        for item, handed, body in rows
    ]
    handed, item, body = min(counted)
    found = item_of(body)
    tx.count(_COUNT_GOLD_ITEM, {"number": item}, {"more": 1})
    block = f"{found.id}\0{handed // 2}"
    first = balanced_order(
        max(1, found.shown),
        draw=lambda: random_number(caps.seed, f"{role} order", block),
        straight=0,
        reversed_=0,
    )
    return _Chosen(item, first if handed % 2 == 0 else first[::-1], arm, role)


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


def _hand_out(tx: Transaction, sitting: Sitting, caps: Caps, chosen: _Chosen, *, total: int) -> Assignment:
    rows = chosen.rows or tx.rows(_ITEM_TO_HAND_OUT, item=chosen.item)
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
        expires_at=lease_ends_at(caps, now=tx.now, deadline_at=deadline),
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
    for statement, values in ask_expired(tx):
        _take_back_and_screen(tx, sitting, caps, tx.rows(statement, **values))


def _take_back_and_screen(tx: Transaction, sitting: Sitting, caps: Caps, expired: Sequence[Row]) -> None:
    for annotator in take_back(tx, expired):
        if caps.excludes_without_reason and annotator != sitting.n:
            screen_annotator(tx, annotator)
