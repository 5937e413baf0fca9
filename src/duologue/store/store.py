"""The store: a study's database, open, and the one place where operations on it are run."""

from __future__ import annotations

import asyncio
import math
import secrets
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self, TypeVar

from duologue.clock import Clock, utc_now
from duologue.errors import DuologueError
from duologue.store.database.engine import Database
from duologue.store.database.facts import note_fact
from duologue.store.database.opening import make_ready
from duologue.store.database.operations import Operation, Stream
from duologue.store.database.schema import SCHEMA
from duologue.store.database.writer import Writer
from duologue.store.records import Health

T = TypeVar("T")

HEALTH_SECONDS = 1.0
"""How long the answer to whether the database can be written to is good for."""
HEALTH_BYTES = 96 * 1024
"""What is written to find out: about as much as an answer needs. A disk without room for one is full."""
HEALTH_FACT = "healthy-at"
"""Under which the store notes when it was last found to be healthy."""


def open_store(database: str, *, clock: Clock = utc_now, excludes_without_reason: bool = False) -> Store:
    """Open a study's database; it is created when there is none.

    Args:
        database: ``sqlite:///path/to/study.db``, or ``postgresql://host/database?study=name``: one
            PostgreSQL database holds several studies, each in a schema of that name.
        clock: Tells the time.
        excludes_without_reason: Read judgments of annotators who never gave a reason as excluded, also where
            that is still to be written down (`screen_annotators`).

    Raises:
        StoreOtherSchema: Another version of Duologue made the database.
        StoreError: The database cannot be used.
        MissingExtra: It is PostgreSQL, and its driver is not installed.
    """
    opened = Database(database, clock=clock, excludes_without_reason=excludes_without_reason)
    try:
        make_ready(opened)
    except BaseException:
        opened.close()
        raise
    return Store(opened)


class Store:
    """A study's database. Any thread may call it; writes are done by one thread, commits are shared.

    What can be done with it are operations, the functions at the front of this room: ``run`` waits for one,
    ``run_async`` lets the event loop go on meanwhile, ``stream`` gives rows one after another. An operation
    that returns has its effects on the disk. One that raises has had none, and can be repeated.

    Example:
        >>> from duologue.store import fetch_annotators, invite_annotators
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/study.db") as store:
        ...     invited = store.run(invite_annotators(2))
        ...     len(store.run(fetch_annotators()))
        2
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._writer = Writer(database)
        self._health = (-math.inf, "")
        self._health_lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def where(self) -> str:
        """The database, as it may be shown: a file, or an address without its password."""
        return self._database.where

    def close(self) -> None:
        """Finish what is queued and close the database."""
        self._writer.close()
        self._database.close()

    def run(self, operation: Operation[T]) -> T:
        """Do an operation and wait for it: what it wrote is on the disk then.

        Raises:
            StoreError: The database cannot do it, or the store is closed.
            DuologueError: What the operation itself raises.
        """
        if not operation.writes:
            with self._database.reading() as reading:
                return operation.within(reading)
        condition = operation.condition
        if condition is not None and not self.run(condition.question):
            return condition.otherwise
        result = self._writer.run(operation.within, beside=operation.beside).result()
        if operation.erases:
            self._database.forget_erased()
        return result

    async def run_async(self, operation: Operation[T]) -> T:
        """`run`, without holding up the event loop: the writer's thread does it, or another one reads."""
        if not operation.writes or operation.condition is not None or operation.erases:
            return await asyncio.to_thread(self.run, operation)
        return await self._writer.run_async(operation.within, beside=operation.beside)

    def stream(self, stream: Stream[T]) -> Iterator[T]:
        """Rows one after another, from one picture of the database as it is when the first is asked for."""
        with self._database.reading() as reading:
            yield from stream.within(reading)

    def healthy(self) -> Health:
        """Whether the database can be written to now: something is written, and waited for until it is safe.

        A good answer is good for a second, however often it is asked for; who asks while somebody finds out
        gets the same answer.
        """
        asked = time.monotonic()
        with self._health_lock:
            found_at, problem = self._health
            is_new = asked <= found_at or (not problem and asked - found_at < HEALTH_SECONDS)
            if not is_new:
                problem = self._written()
                self._health = (time.monotonic(), problem)
        engine = "sqlite" if self._database.is_sqlite else "postgresql"
        return Health(not problem, engine, SCHEMA, self._writer.queued, problem)

    def _written(self) -> str:
        """Why nothing can be written; empty when something was."""
        problem = ""
        try:
            ballast = secrets.token_hex(HEALTH_BYTES // 2)
            noted = note_fact(HEALTH_FACT, f"{self._database.now()} {ballast}")
            self._writer.run(noted.within, beside=True).result(timeout=2 * self._database.patience)
        except DuologueError as error:
            problem = str(error)
        except TimeoutError:
            problem = f"{self.where}: nothing could be written for {2 * self._database.patience:g} s."
        return problem
