"""Whether judgments can be stored is found out by storing something; a file that is gone is noticed."""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from duologue.errors import StoreGone
from duologue.store import Store, fetch_annotators, fetch_fact, note_fact, open_store
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.store.store import HEALTH_FACT


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "study.db"


@pytest.fixture
def opened(file: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{file}") as store:
        yield store


@contextmanager
def no_room(file: Path) -> Iterator[None]:
    """Let no file grow beyond what the database's log has now, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (Path(f"{file}-wal").stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_without_room_for_an_answer_the_store_is_not_healthy(opened: Store, file: Path) -> None:
    with no_room(file):
        found = opened.healthy()
    assert not found.is_healthy
    assert str(file) in found.problem
    assert opened.healthy().is_healthy


def test_what_was_written_to_find_out_is_on_the_disk(opened: Store, file: Path) -> None:
    assert opened.healthy().is_healthy
    with sqlite3.connect(file) as other:
        rows = other.execute("SELECT value FROM facts WHERE key = ?", (f"mark:{HEALTH_FACT}",)).fetchall()
    other.close()
    assert len(rows) == 1


def test_asking_again_at_once_writes_nothing(opened: Store) -> None:
    assert opened.healthy().is_healthy
    first = opened.run(fetch_fact(HEALTH_FACT))
    assert opened.healthy().is_healthy
    assert opened.run(fetch_fact(HEALTH_FACT)) == first


@pytest.mark.parametrize("fate", ["deleted", "replaced", "emptied", "overwritten"])
def test_a_database_file_that_is_deleted_or_replaced_is_noticed(
    opened: Store, file: Path, tmp_path: Path, fate: str
) -> None:
    opened.run(note_fact("before", "x"))
    if fate == "replaced":
        with open_store(f"sqlite:///{tmp_path / 'other.db'}"):
            pass
        (tmp_path / "other.db").replace(file)
    elif fate == "emptied":
        os.truncate(file, 0)
    elif fate == "overwritten":
        file.write_bytes(b"something else")
    else:
        file.unlink()
    with pytest.raises(StoreGone, match=r"deleted or replaced.*start the server again"):
        opened.run(note_fact("after", "x"))
    with pytest.raises(StoreGone):
        opened.run(fetch_annotators())
    assert "deleted or replaced" in opened.healthy().problem


def test_a_file_that_is_put_back_is_used_again(opened: Store, file: Path, tmp_path: Path) -> None:
    shutil.move(file, tmp_path / "elsewhere.db")
    with pytest.raises(StoreGone):
        opened.run(note_fact("while", "away"))
    shutil.move(tmp_path / "elsewhere.db", file)
    opened.run(note_fact("back", "again"))
    assert opened.run(fetch_fact("back")) == "again"
    assert opened.run(fetch_fact("while")) is None
    assert opened.healthy().is_healthy


def test_a_file_that_goes_during_a_write_is_not_acknowledged(opened: Store, file: Path) -> None:
    @writes
    def vanish(_transaction: Transaction) -> None:
        file.unlink()

    with pytest.raises(StoreGone):
        opened.run(vanish())
