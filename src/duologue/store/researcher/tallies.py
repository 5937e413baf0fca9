"""How the judgments that count were answered: what win rates are made of, counted as they come.

Judgments are alike when nothing that decides their outcome tells them apart: the arm and group, the revision
of the study, the bots, the shown order and the answer. A judgment counts while it holds its slot, so these
counts change together with the slots, in the same transaction.
"""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache

from sqlalchemy import bindparam, select, text

from duologue.protocols import BESIDE
from duologue.store.database.encoding import json_text
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import items, judgments
from duologue.strict_json import read_json


@lru_cache(maxsize=1_000)
def kind_of(*, revision: int, bots: tuple[str, ...], shown: str, answer: str) -> str:
    """A short name for all judgments of a group that are alike.

    Args:
        revision: Of the study.
        bots: Of the item.
        shown: The shown order, as it is stored.
        answer: The answer, as it is stored; what decides no win rate is left out of it.
    """
    given = read_json(answer)
    if any(key in given for key in BESIDE):
        answer = json_text({key: value for key, value in given.items() if key not in BESIDE})
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
    return kind_of(revision=revision, bots=tx.item(body).bots, shown=shown, answer=answer)
