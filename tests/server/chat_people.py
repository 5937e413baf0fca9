"""Annotators who chat without script, and a real server for them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from duologue.server import create_app, served
from duologue.store import Store, invite_annotators
from duologue.studies import Study
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store
from tests.server.visits import hidden_fields, text_of
from tests.waiting import PATIENCE, wait_until


@dataclass
class Person:
    """An annotator without script, over a real connection."""

    client: httpx2.Client
    token: str
    page: httpx2.Response | None = None

    @property
    def html(self) -> str:
        assert self.page is not None
        return self.page.text

    @property
    def state(self) -> str:
        found = re.search(r'data-chat-state="(\w+)"', self.html)
        return found[1] if found else ""

    @property
    def said(self) -> list[str]:
        return [
            text_of(one) for one in re.findall(r'<div class="text" dir="auto">.*?</div>', self.html, re.S)
        ]

    def open(self, query: str = "") -> Person:
        self.page = self.client.get(f"/a/{self.token}{query}")
        return self

    def start(self) -> Person:
        self.page = self.client.post(f"/a/{self.token}/consent")
        return self

    def post(self, verb: str, **fields: str) -> Person:
        self.page = self.client.post(f"/a/{self.token}/{verb}", data=self.fields() | fields)
        return self

    def fields(self) -> dict[str, str]:
        return hidden_fields(self.html)

    def say(self, text: str) -> Person:
        return self.post("say", text=text)

    def wait_for(self, *states: str) -> Person:
        """Look again, as the page does without script, until the chat is in one of these states."""
        wait_until(
            lambda: self.state in states or self.open("?chat").state in states, f"the chat is {states}"
        )
        return self

    def talk(self, *texts: str) -> Person:
        for text in texts:
            self.say(text).wait_for("annotator", "ended")
        return self


@dataclass
class Site:
    """A study that is being served."""

    study: Study
    store: Store
    address: str
    clients: list[httpx2.Client]

    def person(self) -> Person:
        return self.with_token(self.store.run(invite_annotators(1))[0].token)

    def with_token(self, token: str) -> Person:
        client = httpx2.Client(
            base_url=self.address, follow_redirects=True, trust_env=False, timeout=PATIENCE
        )
        self.clients.append(client)
        return Person(client, token)


Serve = Callable[..., Site]


@contextmanager
def serving_chats(folder: Path) -> Iterator[Serve]:
    """Serves studies of live chats, each in a folder of its own, while the block runs."""
    ends: list[Callable[[], object]] = []

    def start(**settings: Any) -> Site:
        study = make_chat_study(folder / f"study-{len(ends)}", **settings)
        store = prepared_store(study)
        serving = served(create_app(study, store))
        site = Site(study, store, serving.__enter__(), [])

        def end() -> None:
            for client in site.clients:
                client.close()
            serving.__exit__(None, None, None)
            store.close()

        ends.append(end)
        return site

    try:
        yield start
    finally:
        for end in ends:
            end()
