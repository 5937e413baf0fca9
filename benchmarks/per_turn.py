"""Per-turn chats at once, 200 with 2 bots and 50 with 4: how much of the wait for the cards is ours.

Every bot is a function that sleeps and tells in its reply how long it took. Every annotator keeps a stream of
events open, writes a turn, waits until the cards of all bots stand on the stream, thinks, selects, and writes
the next one. The overhead of a turn is the time from sending the message to seeing the cards, less what the
slowest bot took. Every step waits until the disk has it, so a disk that stands still holds up all chats.
Beside them small writes are made durable in the same folder, and the longest wait for one is told. Afterwards
the database is checked: nothing lost, nothing doubled.

Run it with ``python -m benchmarks per_turn``; ``PER_TURN_SHARE=0.1`` runs a tenth of the annotators.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.live_chat import processor_seconds
from benchmarks.serving import Served

SCENES = ((200, 2), (50, 4))
"""Annotators and bots."""
EXCHANGES = 5
LATENCY = (1.0, 2.0)
"""Seconds that a bot takes, drawn evenly."""
THINKING = 5.0
"""Seconds that an annotator takes on average, for a message and for a selection each."""
MOST_MS = 250
HERE = Path(__file__).parent


def main() -> dict[str, object]:
    """Every scene in a study of its own, one after the other."""
    (HERE / "out").mkdir(exist_ok=True)
    share = float(os.environ.get("PER_TURN_SHARE", "1"))
    figures: dict[str, object] = {}
    for annotators, bots in SCENES:
        figures |= scene(max(2, round(share * annotators)), bots)
    return figures


def scene(annotators: int, bots: int) -> dict[str, object]:
    """Serve a study in one process, chat from another, and check the database afterwards."""
    with tempfile.TemporaryDirectory(dir=HERE / "out") as folder:
        study = Path(folder) / "study"
        tokens = make_study(study, annotators, bots)
        os.sync()  # what others have left to write is not ours to wait for
        served = Served(study, 1)
        with served as (port, _, _), DiskWaits(Path(folder)) as disk:
            before = processor_seconds(served.process.pid)
            command = [sys.executable, "-m", "benchmarks.per_turn", str(port), str(bots), *tokens]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            processor = processor_seconds(served.process.pid) - before
        found = json.loads(done.stdout)
        faults = check(study, annotators, bots)
    name = f"{annotators} annotators x {bots} bots"
    return {
        f"{name}: turns": found["turns"],
        f"{name}: turns a second": round(found["turns"] / found["seconds"], 1),
        f"{name}: overhead p50, ms": round(found["p50"]),
        f"{name}: overhead p99, ms": round(found["p99"]),
        f"{name}: overhead most, ms": round(found["most"]),
        f"{name}: selecting p99, ms": round(found["selecting p99"]),
        f"{name}: longest wait for the disk alone, ms": round(1000 * disk.longest),
        f"{name}: processor time of ours a turn, ms": round(1000 * processor / found["turns"], 1),
        **{f"{name}: {fault}": count for fault, count in faults.items()},
        f"met: {name}: p99 overhead at most {MOST_MS} ms": found["p99"] <= MOST_MS,
        f"met: {name}: nothing lost or doubled": not any(faults.values()),
    }


class DiskWaits:
    """Makes small writes durable, ten a second, while the block runs; how long the slowest took."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "waits"
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._write)
        self.longest = 0.0

    def __enter__(self) -> DiskWaits:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    def _write(self) -> None:
        with self._file.open("wb", buffering=0) as file:
            while not self._ends.wait(0.1):
                file.write(b"x" * 4096)
                began = time.perf_counter()
                os.fdatasync(file.fileno())
                self.longest = max(self.longest, time.perf_counter() - began)


BOT = f"""
import asyncio
import random
import time


def made(name):
    async def answer(messages):
        asked = time.perf_counter()
        await asyncio.sleep(random.uniform{LATENCY})
        number = sum(message["role"] == "user" for message in messages) - 1
        return f"{{name}} answers after {{time.perf_counter() - asked:.4f}} s, number {{number}}."

    return answer


bot0, bot1, bot2, bot3 = map(made, ("One", "Two", "Three", "Four"))
"""


def make_study(folder: Path, annotators: int, bots: int) -> list[str]:
    """A chat for everybody; gives their tokens."""
    from duologue.server import prepare_study
    from duologue.store import invite_annotators, open_store
    from duologue.studies import load_study

    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(
        '[study]\nname = "benchmark"\nprotocol = "per-turn"\nseed = 1\n[onboarding]\nenabled = false\n'
        f"[chat]\nchats_per_bot = {annotators}\nmin_exchanges = {EXCHANGES}\nmax_exchanges = {EXCHANGES}\n"
        + "".join(
            f'[[bots]]\nname = "bot{bot}"\nkind = "python"\ncall = "fake_bots:bot{bot}"\n'
            f"max_concurrent = {annotators}\n"
            for bot in range(bots)
        )
    )
    (folder / "fake_bots.py").write_text(BOT)
    study = load_study(folder)
    with open_store(study.database) as store:
        prepare_study(study, store)
        return [invitation.token for invitation in store.run(invite_annotators(annotators))]


