"""Processes on one SQLite file take turns."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from duologue.clock import utc_now
from duologue.store import Store, fetch_fact, note_fact, open_store
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.write_lock import PAUSE_SECONDS, WriteLock


@contextmanager
def _always_writing(store: Store) -> Iterator[None]:
    """Keep a store writing, with the next operation queued before the last one is done."""
    is_over = threading.Event()

    def write(_tx: Transaction) -> None:
        time.sleep(0.02)  # stands for the work of a full batch, during which the lock is held
        if not is_over.is_set():
            store._writer.run(write)

    store._writer.run(write)
    try:
        yield
    finally:
        is_over.set()


def test_writer_that_never_rests_lets_others_write(sqlite_file: Path) -> None:
    """Left to SQLite, these writes would find the file locked whenever they look."""
    address = f"sqlite:///{sqlite_file}"
    patient = Database(address, clock=utc_now, patience=2.0)
    with open_store(address) as busy, closing(Store(patient)) as other:
        with _always_writing(busy):
            for number in range(20):
                other.run(note_fact("turn", str(number)))
        assert other.run(fetch_fact("turn")) == "19"


def test_writer_pauses_only_while_somebody_waits(sqlite_file: Path) -> None:
    with closing(sqlite3.connect(sqlite_file, isolation_level=None, timeout=0)) as holder:
        holder.execute("CREATE TABLE anything (x)")
        holder.execute("BEGIN IMMEDIATE")
        ours, theirs = (WriteLock(sqlite_file, patience=30) for _ in range(2))
        with closing(sqlite3.connect(sqlite_file, timeout=0, check_same_thread=False)) as waiter:
            thread = threading.Thread(target=theirs.begin, args=(waiter,))
            assert not _is_somebody_waiting(ours)
            thread.start()
            while not _is_somebody_waiting(ours):
                time.sleep(0.001)
            start = time.monotonic()
            ours.pass_on()
            assert time.monotonic() - start >= PAUSE_SECONDS
            holder.execute("ROLLBACK")
            thread.join()
            assert waiter.in_transaction
            assert not _is_somebody_waiting(ours)
            waiter.rollback()
        ours.close()
        theirs.close()


def _is_somebody_waiting(lock: WriteLock) -> bool:
    is_free = lock._lock(shared=False)
    if is_free:
        lock._unlock()
    return not is_free


def test_patience_ends(sqlite_file: Path) -> None:
    with closing(sqlite3.connect(sqlite_file)) as holder, closing(sqlite3.connect(sqlite_file)) as waiter:
        holder.execute("CREATE TABLE anything (x)")
        holder.execute("BEGIN IMMEDIATE")
        waiter.execute("PRAGMA busy_timeout=1")
        lock = WriteLock(sqlite_file, patience=0.02)
        with pytest.raises(sqlite3.OperationalError, match="database is locked"):
            lock.begin(waiter)
        assert not _is_somebody_waiting(lock)
        lock.close()
