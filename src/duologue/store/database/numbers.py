"""The number of a row that is about to be added: known beforehand, so that nobody waits for it."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Table
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler


class NextNumber(ColumnElement[int]):
    """As a column of a query: the number that the next row of a table gets.

    On SQLite, where only one transaction writes, it is one more than the highest; PostgreSQL gives each out
    once, also when the row is never added.
    """

    inherit_cache = False
    type = BigInteger()

    def __init__(self, table: Table) -> None:
        self.table_name = table.name


@compiles(NextNumber)
def _on_sqlite(element: NextNumber, _compiler: SQLCompiler, **_: Any) -> str:
    return f"(SELECT coalesce(max(n), 0) + 1 FROM {element.table_name})"  # noqa: S608  a name of our own schema


@compiles(NextNumber, "postgresql")
def _on_postgresql(element: NextNumber, _compiler: SQLCompiler, **_: Any) -> str:
    return f"nextval('{element.table_name}_n_seq')"
