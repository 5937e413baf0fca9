"""axe-core finds nothing to complain about, on any page, on a desk and on a phone, light and dark."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from duologue.store import block_annotator, fetch_annotators, invite_annotators
from tests.browser.conftest import Site
from tests.browser.test_annotator import answer, choose

Serve = Callable[..., Site]

LOOKS = [
    pytest.param({"viewport": {"width": 1280, "height": 800}}, id="desk"),
    pytest.param({"viewport": {"width": 390, "height": 844}}, id="phone"),
    pytest.param({"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"}, id="dark"),
]


def faults(page: Page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("look", LOOKS)
def test_annotators_pages_are_accessible(serve: Serve, look: dict[str, object]) -> None:
    site = serve(onboarding=0, per_matchup=2, rest="[acute]\nties = true\n[annotators]\nmax_judgments = 2\n")
    page = site.context(**look).new_page()
    page.goto(f"{site.address}/a/unknown")
    assert faults(page) == []
    link = site.link()
    page.goto(link)
    assert faults(page) == []
    page.get_by_role("button", name="I do not agree").click()
    page.get_by_role("link", name="I have changed my mind").wait_for()
    assert faults(page) == []
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("radio").first.wait_for(state="attached")
    assert faults(page) == []
    choose(page)
    page.get_by_label("Why?").fill("yes")
    assert faults(page) == []
    answer(page)
    assert faults(page) == []
    answer(page)
    page.get_by_text("Thank you!").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Copy the code").click()
    page.get_by_text("Copied").wait_for()
    assert faults(page) == []
    page.goto(site.link())
    page.get_by_text("This study is complete").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("look", LOOKS)
def test_researchers_pages_are_accessible(serve: Serve, look: dict[str, object]) -> None:
    site = serve(onboarding=1, per_matchup=2, rest="[annotators]\nopen_link = true\nmax_judgments = 2\n")
    page = site.context(**look).new_page()
    page.goto(f"{site.address}/researcher/sign-in")
    assert faults(page) == []
    annotator = site.annotator()
    answer(annotator)
    answer(annotator)
    site.store.run(invite_annotators(1, labels=["Grace"]))
    site.store.run(block_annotator(site.store.run(fetch_annotators())[1].id, reason="a test", by="test"))
    page = site.researcher(**look)
    one = f"/annotators/{site.store.run(fetch_annotators())[1].id}"
    for path in ("", "/annotators", one, "/links", "/leases", "/judgments", "/codes?codes=ABC"):
        page.goto(f"{site.address}/researcher{path}")
        assert faults(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    for path in ("/api/docs", "/", "/researcher/judgments.xls"):
        page.goto(site.address + path)
        assert faults(page) == [], path
    assert [one for one in site.seen.complaints if "422" not in one] == []
