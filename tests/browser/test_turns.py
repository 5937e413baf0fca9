"""Two chats at once, and finished chats read turn by turn: in a real browser, on a desk and on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from duologue.dialogues import Source
from duologue.per_turn import turn_of, write_turns
from duologue.per_turn.finished.study import reread_study
from duologue.server import create_app, served
from duologue.store import fetch_chats, judgment_rows
from duologue.studies import Study, draw_items, load_study
from tests.browser.conftest import Seen, Site, agree, drawn, whole_new_page
from tests.browser.test_accessibility import faults
from tests.browser.test_keys import press
from tests.browser.test_layout import box, is_on_top, says_in_sight
from tests.per_turn import test_pages
from tests.per_turn.chats import MadeUp, made_up
from tests.per_turn.test_pages import serving as serving_turns
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


@contextmanager
def serving(study: Study, browser: Browser) -> Iterator[Site]:
    store = prepared_store(study)
    with served(create_app(study, store)) as address:
        site = Site(address, store, browser, Seen())
        yield site
        for context in site.contexts:
            context.close()
    store.close()


def is_fine(page: Page) -> bool:
    """Whether a page is accessible and no wider than its window, on a desk and on a phone."""
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    return True


def test_two_chats_are_held_side_by_side_and_compared(tmp_path: Path, browser: Browser) -> None:
    study = make_chat_study(
        tmp_path / "s",
        bots=(("ann", "echo"), ("bob", "told")),
        chat="min_exchanges = 1\nmax_exchanges = 2\n",
        acute="ties = true",
        personas=(),
    )
    with serving(study, browser) as site:
        page = site.context(viewport=DESK).new_page()
        page.goto(site.link())
        agree(page)
        for number, text in enumerate(("Hello there", "And you?"), 1):
            page.get_by_label("Your message").fill(text)
            page.keyboard.press("Enter")
            expect(page.locator(".turn.judged")).to_have_count(2 * number)
            assert is_fine(page)
        left, right = (page.locator(f".turn.side-{side}").first.bounding_box() for side in (1, 2))
        assert left
        assert right
        assert left["x"] + left["width"] <= right["x"]
        page.set_viewport_size(PHONE)
        page.reload()
        drawn(page)
        page.get_by_role("radio").first.wait_for(state="attached")
        assert is_fine(page)
        page.keyboard.press("3")
        page.get_by_label("Why?").fill("because")
        page.get_by_role("button").last.click()
        expect(page.locator("main code")).to_be_visible()
        (chat,) = site.store.run(fetch_chats())
        assert (chat.judgment != "", len(chat.dialogues)) == (True, 2)
        assert site.seen.complaints == []


def test_a_finished_chat_is_read_turn_by_turn(tmp_path: Path, browser: Browser) -> None:
    source = tmp_path / "turns.jsonl"
    write_turns(made_up(MadeUp({"mint": 0.6, "sage": 0.4}, annotators=1, turns=3), 1), source)
    reread_study(tmp_path / "again", source, seed=8)
    study = load_study(tmp_path / "again")
    draw_items(study)
    with serving(study, browser) as site:
        page = site.context(viewport=DESK).new_page()
        page.goto(site.link())
        agree(page)
        for turn in range(1, 4):
            expect(page.locator(".turn.partner")).to_have_count(turn)
            expect(page.locator(".next-replies")).to_have_text("What the speaker could reply to the partner:")
            assert is_fine(page)
            cards = page.locator(".candidate .text").all_inner_texts()
            page.reload()
            drawn(page)
            assert page.locator(".candidate .text").all_inner_texts() == cards
            page.keyboard.press("3" if turn == 2 else "1")  # none of these
            page.keyboard.press("Enter")
        expect(page.locator("main code")).to_be_visible()  # nothing more is asked, and nothing to be pressed
        (row,) = judgment_rows(study, site.store)
        records = row["turns"]
        assert isinstance(records, list)
        turns = [turn_of(record, Source(source)) for record in records]
        assert [sum(turn.selected().values()) for turn in turns] == [1, 0, 1]
        assert all(turn.seconds is not None and turn.participant == "ann-d0" for turn in turns)
        assert site.seen.complaints == []


def test_every_question_about_the_cards_is_answered_by_key(tmp_path: Path, browser: Browser) -> None:
    with serving_turns(tmp_path / "s", ways=("upper", "title")) as site:
        seen = Site(site.address, site.store, browser, Seen())
        page = seen.context(viewport=DESK).new_page()
        page.goto(seen.link())
        agree(page)
        page.get_by_label("Your message").fill("hello there")
        press(page, "Enter")
        expect(asked(page, "chosen")).to_be_focused()
        assert is_fine(page)
        press(page, "2", "Enter", "1", "3")  # none of these, in the place of the first
        assert ticked(page) == ["chosen=2", "also_human=none"]
        page.reload()
        drawn(page)
        assert ticked(page) == ["chosen=2", "also_human=none"]
        page.locator("input[name=also_human]").last.focus()
        press(page, "1", "Enter")
        expect(page.locator(".turn")).to_have_count(2)
        page.get_by_label("Your message").fill("And then?")
        press(page, "Enter")
        expect(asked(page, "chosen")).to_be_focused()
        press(page, "3", "Enter")  # none of these: a better one is written when all is answered
        expect(asked(page, "also_human")).to_be_focused()
        press(page, "Enter")
        said = "Please answer: Which replies sound human? Select all that apply."
        expect(page.locator(".problem")).to_have_text(said)
        press(page, "1", "2", "Enter")
        expect(page.locator("textarea[name=written]")).to_be_focused()
        expect(page.locator(".problem")).to_be_empty()
        press(page, "There are 2 better replies.", "Enter")
        expect(page.get_by_role("link", name="Go on")).to_be_focused()
        with whole_new_page(page):
            press(page, "Enter")
        press(page, "2", "Enter")
        expect(page.locator("main code")).to_be_visible()
        (row,) = judgment_rows(site.study, site.store)
        records = row["turns"]
        assert isinstance(records, list)
        turns = [turn_of(record, Source(tmp_path)) for record in records]
        assert [sum(turn.selected().values()) for turn in turns] == [1, 0]
        assert [sum(turn.selected("human").values()) for turn in turns] == [1, 2]
        for context in seen.contexts:
            context.close()


@pytest.mark.parametrize("size", [DESK, PHONE, {"width": 640, "height": 400}, {"width": 844, "height": 390}])
def test_a_written_reply_that_is_too_short_has_the_focus_again(
    tmp_path: Path, browser: Browser, size: ViewportSize
) -> None:
    with serving_turns(tmp_path / "s", ways=("upper", "title")) as site:
        seen = Site(site.address, site.store, browser, Seen())
        page = seen.context(viewport=size).new_page()
        page.goto(seen.link())
        agree(page)
        page.get_by_label("Your message").fill("hello there")
        press(page, "Enter")
        expect(asked(page, "chosen")).to_be_focused()
        press(page, "3", "Enter")
        expect(asked(page, "also_human")).to_be_focused()
        if size == DESK:
            expect(page.locator(".keys:visible")).to_have_text(re.compile("the question in bold"))
        press(page, "3", "Enter")
        if size == DESK:
            expect(page.locator(".keys:visible")).to_have_text(re.compile("Escape to leave the text box"))
        press(page, "21", "Enter")
        says_in_sight(
            page,
            "Please write a better reply, with at least 10 characters.",
            page.locator("textarea[name=written]"),
        )
        press(page, " dogs and 12 cats", "Enter")
        expect(page.locator(".turn .text").last).to_have_text("21 dogs and 12 cats")
        for context in seen.contexts:
            context.close()


def test_numbers_answer_one_question_after_the_other_about_the_whole_chat(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = '\n[[per-turn.questions]]\nname = "again"\ntext = "Again?"\nlabels = ["No", "Maybe", "Yes"]\n'
    text = test_pages.STUDY.replace('labels = ["No", "Yes"]\n', 'labels = ["No", "Yes"]\n' + more)
    monkeypatch.setattr(test_pages, "STUDY", text)
    with serving_turns(tmp_path / "s", ways=("upper", "title")) as site:
        seen = Site(site.address, site.store, browser, Seen())
        page = seen.context(viewport=DESK).new_page()
        page.goto(seen.link())
        agree(page)
        for turn in ("hello there", "and you?"):
            page.get_by_label("Your message").fill(turn)
            press(page, "Enter")
            expect(asked(page, "chosen")).to_be_focused()
            press(page, "1", "Enter", "1", "Enter")
            expect(page.locator("form.cards")).to_have_count(0)
        expect(page.get_by_role("link", name="Go on")).to_be_focused()
        with whole_new_page(page):
            press(page, "Enter")
        expect(page.locator(".keys")).to_have_text(
            "Keys: the number of an answer to choose it, Enter to go on"
        )
        expect(page.locator(".keys")).to_be_visible()
        press(page, "2", "Enter")
        expect(asked(page, "whole_again")).to_be_focused()
        expect(page.locator(".problem")).to_be_empty()  # nothing was sent, nothing is wrong
        press(page, "Enter")
        says_in_sight(page, "Please choose one of the answers.", asked(page, "whole_again"))
        expect(page.get_by_role("radio", checked=True)).to_have_count(1)
        press(page, "3", "Enter")
        expect(page.locator("main code")).to_be_visible()
        (row,) = judgment_rows(site.study, site.store)
        assert (row["whole_fun"], row["whole_again"]) == (2, 3)
        for context in seen.contexts:
            context.close()


def asked(page: Page, field: str) -> Locator:
    """The question that these cards answer."""
    return page.locator(f"[data-question={field}]")


@pytest.mark.parametrize("size", [DESK, PHONE])
@pytest.mark.parametrize("arm", ["soba", "sata-user"])
def test_no_card_stands_out_when_replies_arrive(
    tmp_path: Path, browser: Browser, arm: str, size: ViewportSize
) -> None:
    with serving_turns(tmp_path / "s", ways=("upper", "title"), arm=arm) as site:
        seen = Site(site.address, site.store, browser, Seen())
        page = seen.context(viewport=size).new_page()
        page.goto(seen.link())
        agree(page)
        for turn in ("hello there", "and you?"):
            page.get_by_label("Your message").fill(turn)
            press(page, "Enter")
            expect(asked(page, "chosen")).to_be_focused()
            assert looks_of_cards(page) == 1
            page.reload()
            drawn(page)
            expect(asked(page, "chosen")).to_be_focused()
            assert looks_of_cards(page) == 1
            press(page, "Enter")  # nothing is chosen yet: this is said, and no card is proposed
            expect(page.locator(".problem")).not_to_be_empty()
            assert looks_of_cards(page) == 1
            press(page, "2", "Enter")
            assert ticked(page) == ["chosen=2"]
            assert looks_of_cards(page) == 2
            expect(asked(page, "also_human")).to_be_focused()
            press(page, "1", "Enter")
            expect(page.locator("form.cards")).to_have_count(0)
        for context in seen.contexts:
            context.close()


LONG_REPLIES = """
def upper(messages):
    return (
        "Oh, that sounds lovely! I went to the sea last summer with my sister and her two dogs, and we "
        "stayed for nearly a week. Where were you?"
    )

