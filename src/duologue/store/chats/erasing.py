"""Erasing what an annotator who withdraws has written in live chats."""

from __future__ import annotations

from sqlalchemy import bindparam, case, select, update

from duologue.store.chats.chat import chat_numbered, drop_replies
from duologue.store.chats.held_dialogues import write_dialogues
from duologue.store.database.engine import Transaction
from duologue.store.database.schema import (
    WITHDRAWN_TEXT,
    assignments,
    chat_turns,
    chats,
    judgment_flags,
    judgments,
    reply_failures,
    selections,
    wanted_replies,
)

_THEIR_CHATS = select(assignments.c.chat, assignments.c.seat).where(
    assignments.c.annotator == bindparam("annotator"), assignments.c.chat.is_not(None)
)
_ERASE_TURNS = (
    update(chat_turns)
    .where(chat_turns.c.chat == bindparam("number"), chat_turns.c.seat == bindparam("by"))
    .values(text=WITHDRAWN_TEXT, meta="")
)
_ERASE_CAUSES = (
    update(reply_failures).where(reply_failures.c.chat == bindparam("number")).values(cause=WITHDRAWN_TEXT)
)
_ERASE_CANDIDATES = (
    update(wanted_replies)
    .where(wanted_replies.c.chat == bindparam("number"), wanted_replies.c.text != "")
    .values(text=WITHDRAWN_TEXT, meta="")
)
_ERASE_WRITTEN = (
    update(selections)
    .where(
        selections.c.assignment.in_(
            select(assignments.c.n).where(assignments.c.annotator == bindparam("annotator"))
        )
    )
    .values(written=case((selections.c.written == "", ""), else_=WITHDRAWN_TEXT), answer="")
)
_MARK_ERASED = update(chats).where(chats.c.n == bindparam("number")).values(is_erased=True)
_ERASE_FLAGS = (
    update(judgment_flags)
    .where(
        judgment_flags.c.judgment.in_(
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
    """Erase the turns, drafts, written replies and flagged words of an annotator; that they were is kept.

    A bot's replies go too, chosen or not, and why they failed: bots repeat what they are told. What another
    person said is that person's, and stays.
    """
    for number, seat in tx.rows(_THEIR_CHATS, annotator=annotator):
        chat = chat_numbered(tx, number)
        for by in (seat,) if chat.is_human else (0, 1):
            tx.do(_ERASE_TURNS, number=number, by=by)
        tx.do(_ERASE_CANDIDATES, number=number)
        tx.do(_ERASE_CAUSES, number=number)
        tx.do(_MARK_ERASED, number=number)
        drop_replies(tx, number)
        if chat.is_over:
            write_dialogues(tx, number)
    tx.do(_ERASE_FLAGS, annotator=annotator)
    tx.do(_ERASE_DRAFTS, annotator=annotator)
    tx.do(_ERASE_WRITTEN, annotator=annotator)
