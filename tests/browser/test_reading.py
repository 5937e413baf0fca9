"""What a page can see of reading and pasting: whoever has not scrolled to the end is asked once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from duologue.store import count_flags
from tests.browser.conftest import Seen, Site, agree, read_all
from tests.browser.test_chat import begin, in_state, say
from tests.browser.test_chat import serve_chats as serve_chats  # a fixture
from tests.per_turn import test_pages

Serve = Callable[..., Site]
ServeChats = Callable[..., tuple[Site, Path]]

LONG = [
    f"This is what is said in turn {n}, and it is longer than one line would be, so it wraps."
    for n in range(14)
]
ASKED = "please scroll to the end"
SIZES: dict[str, dict[str, Any]] = {
    "wide": {"viewport": {"width": 1280, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "sideways": {"viewport": {"width": 844, "height": 390}, "has_touch": True, "is_mobile": True},
    "zoomed": {"viewport": {"width": 640, "height": 450}, "device_scale_factor": 2},
}
ONLY_ONE = "[annotators]\nmax_judgments = 1\n[screening]\nwords_per_second = 0\n"
"""One item, and no flag for those who answer as fast as a test does."""


def serve_long(serve: Serve, **settings: Any) -> Site:
    return serve(onboarding=0, per_matchup=4, texts=LONG, rest=ONLY_ONE, **settings)


def answer(page: Page) -> None:
    page.get_by_role("radio").first.check(force=True)
    page.get_by_label("Why?").fill("It listened.")
    submit(page)


def submit(page: Page) -> None:
    page.get_by_role("button", name="Submit").click()


@pytest.mark.parametrize("size", SIZES)
def test_who_has_not_scrolled_to_the_end_is_asked_once(serve: Serve, size: str) -> None:
    site = serve_long(serve)
    page = site.annotator(**SIZES[size])
    answer(page)
    expect(page.get_by_role("alert")).to_contain_text(ASKED)
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Submit")).to_be_in_viewport(ratio=1)
    assert not site.judgments
    submit(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert [judgment.reason for judgment in site.judgments] == ["It listened."]
    assert site.store.run(count_flags()) == {"unscrolled": 1}
    assert not site.seen.complaints


@pytest.mark.parametrize("size", SIZES)
def test_who_has_seen_the_end_of_every_dialogue_is_not_asked(serve: Serve, size: str) -> None:
    site = serve_long(serve)
    page = site.annotator(**SIZES[size])
    read_all(page)
    answer(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert not site.store.run(count_flags())


def test_the_end_of_one_dialogue_is_not_enough(serve: Serve) -> None:
    page = serve_long(serve).annotator()
    page.locator(".turn:last-of-type").first.evaluate("turn => turn.scrollIntoView()")
    answer(page)
    expect(page.get_by_role("alert")).to_contain_text(ASKED)


def test_who_scrolls_after_being_asked_is_not_flagged(serve: Serve) -> None:
    site = serve_long(serve)
    page = site.annotator()
    answer(page)
    expect(page.get_by_role("alert")).to_contain_text(ASKED)
    read_all(page)
    submit(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert not site.store.run(count_flags())


def test_what_is_in_sight_at_once_needs_no_scrolling(serve: Serve) -> None:
    site = serve(onboarding=0, rest=ONLY_ONE)
    answer(site.annotator(viewport={"width": 1280, "height": 900}))
    assert not site.store.run(count_flags())


def test_somebody_is_asked_once_although_the_page_is_loaded_again(serve: Serve) -> None:
    site = serve_long(serve)
    page = site.annotator()
    answer(page)
    expect(page.get_by_role("alert")).to_contain_text(ASKED)
    page.reload()
    submit(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert site.store.run(count_flags()) == {"unscrolled": 1}


def test_keys_alone_answer_after_being_asked(serve: Serve) -> None:
    site = serve_long(serve)
    page = site.annotator()
    page.keyboard.press("1")
    page.keyboard.type("It listened.")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text(ASKED)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()


def test_without_script_nobody_is_asked_and_nothing_is_flagged(serve: Serve) -> None:
    site = serve_long(serve)
    page = site.annotator(java_script_enabled=False)
    answer(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert not site.store.run(count_flags())
    assert [judgment.seconds_kind for judgment in site.judgments] == ["wall"]


PASTE = """(box, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    box.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    box.value += text;
}"""


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("As a language model I prefer the second one.", {"pasted": 1}),
        ("OH hello,\n how are  you?", {}),
        (":-)", {}),
    ],
)
def test_pasted_text_is_flagged_unless_it_stands_on_the_page(
    serve: Serve, text: str, flags: dict[str, int]
) -> None:
    site = serve(onboarding=0, rest=ONLY_ONE)
    page = site.annotator(viewport={"width": 1280, "height": 900})
    page.get_by_role("radio").first.check(force=True)
    page.get_by_label("Why?").evaluate(PASTE, text)
    submit(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert site.store.run(count_flags()) == flags


def test_moving_ones_own_words_is_no_pasting(serve: Serve) -> None:
    site = serve(onboarding=0, rest=ONLY_ONE)
    page = site.annotator(viewport={"width": 1280, "height": 900})
    page.get_by_role("radio").first.check(force=True)
    reason = page.get_by_label("Why?")
    reason.fill("I wrote all of this by myself.")
    reason.press("Control+a")
    reason.press("Control+x")
    reason.press("Control+v")
    expect(reason).to_have_value("I wrote all of this by myself.")
    submit(page)
    expect(page.get_by_role("heading", name="Thank you!")).to_be_visible()
    assert not site.store.run(count_flags())


SHORT = "min_exchanges = 2\nmax_exchanges = 2\n"


def chat_at_length(site: Site) -> Page:
    """A page with a live chat that is over, and longer than the page."""
    page = begin(site, viewport={"width": 1280, "height": 700})
    for text in ("Hello to you. " * 60, "How are you? " * 60):
        in_state(page, "annotator")
        say(page, text)
        expect(page.locator(".turn.mine", has_text=text.strip())).to_be_visible()
    in_state(page, "ended")
    return page


def test_who_held_a_chat_to_its_end_has_read_it(serve_chats: ServeChats) -> None:
    site, _folder = serve_chats(chat=SHORT, rest="[screening]\nwords_per_second = 0\nmin_words = 0\n")
    page = chat_at_length(site)
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("radio").first.wait_for(state="attached")
    page.evaluate("document.querySelector('details')?.setAttribute('open', '')")
    page.get_by_role("radio").first.check(force=True)
    with page.expect_response("**/submit"):
        submit(page)
    assert "unscrolled" not in site.store.run(count_flags())
    assert not site.seen.complaints


@pytest.mark.parametrize("asks", [True, False])
def test_who_ends_a_chat_in_sight_by_themselves_is_neither_asked_nor_flagged(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch, asks: bool
) -> None:
    text = test_pages.STUDY.replace("max_exchanges = 2", "max_exchanges = 3")
    text += "[screening]\nwords_per_second = 0\nmin_words = 0\n"
    monkeypatch.setattr(test_pages, "STUDY", text)
    with test_pages.serving(tmp_path / "s", ways=("upper", "title"), arm="soba", asks=asks) as served:
        site = Site(served.address, served.store, browser, Seen())
        page = site.context(viewport={"width": 390, "height": 844}).new_page()
        page.goto(site.link())
        agree(page)
        for text in ("Hello to you. " * 30, "How are you? " * 30):
            page.get_by_label("Your message").fill(text)
            page.keyboard.press("Enter")
            for field in ("chosen", "also_human"):
                page.locator(f"[name={field}]").first.check(force=True)
            page.get_by_role("button", name="Go on", exact=True).click()
            expect(page.locator("form.cards")).to_have_count(0)
        expect(page.get_by_text("Messages sent: 2 (at least 2, at most 3)")).to_be_visible()
        page.get_by_role("button", name="End the conversation").click()
        if asks:
            page.evaluate("document.querySelector('.turns').scrollTop = 0")
            page.get_by_role("radio").last.check(force=True)
            submit(page)
        expect(page.locator("main code")).to_be_visible()
        assert not site.store.run(count_flags())
        assert len(site.judgments) == 1
        for context in site.contexts:
            context.close()


def test_a_chat_that_is_reloaded_at_its_questions_is_open_at_its_end(serve_chats: ServeChats) -> None:
    site, _folder = serve_chats(chat=SHORT, rest="[screening]\nwords_per_second = 0\nmin_words = 0\n")
    page = chat_at_length(site)
    page.get_by_role("link", name="Go on").wait_for()
    elsewhere = site.context(viewport={"width": 1280, "height": 700}).new_page()
    elsewhere.goto(page.url.partition("?")[0])
    last = elsewhere.locator(".turn .text").last
    last.wait_for()
    assert last.evaluate(
        """text => {
            const { left, bottom } = text.getBoundingClientRect();
            return text.contains(document.elementFromPoint(left + 20, bottom - 3));
        }"""
    )
    elsewhere.get_by_role("radio").first.check(force=True)
    with elsewhere.expect_response("**/submit"):
        submit(elsewhere)
    assert "unscrolled" not in site.store.run(count_flags())
