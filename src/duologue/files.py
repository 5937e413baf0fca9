"""Writing files whole or not at all, and saying in one line why one cannot be written."""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from duologue.errors import DuologueError, ExportError, StoreFull


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of ``path`` when everything in it is safely on disk.

    Until then, and after any error, ``path`` is what it was.

    Raises:
        ExportError: The folder is missing or may not be written to, or ``path`` is a folder.
        StoreFull: The disk is full.
    """
    with replacing_by_name(path) as draft, draft.open("xb") as file:
        yield file
        sync(file)


@contextmanager
def replacing_by_name(path: Path) -> Iterator[Path]:
    """The same, giving the name of the file to write, for libraries that open files themselves.

    Raises:
        ExportError: The folder is missing or may not be written to, or ``path`` is a folder.
        StoreFull: The disk is full.
    """
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with translated(path):
            if target.is_dir():
                raise ExportError(path, "it is a folder. Give the name of a file.")
            yield draft
            draft.replace(target)
            sync_folder(target.parent)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def make_folder(path: Path) -> Path:
    """Make a folder, and those it lies in, unless it is there.

    Raises:
        ExportError: There is a file of that name, or it may not be made there.
        StoreFull: The disk is full.
    """
    with translated(path):
        path.mkdir(parents=True, exist_ok=True)
    return path


@contextmanager
def making_folder(path: Path) -> Iterator[None]:
    """Make a folder unless it is there; when the block fails, folders that were made and are empty go again.

    Raises:
        ExportError: There is a file of that name, or it may not be made there.
        StoreFull: The disk is full.
    """
    made = [folder for folder in (path, *path.parents) if not folder.exists()]
    make_folder(path)
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for folder in made:
                folder.rmdir()
        raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Turn the operating system's errors about writing ``path`` into ours."""
    try:
        yield
    except OSError as error:
        raise _as_ours(path, error) from error
    except RecursionError:
        raise ExportError(path, "lists or objects in it are nested too deeply.") from None


def _as_ours(path: Path, error: OSError) -> DuologueError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return StoreFull(str(path))
    return ExportError(path, _WHY.get(error.errno or 0) or f"{(error.strerror or str(error)).lower()}.")


_NOT_THERE = "its folder is not there. Make the folder first, or choose another."
_NOT_ALLOWED = "its folder may not be written to. Choose another, or change its permissions."
_WHY = {
    errno.ENOENT: _NOT_THERE,
    errno.ENOTDIR: "a part of this path is a file, not a folder. Choose another place.",
    errno.EEXIST: "there is a file of that name. Give a folder, or another name.",
    errno.EISDIR: "it is a folder. Give the name of a file.",
    errno.EACCES: _NOT_ALLOWED,
    errno.EPERM: _NOT_ALLOWED,
    errno.EROFS: _NOT_ALLOWED,
    errno.ENAMETOOLONG: "the name is too long.",
}


def fits_utf8(text: str) -> bool:
    """Whether a text can be written: half of a surrogate pair, which JSON can spell, has no place in UTF-8.

    Example:
        >>> fits_utf8("größer 😀"), fits_utf8("half of it: \\ud83d")
        (True, False)
    """
    return text.isascii() or _HALF.search(text) is None


_HALF = re.compile("[\ud800-\udfff]")


def toml_fault(text: str) -> tuple[int | None, str] | None:
    """What makes a TOML text longer or deeper than any of ours, with its line; found before it is parsed.

    Python's reader takes minutes for a key of 50,000 parts.

    Example:
        >>> toml_fault("a" + ".b" * 200 + " = 1")
        (1, 'a key has more than 100 parts; no setting has as many.')
    """
    if len(text) > MOST_TOML:
        return None, f"the file has more than {MOST_TOML:,} characters; no study needs as many."
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") >= MOST_PARTS and _DOTTED.search(line):
            return number, f"a key has more than {MOST_PARTS} parts; no setting has as many."
    return None


MOST_TOML, MOST_PARTS = 2_000_000, 100
_DOTTED = re.compile(rf"""[\w"'-](?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*')){{{MOST_PARTS}}}""")


def sync(file: BinaryIO) -> None:
    """Wait until what was written to a file is on disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on disk, where the system lets us."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
