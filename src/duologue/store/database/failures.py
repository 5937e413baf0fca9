"""What a database driver complains about, in our own errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from duologue.errors import DuologueError, StoreBusy, StoreError, StoreFull

_PRIMARY = 0xFF
"""The low byte of an extended SQLite error code is the kind of error."""


def translated(error: BaseException, *, where: str, patience: float) -> BaseException:
    """Our error for one of a driver; any other error as it is.

    Args:
        error: What was raised.
        where: The database, without its password.
        patience: How many seconds we wait for a lock.
    """
    if isinstance(error, DBAPIError) and error.orig is not None:
        error = error.orig
    if isinstance(error, DuologueError):
        return error
    if isinstance(error, NoConnectionFree):
        return StoreBusy(where, patience)
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error, where, patience)
    if type(error).__module__.startswith("psycopg"):
        return _of_postgresql(error, where, patience)
    return error


def _of_sqlite(error: sqlite3.Error, where: str, patience: float) -> StoreError:
    kind = getattr(error, "sqlite_errorcode", 0) & _PRIMARY
    if kind in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(where, patience)
    if kind == sqlite3.SQLITE_FULL:
        return StoreFull(where)
    if kind == sqlite3.SQLITE_CANTOPEN:
        return StoreError(f"{where}: the file cannot be opened. Check that the folder exists and is yours.")
    if kind in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        return StoreError(
            f"{where}: this is not a whole SQLite database ({error}). Leave it as it is and restore a copy."
        )
    if kind == sqlite3.SQLITE_READONLY:
        return StoreError(f"{where}: the file may not be written. Check its permissions and its folder's.")
    return StoreError(f"{where}: {error}. Nothing was saved by this request.")


def _of_postgresql(error: BaseException, where: str, patience: float) -> StoreError:
    state = str(getattr(error, "sqlstate", None) or "")
    if state in ("55P03", "57014"):  # lock_not_available, query_canceled (a timeout)
        return StoreBusy(where, patience)
    if state in ("53100", "53200"):  # disk_full, out_of_memory
        return StoreFull(where)
    said = _first_line(error)
    return StoreError(f"{where}: {said}. Nothing is known to be saved by this request: try it again.")


def unreachable(error: BaseException, *, where: str) -> StoreError:
    """Our error for a connection that could not be made: then nothing can have been saved."""
    return StoreError(
        f"{where}: the database cannot be reached, and nothing was changed ({_first_line(error)}). "
        "Check that PostgreSQL runs there and lets this user in, and try again."
    )


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


def is_passing(error: BaseException) -> bool:
    """Whether PostgreSQL ended a transaction because of others, so that nothing of it is saved.

    A deadlock, two that cannot be put in an order, or two that added the same row at the same moment.
    """
    return getattr(error, "sqlstate", None) in ("40P01", "40001", "23505")


@contextmanager
def in_pipeline(raw: Any) -> Iterator[Callable[[], None]]:
    """A pipeline of PostgreSQL's driver; gives a function that waits until all that was sent is done.

    When the block fails, the statements that were sent after the failed one fail too, as the pipeline ends.
    The driver would print that; the failure itself is all there is to say.
    """
    failure: BaseException | None = None
    try:
        with raw.pipeline() as pipeline:
            try:
                yield pipeline.sync
            except BaseException as error:
                failure = error
    except Exception:
        if failure is None:
            raise
    if failure is not None:
        raise failure
