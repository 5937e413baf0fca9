"""Everything at once in a real browser: each station of a sitting, on a desk and on a phone, with axe."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import agree, read_all
from tests.browser.test_accessibility import faults
from tests.browser.test_cards import NAMES
from tests.browser.test_own_protocol import choose, end_of
from tests.everything import make_everything
from tests.own_protocol import placed
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.waiting import PATIENCE

Look = Callable[[Page, str], None]
"""Looks at a page that is the station of that name."""
WRITTEN = "I would rather hear about the sea."


@dataclass(frozen=True)
class Everything:
    """The study while it is served."""

    folder: Path
    variables: dict[str, str]
    address: str

    def run(self, *arguments: str) -> str:
        done = finished([*DUOLOGUE, *arguments], folder=self.folder, variables=self.variables)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def links(self, count: int) -> list[str]:
        found = self.run(
            "annotators", "invite", "all", "--count", str(count), "--base-url", self.address, "--json"
        )
        return [one["link"] for one in json.loads(found)]


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    """Two processes serve the study."""
    folder = tmp_path_factory.mktemp("everything")
    variables = placed(folder / "lib")
    make_everything(folder, variables)
    serve = [*DUOLOGUE, "serve", "all", "--port", "0", "--workers", "2"]
    with running(serve, folder=folder, variables=variables) as server:
        found = re.search(r"(http://[^/\s]+)/a/", printed_until(server, "to stop"))
        assert found
        yield Everything(folder, variables, found[1])
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0


def sit(page: Page, link: str, look: Look, *, work: str = "Never") -> None:
    """One sitting, from consent to the completion code."""
    page.goto(link)
    look(page, "consent")
    agree(page)
    page.get_by_label(work).check()
    look(page, "form-before")
    page.get_by_role("button", name="Next").click()
    after = page.get_by_label("Notes")
    while True:
        expect(page.locator("section.dialogue, main.chat").first.or_(after)).to_be_visible()
        if after.is_visible():
            break
        expect(page.locator(".deadline")).to_be_visible()
        if page.locator("main.chat").count():
            chat(page, look)
        else:
            attend(page, look)
    after.fill("All was well.")
    look(page, "form-after")
    page.get_by_role("button", name="Next").click()
    expect(page.locator("main code")).to_be_visible()
    look(page, "thanks")


def chat(page: Page, look: Look) -> None:
    """Two turns: in the first a reply is chosen, in the second none, and a better one is written."""
    place = page.locator("main").get_attribute("data-assignment")
    look(page, "chat")
    for text in ("Hello, I just came back from the sea.", "And you?"):
        expect(page.locator("form.cards")).to_have_count(0)
        page.get_by_label("Your message").fill(text)
        page.get_by_label("Your message").press("Enter")
        expect(page.locator("form.cards")).to_be_visible()
        if text == "And you?":
            page.locator("input[name=none]").check()
            page.locator("#written").fill(WRITTEN)
        else:
            page.locator(".candidate").first.click()
        look(page, "cards")
        page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator(".turn .text").last).to_have_text(WRITTEN)
    page.get_by_role("link", name="Go on to the questions").click()
    page.get_by_label("Yes").check()
    look(page, "questions")
    page.get_by_role("button").last.click()
    expect(page.locator(f"main[data-assignment='{place}']")).to_have_count(0)


def attend(page: Page, look: Look) -> None:
    """An attention check: three finished dialogues, and whether they were read."""
    expect(page.locator("section.dialogue")).to_have_count(3)
    read_all(page)
    choose(page, "Conversation 2")
    expect(page.locator("legend")).to_contain_text("worst")
    choose(page, "Conversation 1")
    expect(page.locator("legend")).to_contain_text("ends with")
    look(page, "attention")
    choose(page, end_of(page))
    expect(page.locator("legend", has_text="ends with")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_every_station_is_accessible_blind_and_fits_the_page(
    browser: Browser, everything: Everything, width: int
) -> None:
    stations: list[str] = []

    def look(page: Page, station: str) -> None:
        stations.append(station)
        assert not NAMES.search(page.content()), station
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), station
        if stations.count(station) == 1:
            assert faults(page) == [], station

    context = browser.new_context(viewport={"width": width, "height": 844})
    context.set_default_timeout(1000 * PATIENCE)
    sit(context.new_page(), everything.links(1)[0], look)
    context.close()
    assert list(dict.fromkeys(stations))[:2] == ["consent", "form-before"]
    assert stations[-2:] == ["form-after", "thanks"]
    assert {"chat", "cards", "questions", "attention"} <= set(stations)
    everything.run("judgments", "export", "all", "--out", f"{width}.jsonl")
    rows = [
        json.loads(line) for line in (everything.folder / f"{width}.jsonl").read_text("utf-8").splitlines()
    ]
    assert "attention-check" in {row["excluded"] for row in rows}
    assert {row["cohort"] for row in rows} == {"novice"}
