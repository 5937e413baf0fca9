"""The sitting of an annotator: how far they are, and what they have in hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Executable, bindparam, exists, false, func, select

from duologue.errors import LinkRevoked, LinkUnknown, NotFound
from duologue.judgments import Role
from duologue.store.database.engine import Reading, Row, Transaction
from duologue.store.database.numbers import NextNumber
from duologue.store.database.operations import reads
from duologue.store.database.schema import (
    annotators,
    arms,
    assignments,
    is_second,
    items,
    judgments,
    slots,
)
from duologue.store.records import Annotator
from duologue.store.researcher.plans import HAS_DRAFT
from duologue.studies import StudyRules


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
    """Items that ended with credit: skipped, or a live chat that could not go on."""
    item_block: str
    """The block of items that the annotator stays in."""
    began_at: str | None
    """When the first item was handed out."""
    ending: str
    attention_asked: int
    attention_right: int
    repeated: int
    timed_out: int
    """Items to judge that took too long."""
    groups_open: int | None
    """How many groups the arm they are in has to judge; None when they have joined it only now."""

    @property
    def done(self) -> int:
        """What was judged, ended with credit or took too long: so much of the cap is used up."""
        return self.judged + self.credited + self.timed_out

    @property
    def answered(self) -> int:
        """All that was handed out and is over, whatever its role."""
        return self.done + self.onboarding_asked + self.attention_asked + self.repeated


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
    annotators.c.item_block,
    annotators.c.began_at,
    annotators.c.ending,
    annotators.c.attention_asked,
    annotators.c.attention_right,
    annotators.c.repeated,
    annotators.c.timed_out,
    select(func.coalesce(func.max(arms.c.groups_open), 0))
    .where(arms.c.name == annotators.c.arm)
    .scalar_subquery(),
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
    return _sitting(tx.locked(_SITTING, by_token=token))


def _sitting(row: Row | None) -> Sitting:
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


@dataclass(frozen=True, slots=True)
class AssignmentRow:
    """An assignment's row, and its slot's."""

    n: int
    key: str
    item: int
    slot: int | None
    arm: str
    shown: str
    revision: int
    number: int
    total: int
    state: str
    leased_at: str
    expires_at: str | None
    quota: int | None
    slot_state: str | None
    role: Role
    body: str
    """The item's."""
    chat: int | None
    seat: int
    draft: str
    occasion: int
    deadline_at: str | None
    is_second: bool = False
    """Whether it is for the second judgment of an item that is judged twice."""
    has_draft_of_plan: bool = False
    """Whether the study's plan is not frozen yet."""
    judgment: int = 0
    """The number of the judgment that may come of it."""

    @property
    def is_done(self) -> bool:
        """Whether nothing more is asked of it: it is judged, or ended with credit."""
        return self.state in ("judged", "credited")

    @property
    def is_judged(self) -> bool:
        """Whether there is an answer to it."""
        return self.state == "judged"

    @property
    def is_repeat(self) -> bool:
        """Whether the annotator had been asked about the item before."""
        return self.occasion > 1


_ARM_BEFORE = (
    select(assignments.c.arm)
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.n < bindparam("assigned"))
    .order_by(assignments.c.n.desc())
    .limit(1)
)


def arm_before(tx: Transaction, annotator: int, assigned: int, caps: StudyRules) -> str:
    """The arm of what an annotator had before an assignment, where they see several; otherwise empty."""
    if not (caps.sees_each_arm or caps.one_per_factor):
        return ""
    row = tx.row(_ARM_BEFORE, annotator=annotator, assigned=assigned)
    return "" if row is None else row[0]


_HELD = select(
    assignments.c.n,
    assignments.c.key,
    assignments.c.item,
    assignments.c.slot,
    assignments.c.arm,
    assignments.c.shown,
    assignments.c.revision,
    assignments.c.number,
    assignments.c.total,
    assignments.c.state,
    assignments.c.leased_at,
    assignments.c.expires_at,
    slots.c.quota,
    slots.c.state,
    items.c.role,
    items.c.body,
    assignments.c.chat,
    assignments.c.seat,
    assignments.c.draft,
    assignments.c.occasion,
    assignments.c.deadline_at,
    func.coalesce(is_second, false()),
).select_from(
    assignments.join(items, items.c.n == assignments.c.item).outerjoin(slots, slots.c.n == assignments.c.slot)
)
_TO_JUDGE = _HELD.add_columns(exists().where(HAS_DRAFT), NextNumber(judgments)).where(
    assignments.c.key == bindparam("by_key")
)
_HELD_BY_KEY = _TO_JUDGE.where(assignments.c.annotator == bindparam("annotator"))
_HELD_BY_TOKEN = _TO_JUDGE.where(
    assignments.c.annotator
    == select(annotators.c.n).where(annotators.c.token == bindparam("by_token")).scalar_subquery()
)
_HELD_BY_NUMBER = _HELD.where(assignments.c.n == bindparam("number"))


def assignment_of(tx: Transaction, sitting: Sitting, key: str) -> AssignmentRow:
    """An assignment of an annotator.

    Raises:
        NotFound: They have none of that key.
    """
    return _assignment(tx.row(_HELD_BY_KEY, by_key=key, annotator=sitting.n), key)


def _assignment(row: Row | None, key: str) -> AssignmentRow:
    if row is None:
        raise NotFound("assignment", key)
    return AssignmentRow(*row)


def sitting_and_assignment(
    tx: Transaction, token: str, key: str, *also: tuple[Executable, Mapping[str, object]]
) -> tuple[Sitting, AssignmentRow, Sequence[Sequence[Row]]]:
    """`sitting_of` and `assignment_of`, and the rows of other statements; all are waited for at once.

    Raises:
        LinkUnknown: Nobody has the link.
        LinkRevoked: The researcher withdrew it.
        NotFound: The annotator has no assignment of that key.
    """
    asked = (_HELD_BY_TOKEN, {"by_key": key, "by_token": token})
    found, held, *others = tx.locked_among(_SITTING, asked, *also, by_token=token)
    sitting = _sitting(found[0] if found else None)
    return sitting, _assignment(held[0] if held else None, key), others


def held_by(tx: Transaction, sitting: Sitting) -> AssignmentRow | None:
    """What the annotator has in hand, or had when the lease ended."""
    row = None if sitting.assignment is None else tx.row(_HELD_BY_NUMBER, number=sitting.assignment)
    return None if row is None else AssignmentRow(*row)
