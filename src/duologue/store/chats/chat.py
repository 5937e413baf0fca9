"""Live chats as rows: how one begins, moves on turn by turn, and ends as a dialogue.

Seat 0 has the annotator who came first, seat 1 the bots of the item or a second annotator. The human's turn
and the replies that are then wanted are stored together, so that after a crash at any moment the chat goes
on where it was. What becomes of several candidates is said in `candidates`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sqlalchemy import bindparam, func, insert, select, update

from duologue.dialogues import Json
from duologue.protocols import HUMAN, ChatPlan, Item, chat_plan, item_of
from duologue.seeds import seed_sequence
from duologue.store.chats.held_dialogues import write_dialogues
from duologue.store.database.encoding import json_text, later, new_id
from duologue.store.database.engine import Row, RowSource, Transaction
from duologue.store.database.schema import chat_turns, chats, items, slots, wanted_replies
from duologue.store.records import ChatEnding, ChatState, ChatTurn
from duologue.store.sittings.orders import candidate_order
from duologue.studies import StudyRules

COMPLETE: ChatEnding = "complete"
BOT_FAILED: ChatEnding = "bot-failed"
NO_PARTNER: ChatEnding = "no-partner"
PARTNER_LEFT: ChatEnding = "partner-left"
SKIPPED: ChatEnding = "skipped"

OPENER = "opener"
"""The key of a first turn that was given and not made up."""


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A chat's row, and the item that it is held for."""

    item: Item
    plan: ChatPlan
    n: int
    id: str
    item_number: int
    arm: str
    state: str
    next_seat: int
    ending: ChatEnding
    turns_0: int
    turns_1: int
    min_exchanges: int
    max_exchanges: int
    change: int
    since: str
    waits_until: str | None

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots that answer, by candidate; people are one too."""
        return self.item.bots

    @property
    def is_human(self) -> bool:
        """Whether two people chat."""
        return self.bots == (HUMAN,)

    @property
    def is_plain(self) -> bool:
        """Whether one reply is wanted at a time, which is the next turn as soon as it comes."""
        return len(self.bots) == 1 and not self.plan.choose

    @property
    def threads(self) -> int:
        """How many conversations it is made of."""
        return len(self.bots) if self.plan.histories == "own" else 1

    @property
    def is_over(self) -> bool:
        """Whether nothing more is said in it."""
        return self.state == "ended"

    @property
    def place(self) -> int:
        """Where the next turn comes."""
        return self.turns_0 + self.turns_1

    @property
    def exchanges(self) -> int:
        """How many times both have spoken."""
        return min(self.turns_0, self.turns_1)

    @property
    def can_end(self) -> bool:
        """Whether an annotator may end it now."""
        is_long_enough = self.exchanges >= self.min_exchanges
        return self.state == "failed" or (self.state == "open" and is_long_enough)

    @property
    def is_usable(self) -> bool:
        """Whether it can be judged."""
        return self.is_over and (self.ending == COMPLETE or self.exchanges >= self.min_exchanges)

    def state_for(self, seat: int) -> ChatState:
        """Its state as somebody in it sees it."""
        if self.state == "open":
            return "annotator" if self.next_seat == seat else "partner"
        return self.state  # type: ignore[return-value]


CHAT_COLUMNS = (
    chats.c.n,
    chats.c.id,
    chats.c.item,
    chats.c.arm,
    chats.c.state,
    chats.c.next_seat,
    chats.c.ending,
    chats.c.turns_0,
    chats.c.turns_1,
    chats.c.min_exchanges,
    chats.c.max_exchanges,
    chats.c.change,
    chats.c.since,
    chats.c.waits_until,
    select(items.c.body).where(items.c.n == chats.c.item).correlate(chats).scalar_subquery(),
)
"""What `chat_of` needs to know of a chat."""
_CHAT = select(*CHAT_COLUMNS).where(chats.c.n == bindparam("chat"))


def chat_of(row: Row) -> ChatRow:
    """A chat from the values of `CHAT_COLUMNS`."""
    item, plan = _planned(row[-1])
    return ChatRow(item, plan, *row[:-1])


@lru_cache(maxsize=1_000)
def _planned(body: str) -> tuple[Item, ChatPlan]:
    item = item_of(body)
    return item, chat_plan(item) or ChatPlan()


def chat_numbered(asked: RowSource, number: int) -> ChatRow:
    """A chat by the number of its row."""
    row = asked.row(_CHAT, chat=number)
    assert row is not None  # noqa: S101  assignments point to chats that are there
    return chat_of(row)


_TURNS = (
    select(
        chat_turns.c.place,
        chat_turns.c.seat,
        chat_turns.c.text,
        chat_turns.c.at,
        chat_turns.c.seconds,
        chat_turns.c.thread,
    )
    .where(chat_turns.c.chat == bindparam("chat"))
    .order_by(chat_turns.c.place, chat_turns.c.thread)
)


def turns_of(asked: RowSource, chat: int, *, seat: int, thread: int | None = None) -> tuple[ChatTurn, ...]:
    """What was said so far, as somebody in the chat sees it; in one thread only, where there are several."""
    return tuple(
        ChatTurn(place, by == seat, said, at, seconds, in_thread)
        for place, by, said, at, seconds, in_thread in asked.rows(_TURNS, chat=chat)
        if thread is None or by == 0 or in_thread == thread
    )


_others = chats.alias("others")
_next_news = select(func.coalesce(func.max(_others.c.news), 0) + 1).scalar_subquery()
_ADD_CHAT = insert(chats).values(change=1, news=_next_news).returning(chats.c.n)
_MOVE = (
    update(chats)
    .where(chats.c.n == bindparam("number"))
    .values(
        state=bindparam("new_state"),
        next_seat=bindparam("new_seat"),
        ending=bindparam("new_ending"),
        turns_0=bindparam("new_turns_0"),
        turns_1=bindparam("new_turns_1"),
        since=bindparam("new_since"),
        waits_until=bindparam("new_wait"),
        ended_at=bindparam("new_end"),
        change=chats.c.change + 1,
        news=_next_news,
    )
    .returning(chats.c.change)
)


def begin(
    tx: Transaction, caps: StudyRules, *, number: int, item: Item, arm: str, slot: int | None
) -> ChatRow:
    """A new chat: with bots it begins at once, with a person when there is one.

    Args:
        tx: The transaction.
        caps: What to hold to.
        number: Of the item's row.
        item: The item.
        arm: The annotator's.
        slot: What the chat is to fill, if anything; candidates are shown in orders balanced over those.
    """
    plan = chat_plan(item) or ChatPlan()
    waits = item.bots == (HUMAN,)
    until = later(tx.now, caps.chat.waiting_minutes * 60) if waits else None
    chat = ChatRow(
        n=0,
        id=f"chat-{new_id()}",
        item_number=number,
        arm=arm,
        state="waiting" if waits else "open",
        next_seat=int(plan.first == "partner"),
        ending="",
        turns_0=0,
        turns_1=0,
        min_exchanges=caps.chat.min_exchanges,
        max_exchanges=caps.chat.max_exchanges,
        change=1,
        since=tx.now,
        waits_until=until,
        item=item,
        plan=plan,
    )
    row = tx.row(
        _ADD_CHAT,
        id=chat.id,
        item=number,
        arm=arm,
        state=chat.state,
        next_seat=chat.next_seat,
        min_exchanges=chat.min_exchanges,
        max_exchanges=chat.max_exchanges,
        since=tx.now,
        began_at=tx.now,
        waits_until=until,
    )
    assert row is not None  # noqa: S101  an insert that returns its number
    chat = replace(chat, n=row[0])
    if waits or chat.next_seat == 0:
        return chat
    if plan.opener:
        return add_turns(tx, chat, seat=1, said=_openers(chat))
    want_replies(tx, chat, seed=caps.seed, slot=slot)
    return chat


def move(tx: Transaction, chat: ChatRow) -> ChatRow:
    """Store how a chat stands now, as its next change."""
    row = tx.row(
        _MOVE,
        number=chat.n,
        new_state=chat.state,
        new_seat=chat.next_seat,
        new_ending=chat.ending,
        new_turns_0=chat.turns_0,
        new_turns_1=chat.turns_1,
        new_since=tx.now,
        new_wait=chat.waits_until,
        new_end=tx.now if chat.is_over else None,
    )
    assert row is not None  # noqa: S101  an update that returns its change
    return replace(chat, change=row[0], since=tx.now)


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn that is about to be stored."""

    text: str
    key: str
    seconds: float | None = None
    meta: Mapping[str, Json] | None = None
    candidate: int | None = None
    """Which bot of the item said it; None for a person."""
    thread: int = 0


