"""Erasing what an annotator who withdraws has written in live chats."""

from __future__ import annotations

from sqlalchemy import bindparam, select, update

from duologue.store.chats import chat_numbered, drop_replies
from duologue.store.database import Transaction
from duologue.store.held_dialogues import write_dialogues
from duologue.store.schema import WITHDRAWN_TEXT, assignments, chat_flags, chat_turns, chats, judgments

_THEIR_CHATS = select(assignments.c.chat, assignments.c.seat).where(
    assignments.c.annotator == bindparam("annotator"), assignments.c.chat.is_not(None)
)
_ERASE_TURNS = (
    update(chat_turns)
    .where(chat_turns.c.chat == bindparam("number"), chat_turns.c.seat == bindparam("by"))
    .values(text=WITHDRAWN_TEXT)
)
_MARK_ERASED = update(chats).where(chats.c.n == bindparam("number")).values(is_erased=True)
_ERASE_FLAGS = (
    update(chat_flags)
    .where(
        chat_flags.c.judgment.in_(
            select(judgments.c.n).where(judgments.c.annotator == bindparam("annotator"))
        )
    )
    .values(detail="")
)
_ERASE_DRAFTS = (
    update(assignments)
    .where(assignments.c.annotator == bindparam("annotator"), assignments.c.draft != "")
    .values(draft="")
)


def erase_chats(tx: Transaction, annotator: int) -> None:
    """Erase the turns, drafts and flagged words of an annotator; that there were turns is kept."""
    for chat, seat in tx.rows(_THEIR_CHATS, annotator=annotator):
        tx.do(_ERASE_TURNS, number=chat, by=seat)
        tx.do(_MARK_ERASED, number=chat)
        drop_replies(tx, chat)
        if chat_numbered(tx, chat).is_over:
            write_dialogues(tx, chat)
    tx.do(_ERASE_FLAGS, annotator=annotator)
    tx.do(_ERASE_DRAFTS, annotator=annotator)
