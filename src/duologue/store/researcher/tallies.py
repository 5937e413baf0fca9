"""How the judgments that count were answered: what win rates are made of, counted as they come.

Judgments are alike when nothing that decides their outcome tells them apart: the arm and group, the revision
of the study, the bots, the shown order and the answer. A judgment counts while it holds its slot, so these
counts change together with the slots, in the same transaction.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, text

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import items, judgments


def kind_of(*, revision: int, body: str, shown: str, answer: str) -> str:
    """A short name for all judgments of a group that are alike.

    Args:
        revision: Of the study.
        body: The item, as it is stored.
        shown: The shown order, as it is stored.
        answer: The answer, as it is stored.
    """
    fields: dict[str, Any] = json.loads(body)
    return kind_named(revision=revision, bots=fields["bots"], shown=shown, answer=answer)


def kind_named(*, revision: int, bots: Sequence[str], shown: str, answer: str) -> str:
    """`kind_of`, by the bots of the item."""
    facts = json.dumps([revision, list(bots), shown, answer])
    return hashlib.sha256(facts.encode()).hexdigest()[:32]


_COUNT = text(
    "INSERT INTO tallies (quota, kind, example, done) VALUES (:quota, :kind, :judgment, :more) "
    "ON CONFLICT (quota, kind) DO UPDATE SET done = tallies.done + :more"
)
_FACTS = (
    select(judgments.c.revision, items.c.body, judgments.c.shown, judgments.c.answer)
    .select_from(judgments.join(items, items.c.n == judgments.c.item))
    .where(judgments.c.n == bindparam("judgment"))
)


def count_one(tx: Transaction, *, quota: int, judgment: int, kind: str) -> None:
    """A judgment counts from now on."""
    tx.count(_COUNT, {"quota": quota, "kind": kind}, {"more": 1}, {"judgment": judgment})


def take_one(tx: Transaction, *, quota: int, judgment: int) -> None:
    """A judgment counts no longer."""
    kind = stored_kind(tx, judgment)
    tx.count(_COUNT, {"quota": quota, "kind": kind}, {"more": -1}, {"judgment": judgment})


def stored_kind(tx: Transaction, judgment: int) -> str:
    """The kind of a judgment that is stored."""
    row = tx.row(_FACTS, judgment=judgment)
    assert row is not None  # noqa: S101  judgments are never deleted
    revision, body, shown, answer = row
    return kind_of(revision=revision, body=body, shown=shown, answer=answer)
