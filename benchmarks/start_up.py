"""`duologue --help` against its limit of half a second, and against a bare Python."""

import statistics
import subprocess
import sys
import time
from pathlib import Path

LIMIT_SECONDS = 0.5


def main() -> dict[str, object]:
    """Median of ten starts each, taken in turns."""
    command = str(Path(sys.executable).parent / "duologue")
    ours: list[float] = []
    bare: list[float] = []
    for _ in range(10):
        ours.append(_seconds([command, "--help"]))
        bare.append(_seconds([sys.executable, "-c", "pass"]))
    seconds = statistics.median(ours)
    return {
        "duologue --help, seconds": round(seconds, 3),
        "ratio to a bare python": round(seconds / statistics.median(bare), 1),
        f"met: under {LIMIT_SECONDS} s": seconds < LIMIT_SECONDS,
    }


def _seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start