def title(messages):
    return (
        "I have never been there myself, but I would like to go one day. What did you like most about it, "
        "the food or the people?"
    )

def backwards(messages):
    return (
        "That is nice. My father worked as an electrician near the harbour, so we often watched the boats "
        "come home in the evening together."
    )

def fourth(messages):
    return (
        "Interesting! Tell me more about what you did there, because I am planning a holiday with friends "
        "and do not know where to go yet."
    )
"""
FOUR = ("upper", "title", "backwards", "fourth")


@contextmanager
def four_replies(folder: Path, browser: Browser, arm: str, **settings: Any) -> Iterator[Page]:
    """A page with four replies of 25 words, about which two things are asked."""
    with serving_turns(folder, code=LONG_REPLIES, ways=FOUR, arm=arm) as site:
        seen = Site(site.address, site.store, browser, Seen())
        page = seen.context(**settings).new_page()
        page.goto(seen.link())
        agree(page)
        page.get_by_label("Your message").fill("Hello! I just came back from a week at the sea.")
        page.get_by_role("button", name="Send").click()
        expect(page.locator("form.cards")).to_be_visible()
        yield page
        assert [one for one in seen.seen.complaints if "422" not in one] == []  # what is too short is refused
        for context in seen.contexts:
            context.close()


@pytest.mark.parametrize("arm", ["soba", "sata-random", "sata-user"])
def test_four_replies_and_two_questions_fit_on_a_desk(tmp_path: Path, browser: Browser, arm: str) -> None:
    with four_replies(tmp_path / "s", browser, arm, viewport={"width": 1280, "height": 900}) as page:
        cards = page.locator(".candidate:not(.none)")
        expect(cards).to_have_count(4)  # each reply stands on the page once
        for card in cards.all():
            expect(card.locator("[name=chosen], [name=also_human]")).to_have_count(2)
            left, top, right, bottom = box(card)
            columns = [box(part)[::2] for part in card.locator(".aspect").all()]
            assert columns == [
                box(part)[::2] for part in page.locator(".candidate").last.locator(".aspect").all()
            ]
            for part in card.locator(".text, .aspect").all():
                inner = box(part)
                assert left <= inner[0] < inner[2] <= right
                assert top <= inner[1] < inner[3] <= bottom
            assert is_on_top(card.locator(".text"))
        parts = [*page.locator("[data-question]").all(), *page.locator(".candidate").all()]
        go_on = page.get_by_role("button", name="Go on", exact=True)
        places = [box(part) for part in [*parts, go_on]]
        assert places[-1][3] <= 900
        for above, below in pairwise(places):
            assert above[3] <= below[1]  # nothing is under the button, or under another card
        assert box(page.locator(".turn").last)[3] <= places[0][1]
        if arm == "sata-user":
            press(page, "5", "Enter", "5", "Enter", "It should say where it has been.")  # none of these fits
            expect(page.locator("textarea[name=written]")).to_be_in_viewport(ratio=1)
            assert is_on_top(page.locator("textarea[name=written]"))
            expect(go_on).to_be_in_viewport(ratio=1)
        assert faults(page) == []


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (640, 400)])
def test_on_little_room_every_card_can_be_touched_and_the_button_stays(
    tmp_path: Path, browser: Browser, width: int, height: int
) -> None:
    size: ViewportSize = {"width": width, "height": height}
    with four_replies(tmp_path / "s", browser, "sata-random", viewport=size, has_touch=True) as page:
        go_on = page.get_by_role("button", name="Go on", exact=True)
        expect(page.locator("details.how")).not_to_have_attribute("open", "")  # what to do is folded up
        for question in page.locator(".ask bdi").all():
            assert question.evaluate("one => one.scrollWidth <= one.clientWidth")  # to its last word
        assert box(page.locator(".candidate .text").first)[3] <= box(go_on)[1]  # a whole reply is in sight
        for label in page.locator(".aspect bdi:not(.unseen)").all():
            assert label.evaluate("one => one.getClientRects().length") == 1
        for number in (1, 2, 3, 4):
            expect(go_on).to_be_in_viewport(ratio=1)
            assert is_on_top(go_on)
            for field in ("chosen", "also_human"):
                page.locator(f".aspect:has([name={field}][value='{number}'])").tap()
        assert len(ticked(page)) == 8
        if height > width:  # what is asked stays in sight
            for question in page.locator(".ask").all():
                expect(question).to_be_in_viewport(ratio=1)
                assert is_on_top(question)
        page.locator(".aspect:has([value=none])").tap()
        assert ticked(page) == ["chosen=1", "chosen=2", "chosen=3", "chosen=4", "also_human=none"]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert faults(page) == []
        go_on.tap()
        expect(page.locator("form.cards")).to_have_count(0)


@pytest.mark.parametrize("look", [{"has_touch": True, "is_mobile": True}, {}], ids=["touch", "mouse"])
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844), (844, 390), (640, 400)])
def test_the_button_stays_where_it_is_when_the_text_box_is_left(
    tmp_path: Path, browser: Browser, look: dict[str, Any], width: int, height: int
) -> None:
    size: ViewportSize = {"width": width, "height": height}
    with four_replies(tmp_path / "s", browser, "sata-user", viewport=size, **look) as page:
        go_on, written = page.get_by_role("button", name="Go on", exact=True), page.locator("[name=written]")
        for none in page.locator(".candidate.none .aspect").all():
            none.click()
        written.click()
        place = box(go_on)
        expect(page.locator(".keys:visible")).to_have_count(0 if look or width == 390 else 1)
        expect(page.locator(".shared kbd:visible")).to_have_count(0 if look or width == 390 else 5)
        written.blur()
        assert box(go_on) == place
        go_on.click()
        said = "Please write a better reply, with at least 10 characters."
        expect(page.locator(".problem")).to_have_text(said)
        expect(written).to_be_focused()
        assert box(written)[3] <= box(go_on)[1]
        written.fill("It should say where.")
        assert box(written)[3] <= box(go_on)[1]
        go_on.click()
        expect(page.locator("form.cards")).to_have_count(0)


def test_several_questions_are_answered_without_script(tmp_path: Path, browser: Browser) -> None:
    with four_replies(tmp_path / "s", browser, "soba", java_script_enabled=False) as page:
        page.locator("[name=chosen]").nth(2).check()
        page.locator("[name=also_human]").nth(0).check()
        assert ticked(page) == ["also_human=1", "chosen=3"]
        page.get_by_role("button", name="Go on", exact=True).click()
        expect(page.locator(".turn")).to_have_count(2)


def looks_of_cards(page: Page) -> int:
    """How many looks the cards of the first question have: colours, frames and shadows, outlines."""
    return int(
        page.evaluate(
            """() => {
                const cards = [...document.querySelectorAll(".choice:has([name=chosen])")];
                const look = (card) => {
                    const { border, outlineStyle, boxShadow, backgroundColor } = getComputedStyle(card);
                    return [border, outlineStyle, boxShadow, backgroundColor].join();
                };
                return new Set(cards.map(look)).size;
            }"""
        )
    )


def ticked(page: Page) -> list[str]:
    return [
        f"{one.get_attribute('name')}={one.get_attribute('value')}"
        for one in page.locator(".cards input:checked").all()
    ]
