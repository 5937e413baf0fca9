"""Run the tests, those that depend on a busy machine a second time, and say loudly what did not run.

Types are checked beside the tests: mypy keeps one core busy for most of a minute, and collecting the
tests the other. A process that a test left behind fails the run: it is named, and ended.
"""

import json
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
sys.path.insert(0, str(ROOT))

from tests.commands import program  # noqa: E402  found by the line above
from tests.forked import SHARED  # noqa: E402  likewise

MEMORY = Path("/dev/shm")
"""A file system in memory: tests there do not wait for the disk, and nothing else differs."""
ENOUGH = 2 * 1024**3
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
WITH_PROCESSES = ("bots", "browser", "cli", "demo", "end_to_end", "rehearsal", "server", "store", "telegram")
"""Rooms whose tests start browsers, servers, bots or other processes and wait for them."""
PATIENCE_SECONDS = 60
"""How long processes may take to end once the tests have: a database writes its files first."""


def main() -> int:
    """Run pytest with the arguments given; the exit code for make."""
    is_in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and disk_usage(MEMORY).free > ENOUGH
    with tempfile.TemporaryDirectory(
        dir=MEMORY if is_in_memory else None, ignore_cleanup_errors=True
    ) as place:
        os.environ["TMPDIR"] = tempfile.tempdir = place
        os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,127.0.0.2,localhost"
        os.environ.pop("FORCE_COLOR", None)  # commands in tests print to files
        try:
            with _types_checked() as are_types_right, _shared_program():
                code = _tested(Path(place))
                code = code if are_types_right() else code or 1
        finally:
            left = end_what_is_left(place)
    if left:
        print("THE TESTS LEFT PROCESSES BEHIND (they are ended now):", *left, sep="\n  ")
        code = code or 1
    if not any(map(which, BROWSERS)):
        print("*" * 80)
        print("  THE BROWSER TESTS DID NOT RUN: Chromium was not found.")
        print("  Install it with:   sudo apt-get install chromium")
        print("*" * 80)
    return code


def _tested(place: Path) -> int:
    """Run the tests; those that may fail by chance once more, alone."""
    processes = 1 + (os.cpu_count() or 1)  # one of them waits for a server, a browser or a database
    plugins = ["-p", "timeout", "-p", "tests.spreading", "-p", "no:xdist"]
    cache = place / "cache"
    command = [sys.executable, "-m", "pytest", *plugins, "-o", f"cache_dir={cache}", *sys.argv[1:]]
    code = subprocess.run([*command, "--processes", str(processes)], cwd=ROOT).returncode
    failed = failed_tests(cache)
    if code != 1 or not failed or not all(map(may_fail_by_chance, failed)):
        return code
    print("THESE TESTS FAILED, AND ARE RUN ONCE MORE, ALONE:", *failed, sep="\n  ", flush=True)
    if again := subprocess.run([*command, "--last-failed"], cwd=ROOT).returncode:
        return again
    print("*" * 80, "  FLAKY: they failed, and passed alone:", *failed, "*" * 80, sep="\n  ", flush=True)
    with (ROOT / "test-flaky.log").open("a", encoding="utf-8") as log:
        print(time.strftime("%Y-%m-%d %H:%M:%S"), *failed, sep="\n  ", file=log)
    return 0


def failed_tests(cache: Path) -> list[str]:
    """The tests that pytest says failed in the run that kept this cache."""
    kept = cache / "v" / "cache" / "lastfailed"
    return sorted(json.loads(kept.read_text(encoding="utf-8"))) if kept.exists() else []


def may_fail_by_chance(test: str) -> bool:
    """Whether a test needs a browser, several processes or a network; all others fail at once."""
    return len(parts := test.split("/")) > 2 and parts[0] == "tests" and parts[1] in WITH_PROCESSES


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


@contextmanager
def _shared_program() -> Iterator[None]:
    """Let all processes that run tests fork commands off one process that has imported everything."""
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


if __name__ == "__main__":
    sys.exit(main())
