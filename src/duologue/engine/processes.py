"""Work on processes of this machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context
from typing import Any

from duologue.engine.work import Result, Task, TaskOutcome, Worker, attempt
from duologue.errors import EngineError


@dataclass(frozen=True, slots=True)
class LocalProcesses:
    """So many fresh Python processes, each with a worker of its own."""

    workers: int

    def run(self, make_worker: Callable[[], Worker[Task, Result]], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the results as they come.

        Raises:
            EngineError: A worker died, or raised something.
        """
        pool = ProcessPoolExecutor(
            self.workers, mp_context=get_context("spawn"), initializer=_begin, initargs=(make_worker,)
        )
        try:
            futures: list[Future[TaskOutcome[Result]]] = [pool.submit(_do, task) for task in tasks]
            for future in as_completed(futures):
                yield _result(future)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _result(future: Future[TaskOutcome[Result]]) -> Result:
    try:
        done = future.result()
    except BrokenProcessPool as error:
        why = "a process died before it could work, or in the middle of it; it may have run out of memory."
        raise EngineError(why) from error
    return done.result()


_workers: list[Worker[Any, Any]] = []
"""The worker of this process, once it is one of the pool's."""


def _begin(make_worker: Callable[[], Worker[Any, Any]]) -> None:
    _workers[:] = [make_worker()]


def _do(task: Any) -> TaskOutcome[Any]:
    return attempt(_workers[0], task)
