"""axe-core finds nothing to complain about, on any page, on a desk and on a phone, light and dark."""

from collections.abc import Callable
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from duologue.store import block_annotator, fetch_annotators, invite_annotators
from tests.browser.conftest import Site, agree, is_told
from tests.browser.test_annotator import answer, choose

Serve = Callable[..., Site]

LOOKS: tuple[tuple[int, int, Literal["dark", "light"]], ...] = ((390, 844, "dark"), (1280, 800, "light"))
"""A phone by night and a desk by day: no rule of ours makes colours depend on the size of the screen."""


def faults(page: Page) -> list[str]:
    axe = Axe("null") if page.evaluate("'axe' in window") else Axe()  # half a megabyte of script
    found = axe.run(page).response["violations"]
    return [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]]


def faults_in_every_look(page: Page) -> list[str]:
    """What is wrong with a page on any device; it is also wrong to be wider than the screen."""
    found = []
    for width, height, colours in LOOKS:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=colours, reduced_motion="reduce")
        found += [f"{width} {colours} {fault}" for fault in faults(page)]
        if not page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
            found.append(f"{width}: wider than the screen")
    return found


def test_annotators_pages_are_accessible_and_fit(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=2, rest="[acute]\nties = true\n[annotators]\nmax_judgments = 2\n")
    page = site.context().new_page()
    page.goto(f"{site.address}/a/unknown")
    assert faults_in_every_look(page) == []
    link = site.link()
    page.goto(link)
    assert faults_in_every_look(page) == []
    page.get_by_role("button", name="I do not agree").click()
    page.get_by_role("link", name="I have changed my mind").wait_for()
    assert faults_in_every_look(page) == []
    page.goto(link)
    agree(page)
    page.get_by_role("radio").first.wait_for(state="attached")
    assert faults_in_every_look(page) == []
    choose(page)
    page.get_by_label("Why?").fill("yes")
    assert faults_in_every_look(page) == []
    answer(page)
    assert faults_in_every_look(page) == []
    answer(page)
    page.get_by_text("Thank you!").wait_for()
    assert faults_in_every_look(page) == []
    with is_told(page, "[role=status]", "Copied"):
        page.get_by_role("button", name="Copy the code").click()
    assert faults_in_every_look(page) == []
    page.goto(site.link())
    page.get_by_text("This study is complete").wait_for()
    assert faults_in_every_look(page) == []


def test_researchers_pages_are_accessible_and_fit(serve: Serve) -> None:
    site = serve(onboarding=1, per_matchup=2, rest="[annotators]\nopen_link = true\nmax_judgments = 2\n")
    page = site.context().new_page()
    page.goto(f"{site.address}/researcher/sign-in")
    assert faults_in_every_look(page) == []
    annotator = site.annotator()
    answer(annotator)
    answer(annotator)
    site.store.run(invite_annotators(1, labels=["Grace"]))
    site.store.run(block_annotator(site.store.run(fetch_annotators())[1].id, reason="a test", by="test"))
    page = site.researcher()
    one = f"/annotators/{site.store.run(fetch_annotators())[1].id}"
    for path in ("", "/annotators", one, "/links", "/leases", "/reasons", "/judgments", "/codes?codes=ABC"):
        page.goto(f"{site.address}/researcher{path}")
        assert faults_in_every_look(page) == [], path
    for path in ("/api/docs", "/", "/researcher/judgments.xls"):
        page.goto(site.address + path)
        assert faults_in_every_look(page) == [], path
    assert [one for one in site.seen.complaints if "422" not in one] == []
