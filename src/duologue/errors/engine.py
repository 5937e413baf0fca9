"""Work that cannot be spread."""

from __future__ import annotations

from duologue.errors.root import DuologueError


class EngineError(DuologueError):
    """Work could not be spread over processes or machines."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the work stopped: {why}")
        self.why = why
