"""Bringing dialogues into a study all at once, or not at all, whatever happens meanwhile.

New files are drafted in a hidden folder. Once they are safely on disk, renaming that folder commits them;
only then do they take their places. A program that is killed before the renaming has changed nothing, and
the work of one that is killed after it is finished by whoever opens the study next.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from duologue.files import sync, sync_folder, translated

if sys.platform != "win32":
    import fcntl

_DRAFT, _READY = ".import-draft", ".import-ready"
_BUFFER_BYTES = 4 * 2**20


class FolderDraft:
    """Lines for the files of a folder, none of which is touched before :meth:`commit`."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._draft = folder, folder / _DRAFT
        self._lines: defaultdict[str, list[bytes]] = defaultdict(list)
        self._bytes = 0

    def add(self, file_name: str, line: bytes) -> None:
        """Add one line, with its end, to a file."""
        self._lines[file_name].append(line)
        self._bytes += len(line)
        if self._bytes > _BUFFER_BYTES:
            self._flush()

    def begin(self, file_name: str) -> None:
        """Begin a file anew: the lines added to it from now on take the place of what it held."""
        self._flush()
        (self._draft / file_name).write_bytes(b"")

    def forget(self, file_name: str) -> None:
        """Leave a file as it is after all."""
        self._lines.pop(file_name, None)
        (self._draft / file_name).unlink(missing_ok=True)

    def commit(self) -> None:
        """Put everything in its place."""
        self._flush()
        drafted = list(self._draft.iterdir())
        if not drafted:
            return
        for path in drafted:
            with path.open("ab") as file:
                sync(file)
        sync_folder(self._draft)
        self._draft.rename(self._folder / _READY)
        sync_folder(self._folder)
        _move_in(self._folder)

    def _flush(self) -> None:
        for name, lines in self._lines.items():
            path = self._draft / name
            if not path.exists() and (self._folder / name).exists():
                shutil.copyfile(self._folder / name, path)
                _end_last_line(path)
            with path.open("ab") as file:
                file.write(b"".join(lines))
        self._lines.clear()
        self._bytes = 0


@contextmanager
def drafting(folder: Path) -> Iterator[FolderDraft]:
    """Open a draft for a folder, alone: a second program waits for its turn.

    Raises:
        ExportError: The folder cannot be written to.
        StoreFull: The disk is full; nothing has changed.
    """
    with translated(folder):
        is_new = not folder.exists()
        folder.mkdir(exist_ok=True)
        try:
            with _alone_in(folder):
                _finish(folder)
                shutil.rmtree(folder / _DRAFT, ignore_errors=True)
                (folder / _DRAFT).mkdir()
                try:
                    yield FolderDraft(folder)
                finally:
                    shutil.rmtree(folder / _DRAFT, ignore_errors=True)
        finally:
            if is_new:
                with suppress(OSError):
                    folder.rmdir()


def settle(folder: Path) -> None:
    """Finish an import that was committed and then interrupted."""
    if (folder / _READY).is_dir():
        with translated(folder), _alone_in(folder):
            _finish(folder)


def _finish(folder: Path) -> None:
    if (folder / _READY).is_dir():
        _move_in(folder)


def _move_in(folder: Path) -> None:
    for path in sorted((folder / _READY).iterdir()):
        path.replace(folder / path.name)
    sync_folder(folder)
    (folder / _READY).rmdir()


def _end_last_line(path: Path) -> None:
    with path.open("rb+") as file:
        if file.seek(0, os.SEEK_END):
            file.seek(-1, os.SEEK_END)
            if file.read(1) != b"\n":
                file.write(b"\n")


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold a folder's lock, which the system frees when the program ends, however it ends."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)
