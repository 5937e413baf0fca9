"""Personas and topics an annotator has had: the next live chat has others, as long as there are some.

Once all were had, those come again that were had least often, and of these the ones of longest ago. What the
last chat was about comes next only where nothing else is free.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import bindparam, exists, select

from duologue.protocols import ChatPlan, chat_plan, item_of
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import assignments, chats, items, slots

AT_ONCE = 64
"""Slots that are looked at in one go; the first few are usually enough."""

Told = tuple[str, tuple[str, ...]]
"""What a speaker is told: whether it is a persona or a topic, and the lines of it."""
_PERSONA, _TOPIC = "persona", "topic"

_HAD = (
    select(items.c.body)
    .select_from(
        assignments.join(chats, chats.c.n == assignments.c.chat).join(items, items.c.n == chats.c.item)
    )
    .where(assignments.c.annotator == bindparam("annotator"))
    .order_by(assignments.c.n)
)
"""Of two people who chat, the plan of the one who came first holds for both."""
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


@dataclass(frozen=True, slots=True)
class BriefedSlot:
    """A free slot; ``row`` has its number, its item and the shown order."""

    row: Row
    as_before: int
    """How many personas of the annotator's last chat it has (or its topic, where there are no personas)."""


class BriefingHistory:
    """What one annotator was told in live chats so far: personas of either side, and topics."""

    def __init__(self, tx: Transaction, annotator: int) -> None:
        self._tx, self._annotator = tx, annotator
        self._times: Counter[Told] = Counter()
        self._last_had: dict[Told, int] = {}
        self._before: frozenset[Told] = frozenset()
        for place, (body,) in enumerate(tx.rows(_HAD, annotator=annotator)):
            told = _told(body)
            self._times.update(told)
            self._last_had |= dict.fromkeys(told, place)
            self._before = frozenset(told)

    def free_slot(self, quota: int) -> BriefedSlot | None:
        """The first free slot of a group with the fewest things that the annotator was told before.

        None where that makes no difference: nobody was told anything yet, or the group has no slot.
        """
        if not self._times:
            return None
        best: tuple[tuple[int, int, int, int], Row] | None = None
        for row in self._free(quota):
            repeats = self._repeats(_told(row[3]))
            if best is None or repeats < best[0]:
                best = repeats, row[:3]
            if not any(repeats):
                break
        return None if best is None else BriefedSlot(best[1], best[0][0])

    def _repeats(self, told: tuple[Told, ...]) -> tuple[int, int, int, int]:
        """How far a chat repeats what was had: just before, how much of it, how often, how lately."""
        had = [one for one in told if one in self._times]
        as_before = sum(one in self._before for one in _personas(told) or told)
        often = sum(self._times[one] for one in had)
        lately = sum(self._last_had[one] for one in had)
        return as_before, len(had), often, lately

    def _free(self, quota: int) -> Iterator[Row]:
        after = -1
        while rows := self._tx.rows(_FREE, annotator=self._annotator, quota=quota, after=after):
            yield from rows
            after = rows[-1][4]


def _told(body: str) -> tuple[Told, ...]:
    """What a live chat tells its speakers; nothing for an item of another kind."""
    plan = chat_plan(item_of(body)) or ChatPlan()
    told = ((_PERSONA, plan.persona), (_PERSONA, plan.annotator_persona), (_TOPIC, (plan.topic,)))
    return tuple((what, lines) for what, lines in told if any(lines))


def _personas(told: tuple[Told, ...]) -> tuple[Told, ...]:
    return tuple(one for one in told if one[0] == _PERSONA)
