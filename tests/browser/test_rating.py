"""Ratings on several screens in a real browser: the way back keeps what was chosen and written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from duologue.server import create_app, served
from duologue.studies import new_study
from tests.browser.conftest import Seen, Site, agree, drawn, read_all
from tests.server.conftest import prepared_store
from tests.studies.conftest import edit, write_dialogues

TWO = "".join(
    f'[[likert.questions]]\nname = "{name}"\ntext = "{text}"\nlabels = ["No", "So so", "Yes"]\n'
    for name, text in (("sense", "Did it make sense?"), ("fun", "Was it fun?"))
)


@pytest.fixture
def ratings(tmp_path: Path, browser: Browser) -> Iterator[Site]:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    write_dialogues(study.folder, "ann", 3)
    study = edit(study, 'source = "live"', 'source = "dialogues"')
    study = edit(study, "[screening]", f"{TWO}\n[screening]")
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        yield site
        for context in site.contexts:
            context.close()


def go(page: Page, name: str, asked: str) -> None:
    """Press a button, and wait for the question that comes next."""
    page.get_by_role("button", name=name).click()
    expect(page.get_by_role("group", name=asked)).to_be_visible()


def choose(page: Page, label: str) -> None:
    page.locator("label.choice", has_text=label).click()


@pytest.mark.parametrize("script", [True, False])
def test_going_back_loses_no_choice_and_no_reason(ratings: Site, script: bool) -> None:
    page = ratings.context(java_script_enabled=script).new_page()
    page.goto(ratings.link())
    agree(page)
    if script:
        read_all(page)
    choose(page, "So so")
    go(page, "Next", "Was it fun?")
    choose(page, "Yes")
    page.get_by_label("Why did you rate the conversation").fill("half a reason")
    go(page, "Back", "Did it make sense?")
    expect(page.locator("input[type=radio][value='2']")).to_be_checked()
    page.reload()
    expect(page.locator("input[type=radio][value='2']")).to_be_checked()
    choose(page, "No")
    if script:
        page.reload()  # what was chosen last is kept too, before it is sent
        drawn(page)
        expect(page.locator("input[type=radio][value='1']")).to_be_checked()
    go(page, "Next", "Was it fun?")
    expect(page.locator("input[type=radio][value='3']")).to_be_checked()
    expect(page.get_by_label("Why did you rate the conversation")).to_have_value("half a reason")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    (judgment,) = ratings.judgments
    assert judgment.answer["ratings"] == {"sense": 1, "fun": 3}
    assert judgment.reason == "half a reason"


@pytest.mark.parametrize("script", [True, False])
def test_keys_are_said_only_where_they_work(ratings: Site, script: bool) -> None:
    page = ratings.context(java_script_enabled=script).new_page()
    page.goto(ratings.link())
    agree(page)
    expect(page.locator(".keys")).to_be_visible(visible=script)
