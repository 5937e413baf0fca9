"""The plan of a study, frozen with its first judgment; addenda to it; looks taken at its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, delete, insert, select, text

from duologue.dialogues import Json
from duologue.store.database.encoding import json_text, later
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads, writes
from duologue.store.database.schema import facts, judgments, looks, plans
from duologue.strict_json import read_json
from duologue.studies import FrozenPlan, freeze

DRAFT = "plan:draft"
"""The fact under which the plan waits for the first judgment."""


@dataclass(frozen=True, slots=True)
class StoredLook:
    """Somebody saw results."""

    how: str
    """``analyse``, ``report`` or ``dashboard``."""
    judgments: int
    """That counted then."""
    planned: int
    short: int
    """Groups that had not reached their planned number."""
    data: str
    """A hash of what was seen."""
    at: str

    @property
    def is_interim(self) -> bool:
        """Whether it came before the planned number was reached."""
        return self.short > 0


HAS_DRAFT = facts.c.key == DRAFT
"""Of a fact: it is the plan that the first judgment will freeze."""
_DRAFT = select(facts.c.value).where(facts.c.key == DRAFT)
_NO_DRAFT = delete(facts).where(facts.c.key == DRAFT)
_SET_DRAFT = text(
    "INSERT INTO facts (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = :value"
)
_FROZEN = select(plans.c.hash, plans.c.at, plans.c.body).where(plans.c.number == 1)
_ADDENDA = select(plans.c.hash, plans.c.at, plans.c.body).where(plans.c.number > 1).order_by(plans.c.number)
_FREEZE = insert(plans)
_REAL = select(judgments.c.n).where(judgments.c.role == "judged").limit(1)


@writes
def keep_plan_draft(tx: Transaction, plan: Mapping[str, Json]) -> bool:
    """Keep a plan until the first judgment freezes it; whether it will.

    A plan that is frozen stays as it is. A study with judgments that were given before plans were kept has
    none, and gets none afterwards.
    """
    if tx.row(_FROZEN) is not None or tx.row(_REAL) is not None:
        return False
    tx.do(_SET_DRAFT, key=DRAFT, value=json_text(dict(plan)))
    return True


def freeze_at_first(tx: Transaction) -> None:
    """Freeze the plan with the first judgment that is not onboarding, in the transaction that stores it."""
    draft = tx.row(_DRAFT)
    if draft is None:
        return
    plan = freeze(read_json(draft[0]), at=tx.now)
    tx.do(_FREEZE, number=1, hash=plan.hash, body=plan.text, at=plan.at)
    tx.do(_NO_DRAFT)


@reads
def fetch_frozen_plan(reading: Reading) -> FrozenPlan | None:
    """The plan as it was frozen; None when it was not."""
    row = reading.row(_FROZEN)
    return None if row is None else FrozenPlan(*row)


@writes
def add_addendum(tx: Transaction, draft: Mapping[str, Json]) -> FrozenPlan:
    """Add to the plan of a study, which stays as it was frozen: with the time, and a hash of its own."""
    number = 2 + len(tx.rows(_ADDENDA))
    addendum = freeze(draft, at=tx.now)
    tx.do(_FREEZE, number=number, hash=addendum.hash, body=addendum.text, at=addendum.at)
    return addendum


@writes
def copy_addenda(tx: Transaction, addenda: Sequence[FrozenPlan]) -> None:
    """Keep the addenda of another database of the same study, as they are."""
    for number, one in enumerate(addenda, 2):
        tx.do(_FREEZE, number=number, hash=one.hash, body=one.text, at=one.at)


@reads
def fetch_addenda(reading: Reading) -> tuple[FrozenPlan, ...]:
    """What was added to the plan, the first addendum first."""
    return tuple(FrozenPlan(*row) for row in reading.rows(_ADDENDA))


_ADD_LOOK = insert(looks)
_LOOKS = select(looks.c.how, looks.c.judgments, looks.c.planned, looks.c.short, looks.c.data, looks.c.at)
_SEEN = select(looks.c.n).where(looks.c.data == bindparam("seen")).limit(1)
_LAST = select(looks.c.at).where(looks.c.how == bindparam("way")).order_by(looks.c.n.desc()).limit(1)


@writes
def record_look(
    tx: Transaction,
    how: str,
    *,
    judgments: int,
    planned: int,
    short: int,
    data: str,
    rest_seconds: float = 0.0,
) -> bool:
    """Note that somebody saw results; whether it is a new look.

    Who sees again what was seen before takes no new look. Of a page that refreshes by itself, one look is
    noted every ``rest_seconds``.

    Args:
        tx: The transaction.
        how: By which command or page.
        judgments: How many counted.
        planned: How many were wanted.
        short: Groups that had not reached their number.
        data: A hash of what was seen.
        rest_seconds: How long after a look of this kind no further one is noted.
    """
    if tx.row(_SEEN, seen=data) is not None:
        return False
    last = tx.row(_LAST, way=how) if rest_seconds else None
    if last is not None and tx.now < later(str(last[0]), rest_seconds):
        return False
    tx.do(_ADD_LOOK, how=how, judgments=judgments, planned=planned, short=short, data=data, at=tx.now)
    return True


@reads
def fetch_looks(reading: Reading) -> tuple[StoredLook, ...]:
    """Every look, in the order they were taken."""
    return tuple(StoredLook(*row) for row in reading.rows(_LOOKS.order_by(looks.c.n)))
