"""200 annotators at once, without a moment's thought: cycles a second, with every judgment durably stored.

One cycle is what an annotator's browser does for one comparison: send the answer, which stores it, claims the
next comparison and brings its page. The target is min(3 × the raw fdatasync rate of the same disk in the same
run, 300) cycles a second, with the load generator on the same cores, and nothing lost, stored twice or beyond
a cap. Also measured: how long `duologue serve` takes to its first page.

Run it with ``python -m benchmarks serving``.
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
from urllib.parse import urlencode

ANNOTATORS = 200
PER_ANNOTATOR = 40
BOTS = 5
SECONDS_TO_FIRST_PAGE = 2.0
MOST_CYCLES_ASKED = 300
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
    """Serve a study in one process, load it from another, and check the database afterwards."""
    (HERE / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=HERE / "out") as folder:
        study = Path(folder) / "study"
        make_study(study)
        before = fdatasync_rate(Path(folder))
        tokens = invite(study)
        with Served(study) as (port, first_page):
            command = [sys.executable, "-m", "benchmarks.serving", str(port), *tokens]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
        load = json.loads(done.stdout)
        after = fdatasync_rate(Path(folder))
        faults = check(study, load["acknowledged"])
    sync_rate = (before + after) / 2
    target = min(3 * sync_rate, MOST_CYCLES_ASKED)
    return {
        "annotators": ANNOTATORS,
        "cycles": load["cycles"],
        "fdatasync a second": round(sync_rate),
        "cycles a second": round(load["rate"], 1),
        "target": round(target, 1),
        "ratio to target": round(load["rate"] / target, 2),
        "p50 ms": round(load["p50"] * 1000),
        "p99 ms": round(load["p99"] * 1000),
        **faults,
        "seconds to first page": round(first_page, 2),
        "met cycles": load["rate"] >= target,
        "met nothing lost, twice or over cap": not any(faults.values()),
        "met first page": first_page < SECONDS_TO_FIRST_PAGE,
    }


def make_study(folder: Path) -> None:
    """Five bots, ten matchups, and enough pairings for everybody."""
    from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
    from duologue.protocols import Item, write_items
    from duologue.studies import load_study

    (folder / "dialogues").mkdir(parents=True)
    (folder / "study.toml").write_text(
        f'[study]\nname = "benchmark"\nseed = 1\n[annotators]\nmax_judgments = {PER_ANNOTATOR}\n'
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


def invite(study: Path) -> list[str]:
    """A link for every annotator."""
    from duologue.server import prepare_study
    from duologue.store import open_store
    from duologue.studies import load_study

    loaded = load_study(study)
    with open_store(loaded.database) as store:
        prepare_study(loaded, store)
        return [invitation.token for invitation in store.invite(ANNOTATORS)]


class Served:
    """A server as a researcher starts it; gives its port, and the seconds until its first page."""

    def __init__(self, study: Path) -> None:
        self.study = study

    def __enter__(self) -> tuple[int, float]:
        started = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "duologue", "serve", str(self.study)],
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
        return int(found[1]), time.perf_counter() - started  # type: ignore[index]

    def __exit__(self, *_: object) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=30)


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
    from duologue.store import open_store
    from duologue.studies import load_study

    with open_store(load_study(study).database) as store:
        judgments = list(store.judgments())
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


async def load(port: int, tokens: list[str]) -> dict[str, object]:
    """Every annotator at once, each sending the next answer as soon as the page is there."""
    latencies: list[float] = []
    acknowledged: list[str] = []
    ready, go = [], asyncio.Event()

    async def annotate(token: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        ask = _asker(reader, writer, token)
        await ask("consent", b"")
        page = await ask("", None)
        ready.append(token)
        if len(ready) == len(tokens):
            go.set()
        await go.wait()
        while found := _KEY.search(page):
            key = found[1].decode()
            fields = {"assignment": key, "key": key, "seconds": "1.5", "choice": "1", "reason": "It listens."}
            started = time.perf_counter()
            page = await ask("submit", urlencode(fields).encode())
            latencies.append(time.perf_counter() - started)
            acknowledged.append(key)
        writer.close()

    tasks = [asyncio.create_task(annotate(token)) for token in tokens]
    await go.wait()
    started = time.perf_counter()
    await asyncio.gather(*tasks)
    elapsed = time.perf_counter() - started
    latencies.sort()
    return {
        "cycles": len(latencies),
        "rate": len(latencies) / elapsed,
        "p50": latencies[len(latencies) // 2],
        "p99": latencies[int(len(latencies) * 0.99)],
        "acknowledged": acknowledged,
    }


def _asker(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str
) -> Callable[[str, bytes | None], Awaitable[bytes]]:
    async def ask(verb: str, body: bytes | None) -> bytes:
        path = f"/a/{token}/{verb}" if verb else f"/a/{token}"
        head = f"{'GET' if body is None else 'POST'} {path} HTTP/1.1\r\nhost: x\r\nduologue-part: main\r\n"
        if body is not None:
            head += f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n"
        writer.write(head.encode() + b"\r\n" + (body or b""))
        answer = await reader.readuntil(b"\r\n\r\n")
        status = int(answer[9:12])
        length = re.search(rb"content-length: (\d+)", answer)
        page = await reader.readexactly(int(length[1])) if length else b""
        if status not in (200, 303):
            raise RuntimeError(f"{verb or 'page'}: status {status}")
        return page

    return ask


if __name__ == "__main__":
    print(json.dumps(asyncio.run(load(int(sys.argv[1]), sys.argv[2:]))))
