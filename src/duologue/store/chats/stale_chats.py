"""Live chats that cannot go on: nobody came to the waiting room, or one of two people left."""

from __future__ import annotations

from sqlalchemy import bindparam, select

from duologue.store.chats.chat import CHAT_COLUMNS, ChatRow, settled
from duologue.store.database.engine import Asks, Transaction
from duologue.store.database.schema import assignments, chats, is_chat, is_running, is_waiting
from duologue.store.sittings.leases import IN_HANDS, end_assignments

_WAITED_LONG = select(*CHAT_COLUMNS).where(is_waiting, chats.c.waits_until <= bindparam("now"))
_LEFT = select(*IN_HANDS).where(is_running, assignments.c.expires_at <= bindparam("now"), is_chat)


def is_any_stale(asked: Asks, now: str) -> bool:
    """Whether there is a chat to end."""
    return any(asked.row(query, now=now) is not None for query in (_WAITED_LONG, _LEFT))


def end_stale_chats(tx: Transaction) -> int:
    """End the chats that have waited long enough, and take back those whose annotator left; how many."""
    waited = [ChatRow(*row) for row in tx.rows(_WAITED_LONG, now=tx.now)]
    for chat in waited:
        settled(tx, chat)
    left = tx.rows(_LEFT, now=tx.now)
    end_assignments(tx, left)
    return len(waited) + len(left)
