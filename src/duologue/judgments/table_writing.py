"""Tables of judgments written: CSV, JSON lines, one JSON list or Parquet, whole or not at all."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

from duologue.errors import MissingExtra, UnknownFormat
from duologue.files import replacing_by_name
from duologue.judgments.formulas import FORMULA_STARTS, GUARD, guarded
from duologue.judgments.table import TABLE_FORMATS, Row, TableFormat, as_text


def write_table(rows: Iterable[Row], path: Path, *, table: TableFormat | None = None) -> int:
    """Write rows as a table, whole or not at all, and say how many there were.

    Args:
        rows: All with the same columns, which are those of the first.
        path: Where to; replaced when it exists.
        table: The format; by the ending of ``path`` when not given.

    Raises:
        UnknownFormat: The ending says nothing.
        ExportError: It cannot be written there.
        MissingExtra: Parquet was asked for without pyarrow.
    """
    kind = table or _format_by_ending(path)
    with replacing_by_name(path) as draft:
        if kind == "parquet":
            return _write_parquet(rows, draft)
        with draft.open("x", encoding="utf-8", newline="") as file:
            return _WRITERS[kind](rows, file)


def _format_by_ending(path: Path) -> TableFormat:
    ending = path.suffix.removeprefix(".").lower()
    if ending not in TABLE_FORMATS:
        raise UnknownFormat(path, TABLE_FORMATS, hint="Give the file the ending of one of them.")
    return ending


def write_csv(rows: Iterable[Row], file: TextIO) -> int:
    """Write rows as CSV with the columns of the first row, and say how many there were.

    No text begins a formula (`duologue.judgments.formulas`); numbers stay numbers.
    """
    remaining = iter(rows)
    first = next(remaining, None)
    if first is None:
        return 0
    plain = csv.writer(file, lineterminator="\n")
    # Readers cut off spaces in front of a cell without quotes, and take a return in it for the line's end.
    quoted = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
    names = list(first)
    header = dict(zip(names, names, strict=True))
    count = -1
    for row in itertools.chain([header, first], remaining):
        cells = [row.get(name) for name in names]
        words = [cell for cell in cells if type(cell) is str]
        if _AWKWARD.search("\0" + "\0".join(words)) is None:
            plain.writerow([cell if type(cell) is str else as_text(cell) for cell in cells])
        else:
            texts = [guarded(cell) if isinstance(cell, str) else as_text(cell) for cell in cells]
            needs_quotes = any(text[:1] == " " or "\r" in text for text in texts)
            (quoted if needs_quotes else plain).writerow(texts)
        count += 1
    return count


_AWKWARD = re.compile(f"\0(?:{GUARD}*[{re.escape(FORMULA_STARTS)}]| )|\r")
"""In texts with NUL before each: one that begins a formula or with a space, or a return. It is rare."""


def write_jsonl(rows: Iterable[Row], file: TextIO) -> int:
    """Write rows as one JSON object a line, and say how many there were."""
    count = 0
    encode = json.JSONEncoder(ensure_ascii=False).encode  # one for all rows: `json.dumps` makes one for each
    for row in rows:
        file.write(f"{encode(row)}\n")
        count += 1
    return count


def _write_json(rows: Iterable[Row], file: TextIO) -> int:
    every = [dict(row) for row in rows]
    json.dump(every, file, ensure_ascii=False, indent=1)
    return len(every)


_WRITERS: dict[str, Callable[[Iterable[Row], TextIO], int]] = {
    "csv": write_csv,
    "jsonl": write_jsonl,
    "json": _write_json,
}


def _write_parquet(rows: Iterable[Row], path: Path) -> int:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("pyarrow", "parquet") from None
    every = [dict(row) for row in rows]
    pq.write_table(pa.Table.from_pylist(every), path)
    return len(every)
