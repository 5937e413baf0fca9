"""Live chats that cannot go on: nobody came to the waiting room, or one of two people left."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from duologue.store.chats.chat import CHAT_COLUMNS, chat_of, settled
from duologue.store.database.engine import Reading, Transaction
from duologue.store.database.operations import Operation, only_if, reads, writes
from duologue.store.database.schema import assignments, chats, is_chat, is_running, is_waiting
from duologue.store.sittings.leases import IN_HANDS, end_assignments

_WAITED_LONG = select(*CHAT_COLUMNS).where(is_waiting, chats.c.waits_until <= bindparam("now"))
_LEFT = select(*IN_HANDS).where(is_running, assignments.c.expires_at <= bindparam("now"), is_chat)


def end_stale_chats() -> Operation[int]:
    """End the chats for which no partner came, and those that one of two people left; how many."""
    return only_if(_is_any_stale(), _end_stale(), otherwise=0)


@reads
def _is_any_stale(reading: Reading) -> bool:
    """Whether there is a chat to end."""
    return any(reading.row(query, now=reading.now) is not None for query in (_WAITED_LONG, _LEFT))


@writes
def _end_stale(tx: Transaction) -> int:
    """End the chats that have waited long enough, and take back those whose annotator left."""
    waited = [chat_of(row) for row in tx.rows(_WAITED_LONG, now=tx.now)]
    for chat in waited:
        settled(tx, chat)
    left = tx.rows(_LEFT, now=tx.now)
    end_assignments(tx, left)
    return len(waited) + len(left)
