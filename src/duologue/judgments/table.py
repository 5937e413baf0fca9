"""Tables of judgments, one row a judgment: CSV, JSON lines, one JSON list, Parquet, or an Excel sheet.

Tables are read in chunks of columns, so that a million rows cost seconds and not gigabytes. Every cell is
handed on as text, empty where it is missing; what it means is the business of `duologue.judgments.votes`.
"""

from __future__ import annotations

import csv
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn, TextIO, get_args

from duologue.errors import FormatError, InputError, MissingExtra
from duologue.files import fits_utf8
from duologue.judgments.formulas import unguarded, unguarded_cells
from duologue.judgments.judged_by import RowsJudgedBy
from duologue.judgments.sheets import sheet_rows
from duologue.strict_json import DoubledField, NotANumber, TooDeep, entry_with_fault, read_strictly

if TYPE_CHECKING:
    import _csv

TableFormat = Literal["csv", "jsonl", "json", "parquet"]

TABLE_FORMATS: tuple[TableFormat, ...] = get_args(TableFormat)

ReadFormat = TableFormat | Literal["xlsx"]
"""What is read; Excel sheets are not written."""

ColumnMap = Mapping[str, str]
"""What a table calls a column of ours, by our name; empty to leave a column of that name out."""

NO_MAP: ColumnMap = {}

CHUNK_ROWS = 512
"""Small enough for the processor's cache: a hundred times more is four times slower."""

