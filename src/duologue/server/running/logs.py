"""The server's log: one JSON object a line, and never a token, a name or a word of a dialogue."""

from __future__ import annotations

import json
import logging
import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

from duologue.files import translated

_LINE = json.JSONEncoder(ensure_ascii=False)


class ServerLog:
    """Where requests and failures are written down, for the researcher and for us.

    Lines are appended whole, so several processes may share one file. A full disk costs log lines and
    never a request: what could not be written is counted in ``lost``.
    """

    def __init__(self, path: Path | None) -> None:
        """Open the log.

        Args:
            path: The file to append to, in a folder that is there; None writes to the standard error stream.
        """
        self.path = path
        self.lost = 0
        if path is None:
            self._file = 2
        else:
            with translated(path):
                self._file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)

    def request(self, *, method: str, route: str, status: int, ms: float) -> None:
        """Write down one request, by the template of its route."""
        self._write({"event": "request", "method": method, "route": route, "status": status, "ms": ms})

    def failure(self, error: BaseException, *, route: str = "") -> None:
        """Write down a bug: the kind of error and where it happened, without its message.

        Messages of other libraries may quote what they were given, so they are left out.
        """
        frames = [
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        self._write({"event": "failure", "route": route, "error": type(error).__name__, "frames": frames})

    def note(self, event: str, **facts: str | int | float) -> None:
        """Write down that something happened: a start, a stop, a warning."""
        self._write({"event": event, **facts})

    def close(self) -> None:
        """Close the file; what was written stays."""
        if self._file > 2:
            os.close(self._file)
            self._file = -1

    def _write(self, facts: dict[str, object]) -> None:
        line = {"time": datetime.now(UTC).isoformat(timespec="milliseconds"), "pid": os.getpid(), **facts}
        try:
            os.write(self._file, (_LINE.encode(line) + "\n").encode())
        except OSError:
            self.lost += 1


class UvicornNotes(logging.Handler):
    """Brings uvicorn's own warnings into the same log, in the same shape."""

    def __init__(self, log: ServerLog) -> None:
        super().__init__(level=logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write down one warning of uvicorn."""
        if record.exc_info and record.exc_info[1] is not None:
            self._log.failure(record.exc_info[1])
        else:
            self._log.note("uvicorn", level=record.levelname.lower(), message=str(record.msg))
