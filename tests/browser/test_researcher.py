"""The researcher's pages in a real browser."""

from collections.abc import Callable

from playwright.sync_api import Dialog, expect

from duologue.store import ensure_secret, fetch_annotators
from tests.browser.conftest import Site, is_told, whole_new_page
from tests.browser.test_annotator import answer

Serve = Callable[..., Site]


def test_the_printed_link_signs_in_and_leaves_no_key_in_the_address(site: Site) -> None:
    page = site.researcher()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    assert site.store.run(ensure_secret("researcher")) not in page.url
    assert all(site.store.run(ensure_secret("researcher")) not in request for request in site.seen.requests)
    assert site.seen.complaints == []


def test_the_link_signs_in_where_the_sign_in_page_is_open_already(site: Site) -> None:
    page = site.context().new_page()
    page.goto(f"{site.address}/researcher/sign-in")
    key = site.store.run(ensure_secret("researcher"))
    page.goto(f"{site.address}/researcher/sign-in#key={key}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    assert key not in page.url


def test_the_key_can_be_typed_without_script(site: Site) -> None:
    page = site.context(java_script_enabled=False).new_page()
    page.goto(f"{site.address}/researcher")
    page.get_by_label("Key").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not the key")
    page.get_by_label("Key").fill(site.store.run(ensure_secret("researcher")))
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")


def test_a_new_link_can_be_made_copied_and_used(site: Site) -> None:
    page = site.researcher(permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("link", name="Links").click()
    page.get_by_label("Names, one a line").fill("Ada\nGrace")
    with whole_new_page(page):
        page.get_by_role("button", name="Make links").click()
    with is_told(page, "button", "Copied"):
        page.get_by_role("button", name="Copy the link of Grace").click()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{site.address}/a/{site.store.run(fetch_annotators())[1].token}"
    page.goto(link)
    expect(page.get_by_role("button", name="I agree")).to_be_visible()


def test_an_annotator_is_blocked_with_a_reason_and_unblocked_again(serve: Serve) -> None:
    site = serve(onboarding=0, per_matchup=6, rest="[annotators]\nmax_judgments = 4\n")
    annotator = site.annotator()
    answer(annotator)
    page = site.researcher()
    page.get_by_role("link", name="Annotators").click()
    page.get_by_role("link", name="Ada").click()
    page.get_by_label("Reason").first.fill("always the left one")
    page.get_by_role("button", name="Block", exact=True).click()
    expect(page.get_by_text("always the left one").first).to_be_visible()
    annotator.reload()
    expect(annotator.get_by_text("You cannot go on in this study")).to_be_visible()
    page.get_by_label("Reason").first.fill("it was the study")
    page.get_by_role("button", name="Unblock", exact=True).click()
    expect(page.get_by_text("active")).to_be_visible()
    expect(page.get_by_role("cell", name="it was the study")).to_be_visible()
    annotator.reload()
    expect(annotator.get_by_text("Comparison 2 of 4")).to_be_visible()


def test_erasing_asks_first(site: Site) -> None:
    site.annotator()
    page = site.researcher()
    page.goto(f"{site.address}/researcher/annotators")
    asked: list[str] = []

    def refuse(dialog: Dialog) -> None:
        asked.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    with whole_new_page(page):
        page.get_by_role("link", name="Ada").click()
    page.get_by_label("Reason").nth(1).fill("asked for it")
    page.get_by_role("button", name="Erase").click()
    assert asked == ["Erase this annotator's identity and text for good?"]
    assert not site.store.run(fetch_annotators())[0].is_withdrawn


def test_a_lease_is_released(site: Site) -> None:
    annotator = site.annotator()
    answer(annotator)
    page = site.researcher()
    page.get_by_role("link", name="In progress").click()
    page.get_by_role("button", name="Release the assignment of Ada").click()
    expect(page.get_by_text("Nobody is judging anything at the moment.")).to_be_visible()


def test_the_table_is_downloaded(site: Site) -> None:
    annotator = site.annotator()
    answer(annotator, reason="so lively")
    page = site.researcher()
    page.get_by_role("link", name="Judgments").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    assert download.value.suggested_filename == "judgments.csv"
    assert "so lively" in download.value.path().read_text(encoding="utf-8")


def test_the_pages_fit_their_window(serve: Serve) -> None:
    site = serve(onboarding=0)
    answer(site.annotator())
    page = site.researcher()
    for width, height in ((1280, 900), (640, 400), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        for name in ("Overview", "Annotators", "Codes", "Judgments"):
            page.get_by_role("link", name=name, exact=True).click()
            expect(page.get_by_role("heading", level=1)).to_have_text(name)
            tabs = page.evaluate(BOXES, ".bar nav a")
            assert all(one["left"] >= 0 and one["right"] <= width for one in tabs), "no tab is cut"
            assert len({round(one["height"]) for one in tabs}) == 1, "no tab is of double height"
            if width == 1280:
                assert page.evaluate(WIDE) == 0, f"no column of {name} is cut"


WIDE = "[...document.querySelectorAll('.scroll')].filter(one => one.scrollWidth > one.clientWidth).length"
BOXES = "which => [...document.querySelectorAll(which)].map(one => one.getBoundingClientRect().toJSON())"
