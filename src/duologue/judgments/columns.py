"""Columns of a table as codes: each different cell is kept, and later read, only once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.table import Chunk, refuse_cell

Codes = NDArray[np.int32]

UNKNOWN = -1
"""The code of an empty cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of names: ``names[codes[i]]`` is the name in row i; a code of -1 says it is not known."""

    names: tuple[str, ...]
    codes: Codes

    @property
    def is_known(self) -> bool:
        """Whether every row has a name."""
        return len(self.codes) == 0 or int(self.codes.min()) >= 0

    def select(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """The same names, with only these rows."""
        return type(self)(self.names, self.codes[rows])

    def name_of(self, code: int) -> str:
        """The name of a code, empty for an unknown one."""
        return self.names[code] if code >= 0 else ""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """Columns of one table, and the file it came from, if it came from one."""

    coded: Mapping[str, Coded]
    source: Path | None = None

    def __getitem__(self, name: str) -> Coded:
        return self.coded[name]

    def parsed(
        self, name: str, parse: Callable[[str], float], empty: float, *, expected: str
    ) -> NDArray[Any]:
        """What each cell of a column says; ``empty`` where it says nothing.

        Raises:
            FormatError: ``parse`` raised KeyError, ValueError or OverflowError on a cell.
        """
        column = self.coded[name]
        values: list[float] = []
        for code, cell in enumerate(column.names):
            try:
                values.append(parse(cell))
            except (KeyError, ValueError, OverflowError):
                self.refuse(name, code, expected=expected)
        values.append(empty)  # found by the code -1
        return np.array(values)[column.codes]

    def refuse(self, name: str, code: int, *, expected: str, row: int | None = None) -> NoReturn:
        """Say that a cell is not what it should be, and where it is: in this row, or where first found.

        Raises:
            FormatError: Always.
        """
        column = self.coded[name]
        row = int(np.argmax(column.codes == code)) if row is None else row
        refuse_cell(self.source, row, field=name, expected=expected, got=column.name_of(code))


def encode_chunks(chunks: Iterable[Chunk], names: Sequence[str], *, source: Path | None = None) -> Columns:
    """The named columns of a table; one that is not there is unknown in every row.

    Of a ``reason`` only whether there is one is kept.
    """
    vocabularies = {name: _Vocabulary() for name in names}
    parts: dict[str, list[Codes]] = {name: [np.zeros(0, dtype=np.int32)] for name in names}
    for chunk in chunks:
        for name in names:
            parts[name].append(_encoded(chunk, name, vocabularies[name]))
    return Columns(
        {name: Coded(vocabularies[name].names, np.concatenate(parts.pop(name))) for name in names}, source
    )


def _encoded(chunk: Chunk, name: str, vocabulary: _Vocabulary) -> Codes:
    cells = chunk.columns.get(name)
    if cells is None:
        return np.full(chunk.rows, UNKNOWN, dtype=np.int32)
    if name == "reason":
        cells = ["given" if cell and not cell.isspace() else "" for cell in cells]
    return np.fromiter(map(vocabulary.__getitem__, cells), dtype=np.int32, count=chunk.rows)


class _Vocabulary(dict[str, int]):
    """Codes of names in the order they are first seen; the empty name is `UNKNOWN`."""

    def __init__(self) -> None:
        super().__init__({"": UNKNOWN})

    def __missing__(self, name: str) -> int:
        code = self[name] = len(self) - 1
        return code

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self)[1:]


def share_names(one: Coded, other: Coded) -> tuple[tuple[str, ...], Codes, Codes]:
    """Two columns that name the same things under one set of codes.

    Example:
        >>> a, b = np.array([0, 1], dtype=np.int32), np.array([0, -1], dtype=np.int32)
        >>> names, ours, theirs = share_names(Coded(("x", "y"), a), Coded(("z",), b))
        >>> names, ours.tolist(), theirs.tolist()
        (('x', 'y', 'z'), [0, 1], [2, -1])
    """
    shared = _Vocabulary()
    for name in (*one.names, *other.names):
        shared[name]

    def recoded(column: Coded) -> Codes:
        return np.array([*(shared[name] for name in column.names), UNKNOWN], dtype=np.int32)[column.codes]

    return shared.names, recoded(one), recoded(other)
