"""Items that are judged twice: which ones, and a place for their second judgment.

Second judgments tell how often two annotators agree. They fill places of their own that no verdict counts, so
a study says the same of its bots with them and without (docs/attention.md).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle

from sqlalchemy import bindparam, case, func, or_, select, update

from duologue.seeds import first_numbers
from duologue.store.database.encoding import order_of, order_text
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import SECOND_COPY, is_second, items, quotas, slots
from duologue.studies import StudyRules, judged_twice_of

SECONDS_LATER = 25
"""A second judgment comes when about so many other items of its group have been handed out."""

_second = slots.alias("second")
_FIRST_SLOTS = (
    select(
        slots.c.quota,
        items.c.n,
        items.c.id,
        slots.c.position,
        slots.c.shown,
        _second.c.n,
        case((or_(_second.c.state == "leased", _second.c.state == "done"), 1), else_=0),
    )
    .select_from(
        slots.join(items, items.c.n == slots.c.item)
        .join(quotas, quotas.c.n == slots.c.quota)
        .outerjoin(
            _second,
            (_second.c.item == slots.c.item)
            & (_second.c.quota == slots.c.quota)
            & (_second.c.copy == SECOND_COPY),
        )
    )
    .where(slots.c.copy == 0, slots.c.is_wanted.is_(True), quotas.c.cohort == "")
    .order_by(slots.c.position, slots.c.n)
)
_HAS_SECONDS = select(func.count()).select_from(slots).where(is_second)
_GIVE_UP = (
    update(slots)
    .where(is_second, slots.c.is_wanted.is_(True))
    .values(is_wanted=False, state=case((slots.c.state == "free", "retired"), else_=slots.c.state))
)
_TAKE_BACK = (
    update(slots)
    .where(slots.c.n == bindparam("number"))
    .values(is_wanted=True, state=case((slots.c.state == "retired", "free"), else_=slots.c.state))
)


def settle_second_slots(tx: Transaction, caps: StudyRules) -> bool:
    """Give a share of the items of every group a place for a second judgment; whether there are such places.

    Those with a second judgment, or one under way, stay; the others are drawn by the study's seed, the same
    in every arm as far as may be. Both orders of showing an item are as common among second judgments.
    """
    if not caps.judged_twice:
        if not tx.rows(_HAS_SECONDS)[0][0]:
            return False
        tx.do(_GIVE_UP)
        return True
    found = tx.rows(_FIRST_SLOTS)
    lots = first_numbers(caps.seed, "judged twice", [row[2] for row in found])
    sizes = Counter(row[0] for row in found)
    left = {quota: judged_twice_of(caps.judged_twice, size) for quota, size in sizes.items()}
    ordered = sorted(
        (not row[-1], lot, place) for place, (row, lot) in enumerate(zip(found, lots, strict=True))
    )
    orders: dict[int, Iterator[bool]] = {}
    back, new = [], []
    for *_lot, place in ordered:
        quota, item, _id, position, shown, known, _taken = found[place]
        if not left[quota]:
            continue
        left[quota] -= 1
        if known is not None:
            back.append({"number": known})
            continue
        order = tuple(sorted(order_of(shown)))
        if next(orders.setdefault(quota, _alternately(lots[place]))):
            order = order[::-1]
        new.append((quota, item, SECOND_COPY, position + SECONDS_LATER, order_text(order)))
    tx.do(_GIVE_UP)
    tx.do_many(_TAKE_BACK, back)
    tx.add_many(slots, ("quota", "item", "copy", "position", "shown"), new)
    return True


def _alternately(lot: int) -> Iterator[bool]:
    return cycle((True, False) if lot % 2 else (False, True))
