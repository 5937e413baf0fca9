"""200 annotators at once, without a moment's thought: cycles a second, with every judgment durably stored.

One cycle is what an annotator's browser does for one comparison: send the answer, which stores it, claims the
next comparison and brings its page. It is measured against bare request handling: the same load generator
asks the same server, in the same run, for a small file it has in memory. The target is how many bare requests
a cycle may cost in the server's CPU time, so that a cycle that costs twice as much is noticed on any machine,
busy or with a slow disk; and nothing lost, stored twice or beyond a cap. Also measured: two processes on the
same SQLite file, and how long `duologue serve` takes to its first page.

Run it with ``python -m benchmarks serving``; ``BEFORE=FOLDER`` (a checkout) compares with another version.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Awaitable, Callable
from itertools import combinations
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from benchmarks._before import compared_with_before

ANNOTATORS = 200
PER_ANNOTATOR = 40
BOTS = 5
SECONDS_TO_FIRST_PAGE = 2.0
FEW_ANNOTATORS = 50
BARE_REQUESTS_A_CYCLE = 10.0
"""As many bare requests may a cycle cost, in CPU time of the server. It costs 6.8 to 7.7.

Until httptools parsed requests a bare one cost twice as much (250 µs, now 135): then a cycle cost 4.8 to 5.0
of them, and 7 were allowed, which is more time than 10 are now.
"""
BARE_REQUESTS = 40
"""By each annotator, before and after."""
HERE = Path(__file__).parent
TEXTS = (
    "hi! how are you today?",
    "I'm great, thank you. I have just come back from a long walk by the river. And you?",
    "not bad, a bit tired. what do you do for a living?",
    "I teach music to children, and in the evenings I play the cello in a small orchestra.",
    "oh nice, i always wanted to learn the cello",
    "It is never too late! My oldest pupil started at seventy-one. What music do you listen to?",
    "mostly jazz. do you like jazz?",
    "I love it. If I could sit in on any concert, it would be a small club, late, with nobody filming.",
)


def main() -> dict[str, object]:
    """Serve a study by one process and by two, load it from another, and check the database afterwards."""
    (HERE / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE / "out") as folder:
        syncs = fdatasync_rate(Path(folder))
        one = serve_and_load(Path(folder) / "one", annotators=ANNOTATORS)
        pairs = {
            annotators: (
                one
                if annotators == ANNOTATORS
                else serve_and_load(Path(folder) / f"one-{annotators}", annotators),
                serve_and_load(Path(folder) / f"two-{annotators}", annotators, workers=2),
            )
            for annotators in (FEW_ANNOTATORS, ANNOTATORS)
        }
    figures = {
        "annotators": ANNOTATORS,
        "cycles": one["cycles"],
        "fdatasync a second": round(syncs),
        "cycles a second": round(one["rate"], 1),
        "bare requests a second": round(one["bare"], 1),
        "ratio to bare requests": round(one["rate"] / one["bare"], 3),
        "CPU ms of a cycle": round(one["cpu"] * 1000, 3),
        "CPU ms of a bare request": round(one["bare_cpu"] * 1000, 3),
        "bare requests a cycle costs in CPU": round(one["cpu"] / one["bare_cpu"], 2),
        "target": BARE_REQUESTS_A_CYCLE,
        "p50 ms": round(one["p50"] * 1000),
        "p99 ms": round(one["p99"] * 1000),
        **{
            f"two processes, {annotators} annotators: ratio to one": round(two["rate"] / alone["rate"], 2)
            for annotators, (alone, two) in pairs.items()
        },
        **one["faults"],
        "seconds to first page": round(one["first_page"], 2),
        "met cycles": one["cpu"] <= BARE_REQUESTS_A_CYCLE * one["bare_cpu"],
        "met nothing lost, twice or over cap": not any(
            any(run["faults"].values()) for both in pairs.values() for run in both
        ),
        "met first page": one["first_page"] < SECONDS_TO_FIRST_PAGE,
    }
    compared = ("CPU ms of a cycle", "bare requests a cycle costs in CPU", "p50 ms")
    return figures | compared_with_before("serving", figures, smaller_is_better=compared)


def serve_and_load(
    study: Path,
    annotators: int,
    *,
    workers: int = 1,
    database: str = "",
    meter: Callable[[], float] = lambda: 0.0,
) -> dict[str, Any]:
    """Let annotators judge all they may; what was measured, and what the database says of it.

    Args:
        study: The folder that the study is made in.
        annotators: How many there are.
        workers: The processes that serve it.
        database: Its address; an SQLite file in the folder when empty.
        meter: Read before the load and after it; the difference is given as ``metered``.
    """
    make_study(study, database)
    tokens = invite(study, annotators)
    with Served(study, workers) as (port, process, first_page):
        command = [sys.executable, "-m", "benchmarks.serving", str(port), str(process), *tokens]
        before = meter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        metered = meter() - before
    measured: dict[str, Any] = json.loads(done.stdout)
    faults = check(study, measured.pop("acknowledged"))
    return {**measured, "faults": faults, "first_page": first_page, "metered": metered}


def make_study(folder: Path, database: str = "") -> None:
    """Five bots, ten matchups, and enough pairings for everybody."""
    from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
    from duologue.protocols import Item, write_items
    from duologue.studies import load_study

    (folder / "dialogues").mkdir(parents=True)
    kept_in = f'database = "{database}"\n' if database else ""
    (folder / "study.toml").write_text(
        f'[study]\nname = "benchmark"\nseed = 1\n{kept_in}[annotators]\nmax_judgments = {PER_ANNOTATOR}\n'
        "[onboarding]\nenabled = false\n"
    )
    bots = [f"bot-{number}" for number in range(BOTS)]
    matchups = list(combinations(bots, 2))
    wanted = ANNOTATORS * PER_ANNOTATOR * 11 // 10 // len(matchups)
    items = [
        Item(
            id=f"{one}:{other}:{number}",
            group=f"{one}__vs__{other}",
            bots=(one, other),
            dialogues=(f"{one}:{other}:{number}:1", f"{one}:{other}:{number}:2"),
            judged=("it", "it"),
        )
        for one, other in matchups
        for number in range(wanted)
    ]
    turns = tuple(Turn("it" if number % 2 else "me", text) for number, text in enumerate(TEXTS))
    for bot in bots:
        mine = (
            Dialogue(dialogue, bot, "live-chat", "it", (Speaker("me"), Speaker("it", bot)), turns)
            for item in items
            for dialogue, of in zip(item.dialogues, item.bots, strict=True)
            if of == bot
        )
        write_dialogues(mine, folder / "dialogues" / f"{bot}.jsonl")
    write_items(items, load_study(folder).items_path)


def invite(study: Path, annotators: int) -> list[str]:
    """A link for every annotator."""
    from duologue.server import prepare_study
    from duologue.store import invite_annotators, open_store
    from duologue.studies import load_study

    loaded = load_study(study)
    with open_store(loaded.database) as store:
        prepare_study(loaded, store)
        return [invitation.token for invitation in store.run(invite_annotators(annotators))]


class Served:
    """A server as a researcher starts it; gives its port, and the seconds until its first page."""

    def __init__(self, study: Path, workers: int) -> None:
        self.study, self.workers = study, workers

    def __enter__(self) -> tuple[int, int, float]:
        started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "duologue", "serve", str(self.study), "--workers", str(self.workers)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout
        for line in self.process.stdout:
            if found := re.search(r"http://[^:]+:(\d+)/a/\w+", line):
                break
        with urllib.request.urlopen(found[0]) as page:  # type: ignore[index]
            page.read()
        return int(found[1]), self.process.pid, time.perf_counter() - started  # type: ignore[index]

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=300)


def fdatasync_rate(folder: Path, seconds: float = 2.0) -> float:
    """Small writes made durable one after another, a second."""
    with (folder / "raw").open("wb", buffering=0) as file:
        count, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            file.write(b"x" * 4096)
            os.fdatasync(file.fileno())
            count += 1
    return count / seconds


def check(study: Path, acknowledged: list[str]) -> dict[str, int]:
    """What went wrong, by the database: all of it should be zero."""
    from duologue.store import fetch_judgments, open_store
    from duologue.studies import load_study

    with open_store(load_study(study).database) as store:
        judgments = list(store.stream(fetch_judgments()))
    stored = Counter(judgment.assignment for judgment in judgments)
    per_item = Counter(judgment.item for judgment in judgments if not judgment.excluded)
    per_annotator = Counter(judgment.annotator for judgment in judgments)
    return {
        "lost": sum(key not in stored for key in acknowledged),
        "twice": sum(count - 1 for count in stored.values()),
        "over cap": sum(count > 1 for count in per_item.values())
        + sum(count > PER_ANNOTATOR for count in per_annotator.values()),
    }


# The load generator: a process of its own, with as little between it and the sockets as possible.

_KEY = re.compile(rb'name="assignment" value="([^"]+)"')


async def load(port: int, process: int, tokens: list[str]) -> dict[str, object]:
    """Every annotator at once, each sending the next answer as soon as the page is there."""
    asks = [_asker(*await asyncio.open_connection("127.0.0.1", port)) for _ in tokens]
    paths = [f"/a/{token}" for token in tokens]
    page = (await asks[0]("/researcher/sign-in", None)).decode()
    bare = re.findall(r"/static/[^\"]+\.svg", page)[0]
    for ask, path in zip(asks, paths, strict=True):
        await ask(f"{path}/consent", b"")
    pages = await asyncio.gather(*(ask(path, None) for ask, path in zip(asks, paths, strict=True)))
    latencies: list[float] = []
    acknowledged: list[str] = []

    async def annotate(ask: Asker, path: str, page: bytes) -> None:
        while found := _KEY.search(page):
            key = found[1].decode()
            fields = {"assignment": key, "key": key, "seconds": "1.5", "choice": "1", "reason": "It listens."}
            started = time.perf_counter()
            page = await ask(f"{path}/submit", urlencode(fields).encode())
            latencies.append(time.perf_counter() - started)
            acknowledged.append(key)

    marks = [_cpu_seconds(process)]
    before = await _bare_rate(asks, bare)
    marks.append(_cpu_seconds(process))
    started = time.perf_counter()
    await asyncio.gather(*map(annotate, asks, paths, pages))
    elapsed = time.perf_counter() - started
    marks.append(_cpu_seconds(process))
    after = await _bare_rate(asks, bare)
    marks.append(_cpu_seconds(process))
    spent_bare = marks[1] - marks[0] + marks[3] - marks[2]
    latencies.sort()
    return {
        "cycles": len(latencies),
        "rate": len(latencies) / elapsed,
        "bare": (before + after) / 2,
        "cpu": (marks[2] - marks[1]) / len(latencies),
        "bare_cpu": spent_bare / (2 * len(asks) * BARE_REQUESTS),
        "p50": latencies[len(latencies) // 2],
        "p99": latencies[int(len(latencies) * 0.99)],
        "acknowledged": acknowledged,
    }


def _cpu_seconds(process: int) -> float:
    """The CPU time of a process so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _bare_rate(asks: list[Asker], path: str) -> float:
    """Requests a second for a small file that the server has in memory."""

    async def look(ask: Asker) -> None:
        for _ in range(BARE_REQUESTS):
            await ask(path, None)

    started = time.perf_counter()
    await asyncio.gather(*map(look, asks))
    return len(asks) * BARE_REQUESTS / (time.perf_counter() - started)


Asker = Callable[[str, bytes | None], Awaitable[bytes]]


def _asker(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Asker:
    async def ask(path: str, body: bytes | None) -> bytes:
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nhost: x\r\nduologue-part: main\r\n"
        if body is not None:
            head += f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n"
        writer.write(head.encode() + b"\r\n" + (body or b""))
        answer = await reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        length = re.search(rb"content-length: (\d+)", answer)
        page = await reader.readexactly(int(length[1])) if length else b""
        if status not in (200, 303):
            raise RuntimeError(f"{path}: status {status}")
        return page

    return ask


if __name__ == "__main__":
    print(json.dumps(asyncio.run(load(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))))
