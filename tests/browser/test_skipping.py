"""Skipping an item in a real browser: with and without script, by keys, and on every kind of page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from duologue.store import fetch_chats, fetch_skips
from tests.browser.conftest import Site, read_all, whole_new_page
from tests.browser.test_accessibility import faults
from tests.browser.test_chat import begin, say
from tests.browser.test_chat import serve_chats as serve_chats  # a fixture
from tests.browser.test_layout import box
from tests.browser.test_reading import SIZES

Serve = Callable[..., Site]
ServeChats = Callable[..., tuple[Site, Path]]
REST = "[annotators]\nmax_judgments = 3\nskips = 2\n"


@pytest.mark.parametrize(
    "settings", [*SIZES.values(), {"java_script_enabled": False}], ids=[*SIZES, "no script"]
)
def test_an_item_can_be_skipped(serve: Serve, settings: dict[str, Any]) -> None:
    site = serve(onboarding=0, per_matchup=6, rest=REST)
    page = site.annotator(**settings)
    before = page.locator("main").get_attribute("data-assignment")
    page.get_by_role("button", name="Skip this one (2 left)").click()
    expect(page.get_by_role("button", name="Skip this one (1 left)")).to_be_visible()
    expect(page.locator("main")).not_to_have_attribute("data-assignment", before or "")
    page.get_by_role("button", name="Skip this one (1 left)").click()
    expect(page.locator(".progress")).to_contain_text("Comparison 3 of 3")
    expect(page.get_by_role("button", name="Skip")).to_have_count(0)
    if "viewport" in settings:
        assert page.evaluate("document.documentElement.scrollWidth") <= settings["viewport"]["width"]
    skips = site.store.run(fetch_skips())
    assert skips is not None
    assert skips.skipped == 2
    assert not site.judgments
    assert not site.seen.complaints


@pytest.mark.parametrize("size", SIZES)
def test_what_is_saved_is_said_in_the_header_and_covers_nothing(serve: Serve, size: str) -> None:
    site = serve(onboarding=0, per_matchup=6, rest=REST + "[screening]\nwords_per_second = 0\n")
    page = site.annotator(**SIZES[size])
    read_all(page)
    page.get_by_role("radio").first.check(force=True)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator(".status")).to_have_text("Saved")
    assert page.locator(".status").evaluate("e => e.offsetWidth") <= 1  # only for those who cannot see
    told = box(page.locator(".progress .saved"))
    for other in ("progress:visible", ".skip", ".dialogue >> nth=0", ".answer"):
        for one in page.locator(other).all():
            there = box(one)
            beside = told[2] <= there[0] or told[0] >= there[2] or told[1] >= there[3] or told[3] <= there[1]
            assert beside, other
    expect(page.locator(".progress .saved")).to_have_count(0)
    expect(page.locator("progress")).to_be_visible()
    page.set_viewport_size({"width": 320, "height": 600})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_an_item_can_be_skipped_by_keys(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=6, rest=REST)
    page = site.annotator()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Skip this one")).to_be_focused()
    with whole_new_page(page):
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Skip this one (1 left)")).to_be_visible()


def test_the_pages_with_it_are_accessible(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=6, rest=REST)
    page = site.annotator()
    assert faults(page) == []
    page.get_by_role("button", name="Skip this one").click()
    expect(page.get_by_role("button", name="Skip this one (1 left)")).to_be_visible()
    overview = site.researcher()
    expect(overview.get_by_role("heading", name="Skipped")).to_be_visible()
    assert faults(overview) == []


def test_two_tabs_skip_one_item(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=6, rest=REST)
    one = site.annotator()
    other = one.context.new_page()
    other.goto(one.url)
    for page in (one, other):
        page.get_by_role("button", name="Skip this one (2 left)").click()
        expect(page.get_by_role("button", name="Skip this one (1 left)")).to_be_visible()
    skips = site.store.run(fetch_skips())
    assert skips is not None
    assert skips.skipped == 1


def test_where_nothing_may_be_skipped_no_page_says_so(site: Site) -> None:
    expect(site.annotator().get_by_role("button", name="Skip")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no script"])
def test_a_chat_can_be_skipped_in_the_middle(serve_chats: ServeChats, script: bool) -> None:
    site, _folder = serve_chats(bots=(("ann", "echo"), ("bob", "echo")), rest="[annotators]\nskips = 1\n")
    page = begin(site, java_script_enabled=script)
    if script:
        say(page, "hello")
        expect(page.locator(".turn")).to_have_count(2)
    page.get_by_role("button", name="Skip this one (1 left)").click()
    expect(page.locator(".progress")).to_contain_text("2 of 2")
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.get_by_role("button", name="Skip")).to_have_count(0)
    assert [chat.credit for chat in site.store.run(fetch_chats())] == ["skipped", ""]
    assert not site.seen.complaints
