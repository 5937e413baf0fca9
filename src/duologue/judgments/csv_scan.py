"""A CSV file as coded columns, by passes over its bytes: for tables of a million rows.

`duologue.judgments.table` reads any CSV cell by cell and says what is wrong with a bad one. This file reads
well-formed ones several times faster: it finds all separators, compares cells eight bytes at a time, and
makes text only of cells that differ. Whatever it is not sure about it leaves to the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.columns import UNKNOWN, Coded, Columns
from duologue.judgments.formulas import GUARD, unguarded

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Places = NDArray[np.int64]

LARGEST_FILE = 2**31 - 1
LONGEST_CELL = 128
"""Longer cells of a column that is coded are left to the plain reader."""

_BLOCK = 1 << 20
"""Bytes looked at together: few enough for the processor's cache."""

_QUOTE, _COMMA, _LINE, _RETURN, _SPACE = 34, 44, 10, 13, 32
_GUARD = ord(GUARD)
_KEPT = np.array([(1 << 8 * kept) - 1 for kept in range(9)], dtype=np.uint64)
"""What is left of eight bytes when only the first 0, 1, … 8 belong to the cell (little-endian)."""


def scan_csv(
    path: Path, names: Sequence[str], *, needed: Set[str], aliases: Mapping[str, str]
) -> Columns | None:
    """The named columns of a well-formed, comma-separated CSV file; None when in any doubt.

    Columns that are not there are unknown in every row. Of a ``reason`` only whether there is one is kept.

    Args:
        path: A file in UTF-8.
        names: The columns wanted, by our names.
        needed: Those of them that must be there.
        aliases: Our names of columns that the file may call otherwise.
    """
    if not 0 < path.stat().st_size < LARGEST_FILE:
        return None
    data = _padded(path)
    ends = _separators(data) if data is not None else None
    if data is None or ends is None:
        return None
    header = _header(data, ends, aliases)
    width = len(header)
    if len(set(header)) != width or not needed <= set(header) or len(ends) % width:
        return None
    table = ends.reshape(-1, width)
    if (data[table[:, -1]] != _LINE).any() or np.count_nonzero(data[ends] == _LINE) != len(table):
        return None

    def column(name: str) -> Coded | None:
        return _column(data, table, header.index(name), name) if name in header else _absent(len(table) - 1)

    # Two at a time: most of the work is done outside the interpreter's lock, and more would cost memory.
    with ThreadPoolExecutor(2) as threads:
        coded = dict(zip(names, threads.map(column, names), strict=True))
    known = {name: cells for name, cells in coded.items() if cells is not None}
    others = tuple(name for name in header if name not in known)
    return Columns(known, path, others) if len(known) == len(names) else None


def _padded(path: Path) -> Bytes | None:
    """The bytes of the file, ending with a line end and then room to read whole words past the last cell.

    None when there are zero bytes, which would look like the end of a cell.
    """
    size = path.stat().st_size
    data = np.zeros(size + 1 + LONGEST_CELL, dtype=np.uint8)
    with path.open("rb") as file:
        size = file.readinto(data.data[:size])
    if not data[:size].all():
        return None
    if data[size - 1] != _LINE:
        data[size] = _LINE
    if data[:3].tobytes() == b"\xef\xbb\xbf":
        return data[3:]
    return data


def _separators(data: Bytes) -> NDArray[np.int32] | None:
    """Where cells end: commas and line ends outside quotes; None when quotes or returns stand oddly."""
    parts: list[NDArray[np.int32]] = []
    inside = 0
    for start in range(0, len(data), _BLOCK):
        block = data[start : start + _BLOCK]
        if (data[start + 1 + np.flatnonzero(block == _RETURN)] != _LINE).any():
            return None
        places = np.flatnonzero((block == _COMMA) | (block == _LINE) | (block == _QUOTE)).astype(np.int32)
        is_quote = block[places] == _QUOTE
        places += start
        if inside or is_quote.any():
            # Sums may wrap around: only their parity matters.
            quoted = (np.cumsum(is_quote, dtype=np.uint8) + np.uint8(inside)) & 1
            if not _quotes_stand_well(data, places[is_quote], quoted[is_quote]):
                return None
            places = places[~is_quote & (quoted == 0)]
            inside = int(quoted[-1]) if len(quoted) else inside
        parts.append(places)
    return None if inside else np.concatenate(parts)


def _quotes_stand_well(data: Bytes, quotes: NDArray[np.int32], is_opening: NDArray[np.uint8]) -> bool:
    """Whether quotes open after a separator and close before one; a doubled quote closes and opens."""
    opening, closing = quotes[is_opening == 1], quotes[is_opening == 0]
    before = np.where(opening > 0, data[np.maximum(opening - 1, 0)], _LINE)
    after = data[closing + 1]
    return bool(
        np.isin(before, (_COMMA, _LINE, _QUOTE)).all()
        and np.isin(after, (_COMMA, _LINE, _RETURN, _QUOTE)).all()
    )


def _header(data: Bytes, ends: NDArray[np.int32], aliases: Mapping[str, str]) -> list[str]:
    for end in ends[:1000].tolist():
        if data[end] == _LINE:
            text = data[:end].tobytes()
            if b'"' in text or not text.isascii():
                return []
            names = [unguarded(name.strip()) for name in text.decode("ascii").split(",")]
            return [aliases.get(name, name) for name in names]
    return []


