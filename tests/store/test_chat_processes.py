"""Live chats in several processes, and in processes that are killed: no turn is lost and none comes twice."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from duologue.store import (
    Store,
    fetch_chat_dialogues,
    fetch_progress,
    invite_annotators,
    load_items,
    open_store,
)
from tests.processes import running
from tests.store.chatting_process import CAPS
from tests.store.small_chats import chat_items
from tests.store.test_processes import start_together
from tests.store.truth import assert_sound

REPOSITORY = Path(__file__).parents[2]
BOTS = ("ada", "bea")


@contextmanager
def _chatting(address: str, *groups: list[str]) -> Iterator[list[subprocess.Popen[str]]]:
    """A process of annotators for each group of tokens, begun together."""
    command = [sys.executable, "-m", "tests.store.chatting_process", address]
    with ExitStack() as stack:
        processes = [
            stack.enter_context(running([*command, *tokens], folder=REPOSITORY, takes_input=True))
            for tokens in groups
        ]
        start_together(processes)
        yield processes


def _stored(store: Store) -> Counter[str]:
    return Counter(turn.text for dialogue in store.stream(fetch_chat_dialogues()) for turn in dialogue.turns)


def _told(lines: list[str]) -> list[str]:
    """What was said according to what processes told; the last line of a killed one may be cut."""
    return [line.split()[2] for line in lines if line.endswith("\n")]


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
