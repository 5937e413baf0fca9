"""Columns of a table as codes: each different cell is kept, and later read, only once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.cells import TRUTHS
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

    @property
    def is_named(self) -> bool:
        """Whether any row has a name."""
        return bool((self.codes != UNKNOWN).any())

    @property
    def own_codes(self) -> Codes:
        """The codes, in which each row without a name has one of its own: nobody knows that two are alike.

        Example:
            >>> Coded(("x", "y"), np.array([1, -1, -1], dtype=np.int32)).own_codes.tolist()
            [1, 2, 3]
        """
        blank = self.codes == UNKNOWN
        codes = self.codes.copy()
        codes[blank] = len(self.names) + np.arange(np.count_nonzero(blank), dtype=np.int32)
        return codes

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
    others: tuple[str, ...] = ()
    """Columns that the table has and nobody asked for."""

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
    others: dict[str, None] = {}
    for chunk in chunks:
        others.update(dict.fromkeys(name for name in chunk.columns if name not in vocabularies))
        for name in names:
            parts[name].append(_encoded(chunk, name, vocabularies[name]))
    return Columns(
        {name: Coded(vocabularies[name].names, np.concatenate(parts.pop(name))) for name in names},
        source,
        tuple(others),
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


_TRUTHS_OF_EXCLUSION = {name.lower(): truth for name, truth in TRUTHS.items()} | {"no": False, "yes": True}


def exclusion_rules(column: Coded) -> Coded:
    """The rules by which rows are excluded, where a table may only say whether they are.

    Example:
        >>> found = exclusion_rules(Coded(("late", "False", "true"), np.array([0, 1, 2], dtype=np.int32)))
        >>> found.names, found.codes.tolist()
        (('late', 'excluded'), [0, -1, 1])
    """
    if not any(name.lower() in _TRUTHS_OF_EXCLUSION for name in column.names):
        return column
    rules = _Vocabulary()
    said = {True: "excluded", False: "", None: None}
    names = [said[_TRUTHS_OF_EXCLUSION.get(name.lower())] for name in column.names]
    codes = [rules[name if rule is None else rule] for name, rule in zip(column.names, names, strict=True)]
    return Coded(rules.names, np.array([*codes, UNKNOWN], dtype=np.int32)[column.codes])


def unused_note(columns: Columns, known: Collection[str] = ()) -> tuple[str, ...]:
    """A sentence that names the columns of a table that nothing is done with; none when there are none."""
    unused = [name for name in columns.others if name not in known]
    if not unused:
        return ()
    named = ", ".join(unused[:_MOST_NAMED]) + (
        f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
    )
    return (f"Columns that are not used: {named}. If one is ours under another name, say it with --columns.",)


_MOST_NAMED = 20


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
