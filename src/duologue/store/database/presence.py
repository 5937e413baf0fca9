"""Whether a study is being served just now: servers say so by a lock that the system drops when they end.

On SQLite it is a lock on a file beside the database (``study.db.serving``), on PostgreSQL an advisory lock.
Any number of servers share it; whoever would change what they serve takes it alone, or hears that they are
there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from time import sleep

from sqlalchemy import text

from duologue.clock import utc_now
from duologue.errors import StoreServed
from duologue.store.database.engine import Database, lock_number
from duologue.store.database.failures import translated

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

SERVING = ".serving"
"""Ends the name of the file that servers of an SQLite study lock."""
STARTING = 0.05
"""Seconds after which the lock is tried again."""
_OTHERS = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    "AND (classid::bigint << 32 | objid::bigint) = :number AND pid <> pg_backend_pid() "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)
"""How many other connections have an advisory lock."""


@contextmanager
def serving(address: str) -> Iterator[bool]:
    """Say that a study is being served while the block runs; gives whether other servers do so already.

    Raises:
        StoreServed: Somebody is moving it, or changing what it shows.
    """
    with _held(address, alone=False) as has_others:
        yield has_others


@contextmanager
def not_served(address: str) -> Iterator[None]:
    """Keep servers from starting while the block runs.

    Raises:
        StoreServed: One is running.
    """
    with _held(address, alone=True):
        yield


@contextmanager
def _held(address: str, *, alone: bool) -> Iterator[bool]:
    database = Database(address, clock=utc_now)
    with closing(database):
        hold = _held_by_file if database.is_sqlite else _held_on_postgresql
        with hold(database, alone) as has_others:
            yield has_others


@contextmanager
def _held_by_file(database: Database, alone: bool) -> Iterator[bool]:
    path = Path(f"{database.where}{SERVING}")
    if fcntl is None or not path.parent.is_dir() or (alone and not path.exists()):
        yield False  # opening the database says what is wrong; without the file nobody ever served
        return
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:  # a folder that may not be written: opening the database says so
        yield False
        return
    try:
        is_alone = _locks(descriptor, fcntl.LOCK_EX)
        if not (is_alone if alone else _shares(descriptor)):
            raise StoreServed(database.where, is_moving=not alone)
        yield not is_alone
    finally:
        os.close(descriptor)


def _shares(descriptor: int) -> bool:
    """Share the lock; another server that starts holds it alone for a moment, to see who else does."""
    for _ in range(10):
        if _locks(descriptor, fcntl.LOCK_SH):
            return True
        sleep(STARTING)
    return False


def _locks(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


@contextmanager
def _held_on_postgresql(database: Database, alone: bool) -> Iterator[bool]:
    number = lock_number(f"serving {database.schema_name}")
    kind = "" if alone else "_shared"
    try:
        connection = database.engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        is_ours = connection.execute(
            text(f"SELECT pg_try_advisory_lock{kind}(:number)"), {"number": number}
        ).scalar()
    except Exception as error:
        ours = translated(error, where=database.where, patience=database.patience)
        if ours is error:
            raise
        raise ours from error
    try:
        if not is_ours:
            raise StoreServed(database.where, is_moving=not alone)
        yield bool(connection.execute(_OTHERS, {"number": number}).scalar())
    finally:
        with suppress(Exception):  # a server that restarted has forgotten the lock
            # The end of the lock is waited for; that of the connection is not.
            connection.execute(text(f"SELECT pg_advisory_unlock{kind}(:number)"), {"number": number})
        with suppress(Exception):
            connection.invalidate()  # the lock ends with its connection
            connection.close()
