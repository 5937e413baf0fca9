"""Annotators who do all they should not: ``python -m tests.store.storm_process ADDRESS SEED TOKEN…``.

They say "ready", wait for a line on standard input, and then load pages, answer, answer again, answer what
they had before, skip, and stay away until their lease is over, beside other processes with the same links.
Every answer that is said to be saved is told on standard output, as one line, at once. They go on until
standard input ends.
"""

import asyncio
import os
import random
import sys
from dataclasses import replace

from duologue.errors import LinkRevoked, LinkUnknown, NotFound
from duologue.store import (
    ItemStation,
    Operation,
    Station,
    Store,
    give_consent,
    open_store,
    record_answer,
    resume_sitting,
    skip_item,
)
from tests.store.small_study import ANSWER, CAPS

SHORT = replace(CAPS, max_judgments=1_000_000, lease_seconds=0.2, skips=3)
"""Leases end while annotators are at work."""


def answer_of(token: str, key: str) -> Operation[Station]:
    return record_answer(token, SHORT, assignment=key, answer=ANSWER, seconds=0.1, is_correct=None, key=key)


class Annotator:
    """One of them."""

    def __init__(self, store: Store, token: str, seed: int) -> None:
        self.store, self.token, self.lots = store, token, random.Random(f"{seed} {token}")
        self.had: list[str] = []

    async def rage(self, is_over: asyncio.Event) -> None:
        while not is_over.is_set():
            try:
                await self._do_something()
            except (LinkRevoked, LinkUnknown, NotFound):
                await asyncio.sleep(0.01)

    async def _do_something(self) -> None:
        act = self.lots.choice(["load", "answer", "answer", "answer", "again", "skip", "stay away"])
        if act == "stay away":
            await asyncio.sleep(self.lots.uniform(0, 0.3))
        elif act in ("load", "answer", "skip") or not self.had:
            station = await self.store.run_async(resume_sitting(self.token, SHORT))
            if isinstance(station, ItemStation):
                self.had.append(station.assignment.key)
            if act == "answer" and isinstance(station, ItemStation):
                await self._answer(station.assignment.key)
            elif act == "skip" and isinstance(station, ItemStation):
                await self.store.run_async(skip_item(self.token, SHORT, assignment=station.assignment.key))
        else:
            await self._answer(self.lots.choice(self.had))

    async def _answer(self, key: str) -> None:
        station = await self.store.run_async(answer_of(self.token, key))
        if station.saved:
            os.write(1, f"{key}\n".encode())


async def rage_together(address: str, seed: int, tokens: list[str]) -> None:
    with open_store(address) as store:
        for token in tokens:
            await store.run_async(give_consent(token, SHORT))
        os.write(1, b"ready\n")
        sys.stdin.readline()
        is_over = asyncio.Event()
        annotators = [asyncio.create_task(Annotator(store, token, seed).rage(is_over)) for token in tokens]
        await asyncio.to_thread(sys.stdin.read)
        is_over.set()
        await asyncio.gather(*annotators)


if __name__ == "__main__":
    asyncio.run(rage_together(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