MOST_COLUMNS = 5_000
"""More is no table of judgments."""

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some rows of a table, column by column; ``first`` is how many rows came before them."""

    first: int
    rows: int
    columns: Mapping[str, Sequence[str]]
    source: Path | None = None
    """The file they came from, if they came from one."""

    def column(self, name: str) -> Sequence[str]:
        """The cells of a column; empty ones when there is no such column."""
        return self.columns.get(name, ("",) * self.rows)

    def refuse(self, row: int, *, field: str, expected: str, got: str) -> NoReturn:
        """Say that a cell in a row of this chunk is not what it should be.

        Raises:
            FormatError: Always.
        """
        refuse_cell(self.source, self.first + row, field=field, expected=expected, got=got)


def table_format(path: Path) -> ReadFormat:
    """What kind of table a file is, by its first bytes.

    Raises:
        InputError: The file cannot be read, or is empty.
    """
    start = _first_bytes(path)
    if start.startswith(b"PAR1"):
        return "parquet"
    if start.startswith(b"PK\x03\x04"):
        return "xlsx"
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if not text:
        raise FormatError(path, expected="a table of judgments", got="an empty file")
    if text.startswith(b"["):
        return "json"
    return "jsonl" if text.startswith(b"{") else "csv"


def read_chunks(path: Path, columns: ColumnMap = NO_MAP) -> Iterator[Chunk]:
    """The rows of a table in chunks of columns.

    In JSON a row may leave out columns: they are empty text there.

    Args:
        path: The file.
        columns: Which of its columns are ours under another name.

    Raises:
        FormatError: A line is not a row of the table, or a column is not there; says which and why.
    """
    readers: dict[ReadFormat, Callable[[Path], Iterator[Chunk]]] = {
        "csv": _csv_chunks,
        "jsonl": _jsonl_chunks,
        "json": _json_chunks,
        "parquet": _parquet_chunks,
        "xlsx": _xlsx_chunks,
    }
    chunks = readers[table_format(path)](path)
    named = _renamed(chunks, columns, path) if columns else chunks
    return columns.chosen(named) if isinstance(columns, RowsJudgedBy) else named


def _renamed(chunks: Iterator[Chunk], columns: ColumnMap, path: Path) -> Iterator[Chunk]:
    for number, chunk in enumerate(chunks):
        if number == 0:
            check_columns(path, columns, chunk.columns)
        yield replace(
            chunk,
            columns={
                ours: chunk.column(theirs) for ours, theirs in renamed_columns(chunk.columns, columns).items()
            },
        )


def check_columns(path: Path, columns: ColumnMap, found: Collection[str]) -> None:
    """Check that the columns that are ours under another name are there.

    Raises:
        FormatError: One is not.
    """
    for ours, theirs in columns.items():
        if theirs and theirs not in found:
            raise FormatError(
                path,
                expected=f"a column {theirs!r}, as --columns says of {ours}",
                got=", ".join(found) or "none",
            )


def renamed_columns(found: Iterable[str], columns: ColumnMap) -> dict[str, str]:
    """What each column of a table is called there, by the name it has for us.

    A column that has the name of one of ours, but is another, is left out.

    Example:
        >>> renamed_columns(["model", "score", "at"], {"bot": "model", "at": ""})
        {'bot': 'model', 'score': 'score'}
    """
    ours = {theirs: name for name, theirs in columns.items()}
    return {ours.get(name, name): name for name in found if name in ours or name not in columns}


def table_columns(path: Path, columns: ColumnMap = NO_MAP) -> tuple[str, ...]:
    """The names of a table's columns; of JSON those of the first rows. None when it has no rows.

    Raises:
        InputError: The file cannot be read.
    """
    first = next(read_chunks(path, columns), None)
    return tuple(first.columns) if first is not None else ()


def count_rows(path: Path) -> int:
    """How many rows a table has, whoever judged them."""
    return sum(chunk.rows for chunk in read_chunks(path))


def table_rows(path: Path, columns: ColumnMap = NO_MAP) -> Iterator[Row]:
    """The rows of a table one by one, every cell as text.

    Raises:
        FormatError: A line is not a row of the table; says which and why.
    """
    return rows_of_chunks(read_chunks(path, columns))


def rows_of_chunks(chunks: Iterable[Chunk]) -> Iterator[Row]:
    """The rows of chunks one by one, every cell as text."""
    for chunk in chunks:
        for cells in zip(*chunk.columns.values(), strict=True):
            yield dict(zip(chunk.columns, cells, strict=True))


def chunks_of_rows(rows: Iterable[Row], source: Path | None = None) -> Iterator[Chunk]:
    """Rows that are in memory or come from a database, in chunks of columns.

    Example:
        >>> [chunk.columns for chunk in chunks_of_rows([{"winner": "A", "is_tie": False}, {"winner": "B"}])]
        [{'winner': ['A', 'B'], 'is_tie': ['false', '']}]
    """
    remaining, first = iter(rows), 0
    while some := list(itertools.islice(remaining, CHUNK_ROWS)):
        names = dict.fromkeys(name for row in some for name in row)
        _check_width(source or "judgments", names)
        columns = {name: [as_text(row.get(name)) for row in some] for name in names}
        yield Chunk(first, len(some), columns, source)
        first += len(some)


def as_text(value: object) -> str:
    """A cell as text: nothing and NaN are empty, truth is ``true`` or ``false``, structures are JSON.

    Example:
        >>> as_text(None), as_text(True), as_text(1.5), as_text(["a"])
        ('', 'true', '1.5', '["a"]')
        >>> from decimal import Decimal
        >>> as_text(Decimal("1.50"))  # of a Parquet file, say
        '1.50'
    """
    if value is None:
        return ""
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return "" if math.isnan(value) else str(value)
    if type(value) is int:
        return str(value)
    if isinstance(value, list | dict):
        return StructureText(json.dumps(value, ensure_ascii=False))
    return str(value)


class StructureText(str):
    """A list or an object as JSON text: kept where a table has more than we use, and no name of anything."""

    __slots__ = ()


def refuse_cell(source: Path | None, row: int, *, field: str, expected: str, got: str) -> NoReturn:
    """Say that a cell is not what it should be, with the line its row starts on.

    Raises:
        FormatError: Always.
    """
    shown = repr(got if len(got) <= 60 else got[:57] + "…") if got else "nothing"
    line = line_of_row(source, row) if source is not None else None
    place = field if line is not None else f"row {row + 1}, {field}"
    raise FormatError(source or "judgments", line=line, field=place, expected=expected, got=shown)


def line_of_row(path: Path, row: int) -> int | None:
    """The line on which a row starts; None where a file is not made of lines.

    A quoted cell may hold line breaks, so rows and lines are counted apart. The file is read again: this is
    for error messages.
    """
    kind = table_format(path)
    if kind == "csv":
        with _csv_reader(path) as (reader, _):
            before = reader.line_num
            seen = -1
            for cells in reader:
                seen += bool(cells)
                if seen == row:
                    return before + 1
                before = reader.line_num
    if kind == "xlsx":
        filled = (number for number, cells in enumerate(_sheet_rows(path), 1) if any(cells))
        return next(itertools.islice(filled, row + 1, None), None)
    if kind == "jsonl":
        with _open_text(path) as lines:
            filled = (number for number, line in enumerate(lines, 1) if line.strip())
            return next(itertools.islice(filled, row, None), None)
    return None


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(4096)
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from error


@contextmanager
def _open_text(path: Path) -> Iterator[TextIO]:
    """The file as UTF-8 text; a byte that is none is reported with its line."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            yield file
    except UnicodeDecodeError as error:
        with path.open("rb") as raw:
            number = next(n for n, line in enumerate(raw, 1) if not _is_utf8(line))
        raise FormatError(
            path, line=number, expected="UTF-8 text", got="bytes that are none", hint="Save it as UTF-8."
        ) from error


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


