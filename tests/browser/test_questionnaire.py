"""The table of replies in a real browser: keys, exclusive columns, a phone, the clock, and axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from duologue.server import create_app, served
from tests.browser.conftest import Seen, Site, agree, drawn
from tests.browser.test_accessibility import faults
from tests.browser.test_keys import InputMethod, press, send
from tests.nuc.surveys import survey
from tests.server.conftest import prepared_store


@pytest.fixture
def questionnaire(tmp_path: Path, browser: Browser) -> Iterator[Site]:
    study = survey(tmp_path / "survey")
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        yield site
        for context in site.contexts:
            context.close()


def marks(page: Page) -> dict[str, str]:
    return {
        str(one.get_attribute("name")): str(one.get_attribute("value"))
        for one in page.locator("input[type=radio]:checked").all()
    }


def arrive(page: Page, site: Site) -> None:
    page.goto(site.link())
    agree(page)
    expect(page.get_by_role("heading", name="About you")).to_be_visible()
    assert faults(page) == []
    page.get_by_label("I have never used it").check()
    page.get_by_role("main").get_by_role("button").click()
    expect(page.locator("table.replies")).to_be_visible()


def test_numbers_choose_the_best_and_then_the_second_best_reply(questionnaire: Site) -> None:
    page = questionnaire.context(viewport={"width": 390, "height": 844}).new_page()
    arrive(page, questionnaire)
    expect(page.locator(".deadline")).to_contain_text(re.compile(r"3\d:"))
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for width, height in ((844, 390), (390, 500)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo({ top: document.body.scrollHeight, behavior: 'instant' })")
        assert page.evaluate("scrollY") > 100
        clock = page.locator(".deadline").bounding_box()
        assert clock
        assert 0 <= clock["y"] < clock["y"] + clock["height"] < 40  # it stays, and is small
    InputMethod(page).press("3")
    assert marks(page) == {}
    press(page, "3")
    assert marks(page) == {"best": "3"}
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("in another row")
    press(page, "3")
    assert marks(page) == {}
    press(page, "4", "9", "1", "2")
    assert marks(page) == {"best": "4", "second": "2"}
    page.locator("input[name=second][value='4']").check()
    assert marks(page) == {"second": "4"}
    page.reload()
    drawn(page)
    assert marks(page) == {"second": "4"}
    send(page, "5")
    send(page, "1", "2")
    assert [dict(one.answer) for one in questionnaire.judgments] == [
        {"best": 5, "second": 4},
        {"best": 1, "second": 2},
    ]
    assert all(one.seconds_kind == "visible" for one in questionnaire.judgments)
    assert [said for said in questionnaire.seen.complaints if "422" not in said] == []
