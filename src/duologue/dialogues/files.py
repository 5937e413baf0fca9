"""Writing files whole or not at all."""

from __future__ import annotations

import errno
import os
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
        ExportError: The folder is missing or may not be written to.
        StoreFull: The disk is full.
    """
    target = path.resolve()
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with translated(path):
            with draft.open("xb") as file:
                yield file
                sync(file)
            draft.replace(target)
            sync_folder(target.parent)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


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
    return ExportError(path, f"{(error.strerror or str(error)).lower()}.")


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
