"""Items that come a second time: whether annotators agree with themselves.

They come when an annotator has nothing else left, in the reverse of the order in which they were shown: who
always takes the left side does not agree with themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select

from duologue.store.database.encoding import order_of
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import assignments
from duologue.store.sittings.orders import Order, random_number
from duologue.studies import StudyRules, repeats_of


@dataclass(frozen=True, slots=True)
class Repeat:
    """What an annotator is asked about once more."""

    item: int
    order: Order
    arm: str


_HANDED = (
    select(
        assignments.c.item,
        assignments.c.shown,
        assignments.c.arm,
        assignments.c.state,
        assignments.c.slot,
        assignments.c.chat,
        assignments.c.occasion,
    )
    .where(assignments.c.annotator == bindparam("annotator"))
    .order_by(assignments.c.n)
)


def next_repeat(tx: Transaction, caps: StudyRules, *, number: int, annotator: str) -> Repeat | None:
    """The next item that comes a second time; None when there is none.

    One is drawn at random from those after which enough others came. A live chat cannot be held twice.

    Args:
        tx: The transaction.
        caps: What the study says.
        number: The annotator's row.
        annotator: The annotator's id.
    """
    handed = tx.rows(_HANDED, annotator=number)
    again = {item for item, *_rest, occasion in handed if occasion > 1}
    judged = [
        (place, item, shown, arm)
        for place, (item, shown, arm, state, slot, chat, _occasion) in enumerate(handed)
        if state == "judged" and slot is not None and chat is None
    ]
    if len(again) >= repeats_of(caps.repeat, len(judged)):
        return None
    there = [
        Repeat(item, order_of(shown)[::-1], arm)
        for place, item, shown, arm in judged
        if item not in again and len(handed) - 1 - place >= caps.repeat_after
    ]
    return min(
        there, key=lambda one: random_number(caps.seed, "repeat", f"{annotator}\0{one.item}"), default=None
    )
