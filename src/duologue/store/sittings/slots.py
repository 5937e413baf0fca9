"""Slots change hands: free, leased, done; and the counters of their quota with them.

The second judgment of an item that is judged twice fills its slot as any other does, and is in no win rate.
"""

from __future__ import annotations

from sqlalchemy import bindparam, select, update

from duologue.store.database.engine import Transaction
from duologue.store.database.schema import is_second, quotas, slots
from duologue.store.researcher.tallies import count_one, stored_kind, take_one
from duologue.store.schedule.item_blocks import is_promised

_SLOT = select(slots.c.quota, slots.c.state, slots.c.is_wanted, slots.c.judgment, is_second).where(
    slots.c.n == bindparam("slot")
)
_SLOT_IF_NOBODY_HAS_IT = _SLOT.with_for_update(key_share=True, skip_locked=True)
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
        excluded=quotas.c.excluded + bindparam("more_excluded"),
    )
)


def _count(
    tx: Transaction, quota: int, *, free: int = 0, leased: int = 0, done: int = 0, excluded: int = 0
) -> None:
    more = {"more_free": free, "more_leased": leased, "more_done": done, "more_excluded": excluded}
    tx.count(_COUNT, {"quota": quota}, more)


def count_excluded(tx: Transaction, *, quota: int, more: int) -> None:
    """So many more judgments of a quota are excluded."""
    _count(tx, quota, excluded=more)


def free_now(tx: Transaction, *, quota: int, read: int) -> int:
    """How many slots of a quota are free, by what its row says and what this transaction did since."""
    return read + tx.uncounted(_COUNT, "more_free", quota=quota)


def has_set_free(tx: Transaction) -> bool:
    """Whether this transaction has set more slots free than it took, in a quota whose row does not say so."""
    return tx.most_uncounted(_COUNT, "more_free") > 0


def lease(tx: Transaction, *, slot: int, quota: int, assignment: int) -> None:
    """A free slot goes to an assignment."""
    tx.do(_SET, number=slot, to="leased", new_assignment=assignment, new_judgment=None)
    _count(tx, quota, free=-1, leased=1)


def is_still_free(tx: Transaction, *, slot: int) -> bool:
    """Whether nobody has a slot, or is taking it just now; it is kept for this transaction then."""
    row = tx.row(_SLOT_IF_NOBODY_HAS_IT, slot=slot)
    return row is not None and row[1] == "free"


def fill(tx: Transaction, *, slot: int, quota: int, judgment: int, kind: str) -> None:
    """A leased slot is done by a judgment of a kind (`tallies.kind_of`); without one it is in no win rate."""
    tx.do(_SET, number=slot, to="done", new_assignment=None, new_judgment=judgment)
    _count(tx, quota, leased=-1, done=1)
    if kind:
        count_one(tx, quota=quota, judgment=judgment, kind=kind)


def fill_if_free(tx: Transaction, *, slot: int, judgment: int) -> bool:
    """Fill a slot that nobody holds, and that nobody in its block comes to yet; whether it was so."""
    row = tx.row(_SLOT_IF_NOBODY_HAS_IT, slot=slot)  # None: somebody is taking it just now
    quota, state, counts = (0, "", False) if row is None else (*row[:2], not row[4])
    if state not in ("free", "retired") or (state == "free" and is_promised(tx, slot)):
        return False
    tx.do(_SET, number=slot, to="done", new_assignment=None, new_judgment=judgment)
    _count(tx, quota, free=-int(state == "free"), done=1)
    if counts:
        count_one(tx, quota=quota, judgment=judgment, kind=stored_kind(tx, judgment))
    return True


def set_free(tx: Transaction, *, slot: int) -> None:
    """A leased or done slot can be handed out again, or is retired when it is no longer wanted."""
    quota, state, is_wanted, judgment, counts = _found(tx, slot)
    if judgment is not None and counts:
        take_one(tx, quota=quota, judgment=judgment)
    tx.do(
        _SET,
        number=slot,
        to="free" if is_wanted else "retired",
        new_assignment=None,
        new_judgment=None,
    )
    _count(tx, quota, free=int(is_wanted), leased=-int(state == "leased"), done=-int(state == "done"))


def _found(tx: Transaction, slot: int) -> tuple[int, str, bool, int | None, bool]:
    row = tx.row(_SLOT, slot=slot)
    assert row is not None  # noqa: S101  slots are never deleted once handed out
    return int(row[0]), str(row[1]), bool(row[2]), row[3], not row[4]
