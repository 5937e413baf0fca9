"""Building next utterance classification from a made-up corpus: memory and rate.

The issue asks for a million dialogues: ``DUOLOGUE_BENCH_DIALOGUES=1000000 python -m benchmarks nuc_build``.
The building runs in a process of its own, so that its peak memory is its own.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from duologue.dialogues import Dialogue, Speaker, Turn, dump_dialogue

PEAK_MB = 2048
_PASS = """
import json, resource, sys, time
from pathlib import Path
from duologue.nuc import Corpus, build_task

start = time.perf_counter()
task = build_task([Corpus("made-up", (Path(sys.argv[1]),))], Path(sys.argv[2]))
seconds = time.perf_counter() - start
used = resource.getrusage(resource.RUSAGE_SELF)
corpus = task.corpora[0]
print(json.dumps([
    sum(corpus.items.values()), seconds, used.ru_maxrss / 1024,
    corpus.lengths.true.mean, corpus.lengths.false.mean
]))
"""


def main(dialogues: int | None = None) -> dict[str, object]:
    count = dialogues or int(os.environ.get("DUOLOGUE_BENCH_DIALOGUES", "100000"))
    with tempfile.TemporaryDirectory(prefix="duologue-bench-") as folder:
        corpus = Path(folder) / "corpus.jsonl"
        _write(corpus, count)
        size = corpus.stat().st_size / 2**20
        command = [sys.executable, "-c", _PASS, str(corpus), str(Path(folder) / "out")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    items, seconds, peak, true, false = json.loads(done.stdout)
    return {
        "dialogues": count,
        "corpus, MB": round(size),
        "items": items,
        "build, s": round(seconds, 1),
        "build, dialogues/s": round(count / seconds),
        "build, peak MB": round(peak),
        "words of true replies, mean": round(true, 2),
        "words of false replies, mean": round(false, 2),
        f"met: peak below {PEAK_MB} MB": peak < PEAK_MB,
    }


def _write(path: Path, count: int) -> None:
    """Dialogues of 2 to 14 turns of 1 to 20 words, later turns longer."""
    rng = random.Random(1)
    words = [f"word{number}" for number in range(5_000)]
    speakers = (Speaker("A"), Speaker("B"))
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            turns = tuple(
                Turn("AB"[turn % 2], " ".join(rng.choices(words, k=rng.randint(1, 8 + turn))))
                for turn in range(rng.randint(2, 14))
            )
            file.write(
                dump_dialogue(Dialogue(f"d{number}", "people", "human-human", "A", speakers, turns)) + "\n"
            )


if __name__ == "__main__":
    print(json.dumps(main(), indent=1))
