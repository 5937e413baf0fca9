"""Inviting annotators, and what a researcher may decide about them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, delete, insert, select, update

from duologue.errors import NotFound
from duologue.screening import ONBOARDING
from duologue.store.chats.erasing import erase_chats
from duologue.store.database.encoding import new_id, new_token
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.operations import erases, writes
from duologue.store.database.schema import (
    annotator_events,
    annotators,
    assignments,
    is_running,
    judgments,
    reason_prints,
    reasons,
)
from duologue.store.records import Invitation
from duologue.store.researcher.exclusions import (
    BLOCKED,
    WITHDRAWN,
    ExclusionGrounds,
    exclude,
    judgments_of,
    restore,
)
from duologue.store.sittings.blocking import RESEARCHER
from duologue.store.sittings.filled_forms import erase_forms
from duologue.store.sittings.leases import IN_HANDS, end_assignments
from duologue.store.sittings.leaving import end_early, leave, mark_as_left
from duologue.studies import StudyRules

_ADD = insert(annotators)
_NUMBER = select(
    annotators.c.n, annotators.c.block, annotators.c.revoked_at, annotators.c.withdrawn_at
).where(annotators.c.id == bindparam("by_id"))
_REVOKE = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(revoked_at=bindparam("new_time"))
)
_BLOCK = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(block=bindparam("new_block"), block_reason=bindparam("new_reason"))
)
_IN_HAND = select(*IN_HANDS).where(assignments.c.annotator == bindparam("annotator"), is_running)
_ADD_EVENT = insert(annotator_events)
_ERASE_REASONS = tuple(
    delete(table).where(
        table.c.judgment.in_(select(judgments.c.n).where(judgments.c.annotator == bindparam("annotator")))
    )
    for table in (reasons, reason_prints)
)
_ERASE_IDENTITY = (
    update(annotators)
    .where(annotators.c.n == bindparam("number"))
    .values(
        label="",
        code="",
        token=bindparam("new_token"),
        withdrawn_at=bindparam("now"),
        revoked_at=bindparam("now"),
    )
)


@writes
def invite_annotators(
    tx: Transaction, count: int = 1, *, kind: str = "lab", labels: Sequence[str] = (), cohort: str = ""
) -> tuple[Invitation, ...]:
    """Make links for new annotators, all of one cohort or none: one for each label, or ``count`` without."""
    made = [Invitation(new_id(), label, new_token(), cohort) for label in labels or [""] * count]
    tx.do_many(
        _ADD,
        [
            {
                "id": invitation.annotator,
                "label": invitation.label,
                "token": invitation.token,
                "code": new_id().upper(),
                "kind": kind,
                "cohort": cohort,
                "invited_at": tx.now,
            }
            for invitation in made
        ],
    )
    return tuple(made)


@writes
def revoke_link(tx: Transaction, annotator: str) -> None:
    """Withdraw an annotator's link; what they have in hand goes back to the pool."""
    number, _block, revoked_at, _withdrawn_at = _found(tx, annotator)
    if revoked_at is None:
        tx.do(_REVOKE, number=number, new_time=tx.now)
        mark_as_left(tx, number)
        end_assignments(tx, _in_hand(tx, number))
        _note(tx, number, "revoke", reason="", by=RESEARCHER)


@writes
def restore_link(tx: Transaction, annotator: str) -> None:
    """Let a withdrawn link work again; not that of an annotator who withdrew from the study."""
    number, _block, revoked_at, withdrawn_at = _found(tx, annotator)
    if revoked_at is not None and withdrawn_at is None:
        tx.do(_REVOKE, number=number, new_time=None)
        _note(tx, number, "unrevoke", reason="", by=RESEARCHER)


@writes
def block_annotator(tx: Transaction, annotator: str, *, reason: str, by: str) -> None:
    """Hand out nothing more to an annotator, and set aside what they judged."""
    number, before, _revoked_at, _withdrawn_at = _found(tx, annotator)
    if before == RESEARCHER:
        return
    tx.do(_BLOCK, number=number, new_block=RESEARCHER, new_reason=reason)
    end_assignments(tx, _in_hand(tx, number))
    exclude(tx, judgments_of(tx, number), ExclusionGrounds(BLOCKED, reason, by))
    _note(tx, number, "block", reason=reason, by=by)


@writes
def unblock_annotator(tx: Transaction, annotator: str, caps: StudyRules, *, reason: str, by: str) -> None:
    """Let an annotator go on, whether a researcher or onboarding blocked them; their judgments count again.

    Where another judgment has taken the place meanwhile, theirs stays aside. In a block of items the sitting
    ended early, with what follows from that until they come back.
    """
    number, before, _revoked_at, _withdrawn_at = _found(tx, annotator)
    if not before:
        return
    tx.do(_BLOCK, number=number, new_block="", new_reason="")
    if before != ONBOARDING:  # who was sent away comes back to a block that has a place
        end_early(tx, caps, number)
        mark_as_left(tx, number)
    theirs = judgments_of(tx, number)
    for rule in (BLOCKED, ONBOARDING):
        restore(tx, theirs, ExclusionGrounds(rule, reason, by))
    _note(tx, number, "unblock", reason=reason, by=by)


@erases
def withdraw_annotator(tx: Transaction, annotator: str, *, reason: str) -> None:
    """Erase what an annotator wrote and who they are; that they withdrew, and why, is kept and counted."""
    number, _block, _revoked_at, withdrawn_at = _found(tx, annotator)
    if withdrawn_at is not None:
        return
    end_assignments(tx, _in_hand(tx, number))
    exclude(tx, judgments_of(tx, number), ExclusionGrounds(WITHDRAWN, reason, "annotator"))
    for erase in _ERASE_REASONS:
        tx.do(erase, annotator=number)
    erase_chats(tx, number)
    erase_forms(tx, number)
    tx.do(_ERASE_IDENTITY, number=number, new_token=f"withdrawn-{new_token()}", now=tx.now)
    _note(tx, number, "withdraw", reason=reason, by="annotator")


_ASSIGNMENT = select(*IN_HANDS, assignments.c.annotator, assignments.c.state).where(
    assignments.c.key == bindparam("by_key")
)


@writes
def release_assignment(tx: Transaction, assignment: str, caps: StudyRules, *, by: str) -> bool:
    """Take an assignment back into the pool before its lease ends; whether it was in somebody's hands.

    Raises:
        NotFound: There is no such assignment.
    """
    row = tx.row(_ASSIGNMENT, by_key=assignment)
    if row is None:
        raise NotFound("assignment", assignment)
    *in_hands, annotator, state = row
    if state != "running":
        return False
    leave(tx, caps, annotator)
    end_assignments(tx, [tuple(in_hands)])
    _note(tx, annotator, "release", reason=assignment, by=by)
    return True


def _found(tx: Transaction, annotator: str) -> tuple[int, str, str | None, str | None]:
    row = tx.row(_NUMBER, by_id=annotator)
    if row is None:
        raise NotFound("annotator", annotator)
    return row[0], row[1], row[2], row[3]


def _in_hand(tx: Transaction, annotator: int) -> Sequence[Row]:
    return tx.rows(_IN_HAND, annotator=annotator)


def _note(tx: Transaction, annotator: int, action: str, *, reason: str, by: str) -> None:
    tx.do(_ADD_EVENT, annotator=annotator, action=action, reason=reason, by=by, at=tx.now)
