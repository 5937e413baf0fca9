"""A large file in stretches of whole dialogues, so that several processes can share it."""

from __future__ import annotations

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path

from duologue.dialogues.formats.known import detect_format
from duologue.dialogues.json_values import is_one_document
from duologue.dialogues.sources import Source, Stretch

STRETCH_BYTES = 8 * 2**20
LINE_FORMATS = frozenset({"duologue", "openai", "parlai", "sharegpt"})
"""Those in which a line is a dialogue, unless the file is one JSON document."""
_PIECE = 2**20


def split_file(path: Path | str, *, size: int = STRETCH_BYTES) -> tuple[Stretch | None, ...]:
    """Stretches of a file, each of at least so many bytes and of whole dialogues.

    Only a format in which a dialogue can be seen to begin is split: JSON lines with a dialogue each, and
    ConvAI2 text. Anything else, and a small file, is one piece: None. Ids that are made of what is said are
    told apart within a stretch only.

    Raises:
        InputError: The file cannot be used.
    """
    source = Source(Path(path))
    if source.size <= size:
        return (None,)
    format = detect_format(source.path)
    if format == "convai2":
        begins = b"1 "
    elif format in LINE_FORMATS and not is_one_document(source):
        begins = b""
    else:
        return (None,)
    return tuple(_stretches(source, size, begins))


def _stretches(source: Source, size: int, begins: bytes) -> Iterator[Stretch]:
    start, line = 0, 1
    with source.opened() as file:
        while True:
            lines = _skip_bytes(file, size) + _skip_line(file)
            while (first := file.peek(len(begins))[: len(begins)]) and first != begins:
                lines += _skip_line(file)
            if file.tell() == start:
                return
            yield Stretch(start, file.tell(), line)
            start, line = file.tell(), line + lines


def _skip_bytes(file: BufferedReader, size: int) -> int:
    """Go on by so many bytes; how many lines ended in them."""
    lines = 0
    while size > 0 and (piece := file.read(min(size, _PIECE))):
        lines += piece.count(b"\n")
        size -= len(piece)
    return lines


def _skip_line(file: BufferedReader) -> int:
    """Go on to the beginning of a line; how many lines ended."""
    while piece := file.readline(_PIECE):
        if piece.endswith(b"\n"):
            return 1
    return 0
