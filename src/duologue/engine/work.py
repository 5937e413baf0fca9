"""What an executor is given: a way to make a worker, and tasks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from duologue.errors import EngineError

Task = TypeVar("Task")
Result = TypeVar("Result")

Worker = Callable[[Task], Result]
"""Does one task; what it holds (weights, say) it holds for all of its tasks."""


class Executor(Protocol):
    """Workers on processes or machines."""

    def run(self, make_worker: Callable[[], Worker[Task, Result]], tasks: Sequence[Task]) -> Iterator[Result]:
        """Yield the results as they come, in any order.

        ``make_worker`` is called once for each worker, where the worker runs; it, the tasks and the results
        must be picklable.

        Raises:
            EngineError: A worker died, or raised something.
        """


@dataclass(frozen=True, slots=True)
class TaskOutcome(Generic[Result]):
    """What came of a task, on its way back from where it was done.

    What a worker raised travels as words: not every exception survives the journey.
    """

    results: tuple[Result, ...] = ()
    raised: str = ""

    def result(self) -> Result:
        """The result.

        Raises:
            EngineError: The worker raised something.
        """
        if self.raised:
            raise EngineError(f"a worker raised {self.raised}")
        return self.results[0]


def attempt(worker: Worker[Task, Result], task: Task) -> TaskOutcome[Result]:
    """Do a task where the worker is."""
    try:
        return TaskOutcome((worker(task),))
    except Exception as error:
        return TaskOutcome(raised=f"{type(error).__name__}: {error}")
