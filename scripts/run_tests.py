"""Run the tests with coverage, hold three rooms to the last branch, and say loudly what did not run."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from shutil import disk_usage, which

ROOT = Path(__file__).parent.parent
COVERED_TO_THE_LAST_BRANCH = ("stats", "protocols", "judgments")
MEMORY = Path("/dev/shm")
"""A file system in memory: tests there do not wait for the disk, and nothing else differs."""
ENOUGH = 2 * 1024**3
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Run pytest with the arguments given; returns the exit code for make."""
    coverage = ["--cov=duologue", "--cov-branch", "--cov-report="]
    is_in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ENOUGH
    with tempfile.TemporaryDirectory(
        dir=MEMORY if is_in_memory else None, ignore_cleanup_errors=True
    ) as place:
        command = [sys.executable, "-m", "pytest", *coverage, *sys.argv[1:]]
        code = subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": place}).returncode
    if code == 0:
        code = _report_coverage()
    if not any(map(which, BROWSERS)):
        print("*" * 80)
        print("  THE BROWSER TESTS DID NOT RUN: Chromium was not found.")
        print("  Install it with:   sudo apt-get install chromium")
        print("*" * 80)
    return code


def _report_coverage() -> int:
    report = [sys.executable, "-m", "coverage", "report"]
    subprocess.run([*report, "--format=total"], cwd=ROOT, check=False)
    rooms = ",".join(f"src/duologue/{room}/*" for room in COVERED_TO_THE_LAST_BRANCH)
    strict = subprocess.run([*report, f"--include={rooms}", "--fail-under=100"], cwd=ROOT)
    if strict.returncode:
        print("these rooms should be covered to the last branch; the lines above are not")
    return strict.returncode


if __name__ == "__main__":
    sys.exit(main())
