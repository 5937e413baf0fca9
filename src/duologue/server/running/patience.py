"""Connections that never finish a request: closed after a while, and never in the way of the others.

uvicorn waits for a request as long as it takes. A few lines of script could so hold open more connections
than the process may have, and nobody else would get in.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

if sys.platform != "win32":  # which has no such limit
    import resource

REQUEST_SECONDS = 20.0
"""How long a request may take to arrive, from the connection or its first byte to the last of its body."""
OTHERS_SHARE = 0.5
"""Of the descriptors of the process: no more may be held by connections whose request is not there yet."""
MOST_HEAD_BYTES = 32 * 1024
"""Of what comes between two bodies (first line, headers, trailers): httptools would take any length."""


class PatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP, with an end to its patience."""

    unfinished: ClassVar[dict[PatientProtocol, asyncio.TimerHandle]] = {}
    """Connections of this process whose request has not arrived yet, the oldest first."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn
        """Begin to wait for a request; when too many do, the one that has waited longest gives way."""
        super().connection_made(transport)
        self._head_bytes = 0
        self._expect()
        while len(self.unfinished) > most_unfinished():
            next(iter(self.unfinished))._give_up()

    def data_received(self, data: bytes) -> None:
        """Take what has arrived, and see whether that is a whole request."""
        before: Any = self.cycle
        self._head_bytes += len(data)
        super().data_received(data)
        cycle: Any = self.cycle
        if cycle is not before:
            self._head_bytes = 0
        elif self._head_bytes > MOST_HEAD_BYTES:
            self._give_up()
            return
        if cycle is before and (cycle is None or cycle.response_complete):
            self._expect()  # the first bytes of the next request
        elif not cycle.more_body:
            self._settle()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body; how long that may be is not decided here."""
        self._head_bytes -= len(body)
        super().on_body(body)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._settle()
        super().connection_lost(exc)

    def _expect(self) -> None:
        if self not in self.unfinished and not self.transport.is_closing():
            loop = asyncio.get_running_loop()
            self.unfinished[self] = loop.call_later(REQUEST_SECONDS, self._give_up)

    def _settle(self) -> None:
        timer = self.unfinished.pop(self, None)
        if timer is not None:
            timer.cancel()

    def _give_up(self) -> None:
        self._settle()
        self.transport.abort()


def most_unfinished() -> int:
    """How many connections may wait for their request at the same time."""
    if sys.platform == "win32":
        return 1000
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 100_000 if limit == resource.RLIM_INFINITY else max(16, int(limit * OTHERS_SHARE))


def taken_at_once() -> int:
    """How many connections are taken before any of them is looked at, and may have to give way.

    More than there are descriptors for, and asyncio notes an error for each that it could not take.
    """
    return min(2048, most_unfinished() // 8)


def raise_descriptor_limit() -> int | None:
    """Let this process, and those it starts, have as many open files and connections as the system allows.

    Returns:
        How many that is now; None where the system knows no such limit.
    """
    if sys.platform == "win32":
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, 65_536, 10_240):  # macOS allows less than it says
        if soft != resource.RLIM_INFINITY and (wanted > soft or wanted == resource.RLIM_INFINITY):
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
                break
            except (OSError, ValueError):
                continue
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
