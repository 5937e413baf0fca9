"""One writer, shared commits: what fails fails alone, and what is acknowledged stays."""

import asyncio
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import insert, select

from duologue.clock import utc_now
from duologue.errors import StoreBusy, StoreError, StoreFull
from duologue.store import (
    ItemStation,
    Store,
    ensure_secret,
    fetch_annotators,
    fetch_fact,
    give_consent,
    invite_annotators,
    note_fact,
    open_store,
)
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.opening import make_ready
from duologue.store.database.schema import facts
from duologue.store.database.writer import Work, Writer
from tests.store.small_study import CAPS, Hand, come, load

_ADD = insert(facts)


def _adds(key: str, value: str = "") -> Work[str]:
    def add(tx: Transaction) -> str:
        tx.do(_ADD, key=key, value=value)
        return key

    return add


def _fails(tx: Transaction) -> str:
    _adds("half done")(tx)
    raise ZeroDivisionError


def _keys(store: Store) -> list[str]:
    return store._writer.run(
        lambda tx: [key for (key,) in tx.rows(select(facts.c.key).order_by(facts.c.key))]
    ).result()


def _hold(store: Store) -> tuple[threading.Event, Future[None]]:
    """Keep the writer busy, so that what is queued meanwhile goes into one transaction."""
    started, go_on = threading.Event(), threading.Event()

    def wait(_tx: Transaction) -> None:
        started.set()
        go_on.wait()

    future = store._writer.run(wait)
    started.wait()
    return go_on, future


def test_operation_that_fails_takes_nobody_with_it(store: Store) -> None:
    go_on, held = _hold(store)
    before, failed, after = (store._writer.run(one) for one in (_adds("before"), _fails, _adds("after")))
    go_on.set()
    held.result()
    assert (before.result(), after.result()) == ("before", "after")
    with pytest.raises(ZeroDivisionError):
        failed.result()
    assert _keys(store) == ["after", "before"]


def test_statement_that_fails_takes_nobody_with_it(store: Store) -> None:
    go_on, held = _hold(store)
    futures = [store._writer.run(_adds("same")) for _ in range(2)]
    futures.append(store._writer.run(_adds("other")))
    go_on.set()
    held.result()
    assert [futures[0].result(), futures[2].result()] == ["same", "other"]
    with pytest.raises(StoreError):
        futures[1].result()
    assert _keys(store) == ["other", "same"]


def test_operation_that_is_refused_has_nobody_run_twice(store: Store) -> None:
    """What fails before it writes leaves nothing to undo."""
    runs: list[str] = []

    def adds(key: str) -> Work[str]:
        def add(tx: Transaction) -> str:
            runs.append(key)
            return _adds(key)(tx)

        return add

    def refuses(_tx: Transaction) -> str:
        raise ZeroDivisionError

    go_on, held = _hold(store)
    before, refused, after = (store._writer.run(one) for one in (adds("before"), refuses, adds("after")))
    go_on.set()
    held.result()
    assert (before.result(), after.result()) == ("before", "after")
    with pytest.raises(ZeroDivisionError):
        refused.result()
    assert runs == ["before", "after"]
    assert _keys(store) == ["after", "before"]


def test_operation_that_fails_alone_leaves_nothing_behind(store: Store) -> None:
    with pytest.raises(ZeroDivisionError):
        store._writer.run(_fails).result()
    assert _keys(store) == []


def test_cancelled_operation_is_not_run(store: Store) -> None:
    go_on, held = _hold(store)
    cancelled = store._writer.run(_adds("cancelled"))
    assert cancelled.cancel()
    kept = store._writer.run(_adds("kept"))
    go_on.set()
    held.result()
    kept.result()
    with pytest.raises(CancelledError):
        cancelled.result()
    assert _keys(store) == ["kept"]


