"""Making the tables of a new database."""

from __future__ import annotations

from functools import cache

from sqlalchemy import Connection, create_mock_engine
from sqlalchemy.sql.ddl import ExecutableDDLElement

from duologue.store.database.schema.columns import metadata


def make_tables(connection: Connection) -> None:
    """Make all tables, indexes and triggers in a database that has none."""
    dialect = connection.dialect
    for command in _commands(f"{dialect.name}+{dialect.driver}://"):
        connection.exec_driver_sql(command)


@cache
def _commands(address: str) -> tuple[str, ...]:
    """What makes them on one kind of engine: writing it takes five times as long as running it."""
    commands: list[str] = []

    def note(command: ExecutableDDLElement, *_values: object, **_names: object) -> None:
        commands.append(str(command.compile(dialect=engine.dialect)))

    engine = create_mock_engine(address, note)
    metadata.create_all(engine, checkfirst=False)
    return tuple(commands)