@contextmanager
def _csv_reader(path: Path) -> Iterator[tuple[_csv.Reader, list[str]]]:
    """A reader standing after the header row, and the names in it."""
    with _open_text(path) as file:
        head = file.readline()
        file.seek(0)
        delimiter = max(",;\t", key=head.count)
        reader = csv.reader(file, delimiter=delimiter, skipinitialspace=True, strict=True)
        try:
            names = [unguarded(name.strip()) for name in next(filter(None, reader), [])]
            _check_header(path, names)
            yield reader, names
        except csv.Error as error:
            raise FormatError(
                path, line=reader.line_num, expected="a row of CSV", got=f"one with the fault: {error}"
            ) from error


def _check_header(path: Path, names: Sequence[str]) -> None:
    _check_width(path, names, line=1)
    twice = next((name for name, times in Counter(names).items() if times > 1), None)
    if twice is not None:
        raise FormatError(
            path, line=1, expected="each column once", got=f"{twice or 'a blank'!r} more than once"
        )


def _check_width(source: Path | str, names: Collection[str], *, line: int | None = None) -> None:
    if len(names) > MOST_COLUMNS:
        raise FormatError(
            source,
            line=line,
            expected=f"at most {MOST_COLUMNS:,} columns",
            got=f"{len(names):,}",
            hint="Leave out those that are not about judgments.",
        )


def _csv_chunks(path: Path) -> Iterator[Chunk]:
    with _csv_reader(path) as (reader, names):
        filled, first = filter(None, reader), 0
        while some := list(itertools.islice(filled, CHUNK_ROWS)):
            if set(map(len, some)) != {len(names)}:
                _refuse_ragged(path, first, some, names)
            columns = [unguarded_cells(cells) for cells in zip(*some, strict=True)]
            yield Chunk(first, len(some), dict(zip(names, columns, strict=True)), path)
            first += len(some)
        if first == 0:
            yield Chunk(0, 0, dict.fromkeys(names, ()), path)


def _refuse_ragged(path: Path, first: int, rows: list[list[str]], names: list[str]) -> NoReturn:
    row = next(number for number, cells in enumerate(rows) if len(cells) != len(names))
    raise FormatError(
        path,
        line=line_of_row(path, first + row),
        expected=f"{len(names)} cells, as the header has",
        got=f"{len(rows[row])}",
        hint="A cell that holds a comma must be in double quotes.",
    )


def _jsonl_chunks(path: Path) -> Iterator[Chunk]:
    with _open_text(path) as lines:
        yield from chunks_of_rows(_jsonl_rows(path, lines), path)


_OVER_MANY_LINES = "One object over many lines is no table: give a list of objects, or one object a line."


def _jsonl_rows(path: Path, lines: Iterable[str]) -> Iterator[Row]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        hint = _OVER_MANY_LINES if line.strip() in ("{", "}") else None
        row = _loaded(line, path, line=number, expected="a JSON object", hint=hint)
        if not isinstance(row, dict):
            raise FormatError(path, line=number, expected="a JSON object", got=f"a {type(row).__name__}")
        if "\\u" in line:
            _check_characters(row, path, line=number)
        yield row


