"""The one thread of a process that writes.

Operations are queued, and whatever is waiting goes into one transaction; one commit (one wait for the disk)
makes all of them durable, and only then does anybody hear of it.

An operation runs *alone* unless it says otherwise: on SQLite ``BEGIN IMMEDIATE``, on PostgreSQL ``BEGIN`` and
an advisory lock of the study, so that at any moment one transaction of one process reads, decides and writes.
On PostgreSQL each operation has a savepoint of its own. On SQLite savepoints cost a seventh of an operation:
there operations do without, and when one fails that has written, the transaction ends without a trace and its
operations are run again, each in a savepoint.

On PostgreSQL what annotators do runs *beside* others (`beside`): the same lock is shared, and rows are locked
instead. There are no savepoints: when an operation fails that has written, or one has what another needs, the
transaction ends without a trace and its operations are run again one by one.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from duologue.errors import StoreError
from duologue.store.database.beside import MOST_BESIDE, BesideTransaction, RunAlone, RunLater
from duologue.store.database.engine import Database, Transaction
from duologue.store.database.failures import is_passing, translated
from duologue.store.database.writing_connection import WritingConnection

T = TypeVar("T")
Work = Callable[[Transaction], T]
"""What is to be done in a transaction. It must be safe to run again after a failure."""

MOST_AT_ONCE = 256
"""Operations in one transaction that is alone."""

MOST_ATTEMPTS = 5
"""How often an operation is tried that others are in the way of."""

_Outcome = tuple[object, BaseException | None]
_Delivery = tuple[Future[Any] | asyncio.Future[Any], object, BaseException | None]


@dataclass(frozen=True, slots=True)
class _QueuedOperation:
    """An operation that waits, and who waits for it."""

    work: Work[Any]
    beside: bool
    future: Future[Any] | asyncio.Future[Any]
    """Of a thread that waits, or of a coroutine."""

    def is_wanted(self) -> bool:
        """Whether somebody still waits; a thread has to from now on."""
        if isinstance(self.future, Future):
            return self.future.set_running_or_notify_cancel()
        return not self.future.cancelled()


class Writer:
    """Runs operations in a thread of its own, with a shared commit."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[_QueuedOperation | None] = queue.SimpleQueue()
        self._closing = threading.Lock()
        self._is_closed = False
        self._connection = WritingConnection(database)
        self._thread = threading.Thread(target=self._work, name="duologue-writer", daemon=True)
        self._thread.start()

    @property
    def queued(self) -> int:
        """How many operations are waiting."""
        return self._queue.qsize()

    def run(self, work: Work[T], *, beside: bool = False) -> Future[T]:
        """Queue an operation; the future is resolved once its effects are on the disk.

        Args:
            work: What is to be done.
            beside: Whether others may write meanwhile, where the database lets them.

        Raises:
            StoreError: The store is closed.
        """
        future: Future[T] = Future()
        self._put(_QueuedOperation(work, beside and not self._database.is_sqlite, future))
        return future

    def run_async(self, work: Work[T], *, beside: bool = False) -> asyncio.Future[T]:
        """`run`, for a coroutine to await.

        All who wait in an event loop are told at once what became of a batch: waking the loop for each of
        them costs more than a statement.
        """
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._put(_QueuedOperation(work, beside and not self._database.is_sqlite, future))
        return future

    def _put(self, queued: _QueuedOperation) -> None:
        with self._closing:
            if self._is_closed:
                raise StoreError(f"{self._database.where}: the store is closed.")
            self._queue.put(queued)

    def close(self) -> None:
        """Finish what is queued and end the thread."""
        with self._closing:
            if not self._is_closed:
                self._is_closed = True
                self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        waiting: deque[_QueuedOperation] = deque()
        is_open = True
        while is_open or waiting:
            while is_open and (not waiting or not self._queue.empty()):
                queued = self._queue.get()
                if queued is None:
                    is_open = False
                elif queued.is_wanted():
                    waiting.append(queued)
            if waiting:
                self._run_together(_next_batch(waiting))
        self._connection.let_go()

    def _run_together(self, batch: list[_QueuedOperation]) -> None:
        works = [queued.work for queued in batch]
        outcomes = self._beside(works) if batch[0].beside else self._alone(works)
        in_loops: dict[asyncio.AbstractEventLoop, list[_Delivery]] = {}
        for queued, (result, failure) in zip(batch, outcomes, strict=True):
            settled = queued.future, result, None if failure is None else self._ours(failure)
            if isinstance(queued.future, Future):
                _settle([settled])
            else:
                in_loops.setdefault(queued.future.get_loop(), []).append(settled)
        for loop, some in in_loops.items():
            with suppress(RuntimeError):  # it is closed, and nobody waits in it any more
                loop.call_soon_threadsafe(_settle, some)
        self._database.pass_on()

    def _alone(self, works: list[Work[Any]], *, in_savepoints: bool = False) -> list[_Outcome]:
        """What became of operations in one transaction beside which there is no other."""
        is_used, has_begun, is_trying = self._connection.is_used, False, False
        try:
            raw = self._connection.raw()
            with self._database.in_one_go(raw) as settle:
                self._database.begin_writing(raw)
                settle()
                self._database.check_file()
                has_begun = True
                together = _SharedTransaction(
                    raw, Transaction(self._database, raw, self._database.now()), settle
                )
                if len(works) == 1:
                    outcomes: list[_Outcome] = [(works[0](together.transaction), None)]
                elif in_savepoints or not self._database.is_sqlite:
                    outcomes = [together.attempt(work) for work in works]
                else:
                    is_trying = True
                    outcomes = [together.attempt_on_sqlite(work) for work in works]
                    is_trying = False
                raw.execute("COMMIT")
                settle()
                self._database.check_file()  # nobody is told that something is safe which is not
        except BaseException as error:
            self._connection.roll_back()
            if is_trying:
                return self._alone(works, in_savepoints=True)
            if is_used and not has_begun and type(self._ours(error)) is StoreError:
                self._connection.let_go()  # it died since it was used last, for instance with its server
                return self._alone(works)
            return [(None, error)] * len(works)
        return outcomes

    def _beside(self, works: list[Work[Any]], attempt: int = 1) -> list[_Outcome]:
        """What became of operations in one transaction beside those of others."""
        is_used, is_committing = self._connection.is_used, False
        try:
            raw = self._connection.raw()
            with self._database.in_one_go(raw):
                self._database.begin_beside(raw)
                now = self._database.now()
                transaction = BesideTransaction(self._database, raw, now, has_others=len(works) > 1)
                outcomes = [transaction.attempt(work) for work in works]
                transaction.finish()
                is_committing = True
                raw.execute("COMMIT")  # it is waited for when the block ends
        except BaseException as error:
            is_lost = self._connection.is_lost
            self._connection.roll_back()
            if is_lost:
                if is_committing or not is_used:  # nobody knows whether it is saved, or nobody is there
                    return [(None, error)] * len(works)
                return self._beside(works, attempt)
            if len(works) > 1:
                return [self._beside([work])[0] for work in works]
            return [self._again(works[0], error, attempt)]
        return [
            self._again(work, failure, attempt)
            if isinstance(failure, RunAlone | RunLater)
            else (result, failure)
            for work, (result, failure) in zip(works, outcomes, strict=True)
        ]

    def _again(self, work: Work[Any], error: BaseException, attempt: int) -> _Outcome:
        """What became of an operation that another was in the way of."""
        if isinstance(error, RunAlone):
            return self._alone([work])[0]
        if isinstance(error, RunLater) or (attempt < MOST_ATTEMPTS and is_passing(error)):
            return self._beside([work], attempt + 1)[0]
        return None, error

    def _ours(self, error: BaseException) -> BaseException:
        ours = translated(error, where=self._database.where, patience=self._database.patience)
        if ours is not error:
            ours.__cause__ = error
        return ours


