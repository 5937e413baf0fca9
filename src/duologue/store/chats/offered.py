"""One live chat whole, for the researcher: every thread of it, and all replies that were on offer."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, select

from duologue.dialogues import Dialogue
from duologue.errors import NotFound
from duologue.protocols import item_of
from duologue.store.chats.held_dialogues import MORE_THREADS, SECOND
from duologue.store.chats.overview import fetch_chat_dialogue
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import assignments, chats, items, selections, wanted_replies
from duologue.strict_json import read_json


@dataclass(frozen=True, slots=True)
class ReplyOnOffer:
    """A reply that an annotator could choose, or what they wrote instead."""

    place: int
    """Of the turn in the chat, from 0."""
    bot: str
    """Empty for what the annotator wrote."""
    text: str
    has_failed: bool
    is_chosen: bool


_REPLIES = (
    select(
        wanted_replies.c.place,
        wanted_replies.c.candidate,
        wanted_replies.c.text,
        wanted_replies.c.state,
        items.c.body,
    )
    .select_from(wanted_replies.join(chats, chats.c.n == wanted_replies.c.chat).join(items))
    .where(chats.c.id == bindparam("chat"), chats.c.is_erased.is_(False))
    .order_by(wanted_replies.c.place, wanted_replies.c.candidate)
)
_SELECTIONS = (
    select(selections.c.turn, selections.c.shown, selections.c.chosen, selections.c.written)
    .select_from(
        selections.join(assignments, assignments.c.n == selections.c.assignment).join(
            chats, chats.c.n == assignments.c.chat
        )
    )
    .where(chats.c.id == bindparam("chat"))
)


@reads
def fetch_chat_threads(reading: Reading, key: str) -> tuple[Dialogue, ...]:
    """What was said in a chat that is over, by the id of its first dialogue; one for every thread.

    Raises:
        NotFound: There is no such chat, it is not over, or its annotator withdrew.
    """
    threads = [fetch_chat_dialogue.within(reading, key)]
    for suffix in () if key.endswith(SECOND) else MORE_THREADS:
        try:
            threads.append(fetch_chat_dialogue.within(reading, key + suffix))
        except NotFound:
            break
    return tuple(threads)


@reads
def fetch_replies_on_offer(reading: Reading, chat: str) -> tuple[ReplyOnOffer, ...]:
    """All replies of a chat in which something was chosen, turn by turn; none of any other chat."""
    found = {turn: rest for turn, *rest in reading.rows(_SELECTIONS, chat=chat)}
    if not found:
        return ()
    replies = []
    for place, candidate, text, state, body in reading.rows(_REPLIES, chat=chat):
        shown, chosen, _written = found.get(place, ("[]", "[]", ""))
        cards = read_json(shown)
        credited = {one for card in read_json(chosen) for one in cards[card - 1]}
        bot = item_of(body).bots[candidate]
        replies.append(ReplyOnOffer(place, bot, text, state != "given", candidate in credited))
    written = [ReplyOnOffer(turn, "", said, False, True) for turn, (_, _, said) in found.items() if said]
    return tuple(sorted([*replies, *written], key=lambda one: (one.place, not one.bot)))
