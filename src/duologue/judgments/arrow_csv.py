"""A large CSV file as coded columns, read by Arrow where the extra is installed.

`duologue.judgments.table` reads any CSV cell by cell and says what is wrong with a bad one. Arrow reads
well-formed ones four times as fast. Whatever it might read otherwise is left to the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.columns import UNKNOWN, Columns, NameColumn, holds_controls
from duologue.judgments.formulas import GUARD, unguarded
from duologue.judgments.judged_by import JUDGED_BY_COLUMN

WORTHWHILE = 2**20
"""Bytes from which on loading Arrow pays."""
LONGEST_HEADER = 2**16

BLOCK = 2**22
"""So many bytes are looked at in one go."""

_COMMA, _LINE, _RETURN, _QUOTE = b',\n\r"'
_BEFORE, _AFTER = (_COMMA, _LINE, _QUOTE), (_COMMA, _LINE, _RETURN, _QUOTE)
"""What may stand before a quote that opens, and after one that closes."""
_SURELY_GIVEN = r"^[\x21-\x26\x28-\x7e]"
"""How a reason begins that is one, whatever follows: with a plain character that is no blank and no guard."""


def read_csv(
    path: Path,
    names: Sequence[str],
    *,
    needed: Set[str],
    aliases: Mapping[str, str],
    at_least: int = WORTHWHILE,
) -> Columns | None:
    """The named columns of a well-formed, comma-separated CSV file; None when in any doubt.

    Columns that are not there are unknown in every row. Of a ``reason`` only whether there is one is kept.

    Args:
        path: A file in UTF-8.
        names: The columns wanted, by our names.
        needed: Those of them that must be there.
        aliases: Our names of columns that the file may call otherwise.
        at_least: Smaller files, in bytes, are left to the plain reader.
    """
    if path.stat().st_size < max(1, at_least):
        return None
    try:
        import pyarrow as pa
        from pyarrow import csv
    except ImportError:
        return None
    theirs = _header(path)
    if JUDGED_BY_COLUMN in theirs:  # whose rows are read is for the other to say
        return None
    header = [aliases.get(name, name) for name in theirs]
    if len(set(header)) != len(header) or not needed <= set(header) or not _stands_well(path):
        return None
    text, coded = pa.string(), pa.dictionary(pa.int32(), pa.string())
    wanted = [name for name in names if name in header]
    try:
        table = csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=header, skip_rows=1),
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types={name: text if name == "reason" else coded for name in wanted},
                include_columns=wanted,
                strings_can_be_null=False,
            ),
        )
    except pa.ArrowInvalid:
        return None
    rows, cells = table.num_rows, {name: table[name] for name in wanted}
    del table
    columns = {name: _column(cells.pop(name), name) for name in wanted}  # each is let go when it is read
    pa.default_memory_pool().release_unused()
    known = {name: column for name, column in columns.items() if column is not None}
    if len(known) < len(wanted):
        return None
    absent = NameColumn((), np.broadcast_to(np.int32(UNKNOWN), rows))
    others = tuple(name for name in header if name not in known)
    return Columns({name: known.get(name, absent) for name in names}, path, others)


def _header(path: Path) -> list[str]:
    with path.open("rb") as file:
        line = file.readline(LONGEST_HEADER).removeprefix(b"\xef\xbb\xbf")
    if not line.endswith(b"\n") or b'"' in line or not line.isascii():
        return []
    return [unguarded(name.strip()) for name in line.decode("ascii").split(",")]


def _stands_well(path: Path) -> bool:
    """Whether no byte is zero, returns end lines, and quotes open after a separator and close before one."""
    data = np.memmap(path, dtype=np.uint8, mode="r")
    last, seen = len(data) - 1, 0
    for begin in range(0, len(data), BLOCK):
        own = np.asarray(data[begin : begin + BLOCK])
        returns = begin + np.flatnonzero(own == _RETURN)
        if not own.all() or (data[np.minimum(returns + 1, last)] != _LINE).any():
            return False
        quotes = begin + np.flatnonzero(own == _QUOTE)
        opening, closing = quotes[seen % 2 :: 2], quotes[1 - seen % 2 :: 2]
        seen += len(quotes)
        before = data[opening - 1]  # the header has none, so no quote is the first byte
        after = np.where(closing < last, data[np.minimum(closing + 1, last)], _LINE)
        if not (np.isin(before, _BEFORE).all() and np.isin(after, _AFTER).all()):
            return False
    return seen % 2 == 0


def _column(cells: Any, name: str) -> NameColumn | None:
    """One column; None when it has a cell that the plain reader had better look at."""
    if name == "reason":
        return _given(cells)
    from pyarrow import compute

    whole = cells.unify_dictionaries().combine_chunks()
    codes = whole.indices.to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    if compute.any(compute.starts_with(whole.dictionary, " ")).as_py():
        return None  # the plain reader leaves blanks out before a cell, but not inside its quotes
    is_guarded = compute.any(compute.starts_with(whole.dictionary, GUARD)).as_py()
    texts: list[str] = whole.dictionary.to_pylist()
    if holds_controls(texts):
        return None  # the plain reader says where
    return _unguarded(texts, codes) if is_guarded else _without_empty(texts, codes)


def _unguarded(texts: Sequence[str], codes: NDArray[np.int32]) -> NameColumn:
    """A column as its cells stand for it: two of them may stand for the same text."""
    vocabulary: dict[str, int] = {"": UNKNOWN}
    code_of = [vocabulary.setdefault(unguarded(text), len(vocabulary) - 1) for text in texts]
    return NameColumn(tuple(vocabulary)[1:], np.array(code_of, dtype=np.int32)[codes])


def _without_empty(texts: list[str], codes: NDArray[np.int32]) -> NameColumn:
    """A column of texts that are all apart, the empty one unknown."""
    if "" not in texts:
        return NameColumn(tuple(texts), codes)
    empty = texts.index("")
    code_of = np.arange(len(texts), dtype=np.int32)
    code_of[empty:] -= 1
    code_of[empty] = UNKNOWN
    return NameColumn(tuple(texts[:empty] + texts[empty + 1 :]), code_of[codes])


def _given(reasons: Any) -> NameColumn:
    """Whether there is a reason; only those that do not begin with a plain letter are looked at."""
    from pyarrow import compute

    has = compute.match_substring_regex(reasons, _SURELY_GIVEN).to_numpy().copy()
    is_empty = compute.equal(reasons, "").to_numpy()
    for row in np.flatnonzero(~has & ~is_empty).tolist():
        has[row] = bool(unguarded(reasons[row].as_py()).strip())
    return NameColumn(("given",), np.where(has, 0, UNKNOWN).astype(np.int32))
