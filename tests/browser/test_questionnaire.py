"""The table of replies in a real browser: keys, exclusive columns, a phone, the clock, and axe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from duologue.server import create_app, served
from duologue.studies import Study
from tests.browser.conftest import Seen, Site, agree, drawn
from tests.browser.test_accessibility import faults, faults_in_every_look
from tests.browser.test_keys import InputMethod, press, send
from tests.browser.test_layout import box, is_on_top
from tests.nuc.surveys import survey
from tests.server.conftest import prepared_store


@contextmanager
def serving(study: Study, browser: Browser) -> Iterator[Site]:
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        yield site
        for context in site.contexts:
            context.close()


@pytest.fixture
def questionnaire(tmp_path: Path, browser: Browser) -> Iterator[Site]:
    with serving(survey(tmp_path / "survey"), browser) as site:
        yield site


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


def test_only_replies_with_a_number_beside_them_are_chosen_by_it(tmp_path: Path, browser: Browser) -> None:
    with serving(survey(tmp_path / "survey", candidates=12), browser) as site:
        page = site.context().new_page()
        arrive(page, site)
        expect(page.locator(".replies kbd")).to_have_text([*"1234567890", "", ""])
        expect(page.locator("#keys")).to_contain_text("the number beside a reply")
        press(page, "9", "0", "ArrowDown")
        assert marks(page) == {"best": "9", "second": "11"}


SIX = [(1280, 900, 6), (1280, 900, 16), (844, 390, 6), (640, 450, 6)]


@pytest.mark.parametrize(("width", "height", "turns"), SIX)
def test_the_context_is_on_the_left_and_the_replies_on_the_right_in_sight(
    tmp_path: Path, browser: Browser, width: int, height: int, turns: int
) -> None:
    with serving(survey(tmp_path / "survey", turns=turns), browser) as site:
        page = site.context(viewport={"width": width, "height": height}).new_page()
        arrive(page, site)
        context, table = box(page.locator(".so-far")), box(page.locator("table.replies"))
        assert context[2] <= table[0]
        rows = page.locator(".replies tbody tr").all()
        whole = height >= 600
        for one in [*rows, page.get_by_role("button", name="Submit")] if whole else rows[:2]:
            expect(one).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for one in (page.locator(".turn").last, page.get_by_role("button", name="Submit")):
            one.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
            expect(one).to_be_in_viewport(ratio=1)
            assert is_on_top(one)
            assert not whole or all(is_on_top(row) for row in rows)  # also at the end of a long context
        assert faults(page) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 500), (390, 844), (844, 390), (640, 400)])
def test_the_heads_of_the_columns_stay_in_sight_and_say_whose_reply_it_is(
    tmp_path: Path, browser: Browser, width: int, height: int
) -> None:
    with serving(survey(tmp_path / "survey", candidates=12), browser) as site:
        page = site.context(viewport={"width": width, "height": height}).new_page()
        arrive(page, site)
        page.locator(".replies tbody tr").last.evaluate(
            "e => e.scrollIntoView({ block: 'center', behavior: 'instant' })"
        )
        heads = page.locator(".replies thead th")
        expect(heads).to_have_text(["Reply – Speaker A", "Best", "Second best"])
        for head in heads.all():
            expect(head).to_be_in_viewport(ratio=1)
            assert is_on_top(head)


def test_a_reply_that_is_missing_is_asked_for_in_a_row_without_one(questionnaire: Site) -> None:
    page = questionnaire.context(viewport={"width": 1280, "height": 900}).new_page()
    arrive(page, questionnaire)
    press(page, "1", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("in another row")
    expect(page.locator("input[name=second][value='2']")).to_be_focused()


def test_the_clock_stands_apart_from_the_bar_of_progress(questionnaire: Site) -> None:
    page = questionnaire.context(viewport={"width": 1280, "height": 900}).new_page()
    arrive(page, questionnaire)
    assert box(page.locator(".progress progress"))[2] + 8 <= box(page.locator(".deadline"))[0]
    expect(page.get_by_role("progressbar", name="Question 1 of 8")).to_be_visible()


def test_replies_have_room_on_a_low_and_narrow_screen(questionnaire: Site) -> None:
    page = questionnaire.context(viewport={"width": 640, "height": 400}).new_page()
    arrive(page, questionnaire)
    left, _, right, _ = box(page.locator(".replies .text").first)
    room = page.locator(".replies tbody th").first
    assert right - left >= 150
    assert box(room)[2] - box(room)[0] >= 220


def test_on_a_phone_the_replies_come_after_the_context(tmp_path: Path, browser: Browser) -> None:
    with serving(survey(tmp_path / "survey", turns=6), browser) as site:
        page = site.context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
        arrive(page, site)
        assert box(page.locator(".so-far"))[3] <= box(page.locator(".questions"))[1]
        page.locator(".mark").nth(0).tap()
        page.locator(".mark").nth(3).tap()
        assert marks(page) == {"best": "1", "second": "2"}
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_persona_lines_are_shown_only_where_asked_for_and_say_whose_they_are(
    tmp_path: Path, browser: Browser
) -> None:
    with serving(survey(tmp_path / "without"), browser) as site:
        page = site.context().new_page()
        arrive(page, site)
        expect(page.get_by_text("electrician")).to_have_count(0)
        expect(page.get_by_text("About the people")).to_have_count(0)
    with serving(survey(tmp_path / "with", turns=16, show_background="true"), browser) as site:
        page = site.context(viewport={"width": 1280, "height": 900}).new_page()
        arrive(page, site)
        people = page.get_by_role("region", name="About the people in the conversation")
        expect(people.locator(".people > div")).to_have_text(
            ["It is winter.", "Speaker Ai ski.", "Speaker Bmy father is an electrician."]
        )
        expect(page.get_by_text("your persona")).to_have_count(0)
        assert is_on_top(page.locator(".turn").last)
        assert faults_in_every_look(page) == []
