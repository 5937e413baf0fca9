"""The sitting of an annotator: how far they are, and what they have in hand."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select

from duologue.errors import LinkRevoked, LinkUnknown
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads
from duologue.store.database.schema import annotators, assignments
from duologue.store.records import Annotator


@dataclass(frozen=True, slots=True)
class Sitting:
    """An annotator's sitting, as it is in this transaction."""

    n: int
    """The number of the annotator's row."""
    annotator: Annotator
    code: str
    consented_at: str | None
    finished_at: str | None
    revoked_at: str | None
    block: str
    assignment: int | None
    """The number of the assignment in hand."""
    onboarding_wanted: int | None
    onboarding_asked: int
    onboarding_right: int
    judged: int
    """Onboarding not counted."""
    excluded: int
    credited: int
    """Live chats that ended with credit."""

    @property
    def done(self) -> int:
        """How many of their assignments count as work done, onboarding apart."""
        return self.judged + self.credited


_SITTING = select(
    annotators.c.n,
    annotators.c.id,
    annotators.c.label,
    annotators.c.kind,
    annotators.c.arm,
    annotators.c.cohort,
    annotators.c.code,
    annotators.c.consented_at,
    annotators.c.finished_at,
    annotators.c.revoked_at,
    annotators.c.block,
    annotators.c.assignment,
    annotators.c.onboarding_wanted,
    annotators.c.onboarding_asked,
    annotators.c.onboarding_right,
    annotators.c.judged,
    annotators.c.excluded,
    annotators.c.credited,
).where(annotators.c.token == bindparam("by_token"))
_IN_HAND = (
    select(assignments.c.key)
    .select_from(annotators.outerjoin(assignments, assignments.c.n == annotators.c.assignment))
    .where(annotators.c.token == bindparam("by_token"))
)


def sitting_of(tx: Transaction, token: str) -> Sitting:
    """The sitting of the annotator who has a link: nobody else changes anything of it meanwhile.

    Raises:
        LinkUnknown: Nobody has.
        LinkRevoked: The researcher withdrew it.
    """
    row = tx.locked(_SITTING, by_token=token)
    if row is None:
        raise LinkUnknown
    n, key, label, kind, arm, cohort, *rest = row
    sitting = Sitting(n, Annotator(key, label, kind, arm, cohort), *rest)
    if sitting.revoked_at is not None:
        raise LinkRevoked
    return sitting


@reads
def fetch_assignment_in_hand(reading: Reading, token: str) -> str:
    """The key of the assignment that an annotator has in hand; empty when there is none. None is handed out.

    Raises:
        LinkUnknown: No annotator has this link.
    """
    row = reading.row(_IN_HAND, by_token=token)
    if row is None:
        raise LinkUnknown
    return str(row[0] or "")
