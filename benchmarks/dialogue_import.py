"""Importing a large log into a study: memory and speed, beside ``json.loads`` over the same file.

Megabytes are 2**20 bytes. The issue asks for one gigabyte: ``main(1024)``, or from the shell
``DUOLOGUE_BENCH_MB=1024 python -m benchmarks dialogue_import``. Each pass runs in a process of its own, so
that its peak memory is its own.
"""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues import Dialogue, Speaker, Turn, dump_dialogue

PEAK_MB = 600
"""What an import may take at most: it keeps about 250 bytes a dialogue, whatever its length."""
_PASS = """
import json, resource, sys, time
from pathlib import Path

what, log, study = sys.argv[1:]
def loads():
    with open(log, "rb") as file:
        return sum(1 for line in file if json.loads(line))
def imported():
    from duologue.dialogues import import_dialogues
    return import_dialogues([log], study).added
def indexed():
    from duologue.dialogues import index_dialogues
    return len(index_dialogues(study))
work = {"loads": loads, "import": imported, "index": indexed}[what]
start = time.perf_counter()
count = work()
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([count, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


@dataclass(frozen=True, slots=True)
class _Pass:
    count: int
    seconds: float
    processor: float
    peak: float


def main(megabytes: int | None = None) -> dict[str, object]:
    size = megabytes or int(os.environ.get("DUOLOGUE_BENCH_MB", "200"))
    with tempfile.TemporaryDirectory(prefix="duologue-bench-") as folder:
        log, study = Path(folder) / "log.jsonl", Path(folder) / "study"
        study.mkdir()
        (study / "study.toml").touch()
        written = _write_log(log, size * 2**20)
        plain = _run("loads", log, study)
        imported, again, indexed = (_run(what, log, study) for what in ("import", "import", "index"))
    is_whole = (imported.count, again.count, indexed.count) == (written, 0, written)
    return {
        "megabytes": size,
        "dialogues": written,
        "plain json.loads, s": round(plain.seconds, 2),
        "import, s": round(imported.seconds, 2),
        "import, MB/s": round(size / imported.seconds, 1),
        "import, times the processor time of json.loads": round(imported.processor / plain.processor, 1),
        "import, peak MB": round(imported.peak),
        "import of what is there, s": round(again.seconds, 2),
        "import of what is there, peak MB": round(again.peak),
        "index, s": round(indexed.seconds, 2),
        "index, dialogues/s": round(indexed.count / indexed.seconds),
        f"met: peak below {PEAK_MB} MB": max(imported.peak, again.peak) < PEAK_MB,
        "met: nothing lost, nothing twice": is_whole,
    }


def _write_log(path: Path, size: int) -> int:
    """Write dialogues of twelve turns, of two bots, until the file is large enough; say how many."""
    words = ("tea", "coffee", "music", "summer", "naïve", "café", "日本", "hello", "what", "you", "fine")
    count = 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            lines = []
            for number in range(count, count + 500):
                bot = f"bot-{number % 2}"
                turns = tuple(
                    Turn(
                        "AB"[t % 2],
                        " ".join(words[(number * 7 + t * 3 + w * w) % len(words)] for w in range(16)),
                    )
                    for t in range(12)
                )
                speakers = (Speaker("A"), Speaker("B", bot))
                lines.append(dump_dialogue(Dialogue(f"d{number}", bot, "live-chat", "B", speakers, turns)))
            file.write("\n".join(lines) + "\n")
            count += len(lines)
    return count


def _run(what: str, log: Path, study: Path) -> _Pass:
    command = [sys.executable, "-c", _PASS, what, str(log), str(study)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return _Pass(*json.loads(done.stdout))


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
