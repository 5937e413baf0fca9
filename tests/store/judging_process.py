"""A process of annotators: ``python -m tests.store.judging_process ADDRESS TOKEN…``.

They say "ready", wait for a line on standard input, and judge beside each other until there is nothing left.
Every acknowledged assignment is told on standard output, as one line, at once.
"""

import asyncio
import os
import sys
from dataclasses import replace

from duologue.store import ItemStation, Store, give_consent, open_store, record_answer
from tests.store.small_study import ANSWER, CAPS

MANY = replace(CAPS, max_judgments=1_000_000)


async def judge(store: Store, token: str) -> None:
    station = await store.run_async(give_consent(token, MANY))
    while isinstance(station, ItemStation):
        key = station.assignment.key
        station = await store.run_async(
            record_answer(token, MANY, assignment=key, answer=ANSWER, seconds=1.0, is_correct=None, key=key)
        )
        os.write(1, f"{key}\n".encode())


async def judge_together(address: str, tokens: list[str]) -> None:
    with open_store(address) as store:
        os.write(1, b"ready\n")
        sys.stdin.readline()
        await asyncio.gather(*(judge(store, token) for token in tokens))


if __name__ == "__main__":
    asyncio.run(judge_together(sys.argv[1], sys.argv[2:]))
