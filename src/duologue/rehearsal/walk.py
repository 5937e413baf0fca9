"""Simulated annotators walking the real pages over HTTP, as a browser would."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import httpx2

from duologue.errors import RehearsalError
from duologue.rehearsal.answers import Knowledge, fill_form
from duologue.rehearsal.kinds import SimulatedAnnotator
from duologue.rehearsal.pages import Form, Page, read_page
from duologue.store import Invitation, Store

Ending = Literal["thanks", "no-work", "left", "refused"]
"""The last page an annotator saw, or that they left before it or were refused."""

TRIES = 4
"""How often a request is tried that the server is too busy for."""

PART = {"duologue-part": "main"}
"""What our script sends along: it wants only the ``<main>`` of the next page."""


@dataclass(frozen=True, slots=True)
class Walk:
    """What one simulated annotator did."""

    annotator: SimulatedAnnotator
    id: str
    """The annotator's id in the rehearsal's database."""
    saved: int
    """Answers the server acknowledged, onboarding included."""
    sent: int
    """Answers sent; more than ``saved`` when some were sent twice or refused."""
    ending: Ending
    code: str | None


async def walk_pages(
    annotator: SimulatedAnnotator,
    invitation: Invitation,
    *,
    client: httpx2.AsyncClient,
    store: Store,
    knowledge: Knowledge,
) -> Walk:
    """Open an annotator's link and go on from page to page until there is nothing more to do.

    The page says everything but what is truly better; that is looked up in the store by the assignment's
    key, since it is never sent.

    Raises:
        RehearsalError: The server failed, refused the link, or showed a page that leads nowhere.
    """
    browser = _Browser(client, has_script=annotator.has_script)
    page = await browser.open(f"/a/{invitation.token}")
    saved = sent = 0
    answered: set[str] = set()

    def ended(ending: Ending) -> Walk:
        return Walk(annotator, invitation.annotator, saved, sent, ending, page.code)

    while (form := page.form) is not None:
        if not form.is_question:
            page = await browser.agree(form)
            continue
        assignment = store.assignment(invitation.token, form.hidden["assignment"])
        if assignment.key in answered:
            raise RehearsalError(f"comparison {assignment.number} was shown again after it was answered.")
        if annotator.kind == "leaves-half-way" and assignment.number > assignment.total / 2:
            return ended("left")
        fields = fill_form(annotator, form, assignment, knowledge)
        clicks = 2 if annotator.kind == "double-clicker" else 1
        pages = await asyncio.gather(*(browser.answer(form, fields) for _ in range(clicks)))
        sent += clicks
        if pages[0] is None:
            return ended("refused")
        page = pages[0]
        saved += 1
        answered.add(assignment.key)
    return ended("thanks" if page.code else "no-work")


class _Browser:
    """A browser that runs our script, or one that does not."""

    def __init__(self, client: httpx2.AsyncClient, *, has_script: bool) -> None:
        self._client, self._has_script = client, has_script

    async def open(self, path: str) -> Page:
        return read_page((await self._request("GET", path)).text)

    async def agree(self, form: Form) -> Page:
        """Send a form that asks nothing, as browsers do: the script leaves it alone."""
        return read_page((await self._request("POST", form.action, fields=form.hidden)).text)

    async def answer(self, form: Form, fields: Mapping[str, str]) -> Page | None:
        """Send an answer; None when the server says it is not a legal one."""
        response = await self._request(
            "POST", form.action, fields=fields, headers=PART if self._has_script else None
        )
        return None if response.status_code == 422 else read_page(response.text)

    async def _request(
        self,
        method: str,
        path: str,
        *,
        fields: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> httpx2.Response:
        for number in range(1, TRIES + 1):
            try:
                response = await self._client.request(
                    method, path, data=dict(fields) if fields is not None else None, headers=headers
                )
            except httpx2.TransportError as error:
                raise RehearsalError(f"the server cannot be reached ({error!r}).") from error
            if response.status_code != 503 or number == TRIES:
                break
            await asyncio.sleep(0.1 * number)
        if response.status_code >= 400 and response.status_code != 422:
            what = "an annotator's page" if method == "GET" else "a submitted form"
            raise RehearsalError(f"the server answered {response.status_code} to {what}.")
        return response
