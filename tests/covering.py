"""Which lines and branches of some rooms no test has run; a plugin of pytest for `scripts/run_tests.py`.

SlipCover watches a line only until it has been run. These tests take a tenth longer with it. With
a tracer, which looks at every line each time, they take two thirds longer.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from slipcover import FileMatcher, ImportManager, Slipcover, merge_coverage

ROOT = Path(__file__).parent.parent
COVERED_TO_THE_LAST_BRANCH = (
    "acute",
    "comparing",
    "judgments",
    "likert",
    "nuc",
    "per_turn",
    "protocols",
    "stats",
)
WATCH = pytest.StashKey[Slipcover]()
ELSEWHERE = (
    "*/commands/*",  # tested as a user types them (tests/cli), in processes of their own
    "*/rehearsal/*",  # tested by rehearsing (tests/rehearsal, tests/cli)
    "*/report/*",  # tested by the reports they write (tests/reports, tests/cli, tests/browser)
)
FOLDER = "DUOLOGUE_TEST_COVERAGE"
"""The variable with the folder where each process that ran tests writes what it has seen."""

SOURCES = [str(ROOT / "src" / "duologue" / room) for room in COVERED_TO_THE_LAST_BRANCH]


TIMES = 1_000
"""How often a line that was seen is run again before SlipCover rewrites what is watched, which takes long.

With 50, its default, tests/stats and tests/likert take 88 s of processor time; with this 69 s.
"""


def _watch() -> Slipcover:
    return Slipcover(
        branch=True,
        source=SOURCES,
        omit=list(ELSEWHERE),
        exclude_also=[r"\.\.\.$"],
        d_miss_threshold=TIMES,
    )


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config) -> None:
    """Watch what is imported from now on."""
    early_config.stash[WATCH] = _watch()
    matcher = FileMatcher(sources=SOURCES, omit=list(ELSEWHERE))
    ImportManager(early_config.stash[WATCH], matcher).__enter__()


def pytest_process_ends(config: pytest.Config) -> None:
    """Write what this process has seen."""
    path = Path(os.environ[FOLDER]) / f"{os.getpid()}.json"
    path.write_text(json.dumps(config.stash[WATCH].get_coverage()), encoding="utf-8")


def uncovered(folder: Path) -> list[str]:
    """The lines and branches that no process has seen, a line for each file that has some."""
    seen = _watch().get_coverage()
    for path in folder.glob("*.json"):
        merge_coverage(seen, json.loads(path.read_text(encoding="utf-8")))
    found = []
    for name, file in sorted(seen["files"].items()):
        lines = [str(line) for line in file["missing_lines"]]
        branches = [f"{start}->{end or 'exit'}" for start, end in file["missing_branches"]]
        if lines or branches:
            found.append(f"{name}: {', '.join(lines + branches)}")
    return found