def _absent(rows: int) -> Coded:
    return Coded((), np.broadcast_to(np.int32(UNKNOWN), rows))


def _column(data: Bytes, table: NDArray[np.int32], column: int, name: str) -> Coded | None:
    """One column; None when it has a cell that the plain reader had better look at."""
    before = table[1:, column - 1] if column else table[:-1, -1]
    starts = before.astype(np.int64) + 1
    lengths = table[1:, column] - starts
    if len(starts) == 0:
        return _absent(0)
    if column == table.shape[1] - 1:
        lengths -= (lengths > 0) & (data[starts + lengths - 1] == _RETURN)
    first = np.where(lengths > 0, data[starts], 0)
    if name == "reason":
        return _given(data, starts, lengths, first)
    if int(lengths.max()) > LONGEST_CELL or (first == _SPACE).any():
        return None
    cells = _words(data, starts, lengths)
    leaders = _leaders(cells)
    which = np.flatnonzero(leaders == np.arange(len(leaders)))
    is_quoted = bool((first[which] == _QUOTE).any())
    texts = _texts([words[which] for words in cells], is_quoted=is_quoted)
    if texts is None:
        return None
    plain = list(map(unguarded, texts))
    names, codes = _named(plain) if is_quoted or plain != texts else _all_different(texts)
    code_of = np.empty(len(leaders), dtype=np.int32)
    code_of[which] = codes
    return Coded(names, code_of[leaders])


def _named(texts: list[str]) -> tuple[tuple[str, ...], list[int]]:
    """The different texts, and the code of each: quoted and not, a name is the same name."""
    vocabulary: dict[str, int] = {"": UNKNOWN}
    codes = [vocabulary.setdefault(text, len(vocabulary) - 1) for text in texts]
    return tuple(vocabulary)[1:], codes


def _all_different(texts: list[str]) -> tuple[tuple[str, ...], NDArray[np.int32]]:
    """The same for texts that are all different as it is."""
    codes = np.arange(len(texts), dtype=np.int32)
    if "" in texts:
        empty = texts.index("")
        codes[empty:] -= 1
        codes[empty] = UNKNOWN
        texts = texts[:empty] + texts[empty + 1 :]
    return tuple(texts), codes


def _given(data: Bytes, starts: Places, lengths: Places, first: Bytes) -> Coded | None:
    """Whether there is a reason; only those that do not begin with a plain letter are read."""
    has = lengths > 0
    # A quote before a plain letter opens a reason; whatever else comes first has to be looked at.
    first = np.where(first == _QUOTE, data[starts + 1], first)
    is_plain = (first > _SPACE) & (first < 127) & (first != _QUOTE) & (first != _GUARD)
    for row in np.flatnonzero(has & ~is_plain).tolist():
        try:
            text = str(data.data[starts[row] : starts[row] + lengths[row]], "utf-8")
        except UnicodeDecodeError:
            return None
        has[row] = bool(unguarded(text.removeprefix('"').removesuffix('"')).strip())
    return Coded(("given",), np.where(has, 0, UNKNOWN).astype(np.int32))


def _words(data: Bytes, starts: Places, lengths: Places) -> list[Words]:
    """The bytes of each cell eight at a time: the first word of every cell, the second, and so on."""
    unaligned = np.ndarray((len(data) - 7,), dtype="<u8", buffer=data, strides=(1,))
    return [
        unaligned[starts + at] & _KEPT[np.clip(lengths - at, 0, 8)]
        for at in range(0, max(1, int(lengths.max())), 8)
    ]


def _leaders(cells: list[Words]) -> NDArray[np.int32]:
    """For every row the first row with the same cell, through a hash table of all rows at once.

    Each round puts the rows into a table, the first one staying where several meet; rows that equal the one
    they find are done, and the rest go into the next round with another hash. Cells are compared whole.
    """
    rows = len(cells[0])
    leaders = np.empty(rows, dtype=np.int32)
    left = np.arange(rows, dtype=np.int32)
    seed, bits = 0x9E3779B97F4A7C15, max(4, rows.bit_length() + 1)
    table = np.empty(1 << bits, dtype=np.int32)
    while len(left):
        multiplier = np.uint64(seed)
        own = [words[left] for words in cells] if len(left) < rows else cells
        hashed = np.zeros(len(left), dtype=np.uint64)
        for words in own:
            hashed = (hashed ^ words) * multiplier
            hashed ^= hashed >> np.uint64(32)
        slots = (hashed * multiplier) >> np.uint64(64 - bits)
        table[slots[::-1]] = left[::-1]
        met = table[slots]
        same = np.logical_and.reduce([words[met] == mine for words, mine in zip(cells, own, strict=True)])
        leaders[left[same]] = met[same]
        left = left[~same]
        seed = seed * 0xD1342543DE82EF95 % 2**64 | 1
    return leaders


def _texts(cells: list[Words], *, is_quoted: bool) -> list[str] | None:
    """Cells as text, without the quotes around them; None when they are not UTF-8."""
    together = np.stack(cells, axis=1).astype("<u8", copy=False)
    # Fixed-width bytes lose the zero bytes that fill the last word; a cell has none of its own.
    padded = together.view(f"S{8 * len(cells)}").ravel()
    try:
        texts = list(map(bytes.decode, padded.tolist()))
    except UnicodeDecodeError:
        return None
    if not is_quoted:
        return texts
    return [text[1:-1].replace('""', '"') if text.startswith('"') else text for text in texts]
