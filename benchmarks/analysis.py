"""Analysing 2,000,000 judgments of 50 bots from a CSV file.

Run it with ``python -m benchmarks.analysis``; the targets are under 20 processor seconds and 1.5 GB for the
whole ``analyse --json``, leaderboard included. ``BEFORE=FOLDER`` (a checkout of another version) compares
with that one in turns: not slower and not larger, up to a tenth.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks._before import NOISE, folder_before

JUDGMENTS = 2_000_000
BOTS = 50
SECONDS_ALLOWED = 20.0
MEGABYTES_ALLOWED = 1500.0
COLUMNS = (
    *("winner", "loser", "outcome", "winner_side", "annotator", "annotator_kind", "pairing"),
    *("winner_dialogue", "loser_dialogue", "reason", "seconds", "at", "revision", "excluded"),
)


def main() -> dict[str, object]:
    """Write the table, analyse it in fresh processes, and say how that went against the targets."""
    before = folder_before()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "judgments.csv"
        write_judgments(path, judgments=JUDGMENTS, bots=BOTS, rng=np.random.default_rng(7))
        megabytes_of_csv = path.stat().st_size / 1e6
        ours, theirs = [], []
        for _ in range(2):
            ours.append(analyse(path, HERE / "src"))
            if before:
                theirs.append(analyse(path, before / "src"))
    seconds, megabytes = (min(values) for values in zip(*ours, strict=True))
    result: dict[str, object] = {
        "judgments": JUDGMENTS,
        "bots": BOTS,
        "csv_megabytes": round(megabytes_of_csv, 1),
        "cpu_seconds": round(seconds, 2),
        "peak_megabytes": round(megabytes, 1),
        "met seconds": seconds < SECONDS_ALLOWED,
        "met memory": megabytes < MEGABYTES_ALLOWED,
    }
    if theirs:
        old_seconds, old_megabytes = (min(values) for values in zip(*theirs, strict=True))
        result |= {
            "cpu_seconds before": round(old_seconds, 2),
            "peak_megabytes before": round(old_megabytes, 1),
            "met not slower than before": seconds <= NOISE * old_seconds,
            "met not larger than before": megabytes <= NOISE * old_megabytes,
        }
    return result


HERE = Path(__file__).parent.parent


def analyse(path: Path, source: Path) -> tuple[float, float]:
    """Processor seconds and peak megabytes of ``analyse --json`` with the sources in a folder."""
    script = (
        f"import sys; sys.path.insert(0, {str(source)!r}); "
        f"sys.argv[1:] = ['analyse', {str(path)!r}, '--json']; from duologue.cli.main import run; run()"
    )
    process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"analyse ended with {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


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


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
