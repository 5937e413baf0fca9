"""Several bots in one live chat, in a real browser: cards by key, by click and without script."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import agree, drawn
from tests.browser.test_keys import InputMethod
from tests.own_protocol import placed
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.waiting import PATIENCE

NAMES = re.compile("parrot|small-talk|companion")
CHATS = """
[chat]
min_exchanges = 3
max_exchanges = 3
chats_per_bot = 4
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study of live chats with three bots."""
    place = tmp_path_factory.mktemp("cards")
    made = [*DUOLOGUE, "study", "new", "live", "--protocol", "best-worst", "--seed", "5"]
    done = finished(made, folder=place, variables=placed(place / "lib"))
    assert done.returncode == 0, done.stderr
    study = place / "live" / "study.toml"
    text = study.read_text(encoding="utf-8").replace("check = true", 'source = "live"\ncheck = false')
    study.write_text(text.replace("max_judgments = 2", "") + CHATS, encoding="utf-8")
    return place


@pytest.fixture
def link(folder: Path, tmp_path: Path) -> Iterator[str]:
    """The link of an annotator, while a copy of the study is served."""
    variables = {"PYTHONPATH": str(folder / "lib")}
    copytree(folder / "live", tmp_path / "live")
    serve = [*DUOLOGUE, "serve", "live", "--port", "0"]
    with running(serve, folder=tmp_path, variables=variables) as server:
        found = re.search(r"http\S+/a/\S+", printed_until(server, "to stop"))
        assert found
        yield found[0]
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0


def come(context: BrowserContext, link: str) -> Page:
    context.set_default_timeout(1000 * PATIENCE)
    page = context.new_page()
    page.goto(link)
    return page


def say(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator("form.cards")).to_be_visible()


def test_an_annotator_chooses_replies_by_key_on_two_devices(browser: Browser, link: str) -> None:
    context, other = browser.new_context(), browser.new_context()
    page = come(context, link)
    agree(page)
    say(page, "Hello, I just came back from the sea.")
    cards = page.locator("input[name=chosen]")
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.locator("input[name=chosen]:checked")).to_have_count(2)
    page.keyboard.press("2")
    page.reload()
    drawn(page)
    expect(page.locator("input[name=chosen]:checked")).to_have_count(1)
    shown = page.locator(".candidate .text").all_inner_texts()[:-1]
    second = come(other, link)
    assert second.locator(".candidate .text").all_inner_texts()[:-1] == shown
    assert cards.count() == len(shown) <= 3
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    expect(second.locator(".turn")).to_have_count(2)
    expect(second.locator("form.cards")).to_have_count(0)
    assert page.locator(".turn .text").last.inner_text() == shown[0]
    say(page, "And what do you like?")
    method = InputMethod(page)
    method.press("1")  # an input method's, on no text box
    expect(page.locator("input[name=chosen]:checked")).to_have_count(0)
    none = str(page.locator("input[name=chosen]").count() + 1)
    for _ in range(3):
        page.keyboard.down(none)  # held down: it chooses once, and writes nothing
    page.keyboard.up(none)
    expect(page.locator("textarea[name=written]")).to_be_focused()
    expect(page.locator("textarea[name=written]")).to_have_value("")
    method.compose("わた")
    for key in ("1", "Escape", "Enter"):
        method.press(key)
    expect(page.locator("textarea[name=written]")).to_be_focused()
    method.commit("私")
    method.press("Enter")
    page.keyboard.type("? ")
    page.keyboard.press("Enter")
    expect(page.locator(".problem")).to_contain_text("at least 5")
    page.keyboard.type("I like maps.")
    page.keyboard.press("Enter")
    expect(page.locator(".turn .text").last).to_have_text("私? I like maps.")
    say(page, "Good.")
    assert not NAMES.search(page.content())
    page.locator(".candidate").first.click()
    page.get_by_role("button", name="Go on", exact=True).click()
    page.get_by_role("link", name="Go on").click()
    page.get_by_label("Yes").check()
    page.get_by_role("button").last.click()
    expect(page.locator("main code")).to_be_visible()
    context.close()
    other.close()


def test_cards_work_without_script(browser: Browser, link: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = come(context, link)
    agree(page)
    page.get_by_label("Your message").fill("Hello!")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("form.cards")).to_be_visible()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator(".problem")).to_contain_text("none")
    page.locator("input[name=chosen]").first.check()
    page.get_by_role("button", name="Go on", exact=True).click()
    expect(page.locator(".turn")).to_have_count(2)
    context.close()
