"""Deadlines in a real browser: the clock is the reader's own, and the page goes on when the time is over."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Site

Serve = Callable[..., Site]


def test_the_clock_is_in_the_readers_own_time_and_fits_a_phone(serve: Serve) -> None:
    site = serve(onboarding=0, rest="[annotators]\nmax_judgments = 3\nitem_seconds = 600\n")
    page = site.annotator(timezone_id="Asia/Tokyo", locale="de-DE", viewport={"width": 390, "height": 844})
    clock = page.locator(".deadline")
    expect(clock).to_have_text(re.compile(r"^You have time until \d\d:\d\d( [AP]M)?\.$"))
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert not site.seen.complaints


@pytest.mark.parametrize("countdown", ["true", "false"])
def test_when_the_time_is_over_the_next_item_comes_by_itself(serve: Serve, countdown: str) -> None:
    rest = f"[annotators]\nmax_judgments = 3\nitem_seconds = 3\ncountdown = {countdown}\n"
    site = serve(onboarding=0, per_matchup=6, rest=rest)
    page = site.annotator()
    first = page.locator("main").get_attribute("data-assignment")
    if countdown == "true":
        expect(page.locator(".deadline")).to_have_text(re.compile(r"^Left for this one: 0:0\d$"))
    expect(page.locator("main")).not_to_have_attribute("data-assignment", first or "")
    expect(page.locator("header .news")).to_have_text(
        "The time for the last one was over. Here is the next one."
    )
    assert not site.judgments
    assert not site.seen.complaints


def test_saved_is_said_once_and_not_of_what_timed_out(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=6, rest="[annotators]\nmax_judgments = 3\nitem_seconds = 3\n")
    page = site.annotator()
    page.goto(f"{page.url}?saved")  # as it is opened after a form
    expect(page.locator(".saved")).to_have_count(1)
    assert "saved" not in page.url
    expect(page.locator(".news")).to_be_visible()
    expect(page.locator(".saved")).to_have_count(0)
