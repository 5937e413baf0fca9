"""The turns of judged live chats with all their candidates, and what was chosen at each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select

from duologue.judgments import ChosenTurn, OfferedReply
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import assignments, chat_turns, judgments, selections, wanted_replies
from duologue.strict_json import read_json

Place = tuple[int, int]
"""A chat and a place in it."""


@reads
def fetch_chosen_turns(reading: Reading) -> Mapping[str, tuple[ChosenTurn, ...]]:
    """The turns of every judged chat in which there was something to choose, by the key of its assignment.

    Turns at which nothing was chosen, because no reply came, are not among them. What was said in a finished
    chat that was read is in its item, and not here.
    """
    query = (
        select(
            assignments.c.key,
            assignments.c.chat,
            selections.c.turn,
            selections.c.shown,
            selections.c.chosen,
            selections.c.written,
            selections.c.continuation,
            selections.c.answer,
            selections.c.seconds,
            selections.c.at,
        )
        .select_from(
            selections.join(assignments, assignments.c.n == selections.c.assignment).join(
                judgments, judgments.c.assignment == assignments.c.n
            )
        )
        .order_by(selections.c.assignment, selections.c.turn)
    )
    rows = [tuple(row) for row in reading.connection.execute(query)]
    if not rows:
        return {}
    replies, messages = _replies(reading), _messages(reading)
    found: defaultdict[str, list[ChosenTurn]] = defaultdict(list)
    for key, chat, turn, shown, chosen, written, continuation, answer, seconds, at in rows:
        found[key].append(
            ChosenTurn(
                place=turn,
                message=messages.get((chat, turn - 1), ""),
                replies=tuple(reply for _, reply in sorted(replies.get((chat, turn), ()))),
                shown=tuple(map(tuple, read_json(shown))),
                chosen=tuple(read_json(chosen)),
                written=written,
                continuation=continuation,
                answer=read_json(answer) if answer else {},
                seconds=seconds,
                at=at,
            )
        )
    return {key: tuple(turns) for key, turns in found.items()}


def _replies(reading: Reading) -> Mapping[Place, list[tuple[int, OfferedReply]]]:
    found: defaultdict[Place, list[tuple[int, OfferedReply]]] = defaultdict(list)
    query = select(
        wanted_replies.c.chat,
        wanted_replies.c.place,
        wanted_replies.c.candidate,
        wanted_replies.c.text,
        wanted_replies.c.seconds,
        wanted_replies.c.state,
    )
    for chat, place, candidate, text, seconds, state in reading.connection.execute(query):
        given = OfferedReply(text, seconds, has_failed=state != "given")
        found[chat, place].append((candidate, given))
    return found


def _messages(reading: Reading) -> Mapping[Place, str]:
    query = select(chat_turns.c.chat, chat_turns.c.place, chat_turns.c.text).where(chat_turns.c.seat == 0)
    return {(chat, place): text for chat, place, text in reading.connection.execute(query)}
