"""In which order an annotator goes through the arms, where everybody sees each of them.

The arms follow each other in a circle from the study's seed, and annotators begin where the fewest have
begun: so every arm comes first, second and so on equally often.
"""

from __future__ import annotations

from sqlalchemy import bindparam, func, or_, select, update

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import annotators, assignments
from duologue.store.schedule.deadlines import TIMED_OUT
from duologue.store.sittings.orders import random_number
from duologue.studies import Caps

_FIRST = (
    select(assignments.c.arm)
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.slot.is_not(None))
    .order_by(assignments.c.n)
    .limit(1)
)
_DONE = select(func.count()).where(
    assignments.c.annotator == bindparam("annotator"),
    assignments.c.arm == bindparam("arm"),
    assignments.c.slot.is_not(None),
    or_(*(assignments.c.state == state for state in ("judged", "credited", TIMED_OUT))),
)
_MOVE = update(annotators).where(annotators.c.n == bindparam("number")).values(arm=bindparam("new_arm"))


def circle_of_arms(arms: tuple[str, ...], seed: int) -> tuple[str, ...]:
    """The arms of a study in the order of its seed.

    Example:
        >>> sorted(circle_of_arms(("a", "b", "c"), seed=3))
        ['a', 'b', 'c']
    """
    return tuple(sorted(arms, key=lambda arm: random_number(seed, "arm order", arm)))


def arms_to_come(tx: Transaction, caps: Caps, *, number: int, arm: str) -> tuple[str, ...]:
    """The arm that an annotator is in, and where they see each, those that are still before them."""
    if not caps.sees_each_arm or arm not in caps.arms:
        return (arm,)
    circle = circle_of_arms(caps.arms, caps.seed)
    row = tx.row(_FIRST, annotator=number)
    first = arm if row is None or row[0] not in circle else row[0]
    began = circle.index(first)
    order = circle[began:] + circle[:began]
    return order[order.index(arm) :]


def done_in(tx: Transaction, arm: str, *, number: int) -> int:
    """How many items of an arm an annotator has judged, left with credit, or let go by."""
    row = tx.row(_DONE, annotator=number, arm=arm)
    return 0 if row is None else int(row[0])


def move_to(tx: Transaction, arm: str, *, number: int) -> None:
    """The annotator is in another arm from now on."""
    tx.do(_MOVE, number=number, new_arm=arm)
