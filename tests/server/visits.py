"""An annotator's browser in tests: opens pages, fills forms in, follows where they lead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING, cast

from httpx2 import Response
from starlette.testclient import TestClient

if TYPE_CHECKING:
    from fastapi import FastAPI

    from duologue.server import Site

PART = {"duologue-part": "main"}


def site_of(client: TestClient) -> Site:
    """What the application of a client serves."""
    site: Site = cast("FastAPI", client.app).state.site
    return site


@dataclass
class Visitor:
    """Somebody with a link."""

    client: TestClient
    token: str

    def open(self, query: str = "") -> Response:
        return self.client.get(f"/a/{self.token}{query}")

    def consent(self) -> Response:
        assert self.client.post(f"/a/{self.token}/consent").status_code == 303
        return self.open()

    def submit(self, page: Response, *, script: bool = False, **changed: str) -> Response:
        """Send the form on a page: Speaker 1, with a reason, unless something is changed."""
        fields = hidden_fields(page.text) | {"choice": "1", "reason": "livelier"} | changed
        return self.client.post(f"/a/{self.token}/submit", data=fields, headers=PART if script else {})


def hidden_fields(html: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', html))


def assignment_in(html: str) -> str:
    return hidden_fields(html)["assignment"]


def text_of(html: str) -> str:
    """What a page says, without its tags."""
    reader = _Text()
    reader.feed(html)
    return "".join(reader.pieces)


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.pieces: list[str] = []

    def handle_data(self, data: str) -> None:
        self.pieces.append(data)
