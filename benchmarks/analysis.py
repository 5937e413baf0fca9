"""Analysing 1,000,000 judgments of 50 bots from a CSV file: seconds, and peak memory.

Run it with ``python -m benchmarks.analysis``; the target is under 5 s and 1 GB.
"""

from __future__ import annotations

import csv
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

JUDGMENTS = 1_000_000
BOTS = 50
SECONDS_ALLOWED = 5.0
MEGABYTES_ALLOWED = 1000.0

COLUMNS = (
    *("winner", "loser", "outcome", "winner_side", "annotator", "annotator_kind", "pairing"),
    *("winner_dialogue", "loser_dialogue", "reason", "seconds", "at", "revision", "excluded"),
)


def main() -> dict[str, object]:
    """Write the table, analyse it in a fresh process, and say how that went against the targets."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.csv"
        write_judgments(path, judgments=JUDGMENTS, bots=BOTS, rng=np.random.default_rng(7))
        megabytes_of_csv = path.stat().st_size / 1e6
        command = [sys.executable, "-m", "benchmarks.analysis", str(path)]
        seen = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    result: dict[str, object] = {
        "judgments": JUDGMENTS,
        "bots": BOTS,
        "csv_megabytes": round(megabytes_of_csv, 1),
        **seen,
        "seconds_ratio_to_target": round(seen["seconds"] / SECONDS_ALLOWED, 3),
        "memory_ratio_to_target": round(seen["peak_megabytes"] / MEGABYTES_ALLOWED, 3),
        "met seconds": seen["seconds"] < SECONDS_ALLOWED,
        "met memory": seen["peak_megabytes"] < MEGABYTES_ALLOWED,
    }
    return result


def write_judgments(path: Path, *, judgments: int, bots: int, rng: np.random.Generator) -> None:
    """A table as ``duologue judgments export`` writes it, quoted reasons included."""
    strength = rng.normal(0, 0.5, bots)
    first = rng.integers(0, bots, judgments)
    second = (first + rng.integers(1, bots, judgments)) % bots
    first_wins = rng.random(judgments) < 1 / (1 + np.exp(strength[second] - strength[first]))
    annotator = rng.integers(0, judgments // 40, judgments)
    dialogue = rng.integers(0, 2_000, (judgments, 2))
    seconds = rng.gamma(4, 15, judgments).round(1)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for row in range(judgments):
            won, lost = (first[row], second[row]) if first_wins[row] else (second[row], first[row])
            writer.writerow(
                (
                    f"bot-{won:02}",
                    f"bot-{lost:02}",
                    "tie" if row % 50 == 0 else "win",
                    1 + row % 2,
                    f"annotator-{annotator[row]}",
                    "lab",
                    f"pairing-{row // 2}",
                    f"d{won}-{dialogue[row, 0]}",
                    f"d{lost}-{dialogue[row, 1]}",
                    'it said "hello", and then some' if row % 3 else "",
                    seconds[row],
                    f"2026-05-{1 + row % 28:02}T12:{row % 60:02}:00+00:00",
                    1,
                    "no-reason" if row % 100 == 3 else "",
                )
            )


def _analyse(path: Path) -> dict[str, float]:
    began = time.perf_counter()
    cpu = time.process_time
    from duologue.judgments import read_votes
    from duologue.protocols.acute import analyse_votes

    imported, cpu_imported = time.perf_counter(), cpu()
    votes = read_votes(path)
    read = time.perf_counter()
    results = analyse_votes(votes, seed=7)
    analysed = time.perf_counter()
    results.to_json()
    done = time.perf_counter()
    return {
        "seconds": round(done - imported, 2),
        "cpu_seconds": round(cpu() - cpu_imported, 2),
        "seconds_reading": round(read - imported, 2),
        "seconds_analysing": round(analysed - read, 2),
        "seconds_importing_packages": round(imported - began, 2),
        "peak_megabytes": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(_analyse(Path(sys.argv[1]))))
    else:
        print(json.dumps(main(), indent=2))
