"""Several processes on one database behave as one, and a killed one loses nothing it acknowledged."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from duologue.store import (
    IdleStation,
    Store,
    fetch_judgments,
    fetch_progress,
    invite_annotators,
    load_dialogues,
    load_items,
    open_store,
    resume_sitting,
)
from tests.processes import PYTHON, finished, running
from tests.store.conftest import PROCESSES
from tests.store.judging_process import MANY
from tests.store.small_study import come, dialogues, load, pairing
from tests.store.truth import assert_sound
from tests.waiting import PATIENCE

REPOSITORY = Path(__file__).parents[2]


@contextmanager
def _judging(address: str, *groups: list[str]) -> Iterator[list[subprocess.Popen[str]]]:
    """A process of annotators for each group of tokens, begun together."""
    command = [*PYTHON, "-m", "tests.store.judging_process", address]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running([*command, *tokens], folder=REPOSITORY, takes_input=True))
            for tokens in groups
        ]
        start_together(processes)
        yield processes


def start_together(processes: list[subprocess.Popen[str]]) -> None:
    """Wait until all are ready, and let them go."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")


def _invited(store: Store, count: int) -> list[str]:
    return [invitation.token for invitation in store.run(invite_annotators(count))]


@PROCESSES
def test_three_processes_hand_out_everything_exactly_once(database: str) -> None:
    with open_store(database) as store:
        load(store, MANY, each=60)
        with _judging(database, *(_invited(store, 6) for _ in range(3))) as processes:
            acknowledged = [line for process in processes for line in process.communicate()[0].split()]
            assert [process.returncode for process in processes] == [0, 0, 0]
        assert Counter(judgment.assignment for judgment in store.stream(fetch_judgments())) == Counter(
            acknowledged
        )
        assert all((group.done, group.leased) == (60, 0) for group in store.run(fetch_progress()))
        assert len({judgment.annotator for judgment in store.stream(fetch_judgments())}) > 6
        assert_sound(database, MANY)


@PROCESSES
def test_one_link_in_two_processes_is_one_annotator(database: str) -> None:
    """A second tab, served by another process, neither judges twice nor holds two assignments."""
    with open_store(database) as store:
        load(store, MANY, bots="AB", each=30)
        tokens = _invited(store, 3)
        with _judging(database, tokens, tokens) as processes:
            for process in processes:
                process.communicate()
            assert [process.returncode for process in processes] == [0, 0]
        assert len(list(store.stream(fetch_judgments()))) == 30
        assert_sound(database, MANY)


def test_nothing_acknowledged_is_lost_when_the_process_is_killed(database: str) -> None:
    with open_store(database) as store:
        store.run(load_dialogues(dialogues("AB", 2000)))
        store.run(load_items([pairing(f"A-{number}", f"B-{number}") for number in range(2000)], MANY))
        tokens = _invited(store, 20)
    acknowledged: list[str] = []
    for kill_after in (1, 120):
        with _judging(database, tokens) as (process,):
            assert process.stdout is not None
            acknowledged += [process.stdout.readline().strip() for _ in range(kill_after)]
            process.send_signal(signal.SIGKILL)
            acknowledged += process.communicate()[0].split()
            assert process.returncode == -signal.SIGKILL
    with open_store(database) as store:
        stored = Counter(judgment.assignment for judgment in store.stream(fetch_judgments()))
        assert len(acknowledged) == len(set(acknowledged)) >= 121
        assert all(stored[key] == 1 for key in acknowledged)
        assert max(stored.values()) == 1
        assert all(store.run(resume_sitting(token, MANY)).annotator.arm == "main" for token in tokens)
        assert_sound(database, MANY)


def test_processes_that_open_a_new_database_together_all_succeed(new_database: str) -> None:
    code = "import sys; from duologue.store import open_store; open_store(sys.argv[1]).close()"
    command = [*PYTHON, "-c", code, new_database]
    with ExitStack() as stack:
        processes = [stack.enter_context(running(command, folder=REPOSITORY)) for _ in range(3)]
        assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0]
    with open_store(new_database) as store:
        assert isinstance(come(store)[1], IdleStation)


SYNC_CHECKS = pytest.mark.skipif(sys.platform != "linux", reason="forbids a system call of Linux")


@SYNC_CHECKS
def test_commit_that_cannot_be_synced_is_not_acknowledged(tmp_path: Path) -> None:
    """With syncing forbidden by the kernel, a store that waits for the disk cannot acknowledge anything."""
    assert _outcome("store", tmp_path) == ["acknowledged", "StoreError"]


@SYNC_CHECKS
def test_commit_without_sync_would_be_noticed(tmp_path: Path) -> None:
    """The test above can fail: SQLite at synchronous=NORMAL acknowledges without asking the disk."""
    assert _outcome("normal", tmp_path) == ["acknowledged", "acknowledged"]


def _outcome(kind: str, folder: Path) -> list[str]:
    command = [*PYTHON, "-m", "tests.store.unsynced_process", kind, str(folder / "study.db")]
    done = finished(command, folder=REPOSITORY)
    if done.returncode == 3:
        pytest.skip("this kernel does not let a process forbid itself system calls")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()