def check(folder: Path, annotators: int, bots: int) -> dict[str, int]:
    """What went wrong, by the database: all of it should be zero."""
    from duologue.store import judgment_rows, open_store
    from duologue.studies import load_study

    study = load_study(folder)
    with open_store(study.database) as store:
        chats = [row["turns"] for row in judgment_rows(study, store)]
    wanted = [f"turn {number}" for number in range(EXCHANGES)]
    turns = [turn for chat in chats for turn in chat]  # type: ignore[union-attr]  # lists, by the format
    return {
        "chats missing": annotators - len(chats),
        "chats with a turn lost or doubled": sum(
            [turn["message"] for turn in chat] != wanted for chat in chats
        ),
        "turns without a reply of every bot": sum(
            len(turn["candidates"]) != bots or any(one["failed"] for one in turn["candidates"])
            for turn in turns
        ),
        "turns without one selection": sum(
            sum(one["selected"] for one in turn["candidates"]) != 1 for turn in turns
        ),
    }


# The annotators: a process of its own.

_KEY = re.compile(rb'name="assignment" value="([^"]+)"')
_CARDS = re.compile(r"after ([0-9.]+) s, number (\d+)")
_TURN = re.compile(r'name="turn" value="(\d+)"')


class _Annotator:
    """Somebody with a stream open, a turn to write and cards to select from."""

    def __init__(self, port: int, bots: int, token: str) -> None:
        self.port, self.bots, self.token = port, bots, token
        self.random = random.Random(token)
        self.overheads: list[float] = []
        self.selecting: list[float] = []

    async def come(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        await self.ask("/consent", {})
        page = await self.ask("", None)
        self.key = _KEY.search(page)[1].decode()  # type: ignore[index]  # every page of a chat has one
        self.stream, self.asking = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        path = f"/a/{self.token}/events?assignment={self.key}"
        self.asking.write(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        await self.stream.readuntil(b"\r\n\r\n")

    async def talk(self) -> None:
        await asyncio.sleep(self.random.uniform(0, 2 * THINKING))
        for number in range(EXCHANGES):
            fields = {"assignment": self.key, "key": f"k{number}", "text": f"turn {number}", "seconds": "3"}
            sent = time.perf_counter()
            await self.ask("/say", fields)
            turn, slowest = await self.cards(number)
            self.overheads.append(time.perf_counter() - sent - slowest)
            await self.think()
            sent = time.perf_counter()
            chosen = {"assignment": self.key, "turn": turn, "chosen": "1", "key": f"t{turn}", "seconds": "4"}
            await self.ask("/select", chosen)
            self.selecting.append(time.perf_counter() - sent)
            await self.think()
        await self.ask("/submit", {"assignment": self.key, "key": "end", "seconds": "2"})
        self.writer.close()
        self.asking.close()

    async def think(self) -> None:
        await asyncio.sleep(self.random.uniform(0.5 * THINKING, 1.5 * THINKING))

    async def cards(self, number: int) -> tuple[str, float]:
        """Wait until all replies to a message stand on cards; the turn, and the slowest bot's latency."""
        while True:
            line = (await self.stream.readline()).decode()
            if not line:
                raise RuntimeError(f"the stream ended before the cards of turn {number}")
            if not line.startswith("data: {"):
                continue
            main = json.loads(line[6:])["main"]
            turn = _TURN.search(main)
            took = [float(seconds) for seconds, which in _CARDS.findall(main) if int(which) == number]
            if turn is not None and len(took) == self.bots:
                return turn[1], max(took)

    async def ask(self, verb: str, fields: dict[str, str] | None) -> bytes:
        body = None if fields is None else urlencode(fields).encode()
        head = f"{'GET' if body is None else 'POST'} /a/{self.token}{verb} HTTP/1.1\r\nhost: x\r\n"
        head += "duologue-part: main\r\n"
        if body is not None:
            head += f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n"
        self.writer.write(head.encode() + b"\r\n" + (body or b""))
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", answer)
        page = await self.reader.readexactly(int(length[1])) if length else b""
        if int(answer[9:12]) not in (200, 303):
            raise RuntimeError(f"{verb or 'page'}: status {answer[9:12].decode()}")
        return page


async def talk(port: int, bots: int, tokens: list[str]) -> dict[str, float]:
    """Everybody at once."""
    annotators = [_Annotator(port, bots, token) for token in tokens]
    for annotator in annotators:
        await annotator.come()
    started = time.perf_counter()
    await asyncio.gather(*(annotator.talk() for annotator in annotators))
    seconds = time.perf_counter() - started
    overheads = sorted(1000 * one for annotator in annotators for one in annotator.overheads)
    selecting = sorted(1000 * one for annotator in annotators for one in annotator.selecting)
    return {
        "turns": len(overheads),
        "seconds": seconds,
        "p50": overheads[len(overheads) // 2],
        "p99": overheads[int(len(overheads) * 0.99)],
        "most": overheads[-1],
        "selecting p99": selecting[int(len(selecting) * 0.99)],
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))))
