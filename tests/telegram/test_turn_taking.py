import asyncio
import json
import os
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TypeVar

import pytest

from duologue.store import Operation, Store, fetch_fact, note_fact, open_store
from duologue.telegram.turn_taking import LEASE_FACT, AccountLease, is_free
from tests.processes import running
from tests.waiting import PATIENCE, until

T = TypeVar("T")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path / 'study.db'}") as store:
        yield store


def lease(store: Store, **changed: float) -> AccountLease:
    return AccountLease(store, **{"settle_seconds": 0.01, **changed})  # type: ignore[arg-type]


def held_by(process: int, *, host: str | None = None) -> dict[str, object]:
    return {"holder": "x", "host": host or socket.gethostname(), "process": process, "until": 200.0}


def test_a_process_that_was_killed_holds_nothing() -> None:
    with running([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert is_free(held_by(gone.pid), 100.0)
    assert not is_free(held_by(os.getpid()), 100.0)
    assert not is_free(held_by(gone.pid, host="elsewhere"), 100.0)


def test_a_lease_that_ran_out_is_free() -> None:
    assert not is_free(held_by(os.getpid()), 199.0)
    assert is_free(held_by(os.getpid()), 200.0)


def test_of_many_who_want_it_one_has_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run, looks = store.run_async, []

    async def noted_run(operation: Operation[T]) -> T:
        if operation.function is fetch_fact.within:
            looks.append(operation.args)
        return await run(operation)

    monkeypatch.setattr(store, "run_async", noted_run)

    async def race() -> int:
        wanting = [lease(store, settle_seconds=1.0) for _ in range(5)]
        tasks = [asyncio.create_task(one.take()) for one in wanting]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        before = len(looks)
        await until(lambda: len(looks) >= before + 2 * len(wanting), "the others look again")
        holders = sum(task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        return holders

    assert asyncio.run(race()) == 1


def test_it_is_free_at_once_when_given_back(store: Store) -> None:
    async def in_turn() -> None:
        first, second = lease(store), lease(store)
        await first.take()
        await second.give_back()
        assert await first.is_ours()
        await first.give_back()
        await asyncio.wait_for(second.take(), PATIENCE)
        assert await second.is_ours()

    asyncio.run(in_turn())


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_is_waited_for(tmp_path: Path) -> None:
    async def wait(store: Store, other: sqlite3.Connection) -> None:
        ours = lease(store, seconds=0.03)
        await ours.take()
        keeping = asyncio.create_task(ours.keep())
        other.execute("BEGIN IMMEDIATE")
        await asyncio.sleep(0.5)
        other.execute("ROLLBACK")
        assert not keeping.done()
        assert await ours.is_ours()
        keeping.cancel()

    path = tmp_path / "locked.db"
    with (
        open_store(f"sqlite:///{path}") as store,
        closing(sqlite3.connect(path, isolation_level=None)) as other,
    ):
        asyncio.run(wait(store, other))


def test_who_lost_it_stops_keeping_it(store: Store) -> None:
    async def lose() -> None:
        ours = lease(store, seconds=0.03)
        await ours.take()
        keeping = asyncio.create_task(ours.keep())
        await asyncio.sleep(0.05)
        assert not keeping.done()
        async with asyncio.timeout(PATIENCE):
            while not keeping.done():  # a renewal under way may write over one claim
                store.run(note_fact(LEASE_FACT, json.dumps(held_by(os.getpid()))))
                await asyncio.sleep(0.01)
        assert not await ours.is_ours()

    asyncio.run(lose())
