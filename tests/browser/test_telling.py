"""What is told before the consent and at the end, in a real browser: by keys only, on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from duologue.server import create_app, served
from duologue.studies import draw_items
from tests.browser.conftest import Seen, Site, drawn, whole_new_page
from tests.browser.test_accessibility import faults
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.server.test_telling import DECEPTION, MADE, TOLD

SIZES: tuple[ViewportSize, ...] = (
    {"width": 1280, "height": 900},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 640, "height": 450},
)
CONSENT = '[consent]\ncontent_warning = "Some of the conversations are offensive."\n'


def is_fine(page: Page) -> bool:
    for size in SIZES:
        page.set_viewport_size(size)
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return True


def press_button(page: Page, name: str) -> None:
    """Reach a button by Tab alone, and press it."""
    button = page.get_by_role("button", name=name)
    for _ in range(20):
        page.keyboard.press("Tab")
        if button.evaluate("one => one === document.activeElement"):
            break
    expect(button).to_be_focused()
    with whole_new_page(page):
        page.keyboard.press("Enter")


@pytest.mark.parametrize("name", ["acute", "likert", "people", "readers", "parallel"])
def test_consent_says_whom_one_may_meet_and_is_given_by_keys(
    name: str, tmp_path: Path, browser: Browser
) -> None:
    make, met = MADE[name]
    study = make(tmp_path / "study")
    draw_items(study)
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        page = site.context(java_script_enabled=True).new_page()
        page.goto(site.link())
        drawn(page)
        for sentence in met:
            expect(page.get_by_text(sentence)).to_be_visible()
        assert is_fine(page)
        press_button(page, "I agree")
        expect(page.get_by_text(met[0])).to_have_count(0)
        for context in site.contexts:
            context.close()


@pytest.mark.parametrize("script", [True, False])
def test_a_deceived_annotator_reads_the_debriefing_above_their_code(
    script: bool, tmp_path: Path, browser: Browser
) -> None:
    rest = f"{DECEPTION}{CONSENT.removeprefix('[consent]')}[annotators]\nmax_judgments = 1\n"
    study = make_study(tmp_path / "study", onboarding=0, per_matchup=1, rest=rest)
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        page = site.context(java_script_enabled=script).new_page()
        page.goto(site.link())
        expect(page.get_by_text("Some of the conversations are offensive.")).to_be_visible()
        expect(page.get_by_text("computer program")).to_have_count(0)
        with page.expect_event("load"):
            page.get_by_role("button", name="I agree").click()
        page.get_by_role("radio").first.check(force=True)
        page.get_by_label("Why?").fill("livelier")
        page.get_by_role("button", name="Submit").click()
        debriefing = page.get_by_role("region", name=TOLD)
        expect(debriefing).to_contain_text("computer programs wrote all or some of the replies")
        expect(page.get_by_text("Contact: ada@example.org")).to_be_visible()  # once, at the end of the page
        told, code = debriefing.bounding_box(), page.get_by_text("Your completion code").bounding_box()
        assert told
        assert code
        assert told["y"] < code["y"]
        if script:
            assert is_fine(page)
        for context in site.contexts:
            context.close()
