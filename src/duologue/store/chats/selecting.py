"""What an annotator chooses among the candidates of a turn, and how the chat goes on with it."""

from __future__ import annotations

from sqlalchemy import bindparam, func, insert, select

from duologue.errors import AnswerError, ChatError
from duologue.protocols import ChatPlan, Selection
from duologue.store.chats import chat as live
from duologue.store.chats.candidates import ReplyCard, candidates_at, cards_of
from duologue.store.chats.chat import ChatRow, NewTurn
from duologue.store.chats.chatting import (
    ChatAssignment,
    check_running,
    check_text,
    in_chat,
    seconds_taken,
    working,
)
from duologue.store.database.encoding import json_text, new_id
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.database.schema import selections
from duologue.store.records import Station
from duologue.store.sittings.judging import station
from duologue.store.sittings.orders import random_number
from duologue.store.sittings.sitting import assignment_of, sitting_of
from duologue.studies import StudyRules

_CHOSEN_ALREADY = select(selections.c.n).where(
    selections.c.assignment == bindparam("assignment"), selections.c.turn == bindparam("turn")
)
_LAST_CHOICE = select(func.max(selections.c.at)).where(selections.c.assignment == bindparam("assignment"))
_ADD = insert(selections)


@writes
def choose_candidates(
    tx: Transaction,
    token: str,
    caps: StudyRules,
    *,
    assignment: str,
    selection: Selection,
    key: str,
    seconds: float | None = None,
) -> Station:
    """Store what was chosen, and go on with it. Repeating it changes nothing: the first selection stays.

    Of a finished dialogue it is only stored, for every turn of an assignment once.

    Args:
        tx: The transaction.
        token: The capability in the annotator's link.
        caps: What to hold to.
        assignment: The key of the assignment.
        selection: What was chosen.
        key: The idempotency key of the form.
        seconds: How long it took; None where the page could not tell.

    Raises:
        NotFound: The assignment is not one of this annotator's.
        ChatOver: The chat is over, or has gone to somebody else.
        ChatError: There is nothing to choose at this turn now.
        AnswerError: It is not what may be chosen, or the written reply is too short or too long.
    """
    sitting = sitting_of(tx, token)
    held = assignment_of(tx, sitting, assignment)
    is_known = tx.row(_CHOSEN_ALREADY, assignment=held.n, turn=selection.turn) is not None
    if held.is_done or is_known:
        return station(tx, sitting, caps, saved=is_known)
    if held.chat is None:
        if selection.written:
            check_text(selection.written, caps, field="written")
        (last,) = tx.row(_LAST_CHOICE, assignment=held.n) or (None,)
        taken = seconds_taken(seconds, caps, since=last or held.leased_at, now=tx.now)
        _store(tx, held.n, selection, selection.shown, None, taken, key)
        return station(tx, sitting, caps, saved=True)
    return _go_on(tx, in_chat(tx, token, assignment), caps, selection, seconds, key)


def _go_on(
    tx: Transaction,
    held: ChatAssignment,
    caps: StudyRules,
    selection: Selection,
    seconds: float | None,
    key: str,
) -> Station:
    check_running(held)
    chat = held.chat
    if chat.state != "choosing" or chat.place != selection.turn:
        raise ChatError("There is nothing to choose here now. Please load the page again.")
    candidates = candidates_at(tx, chat)
    cards = cards_of(candidates)
    _check(chat.plan, selection, cards, caps)
    taken = seconds_taken(seconds, caps, since=chat.since, now=tx.now)
    shown = tuple(card.numbers for card in cards)
    turn = _continuation(chat, selection, cards, caps, taken)
    is_complete = all(candidate.is_given for candidate in candidates)
    _store(tx, held.row.n, selection, shown, turn.candidate, taken, key, is_complete=is_complete)
    return working(tx, held, caps, live.add_turns(tx, chat, seat=1, said=[turn]))


def _check(plan: ChatPlan, selection: Selection, cards: tuple[ReplyCard, ...], caps: StudyRules) -> None:
    chosen, written = selection.chosen, selection.written.strip()
    if len(set(chosen)) < len(chosen) or not all(1 <= card <= len(cards) for card in chosen):
        raise AnswerError("Please choose among the replies that are shown.", field="chosen")
    if plan.choose == "one" and len(chosen) != 1:
        raise AnswerError("Please choose one of the replies.", field="chosen")
    if not chosen and plan.goes_on == "chosen":
        raise AnswerError("Please choose at least one of the replies.", field="chosen")
    if written and (chosen or plan.goes_on != "annotator"):
        raise AnswerError("A reply can be written only where none of those shown is chosen.", field="written")
    if not chosen and plan.goes_on == "annotator":
        if len(written) < plan.min_written:
            raise AnswerError(
                f"Please write a better reply, with at least {plan.min_written} characters.", field="written"
            )
        check_text(selection.written, caps, field="written")


def _continuation(
    chat: ChatRow, selection: Selection, cards: tuple[ReplyCard, ...], caps: StudyRules, seconds: float | None
) -> NewTurn:
    """The chat's next turn: what was written, what was chosen, or one at random of those that may be."""
    if selection.written.strip():
        return NewTurn(selection.written, f"written-{chat.place}", seconds, {"written": True})
    may_be = [cards[number - 1] for number in sorted(selection.chosen)] or list(cards)
    drawn = random_number(caps.seed, "continuation", "\0".join((chat.arm, chat.item.id, str(chat.place))))
    return may_be[drawn % len(may_be)].candidates[0].as_turn(thread=0)


def _store(
    tx: Transaction,
    assignment: int,
    selection: Selection,
    shown: tuple[tuple[int, ...], ...],
    continuation: int | None,
    seconds: float | None,
    key: str,
    *,
    is_complete: bool = True,
) -> None:
    tx.do(
        _ADD,
        id=new_id(),
        assignment=assignment,
        turn=selection.turn,
        shown=json_text([list(card) for card in shown]),
        chosen=json_text(sorted(selection.chosen)),
        written=selection.written if selection.written.strip() else "",
        continuation=continuation,
        is_complete=is_complete,
        answer=json_text(dict(selection.values)) if selection.values else "",
        seconds=seconds,
        key=key,
        at=tx.now,
    )
