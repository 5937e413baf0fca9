"""Serving and live chats of this version beside those of earlier ones, in one run on the same machine.

Each version is taken from the repository and runs its own code and its own benchmark, in turns:

- *served*: cycles a second on SQLite and PostgreSQL, by one process and by two, against the version in
  which one lock of PostgreSQL made all writers wait;
- *live chat*: our share of the wait for a reply, against the version in which a chat had one bot.

Run it with ``python -m benchmarks before_and_after``, with nothing else running.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.postgresql import postgresql

ROOT = Path(__file__).parents[1]
BEFORE_ROW_LOCKS = "a4cf801"
BEFORE_CANDIDATES = "6c43100^"
LEAST_RATIO = 0.95
"""Of cycles a second; two runs of the same version differ by as much."""
MOST_OVERHEAD = 1.1
_SERVED = """
import json, sys
from pathlib import Path
from benchmarks import serving

folder, workers, database = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
make_study = serving.make_study


def make_study_there(study, *_):
    make_study(study)
    text = (study / "study.toml").read_text()
    if database:
        text = text.replace("[study]\\n", f'[study]\\ndatabase = "{database}"\\n', 1)
    (study / "study.toml").write_text(text)


serving.make_study = make_study_there
print(json.dumps(serving.serve_and_load(folder, serving.ANNOTATORS, workers=workers)))
"""
_LIVE_CHAT = """
import json
from benchmarks import live_chat
print(json.dumps(live_chat.main()))
"""
_LIVE_CHAT_BEFORE = """
import json
from benchmarks import live_chat


class Served(live_chat.Served):  # in that version the benchmark had not followed a change of this class
    def __init__(self, study):
        super().__init__(study, 1)

    def __enter__(self):
        return super().__enter__()[:2]


live_chat.Served = Served
print(json.dumps(live_chat.main()))
"""


def main() -> dict[str, object]:
    """Measure each version, and say how this one stands against the earlier ones."""
    (ROOT / "benchmarks" / "out").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "benchmarks" / "out") as name:
        folder = Path(name)
        figures = _served(folder, _version(folder, BEFORE_ROW_LOCKS))
        return figures | _live_chats(_version(folder, BEFORE_CANDIDATES))


def _served(folder: Path, earlier: Path) -> dict[str, object]:
    figures: dict[str, object] = {}
    with postgresql(folder / "postgresql") as server:
        for engine, workers in (("SQLite", 1), ("SQLite", 2), ("PostgreSQL", 1), ("PostgreSQL", 2)):
            runs: list[dict[str, Any]] = []
            for when, version in (("before", earlier), ("after", ROOT)):
                database = f"{server}&study={when}_{workers}" if engine == "PostgreSQL" else ""
                study = folder / f"{engine}-{workers}-{when}"
                runs.append(_run(version, _SERVED, str(study), str(workers), database))
            before, after = (run["rate"] for run in runs)
            what = f"{engine}, {workers} process{'es' * (workers > 1)}"
            figures[f"{what}: cycles a second before, after"] = [round(before, 1), round(after, 1)]
            figures[f"{what}: ratio"] = round(after / before, 2)
            figures[f"met: {what} not slower"] = after >= LEAST_RATIO * before
            figures[f"met: {what}, nothing lost, twice or over cap"] = not any(runs[1]["faults"].values())
    return figures


def _live_chats(earlier: Path) -> dict[str, object]:
    before, after = _run(earlier, _LIVE_CHAT_BEFORE), _run(ROOT, _LIVE_CHAT)
    names = ("overhead p50, ms", "overhead p99, ms", "processor time of ours a reply, ms")
    figures: dict[str, object] = {
        f"live chat, {name}: before, after": [before[name], after[name]] for name in names
    }
    spent = names[2]
    figures["met: live chat takes no more CPU a reply"] = after[spent] <= MOST_OVERHEAD * before[spent]
    return figures


def _version(folder: Path, commit: str) -> Path:
    """The repository as it was, in a folder of its own."""
    there = folder / f"version-{commit.strip('^')}"
    there.mkdir()
    archive = ["git", "-C", str(ROOT), "archive", commit]
    with subprocess.Popen(archive, stdout=subprocess.PIPE) as process:
        subprocess.run(["tar", "-x", "-C", str(there)], stdin=process.stdout, check=True)
    if process.returncode:
        raise RuntimeError(f"commit {commit} is not in this repository: it is needed to compare with.")
    return there


def _run(version: Path, code: str, *args: str) -> dict[str, Any]:
    env = {**os.environ, "PYTHONPATH": str(version / "src")}
    command = [sys.executable, "-W", "ignore", "-c", code, *args]
    done = subprocess.run(command, cwd=version, env=env, check=True, stdout=subprocess.PIPE, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
