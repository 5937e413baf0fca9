"""The first sheet of an Excel file, read only where its cells are what takes the room.

The library that reads sheets makes a place for every cell between the first and the last. One stray cell in
the last corner of an otherwise small sheet would take half a terabyte, and end the process. So places are
counted first.
"""

from __future__ import annotations

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO

from duologue.errors import FormatError, MissingExtra

FREE_PLACES = 2_000_000
"""So many places a sheet may always have."""
PLACES_PER_CELL = 50
"""Beyond that, no more than so many for each cell that it holds."""

MOST_UNPACKED = 1 << 30
"""Bytes of all parts of the file together, when they are unpacked: more than a full sheet takes."""
LONGEST_TAG = 1 << 16
"""Bytes of a tag that is carried on into the next block; what is longer is no cell."""


def sheet_rows(path: Path) -> Iterator[Sequence[object]]:
    """The rows of the first sheet, blank ones too; a blank cell is an empty text.

    Raises:
        FormatError: It is no Excel file, or a damaged one, a cell stands far away from all others, or it
            takes too much room when it is unpacked.
        MissingExtra: The library that reads sheets is not installed.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook
    except ImportError:
        raise MissingExtra("python-calamine", "xlsx") from None
    try:
        _refuse_scattered(path)
        yield from CalamineWorkbook.from_path(path).get_sheet_by_index(0).to_python(skip_empty_area=False)
    except (CalamineError, *_SPOILT) as error:
        raise FormatError(
            path, expected="an Excel file (.xlsx)", got=f"one with the fault: {_one_line(error)}"
        ) from error


_SPOILT = (zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, OSError, RuntimeError, ValueError)
"""What an archive raises that was cut, changed, encrypted or packed in a way of its own."""


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


_TAG = re.compile(
    rb"""<(?:\w+:)?(?:(c)|row)(?=[\s/>])(?:[^<>]*?\sr\s*=\s*["']([A-Za-z]*)(\d+)["'])?""", re.ASCII
)
"""A cell or a row, and where it says that it stands."""


def _refuse_scattered(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        unpacked = sum(part.file_size for part in archive.infolist())  # no more than that is ever unpacked
        if unpacked > MOST_UNPACKED:
            raise FormatError(
                path,
                expected=f"at most {MOST_UNPACKED >> 20:,} MB when it is unpacked",
                got=f"{unpacked >> 20:,} MB",
                hint="Save the sheet as CSV.",
            )
        for part in archive.infolist():
            with archive.open(part) as file:
                cells, rows, columns = _counted(file)
            places = rows * columns
            if places > max(FREE_PLACES, PLACES_PER_CELL * cells):
                raise FormatError(
                    path,
                    expected="cells that stand together",
                    got=f"{cells:,} cells scattered over {rows:,} rows and {columns:,} columns",
                    hint="Delete what stands far away from the table, or save the sheet as CSV.",
                )


def _counted(file: IO[bytes]) -> tuple[int, int, int]:
    """How many cells a part of the file holds, and how many rows and columns they reach over."""
    cells = rows = columns = 0
    left = b""
    while block := file.read(1 << 20):
        block = left + block
        end = max(block.rfind(b"<"), 0)
        left = block[end:] if len(block) - end <= LONGEST_TAG else b""
        for is_cell, letters, number in _TAG.findall(block[:end]):
            cells += bool(is_cell)
            if number:
                rows = max(rows, int(number[:12]))
            if letters:
                columns = max(columns, _column(letters[:6]))
    return cells, max(rows, 1), max(columns, 1)


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters.upper():
        number = 26 * number + letter - 64
    return number
