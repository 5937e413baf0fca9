"""Personas and topics an annotator has had: the next live chat has others, as long as there are some."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import bindparam, exists, select

from duologue.protocols import ChatPlan, chat_plan, item_of
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import assignments, chats, items, slots

AT_ONCE = 64
"""Slots that are looked at in one go; the first few are usually enough."""

_HAD = (
    select(items.c.body)
    .select_from(assignments.join(items, items.c.n == assignments.c.item))
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.chat.is_not(None))
)
_JOINED = (
    select(items.c.body)
    .select_from(
        assignments.join(chats, chats.c.n == assignments.c.chat).join(items, items.c.n == chats.c.item)
    )
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.seat == 1)
)
_FREE = (
    select(slots.c.n, slots.c.item, slots.c.shown, items.c.body, slots.c.position)
    .select_from(slots.join(items, items.c.n == slots.c.item))
    .where(
        slots.c.quota == bindparam("quota"),
        slots.c.state == "free",
        slots.c.position > bindparam("after"),
        ~exists().where(
            assignments.c.annotator == bindparam("annotator"), assignments.c.item == slots.c.item
        ),
    )
    .order_by(slots.c.position)
    .limit(AT_ONCE)
)


class BriefingHistory:
    """What one annotator was told in live chats so far: personas of either side, and topics."""

    def __init__(self, tx: Transaction, annotator: int) -> None:
        self._tx, self._annotator = tx, annotator
        rows = (*tx.rows(_HAD, annotator=annotator), *tx.rows(_JOINED, annotator=annotator))
        self._had = {told for (body,) in rows for told in _told(body)}

    def free_slot(self, quota: int) -> Row | None:
        """The first free slot of a group with the fewest things that the annotator was told before.

        None where that makes no difference: nobody was told anything yet, or the group has no slot.
        """
        if not self._had:
            return None
        best: tuple[int, Row] | None = None
        for row in self._free(quota):
            again = sum(told in self._had for told in _told(row[3]))
            if best is None or again < best[0]:
                best = again, row[:3]
            if not again:
                break
        return None if best is None else best[1]

    def _free(self, quota: int) -> Iterator[Row]:
        after = -1
        while rows := self._tx.rows(_FREE, annotator=self._annotator, quota=quota, after=after):
            yield from rows
            after = rows[-1][4]


def _told(body: str) -> tuple[tuple[str, ...], ...]:
    """What a live chat tells its speakers, each thing as lines; nothing for an item of another kind."""
    plan = chat_plan(item_of(body)) or ChatPlan()
    return tuple(lines for lines in (plan.persona, plan.annotator_persona, (plan.topic,)) if any(lines))
