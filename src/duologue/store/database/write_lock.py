"""How processes that write to one SQLite file take turns.

SQLite lets whoever asks at the right moment write, and a process that is always busy asks at once after its
own commit: others can wait for many seconds. So whoever waits says so, by a shared lock on the folder, and
whoever has written looks for it and then pauses for a moment. The kernel drops the lock of a process that
dies, and no lock is ever waited for.
"""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows has no such locks: processes there take turns as SQLite lets them
    fcntl = None  # type: ignore[assignment]

ATTEMPT_MILLISECONDS = 1
"""How long SQLite itself waits in each attempt to begin."""

PAUSE_SECONDS = 0.003
"""How long a process that has written lets the others go first: a few of their attempts."""


class WriteLock:
    """The turns of one process."""

    def __init__(self, file: Path, *, patience: float) -> None:
        self._patience = patience
        self._folder: int | None = None
        if fcntl is not None:
            with suppress(OSError):  # opening the database will say what is the matter
                self._folder = os.open(file.parent, os.O_RDONLY)

    def begin(self, raw: sqlite3.Connection) -> None:
        """Begin to write as soon as nobody else does.

        Raises:
            sqlite3.OperationalError: Somebody else did for longer than our patience.
        """
        deadline = time.monotonic() + self._patience
        is_waiting = False
        while True:
            try:
                raw.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError as error:
                if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                    self._unlock()
                    raise
                is_waiting = is_waiting or self._lock(shared=True)
            else:
                break
        if is_waiting:
            self._unlock()

    def pass_on(self) -> None:
        """After writing: pause if somebody else waits."""
        if self._lock(shared=False):
            self._unlock()
        elif self._folder is not None:
            time.sleep(PAUSE_SECONDS)

    def close(self) -> None:
        """Take no more turns."""
        if self._folder is not None:
            os.close(self._folder)
            self._folder = None

    def _lock(self, *, shared: bool) -> bool:
        if self._folder is None:
            return False
        with suppress(OSError):
            fcntl.flock(self._folder, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return True
        return False

    def _unlock(self) -> None:
        if self._folder is not None:
            with suppress(OSError):
                fcntl.flock(self._folder, fcntl.LOCK_UN)
