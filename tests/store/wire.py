"""A wire to PostgreSQL that counts how often a client waits for an answer, and can be long."""

import asyncio
import threading
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

_WANTS_AN_ANSWER = b"HS"
"""Messages with which a client that sends ahead says that it waits: flush and sync."""
_SOCKET = ".s.PGSQL.5432"


class Wire:
    """Passes on what is said after some seconds, and counts."""

    def __init__(self, address: str, folder: Path, *, seconds: float = 0.0) -> None:
        parts = urlsplit(address)
        query = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
        self.address = urlunsplit(parts._replace(query=urlencode({**query, "host": str(folder)})))
        self.round_trips = 0
        self._near, self._far = folder / _SOCKET, Path(query["host"]) / _SOCKET
        self._seconds = seconds
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._is_over.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._is_over = asyncio.get_running_loop(), asyncio.Event()
        self._passing: set[asyncio.Task[None]] = set()
        self._writers: list[asyncio.StreamWriter] = []
        async with await asyncio.start_unix_server(self._connect, self._near) as server:
            self._is_ready.set()
            await self._is_over.wait()
            server.close()
            for task in self._passing:
                task.cancel()
            await asyncio.gather(*self._passing, return_exceptions=True)
            for writer in self._writers:
                writer.close()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._far)
        self._writers += [writer, far_writer]
        for one, other, counts in ((reader, far_writer, True), (far_reader, writer, False)):
            task = asyncio.create_task(self._pass_on(one, other, counts=counts))
            self._passing.add(task)
            task.add_done_callback(self._passing.discard)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, counts: bool
    ) -> None:
        said = _Statement()
        while some := await reader.read(1 << 16):
            if counts:
                self.round_trips += said.waits_in(some)
            await asyncio.sleep(self._seconds)  # meanwhile nothing more is taken
            writer.write(some)
        writer.close()


class _Statement:
    """What a client says on one connection."""

    def __init__(self) -> None:
        self._rest = b""
        self._letters = 0
        """Before the length of a message: the first of a connection has none."""
        self._asked = False

    def waits_in(self, some: bytes) -> int:
        """How often the client waits in a piece of what it says; twice for the same counts once."""
        said, waits = self._rest + some, 0
        while len(said) >= 5:
            length = self._letters + int.from_bytes(said[self._letters : self._letters + 4])
            if len(said) < length:
                break
            if self._letters and said[0] in _WANTS_AN_ANSWER:
                waits += int(self._asked)
                self._asked = False
            else:
                self._asked = True
            said, self._letters = said[length:], 1
        self._rest = said
        return waits
