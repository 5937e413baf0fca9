"""How long commands take to begin: `--help` against half a second, `analyse` against `import scipy.stats`."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT_SECONDS = 0.5
ANALYSE_RATIO = 0.7
TIMES = 10

VOTES = "winner,loser,annotator\na,b,x\na,b,y\nb,a,z\na,b,w\n"


def main() -> dict[str, object]:
    """Median of ten starts each, taken in turns."""
    command = str(Path(sys.executable).parent / "duologue")
    python = [sys.executable, "-c"]
    with tempfile.TemporaryDirectory() as folder:
        votes = Path(folder) / "votes.csv"
        votes.write_text(VOTES)
        taken = [
            (
                _taken([command, "--help"]),
                _taken([*python, "pass"]),
                _taken([command, "analyse", str(votes), "--json"]),
                _taken([*python, "import scipy.stats"]),
            )
            for _ in range(TIMES)
        ]
    shown, bare, analysed, imported = zip(*taken, strict=True)
    seconds = _median(shown, 0)
    ratio = _median(analysed, 1) / _median(imported, 1)
    return {
        "duologue --help, seconds": round(seconds, 3),
        "ratio to a bare python": round(seconds / _median(bare, 0), 1),
        f"met: under {LIMIT_SECONDS} s": seconds < LIMIT_SECONDS,
        "analyse of four votes, CPU seconds": round(_median(analysed, 1), 3),
        "import scipy.stats, CPU seconds": round(_median(imported, 1), 3),
        "ratio of CPU": round(ratio, 2),
        f"met: at most {ANALYSE_RATIO}": ratio <= ANALYSE_RATIO,
    }


def _median(taken: tuple[tuple[float, float], ...], which: int) -> float:
    return statistics.median(one[which] for one in taken)


def _taken(command: list[str]) -> tuple[float, float]:
    """Seconds and CPU seconds of a command."""
    start, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, capture_output=True)
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu
