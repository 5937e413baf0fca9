"""Columns of a table as codes: each different cell is kept, and later read, only once."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.cells import TRUTHS
from duologue.judgments.judged_by import JUDGED_BY_COLUMN, PEOPLE, refuse_mixed
from duologue.judgments.table import Chunk, StructureText, refuse_cell

Codes = NDArray[np.int32]

UNKNOWN = -1
"""The code of an empty cell."""


@dataclass(frozen=True, slots=True, eq=False)
class NameColumn:
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
            >>> NameColumn(("x", "y"), np.array([1, -1, -1], dtype=np.int32)).own_codes.tolist()
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

    coded: Mapping[str, NameColumn]
    source: Path | None = None
    others: tuple[str, ...] = ()
    """Columns that the table has and nobody asked for."""
    typed: Mapping[str, NDArray[Any]] = field(default_factory=dict)
    """Columns of numbers that never were text."""
    begins: tuple[tuple[int, int], ...] = ()
    """Where rows of the table are left out: which of ours begins a stretch, which of its own that is."""

    def __getitem__(self, name: str) -> NameColumn:
        return self.coded[name]

    def with_coded(self, name: str, column: NameColumn) -> Columns:
        """The same columns, but for one of names."""
        return replace(self, coded={**self.coded, name: column})

    def completed(self, names: Iterable[str]) -> Columns:
        """The same columns, and empty ones of those of these names that are not there."""
        missing = [name for name in names if name not in self.coded and name not in self.typed]
        rows = len(next(iter([*self.typed.values(), *(one.codes for one in self.coded.values())]), ()))
        nothing = NameColumn((), np.full(rows, UNKNOWN, dtype=np.int32))
        return replace(self, coded={**self.coded, **dict.fromkeys(missing, nothing)})

    def numbered(self, name: str) -> Codes:
        """A number for each different thing that a column names, as first seen; -1 where it names none.

        Example:
            >>> Columns({}, typed={"pairing": np.array([7, 3, 7])}).numbered("pairing").tolist()
            [0, 1, 0]
        """
        if name not in self.typed:
            return self.coded[name].codes
        _, first, places = np.unique(self.typed[name], return_index=True, return_inverse=True)
        seen = np.empty(len(first), dtype=np.int32)
        seen[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
        return seen[places]

    def parsed(
        self, name: str, parse: Callable[[str], float], empty: float, *, expected: str
    ) -> NDArray[Any]:
        """What each cell of a column says; ``empty`` where it says nothing.

        Raises:
            FormatError: ``parse`` raised KeyError, ValueError or OverflowError on a cell.
        """
        if name in self.typed:
            return self.typed[name]
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
        passed = [theirs - ours for ours, theirs in self.begins if ours <= row]
        row += passed[-1] if passed else 0
        refuse_cell(self.source, row, field=name, expected=expected, got=column.name_of(code))


def encode_chunks(chunks: Iterable[Chunk], names: Sequence[str], *, source: Path | None = None) -> Columns:
    """The named columns of a table; one that is not there is unknown in every row.

    Of a ``reason`` only whether there is one is kept.
    """
    vocabularies = {name: Vocabulary() for name in names}
    parts: dict[str, list[Codes]] = {}
    others: dict[str, None] = {}
    rows = 0
    judges: Counter[str] = Counter()
    begins: list[tuple[int, int]] = []
    for chunk in chunks:
        begins.append((rows, chunk.first))
        if JUDGED_BY_COLUMN in chunk.columns:
            judges.update(cell or PEOPLE for cell in chunk.column(JUDGED_BY_COLUMN))
        others.update(dict.fromkeys(name for name in chunk.columns if name not in vocabularies))
        for name in names:
            if name in chunk.columns and name not in parts:
                parts[name] = [np.full(rows, UNKNOWN, dtype=np.int32)]
            if name in parts:
                parts[name].append(_encoded(chunk, name, vocabularies[name]))
        rows += chunk.rows
    refuse_mixed(judges, source)
    others.pop(JUDGED_BY_COLUMN, None)
    nothing = np.full(rows, UNKNOWN, dtype=np.int32)
    codes = {name: np.concatenate(parts.pop(name)) if name in parts else nothing for name in names}
    columns = Columns(
        {name: NameColumn(vocabularies[name].names, codes[name]) for name in names},
        source,
        tuple(others),
        begins=tuple(one for one in begins if one[0] != one[1]),
    )
    _check_texts(columns)
    return columns


def _check_texts(columns: Columns) -> None:
    """Refuse lists and objects where a text is wanted, and characters that command a terminal.

    Raises:
        FormatError: There is one; says where.
    """
    for name, column in columns.coded.items():
        if StructureText in set(map(type, column.names)):
            code = next(code for code, cell in enumerate(column.names) if isinstance(cell, StructureText))
            columns.refuse(name, code, expected="a text or a number, no list and no object")
        if holds_controls(column.names):
            code = next(code for code, cell in enumerate(column.names) if holds_controls([cell]))
            columns.refuse(name, code, expected="a text without control characters; leave them out")


_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""All but tabs and the ends of lines, which texts may hold."""


def holds_controls(texts: Iterable[str]) -> bool:
    """Whether there is a control character in any of these texts other than a tab or the end of a line.

    Example:
        >>> holds_controls(["mint", "two\\nlines"]), holds_controls(["mint", "\\x1b[31msage"])
        (False, True)
    """
    together = "".join(texts)
    return not together.isprintable() and _CONTROL.search(together) is not None


Column = Sequence[str] | str | NDArray[Any]
"""A column of names, one name for every row, or a column of numbers."""


