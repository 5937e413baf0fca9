"""What the tests rely on: processes end with their test, and every test has its limit."""

import importlib.util
import re
import signal
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.processes import finished, interruptible, printed_until, running
from tests.waiting import PATIENCE, wait_until

TESTS = Path(__file__).parent

PARENT = """
import subprocess, sys
code = "import os; print(os.getpid(), 'begun', flush=True); input()"
subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE).wait()
"""


def state(pid: int) -> str:
    """The state of a process as the kernel tells it; empty when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return ""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_ends_with_its_children_when_the_test_fails() -> None:
    def fail() -> None:
        with running([sys.executable, "-c", PARENT]) as process:
            pids.append(process.pid)
            pids.append(int(printed_until(process, "begun").split()[0]))
            assert "Z" not in map(state, pids)
            raise ZeroDivisionError

    pids: list[int] = []
    with pytest.raises(ZeroDivisionError):
        fail()
    assert len(pids) == 2
    wait_until(lambda: all(state(pid) in ("", "Z") for pid in pids), "parent and child end")


@pytest.fixture
def run_tests() -> ModuleType:
    """The script that `make test` runs."""
    spec = importlib.util.spec_from_file_location("run_tests", TESTS.parent / "scripts" / "run_tests.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_a_test_left_behind_is_named_and_ended(run_tests: ModuleType, tmp_path: Path) -> None:
    with running([sys.executable, "-c", PARENT], variables={"TMPDIR": str(tmp_path)}) as process:
        printed_until(process, "begun")
        left = run_tests.end_what_is_left(str(tmp_path), patience=0)
        assert process.wait(PATIENCE) == -signal.SIGKILL
    assert len(left) == 2
    assert all(sys.executable in command for command in left)
    assert run_tests.end_what_is_left(str(tmp_path)) == []


@pytest.mark.parametrize("is_background", [False, True])
def test_a_process_is_interrupted_also_when_the_tests_run_in_the_background(is_background: bool) -> None:
    code = "import time; print('begun', flush=True); time.sleep(3600)"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_background else None
    try:
        with running([sys.executable, "-c", code]) as process:
            printed_until(process, "begun")
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == -signal.SIGINT
        with interruptible(), pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    finally:
        if is_background:
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.signal(signal.SIGINT, before)


def test_a_background_job_ignores_what_interrupts_others() -> None:
    code = "import signal; print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN)"
    with running([sys.executable, "-c", code], is_interruptible=False) as process:
        assert process.communicate()[0] == "True\n"


def test_no_test_starts_a_process_that_nobody_ends() -> None:
    allowed = {TESTS / "processes.py", Path(__file__)}
    starts = re.compile(r"^(?![ ]*\").*subprocess\.Popen\(", re.MULTILINE)
    found = [path for path in TESTS.rglob("*.py") if starts.search(path.read_text(encoding="utf-8"))]
    assert set(found) - allowed == set()


def test_ci_runs_what_the_readme_says() -> None:
    ran = (TESTS.parent / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert ran == "make test"
    assert re.search(rf"^    {ran} ", (TESTS.parent / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_test_has_a_limit_in_time(request: pytest.FixtureRequest) -> None:
    without = [item for item in request.session.items if item.get_closest_marker("timeout") is None]
    assert without == []
    assert request.config.pluginmanager.hasplugin("timeout")


def test_a_test_that_hangs_is_ended_and_the_next_one_runs(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import pytest, threading\n"
        "@pytest.mark.timeout(1)\n"
        "def test_hangs(): threading.Event().wait()\n"
        "def test_next(): pass\n",
        encoding="utf-8",
    )
    done = finished(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--color=no", tmp_path],
        variables={"PYTEST_ADDOPTS": ""},
    )
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "Timeout" in done.stdout


FIRST_TIME_ONLY = """
from pathlib import Path
def test_that_fails_{times}():
    seen = Path(__file__).with_suffix(".seen")
    is_first = not seen.exists()
    seen.touch()
    assert not is_first or {times} == 0
    assert {times} < 2
"""


@pytest.mark.parametrize(
    ("room", "times", "code", "is_named"),
    [("server", 1, 0, True), ("server", 2, 1, False), ("stats", 1, 1, False), ("stats", 0, 0, False)],
)
def test_a_test_that_may_fail_by_chance_is_run_once_more_and_named(
    run_tests: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    room: str,
    times: int,
    code: int,
    is_named: bool,
) -> None:
    test = tmp_path / "tests" / room / "test_it.py"
    test.parent.mkdir(parents=True)
    test.write_text(FIRST_TIME_ONLY.format(times=times), encoding="utf-8")
    (tmp_path / "timeout.py").touch()
    (tmp_path / "tests" / "spreading.py").write_text(
        "def pytest_addoption(parser): parser.addoption('--processes')", encoding="utf-8"
    )
    (tmp_path / "pytest.ini").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(run_tests, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["run_tests.py", "-q"])
    assert run_tests._tested(tmp_path) == code
    log = tmp_path / "test-flaky.log"
    assert log.exists() == is_named
    assert not is_named or f"tests/{room}/test_it.py::test_that_fails_{times}" in log.read_text("utf-8")
