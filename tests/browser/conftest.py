"""A real browser and a real server. Without Chromium these tests are reported as not run, with the reason."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright

from duologue.judgments import Judgment
from duologue.server import create_app, served
from duologue.store import Store, ensure_secret, fetch_judgments, invite_annotators
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.waiting import PATIENCE

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first does without windows, in half of the processor time."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for these tests only: while it is there, its event loop is the main thread's."""
    if CHROMIUM is None:
        pytest.skip("NOT RUN: there is no Chromium on this machine (scripts/chromium installs it)")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def whole_new_page(page: Page) -> Iterator[None]:
    """Wait, after what leads to another page, until its script has begun and it is drawn.

    Before, keys do nothing: on a busy machine, Chromium drops those that come before it has drawn the page.
    """
    with page.expect_event("load"):
        yield
    drawn(page)


def drawn(page: Page) -> None:
    """Wait until a page that was loaded or reloaded is drawn, and takes keys."""
    page.screenshot(clip={"x": 0, "y": 0, "width": 1, "height": 1})  # is drawn for it, also behind others


@contextmanager
def is_told(page: Page, selector: str, text: str) -> Iterator[None]:
    """Wait, after what the block does, until an element has had this text, for however short a time."""
    page.evaluate(
        """([selector, text]) => {
            window.isTold = false;
            const look = () => {
                const all = [...document.querySelectorAll(selector)];
                window.isTold ||= all.some((one) => one.textContent.trim() === text);
            };
            const changes = { subtree: true, childList: true, characterData: true };
            new MutationObserver(look).observe(document.body, changes);
        }""",
        [selector, text],
    )
    yield
    page.wait_for_function("() => window.isTold")


def read_all(page: Page) -> None:
    """Scroll to the end of each dialogue, and wait until the page has taken note of it."""
    for turn in page.locator("ol.turns > .turn:last-of-type").all():
        turn.evaluate(
            """async (turn) => {
                turn.scrollIntoView({ block: "center", behavior: "instant" });
                dispatchEvent(new Event("scroll"));
                await new Promise((done) => setTimeout(done));
            }"""
        )


def agree(page: Page) -> None:
    """Give consent, and wait for the whole next page."""
    with whole_new_page(page):
        page.get_by_role("button", name="I agree").click()


def interfere_once(page: Page, pattern: str, act: Callable[[Route], None]) -> None:
    """Let ``act`` have the next request that matches; later ones go their way.

    The route stays: with ``times=1``, Playwright ends it beside the request, which may then get through. So
    may what a page asks for while Chromium still tells it of the route: a request says when it knows.
    """
    met: list[str] = []

    def meet(route: Route) -> None:
        met.append(route.request.url)
        if len(met) == 1:
            act(route)
        else:
            route.continue_()

    page.route(pattern, meet)
    page.route("**/healthz", lambda route: route.fulfill(body="met"))
    page.wait_for_function("async () => await (await fetch('/healthz')).text() === 'met'")


@dataclass
class Seen:
    """What went on in a browser: every address it asked for, and everything it complained about."""

    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def watch(self, context: BrowserContext) -> None:
        context.on("request", lambda request: self.requests.append(f"{request.method} {request.url}"))
        context.on("console", lambda message: self._note(message.type, message.text))
        context.on("weberror", lambda error: self.complaints.append(str(error.error)))
        context.on("dialog", lambda dialog: self.complaints.append(f"dialog: {dialog.message}"))

    def since(self, count: int) -> list[str]:
        """What pages asked for after the first ``count`` requests; a browser fetches icons when it likes."""
        return [request for request in self.requests[count:] if not request.endswith("/icon.svg")]

    def _note(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(text)


@dataclass
class Site:
    """A served study and the browser that looks at it."""

    address: str
    store: Store
    browser: Browser
    seen: Seen
    contexts: list[BrowserContext] = field(default_factory=list)

    def context(self, **settings: Any) -> BrowserContext:
        context = self.browser.new_context(base_url=self.address, **settings)
        context.set_default_timeout(1000 * PATIENCE)
        self.seen.watch(context)
        self.contexts.append(context)
        return context

    def link(self) -> str:
        return f"{self.address}/a/{self.store.run(invite_annotators(1, labels=['Ada']))[0].token}"

    def annotator(self, **settings: Any) -> Page:
        """A page with a comparison on it, consent given."""
        page = self.context(**settings).new_page()
        page.goto(self.link())
        agree(page)
        page.get_by_role("radio").first.wait_for(state="attached")
        return page

    def researcher(self, **settings: Any) -> Page:
        page = self.context(**settings).new_page()
        page.goto(f"{self.address}/researcher/sign-in#key={self.store.run(ensure_secret('researcher'))}")
        page.wait_for_url("**/researcher")
        return page

    @property
    def judgments(self) -> list[Judgment]:
        return list(self.store.stream(fetch_judgments()))


@pytest.fixture
def serve(tmp_path: Path, browser: Browser) -> Iterator[Callable[..., Site]]:
    """Serves a study with the given settings to a browser."""
    ends: list[Callable[[], object]] = []

    def start(**settings: Any) -> Site:
        study = make_study(tmp_path / f"study-{len(ends)}", **settings)
        store = prepared_store(study)
        serving = served(create_app(study, store))
        site = Site(serving.__enter__(), store, browser, Seen())

        def end() -> None:
            for context in site.contexts:
                context.close()
            serving.__exit__(None, None, None)
            store.close()

        ends.append(end)
        return site

    yield start
    for end in ends:
        end()


@pytest.fixture
def site(serve: Callable[..., Site]) -> Site:
    return serve(onboarding=1, per_matchup=6, rest="[annotators]\nmax_judgments = 3\n")
