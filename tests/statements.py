"""Statements compiled once for all databases of a process; in tests each has an engine and a short life."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects.postgresql.psycopg import PGDialect_psycopg
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_compiled: LRUCache[Any, Any] = LRUCache(2_000)


def keep_statements() -> None:
    """Let every engine of this process use what another one of its kind has compiled."""
    for kind in (SQLiteDialect_pysqlite, PGDialect_psycopg):
        # By name, here and below: mypy refuses to have a method assigned.
        setattr(kind, "__eq__", _is_alike)  # noqa: B010
        setattr(kind, "__hash__", lambda self: hash((type(self), self.paramstyle)))  # noqa: B010
    begin = Engine.__init__

    def begin_with_compiled(self: Engine, *places: Any, **names: Any) -> None:
        begin(self, *places, **names)
        self._compiled_cache = _compiled

    setattr(Engine, "__init__", begin_with_compiled)  # noqa: B010


def _is_alike(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one.paramstyle == other.paramstyle)
