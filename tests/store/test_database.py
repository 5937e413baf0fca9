"""Connections keep their promises, or are not used."""

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from duologue.clock import utc_now
from duologue.errors import MissingExtra, StoreError
from duologue.store import Store, exclude_judgments, fetch_fact, fetch_judgments, note_fact, open_store
from duologue.store.database.engine import ROWS_AT_ONCE, Database, check_sqlite_settings
from duologue.store.database.operations import writes
from duologue.store.database.schema import metadata
from tests.store.small_study import judge_all, load


def test_every_connection_is_durable_and_keeps_its_references(sqlite_file: Path) -> None:
    database = Database(f"sqlite:///{sqlite_file}", clock=utc_now)
    with closing(database), database.engine.connect() as one, database.engine.connect() as two:
        for connection in (one, two):
            settings = ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout")
            found = [connection.execute(text(f"PRAGMA {name}")).scalar() for name in settings]
            assert found == ["wal", 2, 1, 1, 10_000]


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("synchronous=NORMAL", "synchronous"),
        ("foreign_keys=OFF", "foreign_keys"),
        ("journal_mode=DELETE", "journal_mode"),
    ],
)
def test_connection_that_breaks_a_promise_is_refused(sqlite_file: Path, setting: str, name: str) -> None:
    open_store(f"sqlite:///{sqlite_file}").close()
    with closing(sqlite3.connect(sqlite_file, isolation_level=None)) as raw:
        for good in ("foreign_keys=ON", "synchronous=FULL", "secure_delete=ON", setting):
            raw.execute(f"PRAGMA {good}")
        with pytest.raises(StoreError, match=f"SQLite keeps {name} at"):
            check_sqlite_settings(raw, "study.db")


@pytest.mark.parametrize("verb", ["UPDATE judgments SET answer = '{}'", "DELETE FROM judgments"])
def test_database_itself_refuses_to_change_a_judgment(store: Store, verb: str) -> None:
    load(store)
    judge_all(store)
    with pytest.raises(StoreError, match="judgments are append-only"):
        store.run(writes(lambda tx: tx.do(text(verb)))())
    assert {judgment.answer["side"] for judgment in store.stream(fetch_judgments())} == {1}


def test_database_itself_refuses_to_change_an_exclusion(store: Store) -> None:
    load(store)
    judge_all(store)
    store.run(exclude_judgments([next(store.stream(fetch_judgments())).id], rule="slow", reason="", by="me"))
    with pytest.raises(StoreError, match="exclusions are append-only"):
        store.run(writes(lambda tx: tx.do(text("DELETE FROM exclusions")))())


@pytest.mark.postgres
def test_one_postgresql_holds_several_studies(postgresql: str) -> None:
    with open_store(f"{postgresql}&study=first") as one, open_store(f"{postgresql}&study=second") as two:
        one.run(note_fact("rehearsal", "yes"))
        assert (one.run(fetch_fact("rehearsal")), two.run(fetch_fact("rehearsal"))) == ("yes", None)


@pytest.mark.postgres
def test_postgresql_connections_commit_durably(postgresql: str) -> None:
    database = Database(f"{postgresql}&study=durable", clock=utc_now)
    with closing(database), database.reading() as reading:
        assert reading.connection.execute(text("SHOW synchronous_commit")).scalar() == "on"


@pytest.mark.postgres
def test_postgresql_password_is_not_shown(postgresql: str) -> None:
    address = postgresql.replace("postgres:@", "postgres:secret@") + "&study=hidden"
    with open_store(address) as store:
        assert "secret" not in store.where


@pytest.mark.parametrize("name", ["Study", "1st", "a-b", "x" * 64])
def test_schema_name_that_postgresql_would_misread_is_refused(name: str) -> None:
    with pytest.raises(StoreError, match="names the schema"):
        open_store(f"postgresql://localhost/studies?study={name}")


def test_missing_driver_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[postgres\]'"):
        open_store("postgresql://localhost/studies")


@pytest.mark.parametrize(
    "address", ["mysql://localhost/studies", "no address", "sqlite://", "sqlite:///:memory:"]
)
def test_address_that_cannot_hold_a_study_is_refused(address: str) -> None:
    with pytest.raises(StoreError):
        open_store(address)


def test_server_that_is_not_there_is_an_error_of_ours(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="study=nowhere"):
        open_store(f"postgresql:///studies?host={tmp_path}&study=nowhere")


def test_one_statement_holds_the_rows_of_any_table() -> None:
    assert ROWS_AT_ONCE * max(len(table.c) for table in metadata.tables.values()) <= 32_766
