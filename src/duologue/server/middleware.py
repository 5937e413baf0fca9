"""What every request passes: its size, its security headers, its line in the log, its last resort."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duologue.server.annotator.forms import MAX_BODY_BYTES
from duologue.server.failures import refuse
from duologue.server.running.logs import ServerLog

Header = tuple[bytes, bytes]


def _headers(frame_ancestors: str) -> tuple[Header, ...]:
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; "
        f"frame-ancestors {frame_ancestors}"
    )
    return (
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"x-content-type-options", b"nosniff"),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        (b"x-robots-tag", b"noindex, nofollow"),
    )


_FRAMED = _headers("*")
"""Annotators' pages may be shown in a crowd platform's frame; whoever frames them needs the link."""
_ALONE = (*_headers("'none'"), (b"x-frame-options", b"DENY"))
_NO_STORE = (b"cache-control", b"no-store")


class RequestMiddleware:
    """The outermost part of the application."""

    def __init__(self, app: ASGIApp, *, log: ServerLog | None, pages: Sequence[Route]) -> None:
        self._app, self._log = app, log
        self._templates: dict[object, str] = {page.endpoint: page.path for page in pages}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request through."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = perf_counter()
        passage = _Passage(scope, receive, send)
        try:
            if passage.is_too_large:
                raise _too_large()
            await self._app(scope, passage.receive, passage.send)
        except ClientDisconnect:
            pass  # nobody is there to be answered; the log has the request with the status 0
        except Exception as error:
            if self._log is not None and not isinstance(error, HTTPException):
                self._log.failure(error, route=self._template(scope))
            if passage.status is None:
                response = await refuse(Request(scope), error)
                await response(scope, receive, passage.send)
        finally:
            if self._log is not None:
                ms = round((perf_counter() - started) * 1000, 2)
                self._log.request(
                    method=scope["method"], route=self._template(scope), status=passage.status or 0, ms=ms
                )

    def _template(self, scope: Scope) -> str:
        """The template of the route, never the path: paths of annotators hold their tokens."""
        page = self._templates.get(scope.get("endpoint"))
        return page or getattr(scope.get("route"), "path", "") or "(none)"


class _Passage:
    """One request on its way in and its response on the way out."""

    __slots__ = ("_headers", "_read", "_receive", "_send", "is_too_large", "status")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._read = 0
        self._headers = _FRAMED if scope["path"].startswith(("/a/", "/open/")) else _ALONE
        self.status: int | None = None
        self.is_too_large = _declared_bytes(scope) > MAX_BODY_BYTES

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._read += len(message.get("body", b""))
            if self._read > MAX_BODY_BYTES:
                raise _too_large()
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = [*message["headers"], *self._headers]
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append(_NO_STORE)
            message = {**message, "headers": headers}
        await self._send(message)


def _declared_bytes(scope: Scope) -> int:
    for name, value in scope["headers"]:
        if name == b"content-length":
            return int(value) if value.isdigit() else MAX_BODY_BYTES + 1
    return 0


def _too_large() -> HTTPException:
    return HTTPException(413, f"That is too much: at most {MAX_BODY_BYTES // 1024} kB can be sent at once.")
