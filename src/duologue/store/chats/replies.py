"""Replies that bots owe live chats: taken on a lease, and stored by whoever comes first.

Whoever takes one asks the bot and brings back a reply or a failure. If they die, the lease runs out and the
reply is taken again: a bot may be asked more than once, and the chat has one reply all the same.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import bindparam, insert, select, update

from duologue.dialogues import Json
from duologue.errors import NotFound
from duologue.protocols import chat_plan, item_of
from duologue.store.chats import chat as live
from duologue.store.chats.candidates import keep_candidate, settle_turn
from duologue.store.database.encoding import can_be_stored, later, seconds_between
from duologue.store.database.engine import Reading, RowSource, Transaction
from duologue.store.database.operations import Operation, only_if, reads, writes
from duologue.store.database.schema import assignments, chats, is_open, items, reply_failures, wanted_replies
from duologue.store.records import GivenReply, WantedReply

FOR_EVER = 1e9
"""Seconds: some thirty years."""

_BOTS_DUE = (
    select(wanted_replies.c.bot).where(is_open, wanted_replies.c.due_at <= bindparam("now")).distinct()
)
_DUE = (
    select(
        wanted_replies.c.n,
        wanted_replies.c.id,
        wanted_replies.c.chat,
        wanted_replies.c.bot,
        wanted_replies.c.seed,
        wanted_replies.c.attempts,
        wanted_replies.c.candidate,
    )
    .where(is_open, wanted_replies.c.due_at <= bindparam("now"))
    .order_by(wanted_replies.c.due_at, wanted_replies.c.n)
)
_LEASE = (
    update(wanted_replies)
    .where(wanted_replies.c.n == bindparam("number"))
    .values(attempts=wanted_replies.c.attempts + 1, due_at=bindparam("new_due"))
)
_RENEW = (
    update(wanted_replies)
    .where(wanted_replies.c.id == bindparam("wanted"), is_open)
    .values(due_at=bindparam("new_due"))
)
_ITEM_OF_CHAT = (
    select(items.c.body, assignments.c.key, chats.c.since)
    .select_from(
        chats.join(items, items.c.n == chats.c.item).join(assignments, assignments.c.chat == chats.c.n)
    )
    .where(chats.c.n == bindparam("chat"), assignments.c.seat == 0)
)


@reads
def _is_any_due(reading: Reading, bots: Collection[str]) -> bool:
    """Whether there is a reply to be taken."""
    return any(bot in bots for (bot,) in reading.rows(_BOTS_DUE, now=reading.now))


_OVERDUE = (
    select(wanted_replies.c.id, wanted_replies.c.bot)
    .select_from(wanted_replies.join(chats, chats.c.n == wanted_replies.c.chat))
    .where(is_open, wanted_replies.c.due_at <= bindparam("now"), chats.c.since <= bindparam("long_ago"))
)


def fail_overdue_replies(*, bots: Collection[str], wait_seconds: float) -> Operation[bool]:
    """Let replies of these bots fail that nobody could ask for in this time; whether there were any."""
    return only_if(_is_any_overdue(bots, wait_seconds), _fail_overdue(bots, wait_seconds), otherwise=False)


@reads
def _is_any_overdue(reading: Reading, bots: Collection[str], wait_seconds: float) -> bool:
    """Whether nobody has asked a bot for a reply in all the time that it may take."""
    return bool(_overdue(reading, bots, wait_seconds))


@writes
def _fail_overdue(tx: Transaction, bots: Collection[str], wait_seconds: float) -> bool:
    """Let replies fail that have been wanted for too long: the bot was always busy with others."""
    overdue = _overdue(tx, bots, wait_seconds)
    for wanted in overdue:
        fail_reply.within(tx, wanted, f"the bot was busy with other chats for {wait_seconds:g} s.")
    return bool(overdue)


def _overdue(asked: RowSource, bots: Collection[str], wait_seconds: float) -> tuple[str, ...]:
    rows = asked.rows(_OVERDUE, now=asked.now, long_ago=later(asked.now, -wait_seconds))
    return tuple(wanted for wanted, bot in rows if bot in bots)


_WAITED_FOR = select(wanted_replies.c.n, wanted_replies.c.attempts).where(
    wanted_replies.c.chat == bindparam("number"), is_open
)


def note_given_up(tx: Transaction, chat: live.ChatRow) -> None:
    """Record that the annotator ended the chat while a reply was waited for."""
    for number, attempts in tx.rows(_WAITED_FOR, number=chat.n):
        waited = seconds_between(chat.since, tx.now)
        cause = f"the annotator ended the chat after waiting {waited:.0f} s for the reply."
        tx.do(_ADD_FAILURE, reply=number, chat=chat.n, attempt=attempts, cause=cause, at=tx.now)


def take_replies(
    *, bots: Collection[str], lease_seconds: float, limit: int = 32, wait_seconds: float = FOR_EVER
) -> Operation[tuple[WantedReply, ...]]:
    """Take replies that are wanted of these bots, oldest first; nobody else gets them meanwhile.

    Args:
        bots: Whose replies can be got here.
        lease_seconds: How long they are ours; then they are to be had again.
        limit: How many at most.
        wait_seconds: Those that nobody could ask for in this time fail instead.
    """
    return only_if(_is_any_due(bots), _take(bots, lease_seconds, limit, wait_seconds), otherwise=())


@writes
def _take(
    tx: Transaction, bots: Collection[str], lease_seconds: float, limit: int, wait_seconds: float
) -> tuple[WantedReply, ...]:
    _fail_overdue.within(tx, bots, wait_seconds)
    due = [row for row in tx.rows(_DUE, now=tx.now) if row[3] in bots][:limit]
    return tuple(_taken(tx, row, lease_seconds) for row in due)


@writes
def renew_replies(tx: Transaction, wanted: Collection[str], *, lease_seconds: float) -> None:
    """Keep replies that were taken for a further lease; those that nobody waits for stay as they are."""
    for reply in wanted:
        tx.do(_RENEW, wanted=reply, new_due=later(tx.now, lease_seconds))


def _taken(tx: Transaction, row: tuple[object, ...], lease_seconds: float) -> WantedReply:
    number, key, chat, bot, seed, attempts, candidate = row
    tx.do(_LEASE, number=number, new_due=later(tx.now, lease_seconds))
    there = tx.row(_ITEM_OF_CHAT, chat=chat)
    assert there is not None  # noqa: S101  a chat has an item, and somebody in its first seat
    body, assignment, since = there
    item = item_of(body)
    plan = chat_plan(item)
    is_own = plan is not None and plan.histories == "own"
    return WantedReply(
        id=str(key),
        bot=str(bot),
        item=item,
        turns=live.turns_of(tx, int(str(chat)), seat=0, thread=int(str(candidate)) if is_own else None),
        seed=int(str(seed)),
        attempt=int(str(attempts)) + 1,
        assignment=assignment,
        waited_seconds=seconds_between(since, tx.now),
        candidate=int(str(candidate)),
    )


@dataclass(frozen=True, slots=True)
class _WantedRow:
    """A wanted reply's row."""

    n: int
    chat: int
    place: int
    seed: int
    state: str
    attempts: int