def test_coroutines_that_share_a_commit_hear_of_it_together(store: Store) -> None:
    """Each gets its own outcome, and the loop is woken once."""

    async def wait_for_all() -> tuple[list[object], int]:
        woken: list[object] = []
        loop = asyncio.get_running_loop()
        wake = loop.call_soon_threadsafe

        def note(*told: Any) -> asyncio.Handle:
            woken.append(told)
            return wake(*told)

        loop.call_soon_threadsafe = note  # type: ignore[method-assign, assignment]
        go_on, held = _hold(store)
        works = (_adds("one"), _fails, _adds("two"), _adds("never"))
        one, failed, two, cancelled = (store._writer.run_async(work) for work in works)
        cancelled.cancel()
        go_on.set()
        outcomes = await asyncio.gather(one, failed, two, cancelled, return_exceptions=True)
        held.result()
        return list(outcomes), len(woken)

    outcomes, woken = asyncio.run(wait_for_all())
    assert [outcomes[0], outcomes[2]] == ["one", "two"]
    assert isinstance(outcomes[1], ZeroDivisionError)
    assert isinstance(outcomes[3], asyncio.CancelledError)
    assert woken == 1
    assert _keys(store) == ["one", "two"]


def test_loop_that_ends_before_its_operation_ends_nobody_else(store: Store) -> None:
    async def leave() -> tuple[threading.Event, Future[None]]:
        go_on, held = _hold(store)
        store._writer.run_async(_adds("left behind"))
        return go_on, held

    go_on, held = asyncio.run(leave())
    go_on.set()
    held.result()
    assert store._writer.run(_adds("after")).result() == "after"
    assert _keys(store) == ["after", "left behind"]


def test_operations_run_in_the_order_they_came(store: Store) -> None:
    seen: list[int] = []

    def notes(number: int) -> Work[None]:
        return lambda _tx: seen.append(number)

    for future in [store._writer.run(notes(number)) for number in range(600)]:
        future.result()
    assert seen == list(range(600))


def test_closing_finishes_what_is_queued(database: str) -> None:
    store = open_store(database)
    futures = [store._writer.run(_adds(f"{number:03}")) for number in range(300)]
    store.close()
    assert all(future.done() for future in futures)
    with open_store(database) as again:
        assert len(_keys(again)) == 300


def test_closed_store_says_so(database: str) -> None:
    store = open_store(database)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="is closed"):
        store.run(ensure_secret("researcher"))


def test_nobody_hears_of_an_operation_before_it_is_committed(sqlite_file: Path) -> None:
    wrote, go_on = threading.Event(), threading.Event()

    def writes_and_waits(tx: Transaction) -> None:
        _adds("here")(tx)
        wrote.set()
        go_on.wait()

    with open_store(f"sqlite:///{sqlite_file}") as store, closing(sqlite3.connect(sqlite_file)) as other:
        future = store._writer.run(writes_and_waits)
        wrote.wait()
        assert not future.done()
        assert other.execute("SELECT count(*) FROM facts").fetchone() == (0,)
        go_on.set()
        future.result()
        assert other.execute("SELECT count(*) FROM facts").fetchone() == (1,)


def test_locked_file_is_an_error_that_passes(sqlite_file: Path) -> None:
    database = Database(f"sqlite:///{sqlite_file}", clock=utc_now, patience=0.05)
    make_ready(database)
    store = Store(database)
    with closing(store), closing(sqlite3.connect(sqlite_file)) as other:
        assert store._writer.run(_adds("before")).result() == "before"
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy, match=r"locked by another program for 0\.05 s"):
            store._writer.run(_adds("meanwhile")).result()
        health = store.healthy()
        assert (health.is_healthy, "locked" in health.problem) == (False, True)
        other.execute("ROLLBACK")
        assert store._writer.run(_adds("after")).result() == "after"
        assert _keys(store) == ["after", "before"]
        assert store.healthy().is_healthy


def test_full_database_is_an_error_that_passes_and_loses_nothing(sqlite_file: Path) -> None:
    with open_store(f"sqlite:///{sqlite_file}") as store:
        pages = _leave_room_for(store, pages=20)
        acknowledged = list(_until_full(store))
        assert len(acknowledged) > 20
        assert _keys(store) == acknowledged
        store._writer.run(_pragma(f"max_page_count={pages + 40}")).result()
        acknowledged.append(store._writer.run(_adds("9999", "x" * 900)).result())
    with open_store(f"sqlite:///{sqlite_file}") as again:
        assert _keys(again) == acknowledged


