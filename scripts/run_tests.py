"""Run the tests with coverage, hold three rooms to the last branch, and say loudly what did not run.

A process that a test left behind fails the run: it is named, and ended.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import disk_usage, which

ROOT = Path(__file__).parent.parent
COVERED_TO_THE_LAST_BRANCH = ("acute", "judgments", "likert", "per_turn", "protocols", "stats")
COVERING = ("src", *(f"tests/{room}" for room in (*COVERED_TO_THE_LAST_BRANCH, "reports", "studies")))
"""The tests that cover those rooms: only they are traced, which makes them a third slower."""
MEMORY = Path("/dev/shm")
"""A file system in memory: tests there do not wait for the disk, and nothing else differs."""
ENOUGH = 2 * 1024**3
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
PATIENCE_SECONDS = 60
"""How long processes may take to end once the tests have: a database writes its files first."""


def main() -> int:
    """Run pytest with the arguments given, twice: what is traced, and the rest; the exit code for make."""
    coverage = [f"--cov=duologue.{room}" for room in COVERED_TO_THE_LAST_BRANCH]
    coverage += ["--cov-branch", "--cov-report="]
    rest = ["tests", *(f"--ignore={path}" for path in COVERING)]
    is_in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ENOUGH
    with tempfile.TemporaryDirectory(
        dir=MEMORY if is_in_memory else None, ignore_cleanup_errors=True
    ) as place:
        try:
            codes = [_pytest(place, *coverage, *COVERING), _pytest(place, *rest)]
        finally:
            left = end_what_is_left(place)
    code = max(codes)
    if left:
        print("THE TESTS LEFT PROCESSES BEHIND (they are ended now):", *left, sep="\n  ")
        code = code or 1
    if code == 0:
        code = _report_coverage()
    if not any(map(which, BROWSERS)):
        print("*" * 80)
        print("  THE BROWSER TESTS DID NOT RUN: Chromium was not found.")
        print("  Install it with:   sudo apt-get install chromium")
        print("*" * 80)
    return code


def _pytest(place: str, *arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", "-p", "timeout", *arguments, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": place}).returncode


def end_what_is_left(place: str, *, patience: float = PATIENCE_SECONDS) -> list[str]:
    """End every process that has ``place`` for its temporary files; what they were."""
    end = time.monotonic() + patience
    while (left := _running_in(place)) and time.monotonic() < end:
        time.sleep(0.1)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return list(left.values())


def _running_in(place: str) -> dict[int, str]:
    """The command of each of our processes with this temporary folder; none where there is no /proc."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            variables = (folder / "environ").read_bytes().split(b"\0")
            if f"TMPDIR={place}".encode() in variables:
                command = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found[int(folder.name)] = command.decode(errors="replace")[:200]
        except OSError:
            continue
    return {pid: command for pid, command in found.items() if command}


def _report_coverage() -> int:
    report = [sys.executable, "-m", "coverage", "report"]
    strict = subprocess.run([*report, "--fail-under=100"], cwd=ROOT)
    if strict.returncode:
        print("these rooms should be covered to the last branch; the lines above are not")
    return strict.returncode


if __name__ == "__main__":
    sys.exit(main())
