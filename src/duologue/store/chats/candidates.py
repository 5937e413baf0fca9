"""The candidates of a turn: kept until the last is given or has failed, then shown together.

Whether a reply came sooner or later than another is seen nowhere: until the last one the chat does not
change. Replies that read the same are one card, and what is chosen there is credited to all who gave it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import bindparam, select, update

from duologue.dialogues import Json
from duologue.store.chats import chat as live
from duologue.store.chats.chat import BOT_FAILED, ChatRow, NewTurn, turns_of
from duologue.store.database.encoding import json_text
from duologue.store.database.engine import RowSource, Transaction
from duologue.store.database.schema import wanted_replies
from duologue.store.records import Chat, ChatTurn
from duologue.strict_json import read_json


@dataclass(frozen=True, slots=True)
class CandidateReply:
    """One bot's reply at a turn, as far as it has come."""

    number: int
    """The bot's place in the item."""
    key: str
    state: str
    text: str
    seconds: float | None
    meta: str

    @property
    def is_given(self) -> bool:
        """Whether the bot has answered."""
        return self.state == "given"

    def as_turn(self, *, thread: int) -> NewTurn:
        """The reply as the next turn of a thread."""
        meta: Mapping[str, Json] = read_json(self.meta)
        return NewTurn(self.text, self.key, self.seconds, meta, self.number, thread)


@dataclass(frozen=True, slots=True)
class ReplyCard:
    """One reply to choose, and all candidates who gave it; the first of them was drawn to be shown first."""

    text: str
    candidates: tuple[CandidateReply, ...]

    @property
    def numbers(self) -> tuple[int, ...]:
        """Whose reply it is."""
        return tuple(candidate.number for candidate in self.candidates)


_CANDIDATES = (
    select(
        wanted_replies.c.candidate,
        wanted_replies.c.id,
        wanted_replies.c.state,
        wanted_replies.c.text,
        wanted_replies.c.seconds,
        wanted_replies.c.meta,
    )
    .where(wanted_replies.c.chat == bindparam("chat"), wanted_replies.c.place == bindparam("place"))
    .order_by(wanted_replies.c.shown)
)
_KEEP = (
    update(wanted_replies)
    .where(wanted_replies.c.n == bindparam("number"))
    .values(
        state="given",
        text=bindparam("new_text"),
        seconds=bindparam("new_seconds"),
        meta=bindparam("new_meta"),
    )
)


def candidates_at(asked: RowSource, chat: ChatRow) -> tuple[CandidateReply, ...]:
    """The candidates of the chat's next turn, in the order they are shown."""
    return tuple(CandidateReply(*row) for row in asked.rows(_CANDIDATES, chat=chat.n, place=chat.place))


def cards_of(candidates: Sequence[CandidateReply]) -> tuple[ReplyCard, ...]:
    """What there is to choose from: given replies, those that read the same only once."""
    by_text: dict[str, list[CandidateReply]] = {}
    for candidate in candidates:
        if candidate.is_given:
            by_text.setdefault(candidate.text.strip(), []).append(candidate)
    return tuple(ReplyCard(same[0].text, tuple(same)) for same in by_text.values())


def keep_candidate(
    tx: Transaction, chat: ChatRow, number: int, text: str, seconds: float, meta: Mapping[str, Json]
) -> None:
    """Keep a reply until all are there."""
    tx.do(_KEEP, number=number, new_text=text, new_seconds=seconds, new_meta=json_text(dict(meta)))
    settle_turn(tx, chat)


def settle_turn(tx: Transaction, chat: ChatRow) -> None:
    """Go on where every candidate of the turn is given or has failed; before that nothing changes."""
    candidates = candidates_at(tx, chat)
    if any(candidate.state == "open" for candidate in candidates):
        return
    given = [candidate for candidate in candidates if candidate.is_given]
    if len(given) < len(candidates):
        if chat.plan.after_failure == "end":
            live.end(tx, chat, BOT_FAILED)
            return
        if chat.plan.after_failure == "retry" or not given:
            live.fail(tx, chat)
            return
    if chat.plan.choose:
        live.move(tx, replace(chat, state="choosing"))
    else:
        live.add_turns(tx, chat, seat=1, said=[one.as_turn(thread=one.number) for one in given])


def seen_from(asked: RowSource, chat: ChatRow, *, seat: int, order: Sequence[int] = ()) -> Chat:
    """The chat as somebody in it sees it.

    Args:
        asked: Where to read.
        chat: The chat.
        seat: Where they sit.
        order: The bots of the item in the order in which their threads are shown.
    """
    cards = cards_of(candidates_at(asked, chat)) if chat.state == "choosing" else ()
    turns = turns_of(asked, chat.n, seat=seat)
    return Chat(
        state=chat.state_for(seat),
        turns=_shown_threads(turns, order) if chat.plan.histories == "own" else turns,
        exchanges=chat.exchanges,
        change=chat.change,
        since=chat.since,
        ending=chat.ending,
        can_end=chat.can_end,
        is_usable=chat.is_usable,
        turn=chat.place,
        candidates=tuple(card.text for card in cards),
        behind=tuple(card.numbers for card in cards),
        threads=chat.threads,
    )


def _shown_threads(turns: Sequence[ChatTurn], order: Sequence[int]) -> tuple[ChatTurn, ...]:
    """Turns with their threads by where these are shown, so that nothing tells the bots apart."""
    place_of = {thread: place for place, thread in enumerate(order)}
    shown = (
        turn if turn.is_annotator else replace(turn, thread=place_of.get(turn.thread, turn.thread))
        for turn in turns
    )
    return tuple(sorted(shown, key=lambda turn: (turn.place, turn.thread)))
