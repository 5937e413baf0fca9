"""Bringing a database up to the schema of this version: forward only, each step in one transaction.

A new database is made as `schema` draws it. A change of the schema gets the next number, a function here
that leads to it from the one before, and a line in `MIGRATIONS`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, func, insert, inspect, select, text
from sqlalchemy.schema import CreateSchema

from duologue.errors import StoreError, StoreMoved, StoreTooNew
from duologue.store.database.engine import Database, lock_number
from duologue.store.database.failures import translated
from duologue.store.database.looking import ARRIVING_FROM, MOVED_TO
from duologue.store.database.schema import SCHEMA, facts, make_tables, migrations
from duologue.store.past_schemas.schema_2 import add_live_chats
from duologue.store.past_schemas.schema_3 import add_tallies
from duologue.store.past_schemas.schema_4 import add_plans_and_looks
from duologue.store.past_schemas.schema_5 import add_forms_and_cohorts
from duologue.store.past_schemas.schema_6 import add_candidates
from duologue.store.past_schemas.schema_7 import add_roles_and_occasions
from duologue.store.past_schemas.schema_8 import name_flags_and_index_forms
from duologue.store.past_schemas.schema_9 import add_prints_and_second_slots


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before to schema ``number``."""

    number: int
    name: str
    apply: Callable[[Connection], None]


MIGRATIONS: tuple[Migration, ...] = (
    Migration(2, "live chats", add_live_chats),
    Migration(3, "tallies", add_tallies),
    Migration(4, "plans and looks", add_plans_and_looks),
    Migration(5, "forms and cohorts", add_forms_and_cohorts),
    Migration(6, "candidates, selections and credit", add_candidates),
    Migration(7, "roles and occasions", add_roles_and_occasions),
    Migration(8, "flags of judgments and people at forms", name_flags_and_index_forms),
    Migration(9, "prints of reasons and second judgments", add_prints_and_second_slots),
)
"""Every step after schema 1, in order."""


def bring_up_to_date(database: Database, steps: Sequence[Migration] = MIGRATIONS) -> int:
    """Create what is missing, and migrate what is older; the number of the schema afterwards.

    An SQLite file that has to be migrated is copied first, to ``study.db.before-schema-2`` beside it.

    Raises:
        StoreTooNew: A later version of Duologue wrote the database.
        StoreMoved: The study was moved to another one.
    """
    newest = steps[-1].number if steps else SCHEMA
    try:
        with database.engine.connect() as connection:
            if database.is_sqlite:
                if 0 < _schema_of(connection) < newest:
                    _ignore_references(connection)
            else:  # what others made while we waited for the lock must be seen
                connection.execution_options(isolation_level="READ COMMITTED")
            lock_alone(database, connection)
            found = _schema_of(connection)
            if found > newest:
                raise StoreTooNew(database.where, schema=found, known=newest)
            _check_is_here(database, connection, found)
            if found == 0:
                _create(connection, database.now(), newest)
            else:
                _migrate(database, connection, [step for step in steps if step.number > found])
            connection.commit()
        with database.reading():
            pass  # from now on a connection is open: a file that goes is noticed, and not made anew
    except Exception as error:
        ours = translated(error, where=database.where, patience=database.patience)
        if ours is error:
            raise
        raise ours from error
    return newest


def _ignore_references(connection: Connection) -> None:
    """Let tables be rebuilt to which others refer: SQLite changes keys and constraints in no other way.

    The connection is not used for anything else afterwards.
    """
    connection.detach()
    connection.exec_driver_sql("ROLLBACK")  # within a transaction it would do nothing
    connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
    connection.exec_driver_sql("BEGIN")


def lock_alone(database: Database, connection: Connection) -> None:
    """Keep every other process out until the end of the transaction."""
    if database.is_sqlite:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        number = lock_number(database.schema_name)
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
        connection.execute(CreateSchema(database.schema_name, if_not_exists=True))


def _schema_of(connection: Connection) -> int:
    """The number of a database's schema; 0 when it is empty."""
    tables = set(inspect(connection).get_table_names())
    if migrations.name in tables:
        number = connection.execute(select(func.max(migrations.c.number))).scalar()
        return int(number or 0)
    if tables:
        raise StoreError(
            f"{connection.engine.url.render_as_string()}: this database holds something else "
            f"({', '.join(sorted(tables)[:3])}). Give the study a database, or a schema, of its own."
        )
    return 0


def _check_is_here(database: Database, connection: Connection, schema: int) -> None:
    """Refuse a database that the study has left, or has not arrived in yet."""
    if not schema:
        return
    known = {row.key: row.value for row in connection.execute(select(facts))}
    if MOVED_TO in known:
        raise StoreMoved(database.where, moved_to=known[MOVED_TO])
    if ARRIVING_FROM in known:
        raise StoreError(
            f"{database.where}: the study is being moved here from {known[ARRIVING_FROM]}, and the move was "
            "not finished. Run `duologue study move` again."
        )


def _create(connection: Connection, now: str, number: int) -> None:
    make_tables(connection)
    connection.execute(insert(migrations).values(number=number, name="made whole", at=now))


def _migrate(database: Database, connection: Connection, steps: Sequence[Migration]) -> None:
    if steps and database.is_sqlite:
        copy_file(Path(database.where), Path(f"{database.where}.before-schema-{steps[-1].number}"))
    for step in steps:
        step.apply(connection)
        row = {"number": step.number, "name": step.name, "at": database.now()}
        connection.execute(insert(migrations).values(row))
    if steps and database.is_sqlite:
        _check_references(database, connection)


def _check_references(database: Database, connection: Connection) -> None:
    broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
    if broken is not None:
        raise StoreError(f"{database.where}: after the migration rows of {broken[0]} refer to nothing.")


_OLD_COPIES = ("*.before-schema-*", "*.moved_*")


def old_copies(folder: Path) -> tuple[Path, ...]:
    """Copies of databases in a folder that were made before a migration or a move.

    What is erased from the database stays in them.
    """
    return tuple(sorted(path for pattern in _OLD_COPIES for path in folder.glob(pattern)))


def copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite file as it was last committed; a whole copy that is there already is left alone."""
    if target.exists():
        return
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(unfinished)) as writing:
        reading.backup(writing)
    unfinished.rename(target)
