"""Live chats in several processes, and in processes that are killed: no turn is lost and none comes twice."""

import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import select

from duologue.protocols import ChatPlan
from duologue.store import (
    Store,
    fetch_chat_dialogues,
    fetch_progress,
    invite_annotators,
    load_items,
    open_store,
)
from duologue.store.database.engine import Reading
from duologue.store.database.operations import reads
from duologue.store.database.schema import wanted_replies
from tests.processes import PYTHON, running
from tests.store.chatting_process import CAPS
from tests.store.conftest import PROCESSES
from tests.store.small_chats import candidate_items, chat_items
from tests.store.test_processes import start_together
from tests.store.truth import assert_sound

REPOSITORY = Path(__file__).parents[2]
BOTS = ("ada", "bea")


@contextmanager
def _chatting(address: str, *groups: list[str]) -> Iterator[list[subprocess.Popen[str]]]:
    """A process of annotators for each group of tokens, begun together."""
    command = [*PYTHON, "-m", "tests.store.chatting_process", address]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running([*command, *tokens], folder=REPOSITORY, takes_input=True))
            for tokens in groups
        ]
        start_together(processes)
        yield processes


def _stored(store: Store) -> Counter[str]:
    return Counter(turn.text for dialogue in store.stream(fetch_chat_dialogues()) for turn in dialogue.turns)


def _told_as(lines: list[str], *kinds: str) -> list[str]:
    return _told([line for line in lines if line.split(" ")[0] in kinds])


@PROCESSES
@pytest.mark.parametrize(
    "state",
    [
        pytest.param("annotator", marks=pytest.mark.slow),
        "candidate",
        pytest.param("choosing", marks=pytest.mark.slow),
        pytest.param("chosen", marks=pytest.mark.slow),
    ],
)
def test_candidates_and_selections_survive_a_kill_at_each_state(database: str, state: str) -> None:
    items = candidate_items(("ada", "bea", "cyd"), each=4, plan=ChatPlan(choose="one"))
    with open_store(database) as store:
        store.run(load_items(items, CAPS))
        tokens = [invitation.token for invitation in store.run(invite_annotators(4))]
    lines: list[str] = []
    with _chatting(database, tokens) as (process,):
        assert process.stdout is not None
        while not lines or lines[-1].split(" ")[0] != state:
            lines.append(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        lines += process.communicate()[0].splitlines(keepends=True)
        assert process.returncode == -signal.SIGKILL
    assert_sound(database, CAPS)
    with _chatting(database, tokens[:2], tokens[2:]) as processes:  # and then go on in two
        for process in processes:
            lines += process.communicate()[0].splitlines(keepends=True)
        assert [process.returncode for process in processes] == [0, 0]
    with open_store(database) as store:
        stored = _stored(store)
        assert Counter(_told_as(lines, "annotator", "chosen")) <= stored
        assert max(stored.values()) == 1
        assert sum(stored.values()) == 4 * 6
        replies = _candidates(store)
        assert Counter(_told_as(lines, "candidate")) <= replies
        assert (len(replies), max(replies.values())) == (4 * 3 * 3, 1)
        assert all((group.done, group.leased) == (4, 0) for group in store.run(fetch_progress()))
    assert_sound(database, CAPS)


@reads
def _candidate_texts(reading: Reading) -> tuple[str, ...]:
    return tuple(text for (text,) in reading.rows(select(wanted_replies.c.text)))


def _candidates(store: Store) -> Counter[str]:
    return Counter(store.run(_candidate_texts()))


def _told(lines: list[str]) -> list[str]:
    """What was said according to what processes told; the last line of a killed one may be cut."""
    return [line.split()[2] for line in lines if line.endswith("\n")]


@PROCESSES
def test_chats_in_two_processes_are_held_as_in_one(database: str) -> None:
    with open_store(database) as store:
        store.run(load_items(chat_items(BOTS, each=6), CAPS))
        tokens = [invitation.token for invitation in store.run(invite_annotators(6))]
        told = []
        with _chatting(database, tokens[:3], tokens[3:]) as processes:
            for process in processes:
                told += _told(process.communicate()[0].splitlines(keepends=True))
            assert [process.returncode for process in processes] == [0, 0]
        assert all((group.done, group.leased) == (6, 0) for group in store.run(fetch_progress()))
        assert _stored(store) == Counter(told)
        assert len(told) == 12 * 6
    assert_sound(database, CAPS)


def test_no_turn_is_lost_or_doubled_when_the_process_is_killed(database: str) -> None:
    with open_store(database) as store:
        store.run(load_items(chat_items(BOTS, each=8), CAPS))
        tokens = [invitation.token for invitation in store.run(invite_annotators(5))]
    told: list[str] = []
    for kill_after in (1, 20):
        with _chatting(database, tokens) as (process,):
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(kill_after)]
            process.send_signal(signal.SIGKILL)
            lines += process.communicate()[0].splitlines(keepends=True)
            assert process.returncode == -signal.SIGKILL
        told += _told(lines)
        assert_sound(database, CAPS)
    with _chatting(database, tokens) as (process,):
        told += _told(process.communicate()[0].splitlines(keepends=True))
        assert process.returncode == 0
    with open_store(database) as store:
        stored = _stored(store)
        assert max(stored.values()) == 1
        assert Counter(told) <= stored, "a turn that was acknowledged is not there"
        assert sum(stored.values()) == 16 * 6
        assert all(
            dialogue.extras["ending"] == "complete" for dialogue in store.stream(fetch_chat_dialogues())
        )
        assert all((group.done, group.leased) == (8, 0) for group in store.run(fetch_progress()))
    assert_sound(database, CAPS)
