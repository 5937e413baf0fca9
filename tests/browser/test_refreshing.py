"""The researcher's pages show what has happened, by themselves, and disturb nobody who is at work on them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from duologue.server import create_app, served
from duologue.store import (
    block_annotator,
    ensure_secret,
    fetch_annotators,
    invite_annotators,
    open_store,
    withdraw_annotator,
)
from tests.browser.conftest import Site
from tests.browser.test_annotator import answer
from tests.ports import reserved_port
from tests.server.conftest import prepared_store
from tests.server.studies import make_study

Serve = Callable[..., Site]

EVERY_MS = 5_000


def researcher(site: Site, path: str = "", **settings: object) -> Page:
    """A page whose time only goes on when the test says so."""
    page = site.researcher(**settings)
    page.clock.install(time=0)
    page.clock.pause_at(3_600)  # later than any machine is slow: the past cannot be gone back to
    page.goto(f"{site.address}/researcher{path}")
    page.locator("main[data-refresh]").wait_for()
    return page


def wait_for_refresh(page: Page) -> None:
    with page.expect_response(lambda response: response.url == page.url):
        page.clock.run_for(EVERY_MS)


def asked(site: Site) -> int:
    return sum(request.startswith("GET") and "/researcher" in request for request in site.seen.requests)


def test_the_overview_counts_on_without_a_reload(site: Site) -> None:
    annotator = site.annotator()
    page = researcher(site)
    expect(page.locator(".figures dd").first).to_have_text("0 of 6")
    answer(annotator)
    answer(annotator)
    wait_for_refresh(page)
    expect(page.locator(".figures dd").first).to_have_text("1 of 6")
    assert site.seen.complaints == []


def test_what_another_process_stored_is_shown(site: Site, tmp_path: Path) -> None:
    page = researcher(site, "/links")
    (database,) = tmp_path.glob("*/study.db")
    with open_store(f"sqlite:///{database}") as other:
        other.run(invite_annotators(1, labels=["Grace"]))
    wait_for_refresh(page)
    expect(page.get_by_role("rowheader", name="Grace")).to_be_visible()


def test_what_is_being_typed_keeps_its_focus_and_cursor(site: Site) -> None:
    page = researcher(site, "/links")
    page.get_by_label("Names, one a line").fill("Ada, half a na")
    page.keyboard.press("ArrowLeft")
    site.store.run(invite_annotators(1, labels=["Grace"]))
    wait_for_refresh(page)
    expect(page.get_by_role("rowheader", name="Grace")).to_be_visible()
    page.keyboard.type("X")
    expect(page.get_by_label("Names, one a line")).to_have_value("Ada, half a nXa")


def test_a_form_somebody_fills_in_stays_though_it_would_be_another_by_now(site: Site) -> None:
    site.annotator()
    (ada,) = site.store.run(fetch_annotators())
    page = researcher(site, f"/annotators/{ada.id}")
    page.get_by_label("Reason").first.fill("too fast")
    site.store.run(block_annotator(ada.id, reason="always left", by="somebody else"))
    wait_for_refresh(page)
    expect(page.get_by_role("cell", name="always left")).to_be_visible()
    expect(page.get_by_label("Reason").first).to_have_value("too fast")
    expect(page.get_by_role("button", name="Block", exact=True)).to_be_visible()
    page.get_by_label("Reason").first.fill("")
    page.get_by_role("heading", level=1).click()
    wait_for_refresh(page)
    expect(page.get_by_role("button", name="Unblock", exact=True)).to_be_visible()


def test_focus_and_scrolling_stay_in_their_row_when_others_come_and_go(site: Site) -> None:
    first, *_, last = site.store.run(invite_annotators(3, labels=["Ada", "Ben", "Cleo"]))
    page = researcher(site, "/links", viewport={"width": 390, "height": 844})
    button = page.get_by_role("button", name="Revoke Cleo")
    button.focus()
    table = page.locator(".scroll")
    table.evaluate("e => { e.scrollLeft = 40; }")
    place = button.bounding_box()
    site.store.run(withdraw_annotator(first.annotator, reason="asked for it"))
    site.store.run(invite_annotators(1, labels=["Dan"]))
    wait_for_refresh(page)
    expect(page.get_by_role("rowheader", name="Dan")).to_be_visible()
    expect(page.get_by_role("rowheader", name="Ada")).to_have_count(0)
    expect(button).to_be_focused()
    assert table.evaluate("e => e.scrollLeft") == 40
    assert button.bounding_box() == place
    site.store.run(withdraw_annotator(last.annotator, reason="asked for it"))
    wait_for_refresh(page)
    expect(table).to_be_focused()


def test_no_row_moves_while_somebody_aims_at_a_button(site: Site) -> None:
    site.store.run(invite_annotators(2, labels=["Ada", "Ben"]))
    page = researcher(site, "/links")
    page.get_by_role("button", name="Revoke Ben").hover()
    site.store.run(invite_annotators(1, labels=["Cleo"]))
    wait_for_refresh(page)
    expect(page.get_by_role("rowheader", name="Cleo")).to_have_count(0)
    page.mouse.move(0, 0)
    wait_for_refresh(page)
    expect(page.get_by_role("rowheader", name="Cleo")).to_be_visible()


def test_a_hidden_tab_asks_for_nothing_and_looks_at_once_when_it_is_seen(site: Site) -> None:
    page = researcher(site, "/links")
    wait_for_refresh(page)
    _set_visibility(page, "hidden")
    before = asked(site)
    page.clock.run_for(10 * EVERY_MS)
    assert asked(site) == before
    site.store.run(invite_annotators(1, labels=["Ada"]))
    _set_visibility(page, "visible")
    expect(page.get_by_role("rowheader", name="Ada")).to_be_visible()
    assert asked(site) == before + 1


def _set_visibility(page: Page, state: str) -> None:
    page.evaluate(
        """state => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_a_server_that_does_not_answer_is_said_and_forgotten_when_it_does(
    tmp_path_factory: pytest.TempPathFactory, site: Site
) -> None:
    study = make_study(tmp_path_factory.mktemp("gone") / "study")
    with prepared_store(study) as store, reserved_port() as port:
        gone = Site("", store, site.browser, site.seen, site.contexts)
        with served(create_app(study, store), port=port) as gone.address:
            page = researcher(gone)
        page.clock.run_for(EVERY_MS)
        expect(page.get_by_text("The server does not answer")).to_be_visible()
        with served(create_app(study, store), port=port):
            wait_for_refresh(page)
            expect(page.get_by_text("The server does not answer")).to_have_count(0)


def test_a_copied_link_is_still_that_of_its_row_after_a_refresh(site: Site) -> None:
    site.store.run(invite_annotators(1, labels=["Ada"]))
    page = researcher(site, "/links", permissions=["clipboard-read", "clipboard-write"])
    site.store.run(invite_annotators(1, labels=["Grace"]))
    wait_for_refresh(page)
    page.get_by_role("button", name="Copy the link of Grace").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert str(site.store.run(fetch_annotators())[1].token) in page.evaluate("navigator.clipboard.readText()")


def test_signed_out_elsewhere_the_page_asks_for_the_key(site: Site) -> None:
    page = researcher(site)
    page.context.clear_cookies()
    page.clock.run_for(EVERY_MS)
    expect(page.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_without_script_the_same_page_is_had_by_a_reload(site: Site) -> None:
    page = site.context(java_script_enabled=False).new_page()
    page.goto(f"{site.address}/researcher")
    page.get_by_label("Key").fill(site.store.run(ensure_secret("researcher")))
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{site.address}/researcher/links")
    site.store.run(invite_annotators(1, labels=["Ada"]))
    page.reload()
    expect(page.get_by_role("rowheader", name="Ada")).to_be_visible()
