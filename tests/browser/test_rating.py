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


FEW_LABELS = (
    '[[likert.questions]]\nname = "sense"\ntext = "How much of what the speaker says makes sense?"\n'
    'labels = ["Nothing", "", "", "", "", "About half", "", "", "", "", "Everything"]\nlow = 0\n'
)
ALL_LABELS = (
    '[[likert.questions]]\nname = "human"\ntext = "Does the highlighted speaker write like a person?"\n'
    'labels = ["Surely a machine", "Probably a machine", "I cannot say", "Probably a person", '
    '"Surely a person"]\n'
)
PHONE = (390, 844)


@pytest.mark.parametrize("size", [(1280, 900), (844, 390), (640, 400), PHONE], ids=str)
@pytest.mark.parametrize("asked", [FEW_LABELS, ALL_LABELS], ids=["few-labels", "all-labels"])
def test_a_scale_stands_in_order_with_the_reason_and_the_button_in_sight(
    tmp_path: Path, browser: Browser, asked: str, size: tuple[int, int]
) -> None:
    study = new_study(tmp_path / "study", protocol="likert", seed=3)
    write_dialogues(study.folder, "ann", 1, text="a long word " * 30)
    study = edit(study, 'source = "live"', 'source = "dialogues"')
    study = edit(study, "[screening]", f"{asked}\n[screening]")
    with prepared_store(study) as store, served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        page = site.context(viewport={"width": size[0], "height": size[1]}).new_page()
        page.goto(site.link())
        agree(page)
        boxes = [point.bounding_box() for point in page.locator("label.point").all()]
        rows = {round(box["y"]) for box in boxes if box}
        assert len(rows) == (5 if asked == ALL_LABELS and size == PHONE else 1)
        assert all(box and box["width"] >= 24 for box in boxes)
        spills = page.locator("label.point").evaluate_all(
            "all => all.some(one => one.scrollWidth > one.clientWidth)"
        )
        assert not spills
        for seen in (
            page.get_by_label("Would you like to say why?"),
            page.get_by_role("button", name="Submit"),
        ):
            expect(seen).to_be_in_viewport(ratio=1)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
        conversation = page.locator(".turns").bounding_box()
        assert conversation is not None
        assert conversation["height"] > 220
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
