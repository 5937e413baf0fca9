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
print(json.dumps([count, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def main(megabytes: int | None = None) -> dict[str, object]:
    size = megabytes or int(os.environ.get("DUOLOGUE_BENCH_MB", "200"))
    with tempfile.TemporaryDirectory(prefix="duologue-bench-") as folder:
        log, study = Path(folder) / "log.jsonl", Path(folder) / "study"
        study.mkdir()
        (study / "study.toml").touch()
        written = _write_log(log, size * 2**20)
        plain = _run("loads", log, study)
        imported, again, indexed = (_run(what, log, study) for what in ("import", "import", "index"))
    return {
        "megabytes": size,
        "dialogues": written,
        "plain json.loads, s": round(plain[1], 2),
        "import, s": round(imported[1], 2),
        "import, MB/s": round(size / imported[1], 1),
        "import, times as long as json.loads": round(imported[1] / plain[1], 1),
        "import, peak MB": round(imported[2]),
        "import of what is there, s": round(again[1], 2),
        "import of what is there, peak MB": round(again[2]),
        "index, s": round(indexed[1], 2),
        "index, dialogues/s": round(indexed[0] / indexed[1]),
        f"met: peak below {PEAK_MB} MB": max(imported[2], again[2]) < PEAK_MB,
        "met: nothing lost, nothing twice": (imported[0], again[0], indexed[0]) == (written, 0, written),
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


def _run(what: str, log: Path, study: Path) -> tuple[int, float, float]:
    command = [sys.executable, "-c", _PASS, what, str(log), str(study)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, seconds, peak = json.loads(done.stdout)
    return count, seconds, peak


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