def _json_chunks(path: Path) -> Iterator[Chunk]:
    with _open_text(path) as file:
        text = file.read()
    rows = _loaded(text, path, line=None, expected="a JSON list of objects")
    assert isinstance(rows, list)  # noqa: S101  it begins with a bracket
    for number, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            raise FormatError(
                path, field=f"row {number}", expected="a JSON object", got=f"a {type(row).__name__}"
            )
        if "\\u" in text:
            _check_characters(row, path, place=f"row {number}, ")
    return chunks_of_rows(rows, path)


def _loaded(text: str, path: Path, *, line: int | None, expected: str, hint: str | None = None) -> object:
    try:
        return read_strictly(text)
    except DoubledField as error:
        raise FormatError(
            path,
            line=line,
            field=_place(text, line, error.field),
            expected="each field once in an object",
            got="it more than once",
            hint="Keep the one that is meant.",
        ) from error
    except NotANumber as error:
        raise FormatError(
            path,
            line=line,
            field=_place(text, line, error.field),
            expected="JSON, which has no such number",
            got=error.constant,
            hint="Write null where there is no number.",
        ) from error
    except json.JSONDecodeError as error:
        raise FormatError(path, line=line, expected=expected, got=f"{error}", hint=hint) from error
    except TooDeep as error:
        raise FormatError(path, line=line, expected=expected, got="one nested too deeply") from error
    except ValueError as error:  # Python reads no whole number of more than 4300 digits
        raise FormatError(
            path, line=line, expected=expected, got="a number of more than 4300 digits"
        ) from error


def _place(text: str, line: int | None, field: str | None) -> str:
    """Where a fault is, for a message: the field, and of a list the entry, where no line says it."""
    return ", ".join(filter(None, (f"row {entry_with_fault(text)}" if line is None else "", field)))


def _check_characters(row: Row, path: Path, *, line: int | None = None, place: str = "") -> None:
    """Refuse text that no file in UTF-8 can hold.

    Raises:
        FormatError: There is half of a surrogate pair; says in which field.
    """
    for name, value in row.items():
        if not fits_utf8(name + as_text(value)):
            raise FormatError(
                path,
                line=line,
                field=f"{place}{name}",
                expected="whole characters",
                got="half of a surrogate pair",
                hint="Write the character itself, or leave it out.",
            )


def _parquet_chunks(path: Path) -> Iterator[Chunk]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "parquet") from None
    first = 0
    try:
        for batch in pq.ParquetFile(path).iter_batches(batch_size=65_536):
            columns = {
                name: list(map(as_text, batch.column(name).to_pylist())) for name in batch.schema.names
            }
            yield Chunk(first, batch.num_rows, columns, path)
            first += batch.num_rows
    except pa.ArrowInvalid as error:
        raise FormatError(path, expected="a Parquet file", got=f"one with the fault: {error}") from error


def _xlsx_chunks(path: Path) -> Iterator[Chunk]:
    filled = filter(any, _sheet_rows(path))
    names = [name.strip() for name in next(filled, [])]
    while names and not names[-1]:
        names.pop()
    _check_header(path, names)
    first = 0
    while some := list(itertools.islice(filled, CHUNK_ROWS)):
        if any(any(cells[len(names) :]) for cells in some):
            row = next(number for number, cells in enumerate(some) if any(cells[len(names) :]))
            refuse_cell(path, first + row, field="row", expected="no cell beyond the header's", got="one")
        cells = [[*row[: len(names)], *[""] * (len(names) - len(row))] for row in some]
        yield Chunk(first, len(some), dict(zip(names, zip(*cells, strict=True), strict=True)), path)
        first += len(some)
    if first == 0:
        yield Chunk(0, 0, dict.fromkeys(names, ()), path)


def _sheet_rows(path: Path) -> Iterator[list[str]]:
    """The rows of the first sheet of an Excel file, every cell as text."""
    return ([_of_sheet(cell) for cell in row] for row in sheet_rows(path))


def _of_sheet(cell: object) -> str:
    """A cell of a sheet as text: a sheet has no whole numbers, so 3.0 is 3."""
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else as_text(cell)