_WANTED = select(
    wanted_replies.c.n,
    wanted_replies.c.chat,
    wanted_replies.c.place,
    wanted_replies.c.seed,
    wanted_replies.c.state,
    wanted_replies.c.attempts,
).where(wanted_replies.c.id == bindparam("by_id"))
_SET_STATE = (
    update(wanted_replies)
    .where(wanted_replies.c.n == bindparam("number"))
    .values(state=bindparam("new_state"))
)
_ADD_FAILURE = insert(reply_failures)


@writes
def store_reply(tx: Transaction, wanted: str, given: GivenReply) -> bool:
    """Store what a bot answered; whether it was the first reply and the chat still waited for it.

    A reply that is empty, or that no database can hold, is a failure.

    Raises:
        NotFound: There is no such wanted reply.
    """
    row = _wanted(tx, wanted)
    chat = live.chat_numbered(tx, row.chat)
    is_awaited = chat.state in ("open", "failed") and chat.place == row.place
    if row.state not in ("open", "failed") or not is_awaited:
        return False
    if not given.text.strip():
        _fail(tx, row, chat, "the reply is empty")
        return False
    if not can_be_stored(given.text):
        _fail(tx, row, chat, "the reply has a character that cannot be stored")
        return False
    meta: dict[str, Json] = {"seed": row.seed}
    if given.tokens is not None:
        meta["tokens"] = given.tokens
    if given.meta:
        meta["meta"] = dict(given.meta)
    if chat.is_plain:
        tx.do(_SET_STATE, number=row.n, new_state="given")
        turn = live.NewTurn(given.text, wanted, given.seconds, meta, candidate=0)
        live.add_turns(tx, chat, seat=1, said=[turn])
    else:
        keep_candidate(tx, chat, row.n, given.text, given.seconds, meta)
    return True


@writes
def fail_reply(tx: Transaction, wanted: str, cause: str) -> None:
    """Record that a bot did not answer; a chat that waited for it stands still until somebody decides.

    Raises:
        NotFound: There is no such wanted reply.
    """
    row = _wanted(tx, wanted)
    _fail(tx, row, live.chat_numbered(tx, row.chat), cause)


def _wanted(tx: Transaction, wanted: str) -> _WantedRow:
    row = tx.row(_WANTED, by_id=wanted)
    if row is None:
        raise NotFound("wanted reply", wanted)
    return _WantedRow(*row)


def _fail(tx: Transaction, row: _WantedRow, chat: live.ChatRow, cause: str) -> None:
    tx.do(
        _ADD_FAILURE,
        reply=row.n,
        chat=row.chat,
        attempt=row.attempts,
        cause=cause.replace("\0", "\ufffd").encode("utf-8", "replace").decode(),
        at=tx.now,
    )
    if row.state == "open" and not chat.is_over:
        tx.do(_SET_STATE, number=row.n, new_state="failed")
        if chat.is_plain:
            live.fail(tx, chat)
        else:
            settle_turn(tx, chat)
