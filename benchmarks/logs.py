"""Statistics of logs over ten million utterances: rate, memory, both cores, and a plain loop beside it.

``python -m benchmarks logs``; ``LOG_UTTERANCES=1000000`` makes it a tenth of the size. The command itself is
measured, as a user types it; memory is that of all its processes together.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.metrics import zipf_replies
from duologue.dialogues import Dialogue, Speaker, Turn, dump_dialogue, read_dialogues
from duologue.metrics import log_statistics

HERE = Path(__file__).parent
UTTERANCES = int(os.environ.get("LOG_UTTERANCES", "10000000"))
TURNS = 10
BOTS = 4
PLAIN_UTTERANCES = 50_000
MEGABYTES = 2048
_WORD = re.compile(r"[a-z0-9]+(?:'[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """A run of the command: what it printed, how long it took, and its largest size."""

    results: dict[str, object]
    seconds: float
    megabytes: float


def main() -> dict[str, object]:
    """Make the logs, count them in one process and in two, and compare with a plain loop."""
    (HERE / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("BENCH_DIR", HERE / "out")) as folder:
        large, small = Path(folder) / "logs.jsonl", Path(folder) / "some.jsonl"
        _write(large, UTTERANCES // TURNS)
        _write(small, PLAIN_UTTERANCES // TURNS)
        spread = _counted(large, "--engine", "processes", "--workers", "2")
        small_alone, small_spread = _counted(small), _counted(small, "--engine", "processes")
        ratio = _against_plain(small)
        size = large.stat().st_size / 2**20
    return {
        "utterances": UTTERANCES,
        "megabytes of logs": round(size),
        "two processes: seconds": round(spread.seconds, 1),
        "two processes: utterances/s": round(UTTERANCES / spread.seconds),
        "two processes: megabytes at most": round(spread.megabytes),
        "times as fast as a plain loop that counts the same, on one core": round(ratio, 2),
        f"met: below {MEGABYTES} MB": spread.megabytes < MEGABYTES,
        "met: every utterance is counted": spread.results["turns"] == UTTERANCES,
        "met: identical in one process and in two": small_alone.results == small_spread.results,
        "met: not slower than the plain loop": ratio > 1,
    }


def _write(path: Path, dialogues: int) -> None:
    speakers = [(Speaker("human"), Speaker(f"bot-{n}", f"bot-{n}")) for n in range(BOTS)]
    with path.open("w", encoding="utf-8") as file:
        for number, texts in enumerate(_texts(dialogues)):
            two = speakers[number % BOTS]
            turns = tuple(Turn(two[at % 2].name, text) for at, text in enumerate(texts))
            name = two[1].name
            file.write(dump_dialogue(Dialogue(f"d{number}", name, "live-chat", name, two, turns)) + "\n")


def _texts(dialogues: int) -> Iterator[list[str]]:
    """Turns of all dialogues; in blocks, so that this takes little memory itself."""
    block = 2_000
    for start in range(0, dialogues, block):
        count = min(block, dialogues - start)
        said = zipf_replies(count * TURNS, seed=start)
        yield from (said[at * TURNS : at * TURNS + TURNS] for at in range(count))


def _counted(path: Path, *options: str) -> FinishedRun:
    command = [sys.executable, "-c", "from duologue.cli.main import run; run()", "metrics", "logs", str(path)]
    start = time.perf_counter()
    process = subprocess.Popen([*command, "--json", *options], stdout=subprocess.PIPE)
    peak, is_over = [0.0], threading.Event()
    watcher = threading.Thread(target=_watch, args=(process.pid, peak, is_over))
    watcher.start()
    said, _ = process.communicate()
    is_over.set()
    watcher.join()
    if process.returncode:
        raise RuntimeError(f"the command ended with {process.returncode}")
    return FinishedRun(json.loads(said), time.perf_counter() - start, peak[0])


def _watch(pid: int, peak: list[float], is_over: threading.Event) -> None:
    """The largest sum of the sizes of a process and its children; pages that they share count once."""
    while not is_over.wait(0.25):
        peak[0] = max(peak[0], sum(map(_megabytes, _family(pid))))


def _family(pid: int) -> list[int]:
    try:
        told = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    except OSError:
        return [pid]
    return [pid, *(one for child in told.split() for one in _family(int(child)))]


def _megabytes(pid: int) -> float:
    try:
        told = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:  # it has ended
        return 0.0
    return sum(int(line.split()[1]) for line in told.splitlines() if line.startswith("Pss:")) / 1024


def _against_plain(path: Path) -> float:
    """How many times as long as ours the plain loop takes, on dialogues that are in memory."""
    logs = list(read_dialogues(path))
    ours = min(_seconds(lambda: log_statistics(logs)) for _ in range(3))
    plain = min(_seconds(lambda: _plain_counts(logs)) for _ in range(3))
    found, counted = log_statistics(logs), _plain_counts(logs)
    for bot in found.bots:
        for one in bot.figures:
            key = (bot.bot, one.side, one.statistic)
            assert one.count == counted.get(key, one.count), key
    return plain / ours


def _seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _plain_counts(logs: list[Dialogue]) -> Counter[tuple[str, str, str]]:
    """Lengths, repeats, questions and unique replies, looked at turn by turn as one would write it first."""
    counted: Counter[tuple[str, str, str]] = Counter()
    replies: dict[tuple[str, str], Counter[str]] = {}
    for log in logs:
        for place, turn in enumerate(log.turns):
            side = "human" if turn.speaker == "human" else "bot"
            words = _WORD.findall(turn.text.lower())
            counted[log.bot, side, "words"] += len(words)
            counted[log.bot, side, "characters"] += len(re.sub(r"\s", "", turn.text))
            counted[log.bot, side, "question-mark"] += "?" in turn.text
            replies.setdefault((log.bot, side), Counter())[" ".join(words)] += 1
            for n, name in enumerate(("unigram", "bigram", "trigram"), 1):
                for whose in ("own", "partner"):
                    before = [
                        one for one in log.turns[:place] if (one.speaker == turn.speaker) == (whose == "own")
                    ]
                    known = {run for one in before for run in _runs(_WORD.findall(one.text.lower()), n)}
                    counted[log.bot, side, f"{name}-{whose}"] += sum(run in known for run in _runs(words, n))
    for (bot, side), times in replies.items():
        counted[bot, side, "unique"] = sum(n == 1 for n in times.values())
    return counted


def _runs(words: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]