def _settle(some: list[_Delivery]) -> None:
    """Tell those who wait, unless they have given up."""
    for future, result, failure in some:
        if future.cancelled():
            continue
        if failure is None:
            future.set_result(result)
        else:
            future.set_exception(failure)


def _next_batch(waiting: deque[_QueuedOperation]) -> list[_QueuedOperation]:
    """The operations that come next and may share a transaction, in the order they came."""
    batch = [waiting.popleft()]
    most = MOST_BESIDE if batch[0].beside else MOST_AT_ONCE
    while waiting and len(batch) < most and waiting[0].beside == batch[0].beside:
        batch.append(waiting.popleft())
    return batch


@dataclass(frozen=True, slots=True)
class _SharedTransaction:
    """Operations that share a transaction."""

    raw: Any
    transaction: Transaction
    settle: Callable[[], None]

    def attempt_on_sqlite(self, work: Work[object]) -> _Outcome:
        """What an operation gave, or raised before it had written anything.

        Raises:
            Exception: It has written, and what it wrote must not stay: the whole transaction is to end.
        """
        changes = self.raw.total_changes
        try:
            return work(self.transaction), None
        except Exception as error:
            if self.raw.total_changes != changes or not self.raw.in_transaction:
                raise
            return None, error

    def attempt(self, work: Work[object]) -> _Outcome:
        """What an operation gave or raised, in a savepoint; a failed one leaves nothing behind.

        Raises:
            Exception: The transaction itself is lost, and with it all that shares it.
        """
        self.raw.execute("SAVEPOINT operation")
        try:
            result = work(self.transaction)
            self.settle()
        except BaseException as error:
            if getattr(self.raw, "in_transaction", True) is False:
                raise  # SQLite gives up the whole transaction on some errors, a full disk among them
            with suppress(Exception):
                self.settle()  # the statements after the one that failed
            self.raw.execute("ROLLBACK TO SAVEPOINT operation")
            self.transaction.has_taken_back = False  # what it took back is out again
            self.raw.execute("RELEASE SAVEPOINT operation")
            return None, error
        self.raw.execute("RELEASE SAVEPOINT operation")
        return result, None
