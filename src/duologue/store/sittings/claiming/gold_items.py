"""Items with a known answer: which one an annotator is given next."""

from __future__ import annotations

from sqlalchemy import bindparam, exists, func, literal_column, select, update

from duologue.judgments import Role
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import gold_items, items
from duologue.store.sittings.claiming.new_items import is_new_to_annotator
from duologue.store.sittings.claiming.next_item import NextItem
from duologue.store.sittings.orders import balanced_order, random_number
from duologue.store.sittings.sitting import Sitting
from duologue.studies import StudyRules

is_item_in_use = exists().where(items.c.n == gold_items.c.item, items.c.is_retired.is_(False))
"""Whether an item with a known answer is in use. A join would start from the items, which are many."""

_CHECKS = (
    select(func.count())
    .select_from(gold_items)
    .where(gold_items.c.role == literal_column("'attention'"), is_item_in_use)
)
_GOLD_ITEM = (
    select(
        gold_items.c.item,
        gold_items.c.handed,
        select(items.c.body).where(items.c.n == gold_items.c.item).scalar_subquery(),
    )
    .where(gold_items.c.role == bindparam("role"), is_item_in_use, is_new_to_annotator(gold_items.c.item))
    .order_by(gold_items.c.handed, gold_items.c.item)
    .limit(bindparam("most"))
)
_COUNT_GOLD_ITEM = (
    update(gold_items)
    .where(gold_items.c.item == bindparam("number"))
    .values(handed=gold_items.c.handed + bindparam("more"))
)


def checks_there(tx: Transaction) -> int:
    """How many attention checks the study has: no annotator is asked one twice."""
    ((there,),) = tx.rows(_CHECKS)
    return int(there)


def gold_item(tx: Transaction, sitting: Sitting, caps: StudyRules, role: Role, arm: str) -> NextItem | None:
    """The item of a role handed out least so far; its orders alternate in random blocks of two."""
    rows = tx.rows(_GOLD_ITEM, annotator=sitting.n, role=role, most=1 + tx.in_flight)
    if not rows:
        return None
    counted = [
        (handed + tx.uncounted(_COUNT_GOLD_ITEM, "more", number=item), item, body)
        for item, handed, body in rows
    ]
    handed, item, body = min(counted)
    found = tx.item(body)
    tx.count(_COUNT_GOLD_ITEM, {"number": item}, {"more": 1})
    block = f"{found.id}\0{handed // 2}"
    first = balanced_order(
        max(1, found.shown),
        draw=lambda: random_number(caps.seed, f"{role} order", block),
        straight=0,
        reversed_=0,
    )
    return NextItem(item, first if handed % 2 == 0 else first[::-1], arm, role)
