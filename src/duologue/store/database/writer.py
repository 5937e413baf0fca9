"""The one thread of a process that writes.

Operations are queued, and whatever is waiting goes into one transaction: on SQLite ``BEGIN IMMEDIATE``, on
PostgreSQL ``BEGIN`` and an advisory lock of the study, so that at any moment one transaction of one process
reads, decides and writes. Each operation has a savepoint of its own; one commit (one wait for the disk)
makes all of them durable, and only then does anybody hear of it.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import PoolProxiedConnection

from duologue.errors import StoreError
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.failures import translated

T = TypeVar("T")
Work = Callable[[Transaction], T]
"""What is to be done in a transaction. It must be safe to run again after a failure."""

MOST_AT_ONCE = 256
"""Operations in one transaction."""

_Queued = tuple[Work[Any], "Future[Any]"]
_Outcome = tuple[object, BaseException | None]


class Writer:
    """Runs operations one after another in a thread of its own, with a shared commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[_Queued | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
        self._held: PoolProxiedConnection | None = None
        self._thread = threading.Thread(target=self._work, name="duologue-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        """How many operations are waiting."""
        return self._queue.qsize()

    def run(self, operation: Work[T]) -> Future[T]:
        """Queue an operation; the future is resolved once its effects are on the disk.

        Raises:
            StoreError: The store is closed.
        """
        future: Future[T] = Future()
        with self._closing:
            if self._is_closed:
                raise StoreError(f"{self._database.where}: the store is closed.")
            self._queue.put((operation, future))
        return future

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        is_open = True
        while is_open:
            batch: list[_Queued] = []
            queued = self._queue.get()
            while queued is not None:
                if queued[1].set_running_or_notify_cancel():
                    batch.append(queued)
                if len(batch) == MOST_AT_ONCE or self._queue.empty():
                    break
                queued = self._queue.get()
            is_open = queued is not None
            if batch:
                self._run_together(batch)
        self._let_go()

    def _run_together(self, batch: list[_Queued]) -> None:
        outcomes = self._outcomes([operation for operation, _future in batch])
        for (_operation, future), (result, failure) in zip(batch, outcomes, strict=True):
            if failure is None:
                future.set_result(result)
            else:
                future.set_exception(self._ours(failure))
        self._database.pass_on()

    def _outcomes(self, operations: list[Work[Any]]) -> list[_Outcome]:
        """What became of operations in one transaction, once it is on the disk."""
        is_used, has_begun = self._held is not None, False
        try:
            raw = self._connected()
            with self._database.in_one_go(raw) as settle:
                self._database.begin_writing(raw)
                settle()
                self._database.check_file()
                has_begun = True
                together = _Together(raw, Transaction(self._database, raw, self._database.now()), settle)
                if len(operations) == 1:
                    outcomes: list[_Outcome] = [(operations[0](together.transaction), None)]
                else:
                    outcomes = [together.attempt(operation) for operation in operations]
                raw.execute("COMMIT")
                settle()
                self._database.check_file()  # nobody is told that something is safe which is not
        except BaseException as error:
            self._roll_back()
            if is_used and not has_begun and type(self._ours(error)) is StoreError:
                self._let_go()  # it died since it was used last, for instance with a server that restarted
                return self._outcomes(operations)
            return [(None, error)] * len(operations)
        return outcomes

    def _connected(self) -> Any:
        if self._held is None:
            self._held = self._database.engine.raw_connection()
            self._database.prepare_for_writing(self._held.driver_connection)
        return self._held.driver_connection

    def _roll_back(self) -> None:
        """Leave no transaction behind; a connection that cannot even do that is replaced."""
        if self._held is None:
            return
        try:
            raw: Any = self._held.driver_connection
            if not self._database.is_sqlite or raw.in_transaction:
                raw.cursor().execute("ROLLBACK")
        except Exception:
            self._let_go()

    def _let_go(self) -> None:
        if self._held is not None:
            with suppress(Exception):
                self._held.invalidate()
            self._held = None

    def _ours(self, error: BaseException) -> BaseException:
        ours = translated(error, where=self._database.where, patience=self._database.patience)
        if ours is not error:
            ours.__cause__ = error
        return ours


@dataclass(frozen=True, slots=True)
class _Together:
    """Operations that share a transaction, each in a savepoint of its own."""

    raw: Any
    transaction: Transaction
    settle: Callable[[], None]

    def attempt(self, operation: Work[object]) -> _Outcome:
        """What an operation gave or raised; a failed one leaves nothing behind.

        Raises:
            Exception: The transaction itself is lost, and with it all that shares it.
        """
        self.raw.execute("SAVEPOINT operation")
        try:
            result = operation(self.transaction)
            self.settle()
        except BaseException as error:
            if getattr(self.raw, "in_transaction", True) is False:
                raise  # SQLite gives up the whole transaction on some errors, a full disk among them
            with suppress(Exception):
                self.settle()  # the statements after the one that failed
            self.raw.execute("ROLLBACK TO SAVEPOINT operation")
            self.raw.execute("RELEASE SAVEPOINT operation")
            return None, error
        self.raw.execute("RELEASE SAVEPOINT operation")
        return result, None
