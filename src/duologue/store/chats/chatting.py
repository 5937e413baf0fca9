"""What an annotator does in a live chat: say, end, try again, leave; each one operation, all or nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import bindparam, select, update

from duologue.errors import AnswerError, ChatError, ChatOver, NotYourTurn
from duologue.protocols import FieldValue, FormValues
from duologue.store.chats import chat as live
from duologue.store.chats.chat import BOT_FAILED, COMPLETE, ChatRow, chat_numbered
from duologue.store.chats.replies import note_given_up
from duologue.store.database.encoding import can_be_stored, json_text, seconds_between
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import annotators, assignments, chat_turns, wanted_replies
from duologue.store.records import ItemStation, Station
from duologue.store.schedule.deadlines import GRACE_SECONDS, is_past
from duologue.store.sittings.crediting import credit
from duologue.store.sittings.judging import resume, station
from duologue.store.sittings.sitting import AssignmentRow, Sitting, assignment_of, sitting_of
from duologue.studies import StudyRules


@dataclass(frozen=True, slots=True)
class ChatAssignment:
    """An assignment that is a live chat, and in whose sitting."""

    sitting: Sitting
    row: AssignmentRow
    chat: ChatRow

    @property
    def is_in_hand(self) -> bool:
        """Whether the annotator may go on with it: it is leased to them, or can be again."""
        if self.sitting.block or self.row.n != self.sitting.assignment:
            return self.row.state == "running"
        return self.row.state == "running" or self.row.slot_state == "free"


_SAID_ALREADY = select(chat_turns.c.n).where(
    chat_turns.c.chat == bindparam("chat"), chat_turns.c.key == bindparam("by_key")
)
_NOTE_VISIT = (
    update(annotators).where(annotators.c.n == bindparam("number")).values(last_seen=bindparam("now"))
)


@writes
def take_turn(
    tx: Transaction,
    token: str,
    caps: StudyRules,
    *,
    assignment: str,
    text: str,
    key: str,
    seconds: float | None = None,
) -> Station:
    """Store what the annotator says, and that a reply to it is wanted. Repeating it changes nothing.

    Args:
        tx: The transaction.
        token: The capability in the annotator's link.
        caps: What to hold to.
        assignment: The key of the assignment.
        text: What they wrote.
        key: The idempotency key of the form.
        seconds: How long it took to write; None where the page could not tell.

    Raises:
        LinkUnknown: No annotator has this link.
        LinkRevoked: The researcher withdrew it.
        NotFound: The assignment is not one of this annotator's.
        NotYourTurn: The partner is to speak.
        ChatOver: The chat is over, or has gone to somebody else.
        AnswerError: There is no text, too much of it, or a character that cannot be stored.
    """
    check_text(text, caps)
    held = in_chat(tx, token, assignment)
    is_said = tx.row(_SAID_ALREADY, chat=held.chat.n, by_key=key) is not None
    if held.row.is_done or is_said:
        return station(tx, held.sitting, caps, saved=is_said)
    if is_past(held.row.deadline_at, tx.now, grace=GRACE_SECONDS):
        return station(tx, held.sitting, caps, saved=False)
    check_running(held)
    if held.chat.state_for(held.row.seat) != "annotator":
        raise NotYourTurn
    writing = seconds_taken(seconds, caps, since=held.chat.since, now=tx.now)
    turn = live.NewTurn(text, key, writing)
    after = live.add_turns(tx, held.chat, seat=held.row.seat, said=[turn])
    if not after.is_over and not after.is_human:
        live.want_replies(tx, after, seed=caps.seed, slot=held.row.slot)
    return working(tx, held, caps, after)


def check_text(text: str, caps: StudyRules, *, field: str = "text") -> None:
    """Refuse what cannot be a turn.

    Raises:
        AnswerError: There is no text, too much of it, or a character that cannot be stored.
    """
    most = caps.chat.max_message_chars
    if not text.strip():
        raise AnswerError("Please write something.", field=field)
    if len(text) > most:
        raise AnswerError(
            f"This is too long: {len(text)} characters, and at most {most} can be sent.", field=field
        )
    if not can_be_stored(text):
        raise AnswerError("The text has a character that cannot be stored. Please retype it.", field=field)


def seconds_taken(seconds: float | None, caps: StudyRules, *, since: str, now: str) -> float | None:
    """What the page counted, which is never longer than it has been the annotator's turn.

    Simulated annotators are believed, as they need not wait.
    """
    if seconds is None or not math.isfinite(seconds) or seconds < 0:
        return None
    return seconds if caps.is_rehearsed else min(seconds, seconds_between(since, now))


def in_chat(tx: Transaction, token: str, assignment: str) -> ChatAssignment:
    """An annotator in the live chat of an assignment.

    Raises:
        NotFound: The assignment is not one of this annotator's.
        ChatError: It is no live chat.
    """
    sitting = sitting_of(tx, token)
    row = assignment_of(tx, sitting, assignment)
    if row.chat is None:
        raise ChatError("This is no conversation. Please load the page again.")
    return ChatAssignment(sitting, row, live.settled(tx, chat_numbered(tx, row.chat)))


def check_running(held: ChatAssignment) -> None:
    """Refuse to go on where nothing more is said.

    Raises:
        ChatOver: The chat is over, or has gone to somebody else.
    """
    if held.chat.is_over or not held.is_in_hand:
        raise ChatOver


def working(tx: Transaction, held: ChatAssignment, caps: StudyRules, chat: ChatRow) -> Station:
    """The annotator goes on in this chat, on a fresh lease."""
    tx.do(_NOTE_VISIT, number=held.sitting.n, now=tx.now)
    return ItemStation(
        held.sitting.annotator, resume(tx, held.sitting, caps, held.row, chat=chat), saved=True
    )


@writes
def finish_chat(tx: Transaction, token: str, caps: StudyRules, *, assignment: str) -> Station:
    """The annotator ends the chat; one that is over stays as it is.

    Raises:
        ChatError: It may not be ended yet.
        ChatOver: It has gone to somebody else.
    """
    held = in_chat(tx, token, assignment)
    if held.chat.is_over:
        return station(tx, held.sitting, caps, saved=True)
    check_running(held)
    if held.chat.state == "choosing":
        raise ChatError("Please choose first; then the conversation can be ended.")
    if not held.chat.can_end and not _is_kept_waiting(held.chat, caps, tx.now):
        raise ChatError("The conversation is too short to be ended now. Please go on for a while.")
    is_long_enough = held.chat.exchanges >= held.chat.min_exchanges
    if not is_long_enough:
        note_given_up(tx, held.chat)
    after = live.end(tx, held.chat, COMPLETE if is_long_enough else BOT_FAILED)
    return working(tx, held, caps, after)


def _is_kept_waiting(chat: ChatRow, caps: StudyRules, now: str) -> bool:
    """Whether a bot has taken so long that the annotator may end the chat, with credit."""
    is_bots_turn = chat.state == "open" and not chat.is_human and chat.next_seat == 1
    return is_bots_turn and seconds_between(chat.since, now) >= caps.chat.offer_end_seconds


_WANT_AGAIN = (
    update(wanted_replies)
    .where(
        wanted_replies.c.chat == bindparam("number"),
        wanted_replies.c.place == bindparam("at_place"),
        wanted_replies.c.state == "failed",
    )
    .values(state="open", due_at=bindparam("now"))
)


@writes
def retry_reply(tx: Transaction, token: str, caps: StudyRules, *, assignment: str) -> Station:
    """The bot that gave no reply is to be asked again; where a reply is not missing nothing changes.

    Raises:
        ChatOver: The chat is over, or has gone to somebody else.
    """
    held = in_chat(tx, token, assignment)
    if held.row.is_done:
        return station(tx, held.sitting, caps, saved=True)
    check_running(held)
    if held.chat.state != "failed":
        return working(tx, held, caps, held.chat)
    tx.do(_WANT_AGAIN, number=held.chat.n, at_place=held.chat.place, now=tx.now)
    return working(tx, held, caps, live.reopen(tx, held.chat))


@writes
def abandon_chat(tx: Transaction, token: str, caps: StudyRules, *, assignment: str) -> Station:
    """Leave a chat that cannot go on, with credit, and get the next assignment.

    Raises:
        ChatError: The chat can go on, or can be judged.
    """
    held = in_chat(tx, token, assignment)
    if held.row.is_done:
        return station(tx, held.sitting, caps, saved=True)
    chat = held.chat
    if chat.state == "failed" and chat.exchanges < chat.min_exchanges:
        chat = live.end(tx, chat, BOT_FAILED)
    if not chat.is_over or chat.is_usable:
        raise ChatError("This conversation can go on, or be judged. Please load the page again.")
    after = credit(tx, held.sitting, held.row, chat.ending)
    return station(tx, after, caps, saved=True)


_KEEP_DRAFT = (
    update(assignments).where(assignments.c.n == bindparam("number")).values(draft=bindparam("new_draft"))
)


@writes
def keep_draft(
    tx: Transaction, token: str, caps: StudyRules, *, assignment: str, fields: Mapping[str, FieldValue]
) -> Station:
    """Keep what was answered so far; once the assignment is judged nothing changes.

    Raises:
        NotFound: The assignment is not one of this annotator's.
        AnswerError: A field holds a character that cannot be stored.
    """
    given = FormValues(fields)
    for name, value in given.pairs():
        if not can_be_stored(value):
            raise AnswerError(
                "The answer has a character that cannot be stored. Please retype it.", field=name
            )
    sitting = sitting_of(tx, token)
    held = assignment_of(tx, sitting, assignment)
    if not held.is_done:
        tx.do(_KEEP_DRAFT, number=held.n, new_draft=json_text(given.record()))
    return station(tx, sitting, caps, saved=held.is_judged or not held.is_done)
