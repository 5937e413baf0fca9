"""Statements as SQL for one kind of engine: compiling takes longer than running, so it is done once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from sqlalchemy import Executable, Table
from sqlalchemy.engine import Dialect
from sqlalchemy.sql import Insert
from sqlalchemy.sql.elements import ClauseElement

T = TypeVar("T")


class Statements:
    """Every statement that was run on one kind of engine, compiled, and what else was made of them."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect
        self._compiled: dict[Executable, tuple[str, dict[str, object]]] = {}
        self._remembered: dict[object, object] = {}

    def compiled(self, statement: Executable, values: Mapping[str, object]) -> tuple[str, dict[str, object]]:
        """A statement as SQL for the driver, with the values that are part of it."""
        known = self._compiled.get(statement)
        if known is None:
            keys = list(values) if isinstance(statement, Insert) else None
            made = cast("ClauseElement", statement).compile(dialect=self._dialect, column_keys=keys)
            constants = {key: value for key, value in made.params.items() if key not in values}
            known = self._compiled[statement] = (str(made), constants)
        return known

    def remembered(self, key: object, make: Callable[[], T]) -> T:
        """What was made of statements when it was first asked for; the key says of which."""
        known = self._remembered.get(key)
        if known is None:
            known = self._remembered[key] = make()
        return cast("T", known)

    def adding(self, table: Table, names: tuple[str, ...], count: int = 1) -> str:
        """The SQL that adds rows to a table: on SQLite so many, on PostgreSQL any number, as columns.

        There one statement for many rows, in binary, costs a sixth of one statement for each; on SQLite
        little more than half.
        """
        return self.remembered((table, names, count), lambda: self._adding(table, names, count))

    def _adding(self, table: Table, names: tuple[str, ...], count: int) -> str:
        quote = self._dialect.identifier_preparer.quote
        into = f"INSERT INTO {quote(table.name)} ({', '.join(quote(name) for name in names)})"
        if self._dialect.name == "sqlite":
            row = f"({', '.join('?' * len(names))})"
            return f"{into} VALUES {', '.join([row] * count)}"
        kinds = [table.c[name].type.compile(self._dialect) for name in names]
        arrays = ", ".join(f"%({name})b::{kind}[]" for name, kind in zip(names, kinds, strict=True))
        return f"{into} SELECT * FROM unnest({arrays})"  # noqa: S608  names of our own schema


_KEPT: dict[str, Statements] = {}


def statements_for(dialect: Dialect) -> Statements:
    """The statements that all our databases on one kind of engine share."""
    return _KEPT.setdefault(dialect.name, Statements(dialect))
