"""A browser over HTTP, with our script or without, as simulated annotators use it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from html import unescape

import httpx2

from duologue.errors import RehearsalError
from duologue.protocols import FieldValue, FormValues
from duologue.rehearsal.pages import Form, Page, read_page
from duologue.strict_json import read_json

TRIES = 4
"""How often a request is tried that the server is too busy for."""

RESTART_SECONDS = 30.0
"""How long a server that cannot be reached may take to come back: people reload a page that does not open."""

PART = {"duologue-part": "main"}
"""What our script sends along: it wants only the ``<main>`` of the next page."""


_PROBLEM = re.compile(r'<p class="problem"[^>]*>([^<]*)</p>')


@dataclass(frozen=True, slots=True)
class Refusal:
    """The server says that an answer is not a legal one."""

    message: str


class Browser:
    """A browser that runs our script, or one that does not."""

    def __init__(self, client: httpx2.AsyncClient, *, has_script: bool) -> None:
        self._client, self._has_script = client, has_script

    async def open(self, path: str) -> Page:
        """Open a page."""
        return read_page((await self._request("GET", path)).text)

    async def agree(self, form: Form) -> Page:
        """Send a form that asks nothing, as browsers do: the script leaves it alone."""
        return read_page((await self._request("POST", form.action, fields=form.hidden)).text)

    async def fill_in(self, form: Form, fields: Mapping[str, FieldValue]) -> Page:
        """Send a form about oneself, as browsers do; it is shown again where something is not right."""
        return read_page((await self._request("POST", form.action, fields=fields)).text)

    async def answer(self, form: Form, fields: Mapping[str, FieldValue]) -> Page | Refusal:
        """Send an answer; a refusal when the server says it is not a legal one."""
        response = await self._request("POST", form.action, fields=fields, headers=self._headers)
        return Refusal(_problem(response)) if response.status_code == 422 else read_page(response.text)

    async def look_again(self, path: str, page: Page) -> Page:
        """The page of a live chat as it is by now: script asks for what has changed, others reload."""
        if self._has_script and page.change:
            changed = await self._request("GET", f"{path}/chat?after={page.change}", headers=self._headers)
            return page if changed.status_code == 204 else read_page(changed.text)
        return await self.open(path)

    @property
    def _headers(self) -> Mapping[str, str] | None:
        return PART if self._has_script else None

    async def _request(
        self,
        method: str,
        path: str,
        *,
        fields: Mapping[str, FieldValue] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        data = FormValues(fields).record() if fields is not None else None
        for number in range(1, TRIES + 1):
            response = await self._reached(method, path, data=data, headers=headers)
            if response.status_code not in (429, 503) or number == TRIES:
                break
            is_slowed = response.status_code == 429
            await asyncio.sleep(float(response.headers.get("retry-after", 1)) if is_slowed else 0.1 * number)
        if response.status_code >= 400 and response.status_code != 422:
            what = "an annotator's page" if method == "GET" else "a submitted form"
            raise RehearsalError(f"the server answered {response.status_code} to {what}.")
        return response

    async def _reached(
        self,
        method: str,
        path: str,
        *,
        data: Mapping[str, str | list[str]] | None,
        headers: Mapping[str, str] | None,
    ) -> httpx2.Response:
        """What the server answers, once it is there; what is sent again is stored once."""
        last = time.monotonic() + RESTART_SECONDS
        while True:
            try:
                return await self._client.request(method, path, data=data, headers=headers)
            except httpx2.TransportError as error:
                if time.monotonic() > last:
                    raise RehearsalError(f"the server cannot be reached ({error!r}).") from error
            await asyncio.sleep(0.1)


def _problem(response: httpx2.Response) -> str:
    """What the annotator is told: script gets it by itself, others on the page."""
    if response.headers.get("content-type", "").startswith("application/json"):
        return str(read_json(response.content)["error"]["message"])
    found = _PROBLEM.search(response.text)
    return unescape(found[1]) if found else ""
