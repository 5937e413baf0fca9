"""The connection through which a process writes: made when it is needed, replaced when it is lost."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from sqlalchemy import PoolProxiedConnection

from duologue.store.database.engine import Database


class WritingConnection:
    """One connection, used by one thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._held: PoolProxiedConnection | None = None

    @property
    def is_used(self) -> bool:
        """Whether it is there already, and so may have died since."""
        return self._held is not None

    @property
    def is_lost(self) -> bool:
        """Whether there is none, or PostgreSQL is no longer at its other end."""
        raw: Any = None if self._held is None else self._held.driver_connection
        return raw is None or bool(raw.closed)

    def raw(self) -> Any:
        """The driver's connection, ready for writing."""
        if self._held is None:
            self._held = self._database.engine.raw_connection()
            self._database.prepare_for_writing(self._held.driver_connection)
        return self._held.driver_connection

    def roll_back(self) -> None:
        """Leave no transaction behind; a connection that cannot even do that is replaced."""
        if self._held is None:
            return
        try:
            raw: Any = self._held.driver_connection
            if not self._database.is_sqlite or raw.in_transaction:
                raw.cursor().execute("ROLLBACK")
        except Exception:
            self.let_go()

    def let_go(self) -> None:
        """Close it; the next use makes another."""
        if self._held is not None:
            with suppress(Exception):
                self._held.invalidate()
            self._held = None
