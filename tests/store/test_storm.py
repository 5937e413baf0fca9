"""Processes, leases that end, repeated answers, a busy researcher and a kill at once: the promises hold."""

import random
import signal
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from duologue.store import (
    Store,
    block_annotator,
    exclude_judgments,
    fetch_annotators,
    fetch_judgments,
    invite_annotators,
    load_items,
    open_store,
    release_assignment,
    restore_judgments,
    restore_link,
    revoke_link,
    screen_annotators,
    unblock_annotator,
    withdraw_annotator,
)
from tests.processes import PYTHON, running
from tests.store.conftest import PROCESSES
from tests.store.small_study import load, pairings
from tests.store.storm_process import SHORT
from tests.store.test_processes import start_together
from tests.store.truth import assert_sound

REPOSITORY = Path(__file__).parents[2]
EACH = 60
SECONDS = 3.0


@PROCESSES
@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 12))])
def test_promises_hold_whatever_happens_at_once(database: str, seed: int) -> None:
    with open_store(database) as store, ExitStack() as stack:
        load(store, SHORT, each=EACH)
        tokens = [invited.token for invited in store.run(invite_annotators(9))]
        processes = [
            stack.enter_context(
                running(_command(database, seed + n, some), folder=REPOSITORY, takes_input=True)
            )
            for n, some in enumerate((tokens[:6], tokens[3:], tokens[::2]))
        ]
        start_together(processes)
        _rule(store, random.Random(seed))
        processes[0].send_signal(signal.SIGKILL)
        acknowledged = [line for process in processes for line in process.communicate()[0].split()]
        assert [process.returncode for process in processes] == [-signal.SIGKILL, 0, 0]
        store.run(screen_annotators(SHORT))
        stored = Counter(judgment.assignment for judgment in store.stream(fetch_judgments()))
        assert set(acknowledged) <= set(stored)
        assert max(stored.values()) == 1
        assert_sound(database, SHORT, are_orders_balanced=False)


def _command(database: str, seed: int, tokens: list[str]) -> list[str]:
    return [*PYTHON, "-m", "tests.store.storm_process", database, str(seed), *tokens]


def _rule(store: Store, lots: random.Random) -> None:
    """A researcher who changes their mind all the time."""
    ids = [annotator.id for annotator in store.run(fetch_annotators())]
    end = time.monotonic() + SECONDS
    withdrawn = 0
    while time.monotonic() < end:
        who = lots.choice(ids[1:])
        judgments = [one for one in store.stream(fetch_judgments()) if one.annotator == who][-2:]
        keys = [one.id for one in judgments]
        act = lots.randrange(6)
        if act == 0 and not withdrawn:
            withdrawn = 1
            store.run(withdraw_annotator(ids[0], reason="they asked"))
        elif act == 1:
            store.run(block_annotator(who, reason="x", by="me"))
            store.run(unblock_annotator(who, SHORT, reason="y", by="me"))
        elif act == 2:
            store.run(revoke_link(who))
            store.run(restore_link(who))
        elif act == 3 and keys:
            store.run(exclude_judgments(keys, rule="by hand", reason="x", by="me"))
            store.run(restore_judgments(keys, rule="by hand", reason="y", by="me"))
        elif act == 4 and judgments:
            store.run(release_assignment(judgments[-1].assignment, SHORT, by="me"))
        else:
            store.run(load_items(pairings("ABC", EACH - lots.randrange(3)), SHORT))
