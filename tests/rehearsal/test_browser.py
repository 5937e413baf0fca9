from __future__ import annotations

import asyncio
from collections.abc import Callable

import httpx2
import pytest

from duologue.errors import RehearsalError
from duologue.rehearsal import browser
from duologue.rehearsal.browser import Browser

PAGE = "<html><body><main><h1>Thank you</h1></main></body></html>"


def opened(answer: Callable[[httpx2.Request], httpx2.Response]) -> object:
    async def look() -> object:
        transport = httpx2.MockTransport(answer)
        async with httpx2.AsyncClient(base_url="http://study", transport=transport) as client:
            return await Browser(client, has_script=False).open("/a/link")

    return asyncio.run(look())


def test_a_server_that_is_restarted_is_waited_for() -> None:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        if len(asked) == 1:
            raise httpx2.ConnectError("refused")
        if len(asked) == 2:
            raise httpx2.ReadError("killed while it answered")
        return httpx2.Response(200, text=PAGE)

    opened(answer)
    assert asked == ["/a/link"] * 3


def test_a_server_that_does_not_come_back_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    monkeypatch.setattr(browser, "RESTART_SECONDS", 0.0)
    with pytest.raises(RehearsalError, match="cannot be reached"):
        opened(refuse)
