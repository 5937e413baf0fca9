"""200 live chats at once against a bot of known latency: how much of the wait for a reply is ours.

The bot is a function of the study's that sleeps and tells in its reply how long it took. Every annotator
keeps a stream of events open, writes a turn, waits until the reply stands on the stream, thinks for a while
and writes the next one. The overhead of a reply is the time from sending the turn to seeing the reply on the
stream, less the bot's own latency; it holds three durable commits (the turn, the lease of the reply, the
reply). Server and annotators share the same cores.

Run it with ``python -m benchmarks live_chat``; ``BEFORE=FOLDER`` (a checkout) compares with another version.
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
import time
from pathlib import Path
from urllib.parse import urlencode

from benchmarks._before import compared_with_before
from benchmarks.serving import Served

CHATS = 200
EXCHANGES = 6
LATENCY = (0.5, 2.5)
"""Seconds that the bot takes, drawn evenly."""
THINKING = (1.0, 5.0)
"""Seconds that an annotator takes for a turn, drawn evenly: people are slower."""
MOST_MS = 250
HERE = Path(__file__).parent


def main() -> dict[str, object]:
    """Serve a study in one process, talk from another, and check the database afterwards."""
    (HERE / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE / "out") as folder:
        study = Path(folder) / "study"
        tokens = make_study(study)
        served = Served(study, 1)
        with served as (port, _, _):
            before = processor_seconds(served.process.pid)
            command = [sys.executable, "-m", "benchmarks.live_chat", str(port), *tokens]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            processor = processor_seconds(served.process.pid) - before
        found = json.loads(done.stdout)
        faults = check(study)
    figures = {
        "chats at once": CHATS,
        "replies": found["replies"],
        "replies a second": round(found["replies"] / found["seconds"], 1),
        "bot's latency, s": f"{LATENCY[0]} to {LATENCY[1]}",
        "overhead p50, ms": round(found["p50"]),
        "overhead p90, ms": round(found["p90"]),
        "overhead p99, ms": round(found["p99"]),
        "overhead most, ms": round(found["most"]),
        "saying p99, ms": round(found["saying p99"]),
        "processor time of ours a reply, ms": round(1000 * processor / found["replies"], 1),
        **faults,
        f"met: p99 overhead under {MOST_MS} ms": found["p99"] < MOST_MS,
        "met: no turn lost or doubled": not any(faults.values()),
    }
    compared = ("processor time of ours a reply, ms", "overhead p50, ms", "overhead p99, ms")
    return figures | compared_with_before("live_chat", figures, smaller_is_better=compared)


def processor_seconds(process: int) -> float:
    """The processor time a process has used so far, with its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


BOT = f"""
import asyncio
import random
import time


async def answer(messages):
    asked = time.perf_counter()
    await asyncio.sleep(random.uniform{LATENCY})
    number = sum(message["role"] == "user" for message in messages) - 1
    return f"I answer after {{time.perf_counter() - asked:.4f}} s, number {{number}}."
"""


def make_study(folder: Path) -> list[str]:
    """One bot, a chat for everybody; gives their tokens."""
    from duologue.server import prepare_study
    from duologue.store import invite_annotators, open_store
    from duologue.studies import load_study

    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(
        '[study]\nname = "benchmark"\nprotocol = "likert"\nseed = 1\n[onboarding]\nenabled = false\n'
        f"[chat]\nchats_per_bot = {CHATS}\nmin_exchanges = {EXCHANGES}\nmax_exchanges = {EXCHANGES}\n"
        f'[[bots]]\nname = "fake"\nkind = "python"\ncall = "fake_bot:answer"\nmax_concurrent = {CHATS}\n'
    )
    (folder / "fake_bot.py").write_text(BOT)
    study = load_study(folder)
    with open_store(study.database) as store:
        prepare_study(study, store)
        return [invitation.token for invitation in store.run(invite_annotators(CHATS))]


def check(study: Path) -> dict[str, int]:
    """What went wrong, by the database: all of it should be zero."""
    from duologue.store import fetch_chat_dialogues, open_store
    from duologue.studies import load_study

    with open_store(load_study(study).database) as store:
        dialogues = list(store.stream(fetch_chat_dialogues()))
    wanted = [f"turn {number}" for number in range(EXCHANGES)]
    said = [[turn.text for turn in dialogue.turns][::2] for dialogue in dialogues]
    return {
        "chats missing": CHATS - len(dialogues),
        "chats with a turn lost or doubled": sum(texts != wanted for texts in said),
        "replies missing": sum(len(dialogue.turns) != 2 * EXCHANGES for dialogue in dialogues),
    }


# The annotators: a process of its own, with as little between it and the sockets as possible.

_KEY = re.compile(rb'name="assignment" value="([^"]+)"')
_LATENCY = re.compile(r"after ([0-9.]+) s, number (\d+)")


class _Annotator:
    """Somebody with a stream open and a turn to write."""

    def __init__(self, port: int, token: str) -> None:
        self.port, self.token = port, token
        self.random = random.Random(token)
        self.overheads: list[float] = []
        self.saying: list[float] = []

    async def come(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        await self.ask("/consent", b"")
        page = await self.ask("", None)
        self.key = _KEY.search(page)[1].decode()  # type: ignore[index]  # every page of a chat has one
        self.stream, self.asking = await asyncio.open_connection("127.0.0.1", self.port, limit=2**20)
        path = f"/a/{self.token}/events?assignment={self.key}"
        self.asking.write(f"GET {path} HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        await self.stream.readuntil(b"\r\n\r\n")

    async def talk(self) -> None:
        await asyncio.sleep(self.random.uniform(0, THINKING[1]))
        for number in range(EXCHANGES):
            fields = {"assignment": self.key, "key": f"k{number}", "text": f"turn {number}", "seconds": "3"}
            sent = time.perf_counter()
            await self.ask("/say", urlencode(fields).encode())
            self.saying.append(time.perf_counter() - sent)
            latency = await self.reply(number)
            self.overheads.append(time.perf_counter() - sent - latency)
            await asyncio.sleep(self.random.uniform(*THINKING))
        self.writer.close()
        self.asking.close()

    async def reply(self, number: int) -> float:
        """Wait until the reply to a turn stands on the stream; the bot's own latency."""
        while True:
            line = (await self.stream.readline()).decode()
            if not line:
                raise RuntimeError(f"the stream ended before reply {number}")
            for seconds, which in reversed(_LATENCY.findall(line)):
                if int(which) == number:
                    return float(seconds)

    async def ask(self, verb: str, body: bytes | None) -> bytes:
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


async def talk(port: int, tokens: list[str]) -> dict[str, float]:
    """Everybody at once."""
    annotators = [_Annotator(port, token) for token in tokens]
    for annotator in annotators:
        await annotator.come()
    started = time.perf_counter()
    await asyncio.gather(*(annotator.talk() for annotator in annotators))
    seconds = time.perf_counter() - started
    overheads = sorted(1000 * one for annotator in annotators for one in annotator.overheads)
    saying = sorted(1000 * one for annotator in annotators for one in annotator.saying)
    return {
        "replies": len(overheads),
        "seconds": seconds,
        "p50": overheads[len(overheads) // 2],
        "p90": overheads[int(len(overheads) * 0.90)],
        "p99": overheads[int(len(overheads) * 0.99)],
        "most": overheads[-1],
        "saying p99": saying[int(len(saying) * 0.99)],
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(talk(int(sys.argv[1]), sys.argv[2:]))))
