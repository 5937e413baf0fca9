"""Not agreeing to take part: that somebody declined is noted, and nothing else."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select

from duologue.errors import LinkUnknown
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads, writes
from duologue.store.database.schema import annotator_events, annotators
from duologue.store.sittings.sitting import sitting_of

DECLINE = "decline"
"""The event of an annotator who did not agree."""

_ADD_EVENT = insert(annotator_events)
_DECLINED = select(annotator_events.c.n).where(
    annotator_events.c.annotator == bindparam("number"), annotator_events.c.action == DECLINE
)
_AGREED = select(annotators.c.consented_at).where(annotators.c.token == bindparam("by_token"))


@writes
def decline_consent(tx: Transaction, token: str) -> bool:
    """The annotator does not agree; whether they have not agreed before. They may still change their mind.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
    """
    sitting = sitting_of(tx, token)
    if sitting.consented_at is not None:
        return False
    if tx.row(_DECLINED, number=sitting.n) is None:
        tx.do(_ADD_EVENT, annotator=sitting.n, action=DECLINE, reason="", by="annotator", at=tx.now)
    return True


@reads
def has_agreed(reading: Reading, token: str) -> bool:
    """Whether an annotator takes part.

    Raises:
        LinkUnknown: No annotator has this link.
    """
    row = reading.row(_AGREED, by_token=token)
    if row is None:
        raise LinkUnknown
    return row[0] is not None
