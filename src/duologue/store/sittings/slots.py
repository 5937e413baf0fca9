"""Slots change hands: free, leased, done; and the counters of their quota with them."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import quotas, slots
from duologue.store.researcher.tallies import count_one, stored_kind, take_one

_SLOT = select(slots.c.quota, slots.c.state, slots.c.is_wanted, slots.c.judgment).where(
    slots.c.n == bindparam("slot")
)
_SET = (
    update(slots)
    .where(slots.c.n == bindparam("number"))
    .values(state=bindparam("to"), assignment=bindparam("new_assignment"), judgment=bindparam("new_judgment"))
)
_COUNT = (
    update(quotas)
    .where(quotas.c.n == bindparam("quota"))
    .values(
        wanted=quotas.c.wanted + bindparam("more_free") + bindparam("more_leased") + bindparam("more_done"),
        free=quotas.c.free + bindparam("more_free"),
        leased=quotas.c.leased + bindparam("more_leased"),
        done=quotas.c.done + bindparam("more_done"),
    )
)


def lease(tx: Transaction, *, slot: int, quota: int, assignment: int) -> None:
    """A free slot goes to an assignment."""
    tx.do(_SET, number=slot, to="leased", new_assignment=assignment, new_judgment=None)
    tx.do(_COUNT, quota=quota, more_free=-1, more_leased=1, more_done=0)


def fill(tx: Transaction, *, slot: int, quota: int, judgment: int, kind: str) -> None:
    """A leased slot is done by a judgment of a kind (`tallies.kind_of`)."""
    tx.do(_SET, number=slot, to="done", new_assignment=None, new_judgment=judgment)
    tx.do(_COUNT, quota=quota, more_free=0, more_leased=-1, more_done=1)
    count_one(tx, quota=quota, judgment=judgment, kind=kind)


def fill_if_free(tx: Transaction, *, slot: int, judgment: int) -> bool:
    """A slot that nobody holds is done; whether it was so."""
    quota, state, _is_wanted, _judgment = _found(tx, slot)
    if state not in ("free", "retired"):
        return False
    tx.do(_SET, number=slot, to="done", new_assignment=None, new_judgment=judgment)
    tx.do(_COUNT, quota=quota, more_free=-int(state == "free"), more_leased=0, more_done=1)
    count_one(tx, quota=quota, judgment=judgment, kind=stored_kind(tx, judgment))
    return True


def set_free(tx: Transaction, *, slot: int) -> None:
    """A leased or done slot can be handed out again, or is retired when it is no longer wanted."""
    quota, state, is_wanted, judgment = _found(tx, slot)
    if judgment is not None:
        take_one(tx, quota=quota, judgment=judgment)
    tx.do(
        _SET,
        number=slot,
        to="free" if is_wanted else "retired",
        new_assignment=None,
        new_judgment=None,
    )
    tx.do(
        _COUNT,
        quota=quota,
        more_free=int(is_wanted),
        more_leased=-int(state == "leased"),
        more_done=-int(state == "done"),
    )


def _found(tx: Transaction, slot: int) -> tuple[int, str, bool, int | None]:
    row = tx.row(_SLOT, slot=slot)
    assert row is not None  # noqa: S101  slots are never deleted once handed out
    return int(row[0]), str(row[1]), bool(row[2]), row[3]
