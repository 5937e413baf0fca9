"""Whatever a driver complains about, the user reads what to do."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy.exc import TimeoutError

from duologue.errors import StoreBusy, StoreError, StoreFull
from duologue.store import open_store
from duologue.store.database.failures import translated


def _sqlite_error(code: int, message: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError(message)
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "ours"),
    [
        (sqlite3.SQLITE_BUSY, StoreBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, StoreBusy),
        (sqlite3.SQLITE_LOCKED, StoreBusy),
        (sqlite3.SQLITE_FULL, StoreFull),
        (sqlite3.SQLITE_IOERR_FSYNC, StoreError),
    ],
)
def test_sqlite_error_becomes_ours(code: int, ours: type[StoreError]) -> None:
    error = translated(_sqlite_error(code, "as the driver says"), where="study.db", patience=2.5)
    assert type(error) is ours
    assert str(error).startswith("study.db: ")


def test_too_many_readers_at_once_are_told_to_try_again() -> None:
    assert isinstance(translated(TimeoutError(), where="study.db", patience=2.5), StoreBusy)


def test_our_own_error_stays_as_it_is() -> None:
    error = StoreFull("study.db")
    assert translated(error, where="elsewhere", patience=1) is error


def test_bug_stays_a_bug() -> None:
    error = KeyError("x")
    assert translated(error, where="study.db", patience=1) is error


def test_folder_that_does_not_exist_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no folder .*nowhere\. Make it first"):
        open_store(f"sqlite:///{tmp_path / 'nowhere' / 'study.db'}")


def test_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    path.write_bytes(b"These are my notes, not a database. " * 100)
    with pytest.raises(StoreError, match="not a whole SQLite database"):
        open_store(f"sqlite:///{path}")
    assert path.read_bytes().startswith(b"These are my notes")
