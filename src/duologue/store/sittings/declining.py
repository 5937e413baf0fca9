"""Not agreeing to take part: that somebody declined is noted, and nothing else."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select

from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import annotator_events
from duologue.store.sittings.sitting import sitting_of

DECLINE = "decline"
"""The event of an annotator who did not agree."""

_ADD_EVENT = insert(annotator_events)
_DECLINED = select(annotator_events.c.n).where(
    annotator_events.c.annotator == bindparam("number"), annotator_events.c.action == DECLINE
)


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
