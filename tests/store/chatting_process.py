"""A process of live chats: ``python -m tests.store.chatting_process ADDRESS TOKEN…``.

Annotators chat and their bots answer, beside each other, until everything is judged. They say "ready" and
wait for a line on standard input. Every acknowledged turn is told on standard output, as one line, at once:
whose it is, the assignment, and what was said.
"""

import asyncio
import os
import sys
from dataclasses import replace

from duologue.errors import ChatError
from duologue.protocols import Selection
from duologue.store import (
    GivenReply,
    ItemStation,
    Store,
    choose_candidates,
    fetch_chat,
    give_consent,
    open_store,
    record_answer,
    resume_sitting,
    store_reply,
    take_replies,
    take_turn,
)
from tests.store.small_chats import CHAT_CAPS, RATING

LEASE_SECONDS = 0.2
"""Short, so that what a killed process had taken is soon taken again."""

CAPS = replace(CHAT_CAPS, max_per_group=1_000)


def _tell(who: str, assignment: str, said: str) -> None:
    os.write(1, f"{who} {assignment} {said}\n".encode())


async def chat(store: Store, token: str) -> None:
    """Chat and rate until there is nothing left, coming back to whatever is in hand."""
    station = await store.run_async(give_consent(token, CAPS))
    while isinstance(station, ItemStation):
        assignment = station.assignment
        now = await store.run_async(fetch_chat(token, assignment.key))
        if now.state == "annotator":
            said = f"{assignment.key}-{len(now.turns)}"
            try:
                await store.run_async(take_turn(token, CAPS, assignment=assignment.key, text=said, key=said))
                _tell("annotator", assignment.key, said)
            except ChatError:
                station = await store.run_async(resume_sitting(token, CAPS))
        elif now.state == "choosing":
            _tell("choosing", assignment.key, str(now.turn))
            selection = Selection(now.turn, (1 + now.turn % len(now.candidates),))
            chosen = choose_candidates(
                token, CAPS, assignment=assignment.key, selection=selection, key=str(now.turn)
            )
            try:
                await store.run_async(chosen)
                after = await store.run_async(fetch_chat(token, assignment.key))
                _tell("chosen", assignment.key, after.turns[now.turn].text)
            except ChatError:
                station = await store.run_async(resume_sitting(token, CAPS))
        elif now.state == "ended":
            station = await store.run_async(
                record_answer(
                    token,
                    CAPS,
                    assignment=assignment.key,
                    answer=RATING,
                    seconds=1.0,
                    is_correct=None,
                    key=assignment.key,
                )
            )
        else:
            await asyncio.sleep(0.01)


async def answer(store: Store, is_over: asyncio.Event) -> None:
    """Answer whatever is wanted, with what the wanted reply says about itself; all that is taken is told."""
    while not is_over.is_set():
        taken = await store.run_async(take_replies(bots=["ada", "bea", "cyd"], lease_seconds=LEASE_SECONDS))
        for wanted in taken:
            said = f"{wanted.id}-{wanted.attempt}"
            if await store.run_async(store_reply(wanted.id, GivenReply(said, 0.01))):
                _tell("bot" if len(wanted.item.bots) == 1 else "candidate", wanted.assignment, said)
        if not taken:
            await asyncio.sleep(0.01)


async def hold_chats(address: str, tokens: list[str]) -> None:
    with open_store(address) as store:
        os.write(1, b"ready\n")
        sys.stdin.readline()
        is_over = asyncio.Event()
        answering = asyncio.create_task(answer(store, is_over))
        await asyncio.gather(*(chat(store, token) for token in tokens))
        is_over.set()
        await answering


if __name__ == "__main__":
    asyncio.run(hold_chats(sys.argv[1], sys.argv[2:]))
