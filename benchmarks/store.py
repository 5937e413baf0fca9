"""The store on its own: cycles a second against the disk's raw sync rate, and loading a large study.

A cycle is what an annotator's answer costs: one submit that stores a judgment and claims the next item, with
a durable commit. 200 annotators are in flight, without think time.

Run it with ``python -m benchmarks store``.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.protocols import Answer, Item
from duologue.store import (
    ItemStation,
    Station,
    Store,
    fetch_judgments,
    fetch_progress,
    give_consent,
    invite_annotators,
    load_dialogues,
    load_items,
    open_store,
    record_answer,
)
from duologue.studies import StudyRules

ANNOTATORS = 200
SECONDS = 8.0
BOTS = 4
DIALOGUES_A_BOT = 4_000
WANTED_CYCLES = 300.0

MANY_DIALOGUES = 200_000
MANY_ITEMS = 1_000_000
MEGABYTES_ALLOWED = 500.0
"""Loading a large study takes its time, with a progress bar, and must not take the machine."""

ANSWER = Answer({"side": 1}, "It listened, and asked back.")


def main() -> dict[str, object]:
    """Measure both, and say how they stand against their targets."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        syncs = sync_rate(Path(folder))
        figures = cycles(f"sqlite:///{folder}/study.db", syncs)
    return figures | large_study()


def sync_rate(folder: Path, seconds: float = 2.0) -> float:
    """How many times a second this disk can be made to keep a small write."""
    done, start = 0, time.perf_counter()
    with (folder / "sync").open("wb") as file:
        while time.perf_counter() - start < seconds:
            file.write(b"x" * 4096)
            file.flush()
            os.fdatasync(file.fileno())
            done += 1
    return done / (time.perf_counter() - start)


