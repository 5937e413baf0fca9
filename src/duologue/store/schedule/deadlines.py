"""Deadlines: until when an item may be answered, and a sitting go on; being too late is an outcome."""

from __future__ import annotations

from sqlalchemy import bindparam, case, func, literal_column, select, update

from duologue.store.database.encoding import later
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads, writes
from duologue.store.database.schema import annotators, assignments, items
from duologue.store.records import TimeOutCounts
from duologue.studies import StudyRules

TIMED_OUT = "timed-out"
"""The state of an assignment that took too long, and the ending of a sitting that did."""

GRACE_SECONDS = 5.0
"""An answer that was sent in time may be on its way for so long."""


def deadline_of(caps: StudyRules, *, now: str, began_at: str | None) -> str | None:
    """Until when an item that is handed out now may be answered; None where there is any time.

    Args:
        caps: What the study says.
        now: The present time.
        began_at: When the sitting began; None when it has not.
    """
    ends = [
        None if caps.item_seconds is None else later(now, caps.item_seconds),
        sitting_ends_at(caps, began_at),
    ]
    return min((end for end in ends if end is not None), default=None)


def sitting_ends_at(caps: StudyRules, began_at: str | None) -> str | None:
    """When the sitting of an annotator ends who began then; None where it may go on for any time."""
    if caps.sitting_seconds is None or began_at is None:
        return None
    return later(began_at, caps.sitting_seconds)


def is_past(end: str | None, now: str, *, grace: float = 0.0) -> bool:
    """Whether a deadline is over."""
    return end is not None and now >= later(end, grace)


def lease_ends_at(
    caps: StudyRules, *, now: str, deadline_at: str | None, began_at: str | None, is_in_block: bool
) -> str:
    """Until when an item is kept for an annotator: no longer than it may be answered.

    In a block, whoever gives up an item gives up the whole sitting: one late item is no reason for that.

    Args:
        caps: What the study says.
        now: The present time.
        deadline_at: Until when the item may be answered.
        began_at: When the sitting began.
        is_in_block: Whether the annotator stays in a block of items.
    """
    lease = later(now, caps.lease_seconds)
    end = sitting_ends_at(caps, began_at) if is_in_block else deadline_at
    return lease if end is None else min(lease, later(end, GRACE_SECONDS))


_SET_DEADLINE = (
    update(assignments)
    .where(assignments.c.key == bindparam("assignment_key"))
    .values(deadline_at=bindparam("new_deadline"))
)
_SET_BEGIN = (
    update(annotators)
    .where(
        annotators.c.n.in_(
            select(assignments.c.annotator).where(assignments.c.key == bindparam("assignment_key"))
        )
    )
    .values(began_at=bindparam("new_begin"))
)


@writes
def let_time_run_out(tx: Transaction, assignment: str, caps: StudyRules) -> None:
    """Put the deadline of an assignment into the past: simulated annotators need not wait for it.

    Args:
        tx: The transaction.
        assignment: Its key.
        caps: What the study says; where only sittings have a time, the sitting is over then.
    """
    past = later(tx.now, -GRACE_SECONDS)
    tx.do(_SET_DEADLINE, assignment_key=assignment, new_deadline=past)
    if caps.item_seconds is None and caps.sitting_seconds is not None:
        tx.do(_SET_BEGIN, assignment_key=assignment, new_begin=later(past, -caps.sitting_seconds))


_with_items = assignments.join(items, items.c.n == assignments.c.item)
_ITEMS = (
    select(
        func.count(),
        func.count(assignments.c.annotator.distinct()),
        func.count(case((items.c.block != literal_column("''"), 1))),
    )
    .select_from(_with_items)
    .where(assignments.c.state == TIMED_OUT, assignments.c.slot.is_not(None))
)
_CHECKS = (
    select(items.c.role, func.count())
    .select_from(_with_items)
    .where(assignments.c.state == TIMED_OUT, assignments.c.slot.is_(None), assignments.c.occasion == 1)
    .group_by(items.c.role)
)
_SITTINGS = select(func.count()).select_from(annotators).where(annotators.c.ending == TIMED_OUT)


@reads
def fetch_timed_out(reading: Reading) -> TimeOutCounts:
    """What was not done in time, of all annotators together."""
    late, people, in_blocks = reading.connection.execute(_ITEMS).one()
    sittings = reading.connection.execute(_SITTINGS).scalar_one()
    checks = dict(map(tuple, reading.connection.execute(_CHECKS)))
    return TimeOutCounts(
        late, people, sittings, in_blocks, checks.get("onboarding", 0), checks.get("attention", 0)
    )
