"""Making a study's database, or making sure that it has the schema of this program and may be used.

There is one schema and no way from another to it: a database with another number is refused and left alone.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Connection, insert, inspect, select, text
from sqlalchemy.schema import CreateSchema

from duologue.errors import StoreError, StoreMoved
from duologue.store.database.engine import Database, lock_number
from duologue.store.database.failures import translated
from duologue.store.database.looking import ARRIVING_FROM, MOVED_TO, check_schema
from duologue.store.database.schema import SCHEMA, facts, make_tables, migrations


def make_ready(database: Database) -> None:
    """Make the tables of an empty database; refuse one that is not a study of this program's schema.

    Raises:
        StoreOtherSchema: Another version of Duologue made the database.
        StoreMoved: The study was moved to another one.
        StoreError: It holds something else, or cannot be used.
    """
    try:
        with database.engine.connect() as connection:
            if not database.is_sqlite:  # what others made while we waited for the lock must be seen
                connection.execution_options(isolation_level="READ COMMITTED")
            lock_alone(database, connection)
            tables = set(inspect(connection).get_table_names())
            if not tables:
                _create(connection, database.now())
            elif migrations.name in tables:
                check_schema(connection, database.where)
                _check_is_here(database, connection)
            else:
                raise StoreError(
                    f"{connection.engine.url.render_as_string()}: this database holds something else "
                    f"({', '.join(sorted(tables)[:3])}). Give the study a database, or a schema, of its own."
                )
            connection.commit()
        with database.reading():
            pass  # from now on a connection is open: a file that goes is noticed, and not made anew
    except Exception as error:
        ours = translated(error, where=database.where, patience=database.patience)
        if ours is error:
            raise
        raise ours from error


def lock_alone(database: Database, connection: Connection) -> None:
    """Keep every other process out until the end of the transaction."""
    if database.is_sqlite:
        connection.exec_driver_sql("ROLLBACK")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        number = lock_number(database.schema_name)
        connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": number})
        connection.execute(CreateSchema(database.schema_name, if_not_exists=True))


def _check_is_here(database: Database, connection: Connection) -> None:
    """Refuse a database that the study has left, or has not arrived in yet."""
    known = {row.key: row.value for row in connection.execute(select(facts))}
    if MOVED_TO in known:
        raise StoreMoved(database.where, moved_to=known[MOVED_TO])
    if ARRIVING_FROM in known:
        raise StoreError(
            f"{database.where}: the study is being moved here from {known[ARRIVING_FROM]}, and the move was "
            "not finished. Run `duologue study move` again."
        )


def _create(connection: Connection, now: str) -> None:
    make_tables(connection)
    connection.execute(insert(migrations).values(number=SCHEMA, name="made whole", at=now))


def old_copies(folder: Path) -> tuple[Path, ...]:
    """Databases in a folder that a study was moved from: what is erased from the study stays in them."""
    return tuple(sorted(folder.glob("*.moved_*")))


def copy_file(source: Path, target: Path) -> None:
    """Copy an SQLite file as it was last committed; a whole copy that is there already is left alone."""
    if target.exists():
        return
    unfinished = target.with_name(f"{target.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(unfinished)) as writing:
        reading.backup(writing)
    unfinished.rename(target)