def _openers(chat: ChatRow) -> tuple[NewTurn, ...]:
    """The first turn that is given, once for every thread."""
    keys = [OPENER, *(f"{OPENER}-{number}" for number in range(1, chat.threads))]
    return tuple(NewTurn(chat.plan.opener, key, thread=thread) for thread, key in enumerate(keys))


_ADD_TURN = insert(chat_turns)


def add_turns(tx: Transaction, chat: ChatRow, *, seat: int, said: Sequence[NewTurn]) -> ChatRow:
    """Store a turn, or one of every thread, and pass to the other seat; the last one ends the chat."""
    for turn in said:
        tx.do(
            _ADD_TURN,
            chat=chat.n,
            place=chat.place,
            seat=seat,
            text=turn.text,
            key=turn.key,
            at=tx.now,
            seconds=turn.seconds,
            meta=json_text(dict(turn.meta)) if turn.meta else "",
            thread=turn.thread,
            candidate=turn.candidate,
        )
    after = replace(
        chat,
        state="open",
        next_seat=1 - seat,
        turns_0=chat.turns_0 + (seat == 0),
        turns_1=chat.turns_1 + (seat == 1),
    )
    return end(tx, after, COMPLETE) if after.exchanges >= after.max_exchanges else move(tx, after)


_ADD_WANTED = insert(wanted_replies)
_POSITION = select(slots.c.position).where(slots.c.n == bindparam("slot"))


