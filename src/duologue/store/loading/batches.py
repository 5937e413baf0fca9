"""Records that are loaded many at a time: looking them up, and telling which came twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import TypeVar

from sqlalchemy import ColumnElement, Executable, Select, bindparam

from duologue.dialogues import Dialogue
from duologue.errors import InputError
from duologue.protocols import Item
from duologue.store.database.engine import Row, Transaction

T = TypeVar("T")
R = TypeVar("R", Dialogue, Item)

BATCH = 2_000
"""Records that are prepared and written together."""
_LOOKED_UP = 500
"""Rows that are looked up together."""
_PLACES = tuple(f"key{place}" for place in range(_LOOKED_UP))


def one_of_a_batch(column: ColumnElement[str] | ColumnElement[int]) -> ColumnElement[bool]:
    """That a column is among the keys which `found` looks up."""
    return column.in_([bindparam(place) for place in _PLACES])


def found(tx: Transaction, query: Executable, keys: Iterable[object]) -> Iterator[Row]:
    """The rows that a query with `one_of_a_batch` gives for keys, however many."""
    for some in batches(keys, _LOOKED_UP):
        filled = zip(_PLACES, chain(some, repeat(some[-1])), strict=False)
        yield from tx.rows(query, **dict(filled))


def batches(values: Iterable[T], size: int = BATCH) -> Iterator[list[T]]:
    """The values, so many at a time."""
    source = iter(values)
    while batch := list(islice(source, size)):
        yield batch


def number_of(tx: Transaction, query: Select[tuple[int]]) -> int:
    """The one number that a query asks for."""
    row = tx.row(query)
    assert row is not None  # noqa: S101  it is asked for one number
    return int(row[0])


class RowSet:
    """Which rows one loading has met so far, by their numbers: a byte for each."""

    def __init__(self, noun: str) -> None:
        self._noun = noun
        self._met = bytearray()

    def note(self, numbers: Mapping[str, int]) -> None:
        """These have been met now, by id.

        Raises:
            InputError: One of them had been met before.
        """
        highest = max(numbers.values(), default=0)
        if highest >= len(self._met):
            self._met.extend(bytes(highest + 1 - len(self._met)))
        for key, number in numbers.items():
            if self._met[number]:
                raise twice(self._noun, key)
            self._met[number] = 1

    def has(self, number: int) -> bool:
        """Whether a row has been met."""
        return number < len(self._met) and self._met[number] == 1


def by_id(noun: str, batch: Sequence[R]) -> dict[str, R]:
    """The records of a batch by their ids.

    Raises:
        InputError: Two of them have the same id.
    """
    records = {record.id: record for record in batch}
    if len(records) < len(batch):
        raise twice(noun, Counter(record.id for record in batch).most_common(1)[0][0])
    return records


def twice(noun: str, key: str) -> InputError:
    """What to say of two records with one id."""
    return InputError(f"two {noun}s have the id {key!r}: every {noun} needs an id of its own.")
