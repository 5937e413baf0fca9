"""Leases: an assignment in somebody's hands ends when its time is over, and its slot is free again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import Executable, bindparam, case, select, update

from duologue.store.chats import chat as live
from duologue.store.database.engine import Reading, Row, Transaction
from duologue.store.database.operations import Operation, only_if, reads, writes
from duologue.store.database.schema import annotators, assignments, is_running
from duologue.store.schedule.deadlines import TIMED_OUT
from duologue.store.sittings import slots as slot_changes
from duologue.store.sittings.leaving import leave
from duologue.store.sittings.reasons import screen_annotator, screen_everybody, screening_due
from duologue.studies import StudyRules

EXPIRED_AT_ONCE = 200
"""Expired leases that one claim takes back; the next claims take the rest."""

IN_HANDS = (assignments.c.n, assignments.c.slot, assignments.c.chat)
"""What `end_assignments` needs to know of each."""

_EXPIRED = (
    select(*IN_HANDS, assignments.c.annotator)
    .where(is_running, assignments.c.expires_at <= bindparam("now"))
    .limit(EXPIRED_AT_ONCE)
)
EXPIRED = (
    select(*IN_HANDS, assignments.c.annotator)
    .select_from(assignments.join(annotators, annotators.c.n == assignments.c.annotator))
    .where(is_running, assignments.c.expires_at <= bindparam("now"))
    .limit(EXPIRED_AT_ONCE)
    .with_for_update(key_share=True, skip_locked=True)
)
"""Leases that have run out; those whose annotator is doing something just now are left to them."""
_END_ASSIGNMENT = (
    update(assignments)
    .where(assignments.c.n == bindparam("number"))
    .values(state=case((assignments.c.deadline_at <= bindparam("now"), TIMED_OUT), else_="ended"))
)


def ask_expired(tx: Transaction) -> tuple[tuple[Executable, Mapping[str, object]], ...]:
    """What to ask for the leases that have run out: nothing where they were all taken back by now."""
    return () if tx.has_taken_back else ((EXPIRED, {"now": tx.now}),)


def take_back(tx: Transaction, caps: StudyRules, expired: Sequence[Row]) -> tuple[int, ...]:
    """Return the slots of `EXPIRED` leases to the pool; who had them."""
    for *_in_hands, annotator in expired:
        leave(tx, caps, annotator)
    end_assignments(tx, [row[:-1] for row in expired])
    tx.has_taken_back = len(expired) < EXPIRED_AT_ONCE
    return tuple(row[-1] for row in expired)


def take_back_and_screen(tx: Transaction, caps: StudyRules, *, but: int) -> None:
    """Return the slots of those who have left to the pool, and screen what they have judged.

    Args:
        tx: The transaction.
        caps: What the store must hold to.
        but: The annotator who is here and is not screened.
    """
    for statement, values in ask_expired(tx):
        screen_who_left(tx, caps, tx.rows(statement, **values), but=but)


def screen_who_left(tx: Transaction, caps: StudyRules, expired: Sequence[Row], *, but: int) -> None:
    """The same for `EXPIRED` leases that were read before."""
    for annotator in take_back(tx, caps, expired):
        if caps.excludes_without_reason and annotator != but:
            screen_annotator(tx, annotator)


def screen_annotators(caps: StudyRules) -> Operation[int]:
    """Take back leases that have run out, and apply the rules for those whose sitting has ended.

    Judgments of annotators who never gave a reason are set aside, where the caps say so; how many now.
    """
    return only_if(_is_screening_due(caps), _screen_the_absent(caps), otherwise=0)


@reads
def _is_screening_due(reading: Reading, caps: StudyRules) -> bool:
    """Whether a lease has run out that nobody has taken back, or somebody's judgments are to be set aside."""
    if reading.row(_EXPIRED, now=reading.now) is not None:
        return True
    return caps.excludes_without_reason and bool(screening_due(reading))


@writes
def _screen_the_absent(tx: Transaction, caps: StudyRules) -> int:
    """Return the slots of those who have left to the pool, and screen all whose sitting has ended."""
    while expired := tx.rows(EXPIRED, now=tx.now):
        take_back(tx, caps, expired)
    return screen_everybody(tx) if caps.excludes_without_reason else 0


def end_assignments(tx: Transaction, which: Iterable[Row]) -> None:
    """Take assignments back and set their slots free; those without a deadline can be submitted late.

    Args:
        tx: The transaction.
        which: The values of `IN_HANDS` of each.
    """
    for number, slot, chat in which:
        tx.do(_END_ASSIGNMENT, number=number, now=tx.now)
        if slot is not None:
            slot_changes.set_free(tx, slot=slot)
        if chat is not None:
            tx.shut_others_out()
            live.leave(tx, chat)