def want_replies(tx: Transaction, chat: ChatRow, *, seed: int, slot: int | None) -> None:
    """Every bot owes this chat its next turn; where they will be shown is drawn now."""
    place = str(chat.place)
    shown: Sequence[int] = range(len(chat.bots))
    if chat.plan.choose and len(chat.bots) > 1:
        row = tx.row(_POSITION, slot=slot)
        shown = candidate_order(
            len(chat.bots),
            seed=seed,
            arm=chat.arm,
            group=chat.item.group,
            turn=chat.place,
            position=0 if row is None else int(row[0]),
        )
    for candidate, bot in enumerate(chat.bots):
        names = (chat.id, place, str(candidate)) if candidate else (chat.id, place)
        drawn = seed_sequence(seed, "reply", *names).generate_state(1)[0]
        tx.do(
            _ADD_WANTED,
            id=new_id(),
            chat=chat.n,
            place=chat.place,
            bot=bot,
            seed=int(drawn),
            state="open",
            due_at=tx.now,
            candidate=candidate,
            shown=shown.index(candidate),
        )


_DROP_REPLIES = (
    update(wanted_replies)
    .where(wanted_replies.c.chat == bindparam("number"), wanted_replies.c.state != "given")
    .values(state="dropped")
)


def end(tx: Transaction, chat: ChatRow, ending: ChatEnding) -> ChatRow:
    """Nothing more is said in the chat; what was said becomes a dialogue."""
    drop_replies(tx, chat.n)
    after = move(tx, replace(chat, state="ended", ending=ending, waits_until=None))
    write_dialogues(tx, after.n)
    return after


def drop_replies(tx: Transaction, chat: int) -> None:
    """Ask for no reply that the chat still waits for."""
    tx.do(_DROP_REPLIES, number=chat)


def settled(tx: Transaction, chat: ChatRow) -> ChatRow:
    """The chat, ended when it has waited long enough for a partner."""
    if chat.state == "waiting" and chat.waits_until is not None and chat.waits_until <= tx.now:
        return end(tx, chat, NO_PARTNER)
    return chat


def leave(tx: Transaction, number: int) -> None:
    """Somebody's lease of a chat has ended: where two people chat, the other is alone now."""
    chat = chat_numbered(tx, number)
    if chat.is_human and not chat.is_over:
        end(tx, chat, NO_PARTNER if chat.state == "waiting" else PARTNER_LEFT)


def skip(tx: Transaction, chat: ChatRow) -> ChatEnding:
    """Somebody skips a chat, which ends it for both; what their assignment is credited for."""
    if chat.is_over:
        return SKIPPED if chat.is_usable else chat.ending
    end(tx, chat, PARTNER_LEFT if chat.is_human else SKIPPED)
    return SKIPPED


def reopen(tx: Transaction, chat: ChatRow) -> ChatRow:
    """A chat in which no reply came waits for it again."""
    return move(tx, replace(chat, state="open"))


def fail(tx: Transaction, chat: ChatRow) -> ChatRow:
    """No reply came: the annotator chooses whether to try again."""
    return move(tx, replace(chat, state="failed"))
