"""The next free slot with an item that is new to an annotator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, exists, or_, select

from duologue.store.chats.briefing_history import BriefingHistory
from duologue.store.database.encoding import order_of
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.numbers import NextNumber
from duologue.store.database.schema import assignments, dialogues, item_dialogues, items, slots
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.claiming.groups import groups_in_order
from duologue.store.sittings.claiming.new_items import is_new_in_arm, is_new_to_annotator
from duologue.store.sittings.claiming.next_item import NextItem
from duologue.store.sittings.claiming.open_groups import (
    NEW_QUOTAS,
    QUOTAS_TO_FILL,
    first_groups,
    in_order,
    whose_groups,
)
from duologue.store.sittings.claiming.work import WorkLeft
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules


def _first_free(is_new: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """The first free slot; one that somebody is taking just now is passed over."""
    return (
        select(slots.c.n, slots.c.item, slots.c.shown)
        .where(slots.c.quota == bindparam("quota"), slots.c.state == "free", is_new)
        .order_by(slots.c.position)
        .limit(1)
        .with_for_update(of=slots, key_share=True, skip_locked=True)
    )


_FREE_SLOT = _first_free(is_new_to_annotator(slots.c.item))
_FREE_SLOT_IN_BLOCK = _FREE_SLOT.where(
    exists().where(items.c.n == slots.c.item, or_(items.c.block == "", items.c.block == bindparam("block")))
)


def _with_content(free_slot: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """A free slot together with its item: a row for each dialogue, as `ITEM_TO_HAND_OUT` has them."""
    found = free_slot.cte("found")
    return (
        select(found, items.c.body, dialogues.c.n, dialogues.c.content_hash, dialogues.c.body)
        .add_columns(NextNumber(assignments))
        .select_from(
            found.join(items, items.c.n == found.c.item).outerjoin(item_dialogues).outerjoin(dialogues)
        )
        .order_by(item_dialogues.c.place)
    )


SLOT_AND_CONTENT = _with_content(_FREE_SLOT)
SLOT_AND_CONTENT_IN_BLOCK = _with_content(_FREE_SLOT_IN_BLOCK)
SLOT_AND_CONTENT_IN_ARM = _with_content(_first_free(is_new_in_arm(slots.c.item)))


def free_slot(
    tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str, work: WorkLeft
) -> NextItem | None:
    """The next slot, from the first group that has one for this annotator.

    A live chat with a persona of the annotator's last one is put off while any group has another.
    """
    briefed = (
        BriefingHistory(tx, sitting.n) if caps.max_per_group is not None and not sitting.item_block else None
    )
    put_off: list[tuple[int, NextItem]] = []
    for quota, is_awaited in _groups(tx, sitting, caps, arm, work):
        found = briefed and briefed.free_slot(quota)
        rows = [found.row] if found else _slot_of_group(tx, sitting, caps, arm, quota)
        if rows:
            slot, item, shown = rows[0][:3]
            content_rows = () if found else tuple(one[3:] for one in rows)
            chosen = NextItem(item, order_of(shown), arm, slot=slot, quota=quota, rows=content_rows)
            if is_awaited or not found or not found.as_before:
                return chosen
            put_off.append((found.as_before, chosen))
    if put_off:
        return min(put_off, key=itemgetter(0))[1]
    if slot_changes.has_set_free(tx):
        tx.shut_others_out()  # groups that had nothing before are not among those read
    return None


def _slot_of_group(
    tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str, quota: int
) -> Sequence[Row]:
    if caps.one_per_factor:
        return tx.rows(SLOT_AND_CONTENT_IN_ARM, annotator=sitting.n, arm=arm, quota=quota)
    if not sitting.item_block:
        return tx.rows(SLOT_AND_CONTENT, annotator=sitting.n, quota=quota)
    return tx.rows(SLOT_AND_CONTENT_IN_BLOCK, annotator=sitting.n, quota=quota, block=sitting.item_block)


def _groups(
    tx: Transaction, sitting: Sitting, caps: StudyRules, arm: str, work: WorkLeft
) -> Iterator[tuple[int, bool]]:
    """Groups with free slots, and whether somebody waits there for a partner.

    A few that are new to the annotator are tried before all are put in order.
    """
    if caps.max_per_group is not None:
        annotator = sitting.annotator.in_arm(arm)
        yield from groups_in_order(tx, sitting.n, annotator, caps, most=caps.max_per_group)
        return
    statement, values = first_groups(tx, sitting, caps, arm, work.groups[arm])
    first = tx.rows(statement, **values) if work.first_groups is None else work.first_groups
    yield from ((quota, False) for quota in in_order(tx, first))
    if statement is NEW_QUOTAS:
        rest = tx.rows(QUOTAS_TO_FILL, **whose_groups(sitting, caps, arm))
        yield from ((quota, False) for quota in in_order(tx, rest))