def test_batch_that_fills_the_database_is_acknowledged_as_far_as_it_is_stored(sqlite_file: Path) -> None:
    with open_store(f"sqlite:///{sqlite_file}") as store:
        _leave_room_for(store, pages=20)
        go_on, held = _hold(store)
        keys = [f"{number:04}" for number in range(400)]
        futures = {key: store._writer.run(_adds(key, "x" * 900)) for key in keys}
        go_on.set()
        held.result()
        acknowledged = [key for key, future in futures.items() if future.exception() is None]
        assert {type(future.exception()) for future in futures.values()} <= {type(None), StoreFull}
        assert len(acknowledged) < len(keys)
        assert _keys(store) == acknowledged


def test_full_disk_is_an_error_that_passes_and_loses_nothing(tmp_path: Path) -> None:
    """On a small disk of its own, with a file in the way that is then removed."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True)
    if mount.returncode:
        pytest.skip("only root can make a small disk")
    try:
        address = f"sqlite:///{disk / 'study.db'}"
        with open_store(address) as store:
            (disk / "in the way").write_bytes(b"x" * 700_000)
            acknowledged = list(_until_full(store))
            assert acknowledged
            assert _keys(store) == acknowledged
            (disk / "in the way").unlink()
            acknowledged.append(store._writer.run(_adds("9999", "x" * 900)).result())
        with open_store(address) as again:
            assert _keys(again) == acknowledged
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def _leave_room_for(store: Store, *, pages: int) -> int:
    """Let the database grow by some pages only; how many it has."""
    there = store._writer.run(_pragma("page_count")).result()
    store._writer.run(_pragma(f"max_page_count={there + pages}")).result()
    return there


def _until_full(store: Store) -> Iterator[str]:
    """The acknowledged ones of a thousand writes to a disk that has no room for them all."""
    for number in range(5000):
        try:
            yield store._writer.run(_adds(f"{number:04}", "x" * 900)).result()
        except StoreFull:
            return
    pytest.fail("the disk is never full")


def _pragma(setting: str) -> Work[int]:
    """Asks SQLite for a setting on the very connection that writes."""
    return lambda tx: int(tx._raw.execute(f"PRAGMA {setting}").fetchone()[0])


def test_writer_asks_for_the_promised_durability_on_its_own_connection(sqlite_file: Path) -> None:
    with open_store(f"sqlite:///{sqlite_file}") as store:
        assert store._writer.run(_pragma("synchronous")).result() == 2
        assert store._writer.run(_pragma("foreign_keys")).result() == 1
        assert store._writer.run(_pragma("secure_delete")).result() == 1


def test_writer_gets_a_new_connection_when_its_own_is_lost(database: str) -> None:
    opened = Database(database, clock=utc_now)
    make_ready(opened)
    writer = Writer(opened)
    writer.run(_adds("before")).result()
    held = writer._connection._held
    assert held is not None
    assert held.driver_connection is not None
    held.driver_connection.close()
    assert writer.run(_adds("after")).result() == "after"
    writer.close()
    opened.close()


@pytest.mark.postgres
def test_store_goes_on_after_postgresql_ended_its_connections(postgresql: str) -> None:
    with open_store(f"{postgresql}&study=ended") as store:
        store.run(note_fact("rehearsal", "yes"))
        assert store.run(fetch_annotators()) == ()
        with psycopg.connect(postgresql, autocommit=True) as administrator:
            administrator.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        assert store.run(fetch_fact("rehearsal")) == "yes"
        assert store.run(fetch_annotators()) == ()


def test_what_a_failed_operation_took_back_is_taken_back_by_the_next(store: Store, hand: Hand) -> None:
    load(store, bots="AB", each=1)
    come(store)
    hand.move(CAPS.lease_seconds)
    (invitation,) = store.run(invite_annotators())
    consents = give_consent(invitation.token, CAPS).within

    def fails(tx: Transaction) -> None:
        consents(tx)
        raise ZeroDivisionError

    go_on, held = _hold(store)
    failed, after = store._writer.run(fails), store._writer.run(consents)
    go_on.set()
    held.result()
    with pytest.raises(ZeroDivisionError):
        failed.result()
    assert isinstance(after.result(), ItemStation)