class ColumnsBuilder:
    """Puts columns together that come piece by piece. A column that a piece does not have is empty there."""

    def __init__(self) -> None:
        self._vocabularies: dict[str, Vocabulary] = {}
        self._parts: dict[str, list[NDArray[Any]]] = {}
        self._rows = 0

    def add(self, rows: int, columns: Mapping[str, Column]) -> None:
        """Add so many rows."""
        for name, column in columns.items():
            if name not in self._parts:
                self._parts[name] = [self._empty(name, column, self._rows)]
        for name, parts in self._parts.items():
            parts.append(
                self._piece(name, columns[name], rows)
                if name in columns
                else self._empty(name, parts[0], rows)
            )
        self._rows += rows

    def columns(self) -> Columns:
        """All that was added; the pieces and the names are let go, one column after the other."""
        numbers = [name for name in self._parts if name not in self._vocabularies]
        typed = {name: np.concatenate(self._parts.pop(name)) for name in numbers}
        coded = {
            name: NameColumn(self._vocabularies.pop(name).names, np.concatenate(self._parts.pop(name)))
            for name in list(self._vocabularies)
        }
        return Columns(coded, typed=typed)

    def _piece(self, name: str, column: Column, rows: int) -> NDArray[Any]:
        if isinstance(column, np.ndarray):
            return column
        vocabulary = self._vocabularies.setdefault(name, Vocabulary())
        if isinstance(column, str):
            return np.full(rows, vocabulary[column], dtype=np.int32)
        return np.fromiter(map(vocabulary.__getitem__, column), dtype=np.int32, count=rows)

    def _empty(self, name: str, like: Column, rows: int) -> NDArray[Any]:
        """Nothing, so often: no name, not a number, or zero."""
        if name in self._vocabularies or not isinstance(like, np.ndarray):
            return np.full(rows, UNKNOWN, dtype=np.int32)
        empty = math.nan if like.dtype.kind == "f" else 0
        return np.full(rows, empty, dtype=like.dtype)


def _encoded(chunk: Chunk, name: str, vocabulary: Vocabulary) -> Codes:
    cells = chunk.columns.get(name)
    if cells is None:
        return np.full(chunk.rows, UNKNOWN, dtype=np.int32)
    if name == "reason":
        cells = ["given" if cell and not cell.isspace() else "" for cell in cells]
    return np.fromiter(map(vocabulary.__getitem__, cells), dtype=np.int32, count=chunk.rows)


class Vocabulary(dict[str, int]):
    """Codes of names in the order they are first seen; the empty name is `UNKNOWN`.

    Example:
        >>> codes = Vocabulary()
        >>> [codes[name] for name in ("x", "", "y", "x")], codes.names
        ([0, -1, 1, 0], ('x', 'y'))
    """

    def __init__(self) -> None:
        super().__init__({"": UNKNOWN})

    def __missing__(self, name: str) -> int:
        code = self[name] = len(self) - 1
        return code

    @property
    def names(self) -> tuple[str, ...]:
        """The names by their codes."""
        return tuple(self)[1:]


_TRUTHS_OF_EXCLUSION = {name.lower(): truth for name, truth in TRUTHS.items()} | {"no": False, "yes": True}


def exclusion_rules(column: NameColumn) -> NameColumn:
    """The rules by which rows are excluded, where a table may only say whether they are.

    Example:
        >>> codes = np.array([0, 1, 2], dtype=np.int32)
        >>> found = exclusion_rules(NameColumn(("late", "False", "true"), codes))
        >>> found.names, found.codes.tolist()
        (('late', 'excluded'), [0, -1, 1])
    """
    if not any(name.lower() in _TRUTHS_OF_EXCLUSION for name in column.names):
        return column
    rules = Vocabulary()
    said = {True: "excluded", False: "", None: None}
    names = [said[_TRUTHS_OF_EXCLUSION.get(name.lower())] for name in column.names]
    codes = [rules[name if rule is None else rule] for name, rule in zip(column.names, names, strict=True)]
    return NameColumn(rules.names, np.array([*codes, UNKNOWN], dtype=np.int32)[column.codes])


def unused_note(columns: Columns, known: Collection[str] = ()) -> tuple[str, ...]:
    """A sentence that names the columns of a table that nothing is done with; none when there are none."""
    unused = [name or "one without a name" for name in columns.others if name not in known]
    if not unused:
        return ()
    named = ", ".join(unused[:_MOST_NAMED]) + (
        f" and {len(unused) - _MOST_NAMED} more" if len(unused) > _MOST_NAMED else ""
    )
    return (f"Columns that are not used: {named}. If one is ours under another name, say it with --columns.",)


_MOST_NAMED = 20


def share_names(one: NameColumn, other: NameColumn) -> tuple[tuple[str, ...], Codes, Codes]:
    """Two columns that name the same things under one set of codes.

    Example:
        >>> a, b = np.array([0, 1], dtype=np.int32), np.array([0, -1], dtype=np.int32)
        >>> names, ours, theirs = share_names(NameColumn(("x", "y"), a), NameColumn(("z",), b))
        >>> names, ours.tolist(), theirs.tolist()
        (('x', 'y', 'z'), [0, 1], [2, -1])
    """
    shared = Vocabulary()
    for name in (*one.names, *other.names):
        shared[name]

    def recoded(column: NameColumn) -> Codes:
        return np.array([*(shared[name] for name in column.names), UNKNOWN], dtype=np.int32)[column.codes]

    return shared.names, recoded(one), recoded(other)
