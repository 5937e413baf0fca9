"""Rehearsals that do not come to their end."""

from __future__ import annotations

from pathlib import Path

from duologue.errors.root import DuologueError


class RehearsalError(DuologueError):
    """Simulated annotators could not finish a study."""

    def __init__(self, what: str, *, log: Path | None = None) -> None:
        where = f" The server's log is {log}." if log is not None else ""
        super().__init__(f"the rehearsal stopped: {what}{where}")
        self.what, self.log = what, log
