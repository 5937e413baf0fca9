"""Who sits in a live chat: an annotator opens one, or joins another annotator who waits for a partner."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, and_, bindparam, exists, select

from duologue.protocols import CHAT, HUMAN, ChatPlan, Item, chat_plan
from duologue.store.chats import chat as live
from duologue.store.chats.chat import CHAT_COLUMNS, ChatRow, chat_of
from duologue.store.chats.partner_plans import plan_of_partner
from duologue.store.database.engine import RowSource, Transaction
from duologue.store.database.schema import assignments, chats, is_waiting, items
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class Seat:
    """One place in a live chat."""

    chat: ChatRow
    number: int


_theirs = assignments.alias("theirs")
_mine = assignments.alias("mine")
_before = assignments.alias("before")
_is_waiting_for_me: ColumnElement[bool] = and_(
    is_waiting,
    chats.c.arm == bindparam("arm"),
    chats.c.waits_until > bindparam("now"),
    _theirs.c.chat == chats.c.n,
    _theirs.c.state == "running",
    _theirs.c.annotator != bindparam("annotator"),
    ~exists().where(
        _mine.c.annotator == bindparam("annotator"),
        _mine.c.chat.is_not(None),
        _before.c.chat == _mine.c.chat,
        _before.c.annotator == _theirs.c.annotator,
    ),
)
_PARTNER = select(*CHAT_COLUMNS).where(_is_waiting_for_me).order_by(chats.c.n).limit(1)
_GROUP_OF_PARTNER = (
    select(items.c.group_name)
    .where(_is_waiting_for_me, items.c.n == chats.c.item)
    .order_by(chats.c.n)
    .limit(1)
)


def group_in_waiting_room(asked: RowSource, *, annotator: int, arm: str, now: str) -> str | None:
    """The group in which somebody waits whom this annotator has not chatted with; None when nobody does."""
    row = asked.row(_GROUP_OF_PARTNER, annotator=annotator, arm=arm, now=now)
    return None if row is None else str(row[0])


def take_seat(
    tx: Transaction, caps: StudyRules, *, annotator: int, arm: str, number: int, item: Item, slot: int | None
) -> Seat | None:
    """A seat in the live chat that an item asks for; None when it asks for none."""
    if not item.extras or chat_plan(item) is None:
        return None
    tx.shut_others_out()
    if item.bots == (HUMAN,):
        row = tx.row(_PARTNER, annotator=annotator, arm=arm, now=tx.now)
        if row is not None:
            return Seat(live.move(tx, replace(chat_of(row), state="open", waits_until=None)), 1)
    return Seat(live.begin(tx, caps, number=number, item=item, arm=arm, slot=slot), 0)


def seen_by(seat: Seat, item: Item) -> Item:
    """An annotator's item with the plan of the chat as it is for them.

    Of two people who chat, the plan of the one who came first holds; for the other, personas change sides.
    """
    if seat.number == 0:
        return item
    plan = plan_of_partner(seat.chat.plan, chat_plan(item) or ChatPlan())
    return replace(item, extras={**item.extras, CHAT: plan.record()})
