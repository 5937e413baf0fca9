"""A real local HTTP server that speaks OpenAI's chat completions, well and badly."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from tests.waiting import until

Behaviour = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Endpoint:
    """Answers request after request as told; ``Hello!`` when nothing more was told."""

    behaviours: deque[Behaviour] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    running: int = 0
    most_running: int = 0
    _server: asyncio.Server | None = None
    _connections: set[asyncio.Task[Any]] = field(default_factory=set)

    @property
    def base_url(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"

    def then(self, *behaviours: Behaviour) -> Self:
        self.behaviours.extend(behaviours)
        return self

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        connections = tuple(self._connections)
        for connection in connections:
            connection.cancel()
        await asyncio.gather(*connections)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.current_task()
        assert connection is not None
        self._connections.add(connection)
        try:
            while await self._serve_one(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.close()
            self._connections.discard(connection)

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = await reader.readuntil(b"\r\n\r\n")
        first, *lines = head.decode().strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers["content-length"]))
        assert re.match(r"POST (http://[^/]+)?/v1/chat/completions ", first), (
            first
        )  # a proxy is told the host
        self.requests.append(json.loads(body))
        self.headers.append(headers)
        behaviour = self.behaviours.popleft() if self.behaviours else says("Hello!")
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await behaviour(writer)
            await writer.drain()
        finally:
            self.running -= 1
        return not writer.is_closing()


def completion(message: dict[str, Any], finish: str = "stop", **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}


def says(text: str, **more: Any) -> Behaviour:
    return answers(completion({"role": "assistant", "content": text}, **more))


def answers(body: object, *, status: int = 200, headers: dict[str, str] | None = None) -> Behaviour:
    """A whole answer; a body that is bytes is sent as it is."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()

    async def behave(writer: asyncio.StreamWriter) -> None:
        fields = {"content-type": "application/json", "content-length": str(len(raw))} | (headers or {})
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in fields.items())]
        writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + raw)

    return behave


def fails(status: int, message: str = "oh dear", **headers: str) -> Behaviour:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return answers({"error": {"message": message}}, status=status, headers=named)


def cuts(after: bytes = b'{"choices": [') -> Behaviour:
    """Half an answer, and the connection is gone."""

    async def behave(writer: asyncio.StreamWriter) -> None:
        writer.write(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n" + after
        )
        await writer.drain()
        writer.close()

    return behave


def drips(pause: float) -> Behaviour:
    """A byte now and then, without end."""

    async def behave(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n")
        for _ in range(9999):
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(pause)

    return behave


def waits(seconds: float, text: str = "Hello!") -> Behaviour:
    async def behave(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(seconds)
        await says(text)(writer)

    return behave


async def never_answers(writer: asyncio.StreamWriter) -> None:
    """A behaviour: silence until the connection or the endpoint ends."""
    await asyncio.Event().wait()


def waits_for(event: threading.Event, text: str = "Hello!") -> Behaviour:
    """Answers once the test, in another thread, allows it."""

    async def behave(writer: asyncio.StreamWriter) -> None:
        await until(event.is_set, "the endpoint may answer")
        await says(text)(writer)

    return behave


def streams(*events: object, done: bool = True) -> Behaviour:
    """Server-sent events, with a comment in between as proxies send them."""
    lines = [f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n" for event in events]
    text = ": keep-alive\n\n".join(lines) + ("data: [DONE]\n\n" if done else "")

    async def behave(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
        writer.write(text.encode())
        await writer.drain()
        writer.close()

    return behave


def piece(text: str | None = None, *, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    said = {"content": text} if text is not None else {}
    return {"choices": [{"index": 0, "delta": said | delta, "finish_reason": finish}]}
