"""Run the tests with coverage, hold some rooms to the last branch, and say loudly what did not run.

Types are checked beside the first half of the tests: mypy keeps one core busy for most of a minute, and the
tests wait for something now and then. Wrong types end the run there. A process that a test left behind
fails the run: it is named, and ended.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage, which

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
COVERING = ("src", *(f"tests/{room}" for room in (*COVERED_TO_THE_LAST_BRANCH, "studies")))
"""The tests that cover those rooms: only they are traced, which makes them a third slower."""
MEMORY = Path("/dev/shm")
"""A file system in memory: tests there do not wait for the disk, and nothing else differs."""
ENOUGH = 2 * 1024**3
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
PATIENCE_SECONDS = 60
"""How long processes may take to end once the tests have: a database writes its files first."""


def main() -> int:
    """Run pytest with the arguments given, twice: what is traced, and the rest; the exit code for make."""
    cores = os.cpu_count() or 1
    coverage = [f"--cov=duologue.{room}" for room in COVERED_TO_THE_LAST_BRANCH]
    coverage += ["--cov-branch", "--cov-report="]
    rest = ["tests", *(f"--ignore={path}" for path in COVERING)]
    is_in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ENOUGH
    with tempfile.TemporaryDirectory(
        dir=MEMORY if is_in_memory else None, ignore_cleanup_errors=True
    ) as place:
        os.environ["TMPDIR"] = tempfile.tempdir = place
        try:
            with _types_checked() as are_types_right, _shared_program():
                _keep_what_is_made_once()
                code = _pytest(cores, *coverage, *COVERING)
                # The rest wait for servers, browsers and databases a part of their time.
                code = (_pytest(2 * cores, *rest) or code) if are_types_right() else 1
        finally:
            left = end_what_is_left(place)
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


def _keep_what_is_made_once() -> None:
    """Have tests compiled, and Hypothesis keep its table of characters, before several processes want them.

    All would begin at once, and each make everything for itself: seventeen seconds a process, and eight more
    where it is traced.
    """
    from hypothesis.strategies import characters

    characters(codec="utf-8", categories=["Lu"]).validate()
    collect = [sys.executable, "-m", "pytest", "-p", "timeout", "-n", "0", "--collect-only", "src", "tests"]
    subprocess.run(collect, cwd=ROOT, stdout=subprocess.DEVNULL)  # what is wrong is said by those that run


@contextmanager
def _types_checked() -> Iterator[Callable[[], bool]]:
    """Check types while the block runs; gives what waits, prints what was found and says if all is right."""
    with tempfile.TemporaryFile("w+") as said:
        types = subprocess.Popen([sys.executable, "-m", "mypy"], cwd=ROOT, stdout=said, stderr=said)

        def are_right() -> bool:
            found = types.wait()
            said.seek(0)
            print("mypy:", said.read(), flush=True)
            return found == 0

        try:
            yield are_right
        finally:
            types.kill()
            types.wait()


def _pytest(workers: int, *arguments: str) -> int:
    command = [sys.executable, "-m", "pytest", "-p", "timeout", "-n", str(workers), *arguments, *sys.argv[1:]]
    return subprocess.run(command, cwd=ROOT).returncode


@contextmanager
def _shared_program() -> Iterator[None]:
    """Let all processes that run tests fork commands off one process that has imported everything."""
    sys.path.insert(0, str(ROOT))
    from tests.commands import program
    from tests.forked import SHARED

    with program() as folder:
        os.environ[SHARED] = str(folder)
        yield


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
