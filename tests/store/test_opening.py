"""A database is made with our schema, and one with another schema is refused by name and left alone."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from duologue.clock import utc_now
from duologue.errors import StoreError, StoreOtherSchema
from duologue.store import Store, look_at, move_study, open_store, trial_store
from duologue.store.database.engine import Database
from duologue.store.database.looking import content_in_use
from duologue.store.database.schema import SCHEMA, metadata
from duologue.studies import load_study, new_study
from tests.store.filled_study import fill


def _tables(database: str) -> dict[str, int]:
    opened = Database(database, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        names = inspect(connection).get_table_names()
        return {name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() for name in names}


def _number(database: str, number: int) -> None:
    """Let a database say that it has another schema."""
    opened = Database(database, clock=utc_now)
    with closing(opened), opened.engine.begin() as connection:
        connection.execute(text("UPDATE migrations SET number = :number"), {"number": number})


def test_both_engines_have_the_same_tables(store: Store, database: str) -> None:
    assert set(_tables(database)) == set(metadata.tables)


def test_filled_study_has_rows_in_every_table(tmp_path: Path) -> None:
    fill(f"sqlite:///{tmp_path}/study.db")
    assert [name for name, rows in _tables(f"sqlite:///{tmp_path}/study.db").items() if not rows] == []


def test_database_is_made_once_and_opened_again(new_database: str) -> None:
    for _ in range(2):
        open_store(new_database).close()
    assert _tables(new_database)["migrations"] == 1


@pytest.mark.parametrize("number", [SCHEMA - 1, SCHEMA + 1])
def test_database_of_another_schema_is_refused_and_left_alone(new_database: str, number: int) -> None:
    open_store(new_database).close()
    before = _tables(new_database)
    _number(new_database, number)
    for use in (open_store, look_at, content_in_use):
        with pytest.raises(StoreOtherSchema) as refused:
            use(new_database)
        assert (refused.value.schema, refused.value.known) == (number, SCHEMA)
        assert refused.value.where in str(refused.value)
        assert f"has schema {number}, and this version of Duologue uses schema {SCHEMA} only" in str(
            refused.value
        )
        assert "`duologue judgments export` there" in str(refused.value)
    assert _tables(new_database) == before
    _number(new_database, SCHEMA)
    open_store(new_database).close()


def test_database_that_does_not_say_its_schema_is_refused(new_database: str) -> None:
    open_store(new_database).close()
    opened = Database(new_database, clock=utc_now)
    with closing(opened), opened.engine.begin() as connection:
        connection.execute(text("DELETE FROM migrations"))
    with pytest.raises(StoreOtherSchema) as refused:
        open_store(new_database)
    assert refused.value.schema == 0


def test_study_of_another_schema_is_neither_tried_nor_moved(tmp_path: Path) -> None:
    study = load_study(new_study(tmp_path / "study", seed=7).folder)
    open_store(study.database).close()
    _number(study.database, SCHEMA - 1)
    with pytest.raises(StoreOtherSchema):
        move_study(study, "other.db")
    assert not (study.folder / "other.db").exists()
    with pytest.raises(StoreOtherSchema), trial_store(study.database, tmp_path / "copy.db"):
        pass


def test_database_of_something_else_is_refused(sqlite_file: Path) -> None:
    with closing(sqlite3.connect(sqlite_file)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(StoreError, match=r"holds something else \(recipes\)"):
        open_store(f"sqlite:///{sqlite_file}")
