"""Leases: an assignment in somebody's hands ends when its time is over, and its slot is free again."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import bindparam, select, update

from duologue.store.chats import chat as live
from duologue.store.database.engine import Asks, Row, Transaction
from duologue.store.database.schema import assignments, is_running
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.reasons import screen_everybody
from duologue.studies import Caps

EXPIRED_AT_ONCE = 200
"""Expired leases that one claim takes back; the next claims take the rest."""

IN_HANDS = (assignments.c.n, assignments.c.slot, assignments.c.chat)
"""What `end_assignments` needs to know of each."""

_EXPIRED = (
    select(*IN_HANDS, assignments.c.annotator)
    .where(is_running, assignments.c.expires_at <= bindparam("now"))
    .limit(EXPIRED_AT_ONCE)
)
_END_ASSIGNMENT = update(assignments).where(assignments.c.n == bindparam("number")).values(state="ended")


def take_back_expired(tx: Transaction) -> tuple[int, ...]:
    """Return the slots of expired leases to the pool; who had them."""
    expired = tx.rows(_EXPIRED, now=tx.now)
    end_assignments(tx, [row[:-1] for row in expired])
    return tuple(row[-1] for row in expired)


def is_any_expired(asked: Asks, now: str) -> bool:
    """Whether a lease has run out that nobody has taken back."""
    return asked.row(_EXPIRED, now=now) is not None


def screen_the_absent(tx: Transaction, caps: Caps) -> int:
    """Return the slots of those who have left to the pool, and screen all whose sitting has ended.

    How many judgments are excluded for it now.
    """
    while take_back_expired(tx):
        pass
    return screen_everybody(tx) if caps.excludes_without_reason else 0


def end_assignments(tx: Transaction, which: Iterable[Row]) -> None:
    """Take assignments back and set their slots free; they can still be submitted, late.

    Args:
        tx: The transaction.
        which: The values of `IN_HANDS` of each.
    """
    for number, slot, chat in which:
        tx.do(_END_ASSIGNMENT, number=number)
        if slot is not None:
            slot_changes.set_free(tx, slot=slot)
        if chat is not None:
            live.leave(tx, chat)
