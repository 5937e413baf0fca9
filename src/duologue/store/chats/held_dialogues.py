"""What was said in a live chat as a dialogue like any other, once the chat is over.

A chat of two people is two dialogues of the same turns: in each, the other person is the one who is judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlalchemy import bindparam, select, text

from duologue.dialogues import Dialogue, Json, Speaker, Turn
from duologue.protocols import HUMAN, MOST_CANDIDATES, ChatPlan, Item, chat_plan, item_of
from duologue.store.chats.partner_plans import plan_of_partner
from duologue.store.database.encoding import dialogue_text
from duologue.store.database.engine import Row, Transaction
from duologue.store.database.schema import annotators, assignments, chat_turns, chats, dialogues, items
from duologue.strict_json import read_json

PARTNER = "partner"
"""Who speaks in a chat that went on with replies of several bots."""

BOTS_OF_CHAT = "bots"
"""The extra field of a dialogue in which several bots answered: their names."""
SECOND = "-2"
"""Ends the id of the dialogue as the second annotator of a chat judges it."""

MORE_THREADS = tuple(f".{number}" for number in range(2, MOST_CANDIDATES + 1))
"""End the ids of the dialogues of a chat in which bots have histories of their own, but for the first."""


def dialogue_id(chat: str, seat: int) -> str:
    """The id of the dialogue that a chat becomes for whoever sits there.

    Example:
        >>> dialogue_id("chat-1", 0), dialogue_id("chat-1", 1)
        ('chat-1', 'chat-1-2')
    """
    return f"{chat}{SECOND}" if seat else chat


def dialogue_ids(chat: str, seat: int, *, threads: int) -> tuple[str, ...]:
    """The ids of the dialogues that a chat becomes, one for every thread.

    Example:
        >>> dialogue_ids("chat-1", 0, threads=3)
        ('chat-1', 'chat-1.2', 'chat-1.3')
    """
    return (dialogue_id(chat, seat), *(f"{chat}{suffix}" for suffix in MORE_THREADS[: threads - 1]))


_CHAT = (
    select(chats.c.id, chats.c.ending, items.c.body)
    .select_from(chats.join(items, items.c.n == chats.c.item))
    .where(chats.c.n == bindparam("chat"))
)
_TURNS = (
    select(
        chat_turns.c.seat,
        chat_turns.c.text,
        chat_turns.c.at,
        chat_turns.c.seconds,
        chat_turns.c.meta,
        chat_turns.c.candidate,
        chat_turns.c.thread,
    )
    .where(chat_turns.c.chat == bindparam("chat"))
    .order_by(chat_turns.c.place, chat_turns.c.thread)
)
_MEMBERS = (
    select(assignments.c.seat, annotators.c.id, items.c.body)
    .select_from(
        assignments.join(annotators, annotators.c.n == assignments.c.annotator).join(
            items, items.c.n == assignments.c.item
        )
    )
    .where(assignments.c.chat == bindparam("chat"))
    .order_by(assignments.c.seat)
)
_KEEP_DIALOGUE = text(
    "INSERT INTO dialogues (n, id, bot, content_hash, body) "
    "VALUES ((SELECT coalesce(max(n), 0) + 1 FROM dialogues), :id, :bot, :content_hash, :body) "
    "ON CONFLICT (id) DO UPDATE SET content_hash = :content_hash, body = :body"
)


def write_dialogues(tx: Transaction, chat: int) -> None:
    """Store what was said in a chat that is over, or store it anew; a chat without turns is no dialogue."""
    turns = tx.rows(_TURNS, chat=chat)
    row = tx.row(_CHAT, chat=chat)
    if not turns or row is None:
        return
    key, ending, body = row
    item = item_of(body)
    for seat, annotator, own_body in tx.rows(_MEMBERS, chat=chat):
        plan = _plan_for(item, item_of(own_body), seat)
        extras: dict[str, Json] = {"briefing": plan.record(), "annotator": annotator, "ending": ending}
        for made in _dialogues(key, item, plan, seat, turns, extras):
            tx.do(
                _KEEP_DIALOGUE,
                id=made.id,
                bot=made.bot,
                content_hash=made.content_hash,
                body=dialogue_text(made),
            )


def _plan_for(item: Item, own: Item, seat: int) -> ChatPlan:
    plan = chat_plan(item) or ChatPlan()
    return plan_of_partner(plan, chat_plan(own) or ChatPlan()) if seat else plan


def _dialogues(
    key: str, item: Item, plan: ChatPlan, seat: int, turns: Sequence[Row], extras: dict[str, Json]
) -> Iterator[Dialogue]:
    """One dialogue, or one for every bot where each has a history of its own."""
    if plan.histories == "own":
        ids = dialogue_ids(key, 0, threads=len(item.bots))
        for thread, (made, bot) in enumerate(zip(ids, item.bots, strict=True)):
            own = [row for row in turns if row[0] == 0 or row[6] == thread]
            yield _dialogue(made, bot, 0, own, extras)
    elif len(item.bots) > 1:
        yield _mixed_dialogue(key, item, turns, extras)
    else:
        yield _dialogue(dialogue_id(key, seat), item.bots[0], seat, turns, extras)


def _dialogue(key: str, bot: str, seat: int, turns: Sequence[Row], extras: dict[str, Json]) -> Dialogue:
    is_human = bot == HUMAN
    names = (f"{HUMAN}_1", f"{HUMAN}_2") if is_human else (HUMAN, bot)
    return Dialogue(
        id=key,
        bot=bot,
        kind="human-human" if is_human else "live-chat",
        judged=names[1 - seat],
        speakers=(Speaker(names[0], HUMAN if is_human else None), Speaker(names[1], bot)),
        turns=tuple(_turn(names[row[0]], *row[1:5]) for row in turns),
        extras=extras,
    )


def _mixed_dialogue(key: str, item: Item, turns: Sequence[Row], extras: dict[str, Json]) -> Dialogue:
    """A chat that went on with what was chosen, as the one partner that the annotator saw.

    It is a dialogue of no one bot, and called by the item's group; every turn says whose it is.
    """
    return Dialogue(
        id=key,
        bot=item.group,
        kind="live-chat",
        judged=PARTNER,
        speakers=(Speaker(HUMAN), Speaker(PARTNER, item.group)),
        turns=tuple(_candidates_turn(item, row) for row in turns),
        extras={**extras, BOTS_OF_CHAT: list(item.bots)},
    )


def _candidates_turn(item: Item, row: Row) -> Turn:
    seat, *said, candidate, _thread = row
    turn = _turn(PARTNER if seat else HUMAN, *said)
    if not seat or candidate is None:
        return turn
    return replace(turn, extras={**turn.extras, "bot": item.bots[candidate]})


def _turn(speaker: str, said: str, at: str, seconds: float | None, meta: str) -> Turn:
    extras: dict[str, Json] = {"at": at}
    if seconds is not None:
        extras["seconds"] = seconds
    if meta:
        extras |= read_json(meta)
    return Turn(speaker, said, extras=extras)


HELD_DIALOGUE = select(dialogues.c.n, dialogues.c.content_hash, dialogues.c.body).where(
    dialogues.c.id == bindparam("dialogue")
)
"""The row of a dialogue, by its id."""
