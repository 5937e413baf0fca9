"""Operations: what can be done with a study's database, each as a value. A store runs them.

A function of this room that writes is decorated with `writes`, one that only reads with `reads`. Calling it
makes an `Operation`, and nothing happens yet; calling its ``within`` does the work at once, in a transaction
that is open already, so that operations can be made of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from duologue.store.database.engine import Reading, Transaction

P = ParamSpec("P")
T = TypeVar("T")
R = TypeVar("R", covariant=True)
C = TypeVar("C", Reading, Transaction)


@dataclass(frozen=True, slots=True)
class Operation(Generic[R]):
    """One call of a function, to be made by a store; it must be safe to make again after a failure."""

    function: Callable[..., R]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]
    writes: bool
    """Whether the writer runs it; what only reads is never in a writer's way."""
    erases: bool = False
    """Whether what it deletes is to disappear from the database's files too."""
    beside: bool = False
    """Whether others may write meanwhile, where the database lets them: it locks the rows it needs."""
    condition: Condition[R] | None = None

    def within(self, context: Reading | Transaction) -> R:
        """Do it now, in a transaction or with a connection for reading."""
        return self.function(context, *self.args, **self.kwargs)


@dataclass(frozen=True, slots=True)
class Condition(Generic[R]):
    """When an operation is done, and what it gives when it is not."""

    question: Operation[bool]
    otherwise: R


@dataclass(frozen=True, slots=True)
class Stream(Generic[R]):
    """Rows that are read one after another, while the connection is open: there may be a million of them."""

    function: Callable[..., Iterator[R]]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    def within(self, reading: Reading) -> Iterator[R]:
        """Read them now."""
        return self.function(reading, *self.args, **self.kwargs)


class OperationMaker(Generic[C, P, T]):
    """A decorated function: called it makes an operation, and ``within`` does the work at once."""

    within: Callable[Concatenate[C, P], T]

    def __init__(
        self,
        function: Callable[Concatenate[C, P], T],
        *,
        writes: bool,
        erases: bool = False,
        beside: bool = False,
    ) -> None:
        self.within, self._writes, self._erases, self._beside = function, writes, erases, beside
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Operation[T]:
        """The operation of these arguments."""
        return Operation(self.within, args, kwargs, self._writes, self._erases, self._beside)


class StreamMaker(Generic[P, T]):
    """A decorated function that gives rows one after another: called it makes a stream of them."""

    within: Callable[Concatenate[Reading, P], Iterator[T]]

    def __init__(self, function: Callable[Concatenate[Reading, P], Iterator[T]]) -> None:
        self.within = function
        update_wrapper(self, function)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Stream[T]:
        """The stream of these arguments."""
        return Stream(self.within, args, kwargs)


def writes(function: Callable[Concatenate[Transaction, P], T]) -> OperationMaker[Transaction, P, T]:
    """Make operations of a function that reads, decides and writes in one transaction, all or nothing."""
    return OperationMaker(function, writes=True)


def writes_beside(function: Callable[Concatenate[Transaction, P], T]) -> OperationMaker[Transaction, P, T]:
    """The same of a function that locks the rows it needs, so that others can write meanwhile."""
    return OperationMaker(function, writes=True, beside=True)


def erases(function: Callable[Concatenate[Transaction, P], T]) -> OperationMaker[Transaction, P, T]:
    """The same of a function that deletes what must not be found in the database's files afterwards."""
    return OperationMaker(function, writes=True, erases=True)


def reads(function: Callable[Concatenate[Reading, P], T]) -> OperationMaker[Reading, P, T]:
    """Make operations of a function that only reads: one unchanging picture of the database."""
    return OperationMaker(function, writes=False)


def streams(function: Callable[Concatenate[Reading, P], Iterator[T]]) -> StreamMaker[P, T]:
    """Make streams of a function that gives rows one after another."""
    return StreamMaker(function)


def only_if(question: Operation[bool], operation: Operation[T], *, otherwise: T) -> Operation[T]:
    """An operation that is done only where a question that only reads is answered with yes.

    Looking costs little and is in nobody's way; a transaction of the writer waits for the disk.

    Args:
        question: Asked first.
        operation: What is done then.
        otherwise: The result where the answer is no.
    """
    return replace(operation, condition=Condition(question, otherwise))