def cycles(database: str, syncs: float) -> dict[str, object]:
    """Let 200 annotators judge without think time for some seconds; check that nothing is amiss."""
    caps = caps_of(max_judgments=1_000_000)
    with open_store(database) as store:
        store.run(load_dialogues(dialogues(BOTS, DIALOGUES_A_BOT)))
        store.run(load_items(pairings(BOTS, DIALOGUES_A_BOT, rounds=3), caps))
        tokens = [invitation.token for invitation in store.run(invite_annotators(ANNOTATORS))]
        cpu = time.process_time()
        waits = asyncio.run(judge_together(store, caps, tokens))
        cpu = time.process_time() - cpu
        problems = amiss(store)
    rate = len(waits) / SECONDS
    waits.sort()
    return {
        "cycles_per_second": round(rate, 1),
        "syncs_per_second": round(syncs, 1),
        "cycles_per_sync_rate": round(rate / syncs, 2),
        "cpu_milliseconds_per_cycle": round(1000 * cpu / max(1, len(waits)), 3),
        "p50_milliseconds": round(1000 * waits[len(waits) // 2], 1),
        "p99_milliseconds": round(1000 * waits[len(waits) * 99 // 100], 1),
        "acknowledged": len(waits),
        **problems,
        "met: min(3 × syncs, 300) cycles/s": rate >= min(3 * syncs, WANTED_CYCLES),
        "met: nothing lost or twice": problems["judgments"] == len(waits) and not problems["twice"],
    }


async def judge_together(store: Store, caps: StudyRules, tokens: list[str]) -> list[float]:
    """Let annotators judge beside each other, each without think time; how long each submit took."""
    waits: list[float] = []
    stations = await asyncio.gather(*(store.run_async(give_consent(token, caps)) for token in tokens))
    end = time.perf_counter() + SECONDS

    async def judge(token: str, station: Station) -> None:
        while isinstance(station, ItemStation) and time.perf_counter() < end:
            start = time.perf_counter()
            station = await store.run_async(
                record_answer(
                    token,
                    caps,
                    assignment=station.assignment.key,
                    answer=ANSWER,
                    seconds=12.5,
                    is_correct=None,
                    key=station.assignment.key,
                )
            )
            waits.append(time.perf_counter() - start)

    await asyncio.gather(*(judge(token, station) for token, station in zip(tokens, stations, strict=True)))
    return waits


def amiss(store: Store) -> dict[str, int]:
    """What must not be: a judgment twice on one place, or a cap exceeded."""
    places = Counter(judgment.item for judgment in store.stream(fetch_judgments()))
    over = [group for group in store.run(fetch_progress()) if group.done > group.wanted]
    return {
        "judgments": sum(places.values()),
        "twice": sum(count > 1 for count in places.values()),
        "over_cap": len(over),
    }


def large_study() -> dict[str, object]:
    """Load a million pairings of 200,000 dialogues in a fresh process."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR")) as folder:
        command = [sys.executable, "-m", "benchmarks.store", f"sqlite:///{folder}/study.db"]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    seconds, again, claim, megabytes = map(float, lines)
    return {
        "load_items": MANY_ITEMS,
        "load_dialogues": MANY_DIALOGUES,
        "load_seconds": round(seconds, 1),
        "load_again_seconds": round(again, 1),
        "load_peak_megabytes": round(megabytes),
        "cycle_milliseconds_in_large_study": round(1000 * claim, 2),
        "met: loaded in bounded memory": megabytes < MEGABYTES_ALLOWED,
    }


def _load_large(database: str) -> None:
    caps = caps_of(max_judgments=1_000)
    each = MANY_DIALOGUES // 2
    with open_store(database) as store:
        start = time.perf_counter()
        store.run(load_dialogues(dialogues(2, each)))
        store.run(load_items(pairings(2, each, rounds=MANY_ITEMS // each), caps))
        loaded = time.perf_counter()
        store.run(load_items(pairings(2, each, rounds=MANY_ITEMS // each), caps))
        again = time.perf_counter()
        for invitation in store.run(invite_annotators(20)):
            station = store.run(give_consent(invitation.token, caps))
            for _ in range(10):
                assert isinstance(station, ItemStation)
                station = store.run(
                    record_answer(
                        invitation.token,
                        caps,
                        assignment=station.assignment.key,
                        answer=ANSWER,
                        seconds=1.0,
                        is_correct=None,
                        key="",
                    )
                )
        claim = (time.perf_counter() - again) / 200
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(loaded - start, again - loaded, claim, peak)


def caps_of(*, max_judgments: int) -> StudyRules:
    """A study of one arm, without onboarding."""
    return StudyRules(
        arms=("main",),
        max_judgments=max_judgments,
        lease_seconds=1800,
        annotations_per_item=1,
        onboarding_comparisons=0,
        onboarding_threshold=1.0,
        block="off",
        seed=7,
    )


def dialogues(bots: int, each: int) -> Iterator[Dialogue]:
    """Self-chats of eight turns."""
    for bot, number in itertools.product(range(bots), range(each)):
        speakers = (Speaker("a", f"bot-{bot}"), Speaker("b"))
        turns = tuple(
            Turn("ab"[turn % 2], f"What I meant to say in turn {turn} of dialogue {number} is simple enough.")
            for turn in range(8)
        )
        yield Dialogue(f"d-{bot}-{number}", f"bot-{bot}", "self-chat", "a", speakers, turns)


def pairings(bots: int, each: int, *, rounds: int) -> Iterator[Item]:
    """Every two bots, each dialogue once in a round."""
    for (first, second), turn in itertools.product(itertools.combinations(range(bots), 2), range(rounds)):
        names = (f"bot-{first}", f"bot-{second}")
        for number in range(each):
            other = (number + turn * 7919 + 1) % each
            yield Item(
                f"i-{first}-{second}-{turn}-{number}",
                "__vs__".join(names),
                names,
                (f"d-{first}-{number}", f"d-{second}-{other}"),
                ("a", "a"),
            )


if __name__ == "__main__":
    _load_large(sys.argv[1])
