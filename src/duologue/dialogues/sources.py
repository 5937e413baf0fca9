"""A file somebody gave us, read as numbered lines in bounded memory.

Nothing here knows a format. A line that cannot be decoded is handed on as the
:class:`~duologue.errors.FormatError` that describes it, so that a reader can set it aside and go on.
"""

from __future__ import annotations

import codecs
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Self

from duologue.errors import FormatError, UnreadableFile

OnBad = Callable[[FormatError], None]
"""Told of every record that is left out."""

OnProgress = Callable[[int, int], None]
"""Told now and then how many bytes were read, of how many."""

MAX_RECORD_BYTES = 64 * 2**20
"""One line, or one entry of a JSON list, may be this long; a longer one would not fit in memory with ease."""

_PROGRESS_BYTES = 2**20
_HEAD_BYTES = 2**20

Line = tuple[int, str | FormatError]
"""A line's number, counted from 1, and its text without the line end, or why it has none."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The bytes of a file from ``start`` up to ``end``; ``line`` is the number of their first line."""

    start: int = 0
    end: int = 2**63
    line: int = 1


class RecordLine(int):
    """The line of a record, and what the record is called where that says more: ``record 3`` of a line."""

    record: str

    def __new__(cls, line: int, record: str) -> Self:
        """Keep the name with the line."""
        made = super().__new__(cls, line)
        made.record = record
        return made


@dataclass(frozen=True, slots=True)
class Source:
    """One file being read, and whom to tell about bad records and progress."""

    path: Path
    on_bad: OnBad | None = None
    on_progress: OnProgress | None = None
    stretch: Stretch = Stretch()
    """The part of the file whose lines are read: the whole unless said otherwise."""

    def error(
        self,
        line: int | None,
        field: str | None = None,
        *,
        expected: str,
        got: str | None = None,
        hint: str | None = None,
    ) -> FormatError:
        """Describe one bad place in this file."""
        if isinstance(line, RecordLine):
            field = line.record + (f", {field}" if field else "")
        return FormatError(self.path, line=line, field=field, expected=expected, got=got, hint=hint)

    def leave_out(self, error: FormatError) -> None:
        """Hand a bad record to whoever asked to be told, or raise when nobody did."""
        if self.on_bad is None:
            raise error
        self.on_bad(forget_frames(error))

    @property
    def size(self) -> int:
        """How many bytes the file has.

        Raises:
            UnreadableFile: It is not there, or not a plain file.
        """
        try:
            status = self.path.stat()
        except OSError as error:
            raise UnreadableFile(self.path, _reason(error)) from error
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableFile(self.path, "it is not a plain file")
        return status.st_size

    def head(self) -> list[Line]:
        """Return the lines at the beginning that are not blank, the last of them perhaps cut short."""
        with self.opened() as file:
            *whole, last = file.read(_HEAD_BYTES).split(b"\n")
            if file.peek(1):
                last = last.decode("utf-8", "ignore").encode()
        numbered = [
            (number, self._decoded(number, raw)) for number, raw in enumerate([*whole, last], start=1)
        ]
        return [(number, text) for number, text in numbered if not is_blank(text)]

    def chunks(self, size: int) -> Iterator[bytes]:
        """Yield the file's bytes piece by piece, reporting progress."""
        total, read = self.size, 0
        with self.opened() as file:
            while chunk := file.read(size):
                read += len(chunk)
                self._progress(read, total)
                yield chunk

    def lines(self) -> Iterator[Line]:
        """Yield each line of the stretch, decoded and numbered; only ``\\n`` and ``\\r\\n`` end a line."""
        total, read, told = self.size, 0, 0
        with self.opened() as file:
            file.seek(self.stretch.start)
            for number, raw in _raw_lines(file, self.stretch):
                read += len(raw)
                if read - told >= _PROGRESS_BYTES:
                    self._progress(told := read, total)
                yield number, self._decoded(number, raw)
        self._progress(total, total)

    def _progress(self, read: int, total: int) -> None:
        if self.on_progress is not None:
            self.on_progress(min(read, total), total)

    @contextmanager
    def opened(self) -> Iterator[BufferedReader]:
        """Open the file.

        Raises:
            UnreadableFile: It cannot be opened or read.
        """
        try:
            with self.path.open("rb") as file:
                yield file
        except OSError as error:
            raise UnreadableFile(self.path, _reason(error)) from error

    def _decoded(self, number: int, raw: bytes) -> str | FormatError:
        if len(raw) > MAX_RECORD_BYTES:
            return self.error(
                number, expected=f"a line of at most {MAX_RECORD_BYTES} bytes", got="a longer one"
            )
        if number == 1 and raw.startswith(codecs.BOM_UTF8):
            raw = raw[len(codecs.BOM_UTF8) :]
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            return broken_utf8(self, number, raw, error.start, f" at byte {error.start + 1}")
        if "\0" in text:
            return nul_byte(self, number)
        return text.removesuffix("\n").removesuffix("\r")


def is_blank(text: str | FormatError) -> bool:
    """Whether a line holds nothing; a broken one holds something."""
    return isinstance(text, str) and (not text or text.isspace())


def broken_utf8(source: Source, line: int, raw: bytes, start: int, place: str = "") -> FormatError:
    """Describe bytes that are not UTF-8, guessing what they may be instead."""
    hint = "Save the file as UTF-8."
    if line == 1 and raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        hint = "It looks like UTF-16: save the file as UTF-8."
    elif line == 1 and raw.startswith(b"\x1f\x8b"):
        hint = "It looks like a gzip archive: unpack it first."
    return source.error(line, expected="text in UTF-8", got=f"byte 0x{raw[start]:02x}{place}", hint=hint)


def nul_byte(source: Source, line: int) -> FormatError:
    """Describe a NUL byte, which no text of a dialogue may hold."""
    return source.error(line, expected="text", got="a NUL byte", hint="The file may be damaged.")


def forget_frames(error: FormatError) -> FormatError:
    """Drop the frames an error holds on to, so that a million of them stay small."""
    error.__context__ = error.__cause__ = None
    return error.with_traceback(None)


def _raw_lines(file: BufferedReader, stretch: Stretch) -> Iterator[tuple[int, bytes]]:
    """Yield lines with their ends; of a line that is too long, one byte more than allowed."""
    number, at = stretch.line, stretch.start
    while at < stretch.end and (raw := file.readline(MAX_RECORD_BYTES + 1)):
        at += len(raw)
        if len(raw) > MAX_RECORD_BYTES:
            while (rest := file.readline(MAX_RECORD_BYTES)) and not rest.endswith(b"\n"):
                at += len(rest)
            at += len(rest)
        yield number, raw
        number += 1


def _reason(error: OSError) -> str:
    return (os.strerror(error.errno) if error.errno else str(error)).lower()
