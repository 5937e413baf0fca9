"""What a study's database knows about the study itself: its revisions, secrets and noted facts."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select, text, update

from duologue.store.database.encoding import new_token
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import reads, writes
from duologue.store.database.schema import assignments, facts, is_running, judgments, revisions

_LATEST = select(revisions.c.number, revisions.c.design_hash).order_by(revisions.c.number.desc()).limit(1)
_IN_USE = (
    select(judgments.c.n.label("n"))
    .where(judgments.c.revision == bindparam("revision"))
    .limit(1)
    .subquery("judged")
)
_IN_HAND = (
    select(assignments.c.n.label("n"))
    .where(
        is_running,
        assignments.c.revision == bindparam("revision"),
        assignments.c.expires_at > bindparam("now"),
    )
    .limit(1)
    .subquery("in_hand")
)
_IS_USED = select(
    select(func.count()).select_from(_IN_USE).scalar_subquery()
    + select(func.count()).select_from(_IN_HAND).scalar_subquery()
)
_ADD_REVISION = insert(revisions)
_REPLACE_REVISION = (
    update(revisions)
    .where(revisions.c.number == bindparam("revision"))
    .values(design_hash=bindparam("new_hash"), text=bindparam("new_text"), at=bindparam("now"))
)
_GROW_REVISION = (
    update(revisions)
    .where(revisions.c.number == bindparam("revision"))
    .values(design_hash=bindparam("new_hash"), text=bindparam("new_text"))
)
_NOTED = "mark:"
"""Begins the key of a noted fact."""
_FACT = select(facts.c.value).where(facts.c.key == bindparam("name"))
_SECRETS = select(facts.c.key, facts.c.value).where(facts.c.key.like("secret:%"))
_ADD_FACT = insert(facts)
_SET_FACT = text(
    "INSERT INTO facts (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = :value"
)


@writes
def record_revision(tx: Transaction, design_hash: str, study_file: str, *, grown_from: str = "") -> int:
    """The number of this design: a new one when judgments were asked for under another.

    A design that nobody has judged under, and that is in nobody's hands, is replaced.

    Args:
        tx: The transaction.
        design_hash: The design.
        study_file: The text of study.toml.
        grown_from: The design without the bots that were added since: where it is the last one, this is still
            the same revision, with more bots.
    """
    latest = tx.row(_LATEST)
    number = 0 if latest is None else int(latest[0])
    if latest is not None and latest[1] == design_hash:
        return number
    if latest is not None and latest[1] == grown_from:
        tx.do(_GROW_REVISION, revision=number, new_hash=design_hash, new_text=study_file)
        return number
    used = tx.row(_IS_USED, revision=number, now=tx.now)
    if latest is not None and used is not None and used[0] == 0:
        tx.do(_REPLACE_REVISION, revision=number, new_hash=design_hash, new_text=study_file, now=tx.now)
        return number
    tx.do(_ADD_REVISION, number=number + 1, design_hash=design_hash, text=study_file, at=tx.now)
    return number + 1


@writes
def ensure_secret(tx: Transaction, name: str) -> str:
    """A secret of the study, made when it is first asked for and kept with it."""
    key = f"secret:{name}"
    known = tx.row(_FACT, name=key)
    if known is not None:
        return str(known[0])
    value = new_token()
    tx.do(_ADD_FACT, key=key, value=value)
    return value


@writes
def renew_secret(tx: Transaction, name: str) -> str:
    """Another secret in the place of one. Every process that serves the study honours it at once."""
    value = new_token()
    tx.do(_SET_FACT, key=f"secret:{name}", value=value)
    return value


@reads
def fetch_secrets(reading: Reading) -> dict[str, str]:
    """All secrets of the study that there are, as they are now."""
    return {str(key).removeprefix("secret:"): str(value) for key, value in reading.rows(_SECRETS)}


@writes
def note_fact(tx: Transaction, key: str, value: str) -> None:
    """Note a fact about the study."""
    tx.do(_SET_FACT, key=f"{_NOTED}{key}", value=value)


@reads
def fetch_fact(reading: Reading, key: str) -> str | None:
    """A noted fact; None when there is none."""
    known = reading.row(_FACT, name=f"{_NOTED}{key}")
    return None if known is None else str(known[0])
