"""Live chats and ratings in a real browser: with script and without, on a desk and on a phone."""

import re
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Browser, Page, Route, expect

from duologue.server import create_app, served
from duologue.server.annotator.changes import MOST_FOLLOWERS
from duologue.store import fetch_chat_dialogues, fetch_chats, invite_annotators, open_store
from tests.browser.conftest import Seen, Site, agree, drawn, interfere_once, whole_new_page
from tests.browser.test_accessibility import faults_in_every_look
from tests.end_to_end.loaded_server import Server
from tests.server.chat_studies import asked, make_chat_study
from tests.server.conftest import prepared_store
from tests.store.small_chats import credits_of
from tests.waiting import PATIENCE, wait_until

Serve = Callable[..., tuple[Site, Path]]
TWO_QUESTIONS = (
    "persona_detection = true\n"
    '[[likert.questions]]\nname = "enjoyment"\ntext = "How much did you enjoy it?"\n'
    'labels = ["Not at all", "A little", "Somewhat", "A lot"]\n'
)
SHORT = "min_exchanges = 1\nmax_exchanges = 1\n"


@pytest.fixture
def serve_chats(tmp_path: Path, browser: Browser) -> Iterator[Serve]:
    """Serves a study of live chats to a browser; gives its folder too, where the bots look for signs."""
    ends: list[Callable[[], object]] = []

    def start(**settings: Any) -> tuple[Site, Path]:
        study = make_chat_study(tmp_path / f"study-{len(ends)}", **settings)
        store = prepared_store(study)
        serving = served(create_app(study, store))
        site = Site(serving.__enter__(), store, browser, Seen())

        def end() -> None:
            for context in site.contexts:
                context.close()
            serving.__exit__(None, None, None)
            store.close()

        ends.append(end)
        return site, study.folder

    yield start
    for end in ends:
        end()


def begin(site: Site, **settings: Any) -> Page:
    """A page with a chat on it, consent given."""
    page = site.context(**settings).new_page()
    page.goto(site.link())
    agree(page)
    page.locator("main.chat").wait_for()
    if settings.get("java_script_enabled", True):
        script_has_begun(page)
    return page


def script_has_begun(page: Page) -> None:
    """Wait for it: before, Enter makes a new line."""
    page.locator("form[data-form=say][novalidate]").wait_for(state="attached")


def say(page: Page, text: str) -> None:
    script_has_begun(page)
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


def turns(page: Page) -> list[str]:
    return page.locator(".turn .text").all_inner_texts()


def in_state(page: Page, state: str) -> None:
    page.locator(f"main[data-chat-state={state}]").wait_for()


def test_the_whole_way_by_keyboard(serve_chats: Serve) -> None:
    site, _ = serve_chats(likert=TWO_QUESTIONS)
    page = begin(site)
    expect(page.get_by_label("Your message")).to_be_focused()
    page.keyboard.type("hello")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("you")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)
    assert turns(page) == ["hello\nyou", "You said: hello\nyou"]
    expect(page.get_by_label("Your message")).to_have_value("")
    for number, text in enumerate(("two", "three"), 2):
        in_state(page, "annotator")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        expect(page.locator(".turn")).to_have_count(2 * number)
    in_state(page, "ended")
    expect(page.get_by_role("link", name="Go on")).to_be_focused()
    with whole_new_page(page):
        page.keyboard.press("Enter")
    page.get_by_text("How much did you enjoy it?").wait_for()
    assert page.locator("input:checked").count() == 0
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    page.get_by_text("Which of these two characters").wait_for()
    page.keyboard.press("2")
    page.keyboard.type("they have 2 cats")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    (judgment,) = site.judgments
    assert judgment.answer["ratings"] == {"enjoyment": 4}
    assert judgment.reason == "they have 2 cats"
    assert judgment.seconds_kind == "wall"  # the conversation counts too
    assert site.seen.complaints == []


def test_turns_come_by_themselves_and_what_is_being_written_stays(serve_chats: Serve) -> None:
    site, folder = serve_chats(bots=(("sal", "slow"),))
    page = begin(site)
    say(page, "hello")
    expect(page.get_by_text("Your partner is typing…")).to_be_visible()
    before = len(site.seen.requests)
    page.get_by_label("Your message").fill("while you think")
    page.keyboard.press("Enter")  # not our turn yet: nothing is sent
    (folder / "go").touch()
    in_state(page, "annotator")
    assert turns(page) == ["hello", "Sorry, that took a while."]
    expect(page.get_by_label("Your message")).to_have_value("while you think")
    follows = ("/chat?", "/events?")
    assert [one for one in site.seen.since(before) if not any(sign in one for sign in follows)] == []
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(4)
    assert site.seen.complaints == []


def test_a_reload_and_a_second_device_show_the_same_chat(serve_chats: Serve) -> None:
    site, _ = serve_chats()
    page = begin(site)
    say(page, "hello")
    expect(page.locator(".turn")).to_have_count(2)
    page.get_by_label("Your message").fill("half a thou")
    page.reload()
    assert turns(page) == ["hello", "You said: hello"]
    expect(page.get_by_label("Your message")).to_have_value("half a thou")
    other = site.context().new_page()
    other.goto(page.url)
    drawn(other)
    assert turns(other) == turns(page)
    say(other, "from the phone")
    expect(page.locator(".turn")).to_have_count(4)
    assert turns(page) == ["hello", "You said: hello", "from the phone", "You said: from the phone"]
    expect(page.get_by_label("Your message")).to_have_value("half a thou")
    assert site.seen.complaints == []


def test_a_tab_whose_stream_gave_way_to_newer_ones_asks_instead(serve_chats: Serve) -> None:
    """It does not open its stream again at once, which would end the next tab's, and so on for ever."""
    site, _ = serve_chats()
    tabs = [begin(site)]
    for _ in range(MOST_FOLLOWERS):
        tabs.append(tabs[0].context.new_page())
        tabs[-1].goto(tabs[0].url)
        drawn(tabs[-1])
    for _ in range(3):
        with tabs[0].expect_response("**/chat?*"):
            pass
    assert sum("/events?" in request for request in site.seen.requests) == len(tabs)
    say(tabs[-1], "hello")
    for tab in tabs:
        expect(tab.locator(".turn")).to_have_count(2)
    assert site.seen.complaints == []


def test_where_streams_do_not_come_through_the_page_asks(serve_chats: Serve) -> None:
    site, folder = serve_chats(bots=(("sal", "slow"),))
    context = site.context()
    context.route("**/events?*", lambda route: route.abort())
    page = context.new_page()
    page.goto(site.link())
    agree(page)
    page.locator("main.chat").wait_for()
    say(page, "hello")
    in_state(page, "partner")
    (folder / "go").touch()
    in_state(page, "annotator")
    assert turns(page) == ["hello", "Sorry, that took a while."]
    assert any("/chat?" in request for request in site.seen.requests)


def test_when_the_answer_to_a_turn_is_lost_it_is_neither_lost_nor_doubled(serve_chats: Serve) -> None:
    site, _ = serve_chats()
    page = begin(site)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    interfere_once(page, "**/say", lose)
    say(page, "only once")
    expect(page.locator(".turn")).to_have_count(2)
    expect(page.get_by_label("Your message")).to_have_value("")
    say(page, "and on")
    expect(page.locator(".turn")).to_have_count(4)
    assert turns(page)[::2] == ["only once", "and on"]


def test_whose_reply_is_shown_before_the_turn_is_answered_can_go_on(serve_chats: Serve) -> None:
    site, _ = serve_chats()
    page = begin(site)
    held: list[tuple[Route, APIResponse]] = []
    interfere_once(page, "**/say", lambda route: held.append((route, route.fetch())))
    page.get_by_label("Your message").fill("one")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".turn")).to_have_count(2)
    in_state(page, "annotator")
    expect(page.get_by_label("Your message")).to_be_focused()
    say(page, "two")
    expect(page.locator(".turn")).to_have_count(4)
    page.get_by_label("Your message").fill("thr")
    page.keyboard.press("Escape")
    while not held:
        page.wait_for_timeout(10)
    ((route, answer),) = held
    with page.expect_event("requestfinished", lambda request: request.url.endswith("/say")):
        route.fulfill(response=answer)
    expect(page.locator(".log")).to_be_focused()
    expect(page.get_by_label("Your message")).to_have_value("thr")
    page.get_by_label("Your message").focus()
    page.keyboard.type("ee")
    page.keyboard.press("Enter")
    in_state(page, "ended")
    (dialogue,) = site.store.stream(fetch_chat_dialogues())
    assert [turn.text for turn in dialogue.turns][::2] == ["one", "two", "three"]
    assert site.seen.complaints == []


def test_when_a_turn_cannot_be_stored_it_stays_and_is_sent_again(serve_chats: Serve) -> None:
    site, _ = serve_chats()
    page = begin(site)
    interfere_once(page, "**/say", lambda route: route.abort())
    say(page, "hello")
    expect(page.get_by_role("alert")).to_have_text(
        "Your last answer was not saved. Please try again in a moment."
    )
    expect(page.get_by_label("Your message")).to_have_value("hello")
    page.keyboard.press("Enter")
    expect(page.locator(".turn")).to_have_count(2)


def test_killed_in_mid_reply_and_restarted_the_page_goes_on_by_itself(
    tmp_path: Path, browser: Browser
) -> None:
    study = make_chat_study(tmp_path / "study", bots=(("sal", "slow"),), chat=SHORT)
    with Server(study.folder) as server, closing(browser.new_context(base_url=server.address)) as context:
        context.set_default_timeout(1000 * PATIENCE)
        server.start()
        with open_store(study.database) as store:
            token = store.run(invite_annotators(1))[0].token
        page = context.new_page()
        page.goto(f"/a/{token}")
        agree(page)
        say(page, "are you there?")
        page.get_by_text("Your partner is typing…").wait_for()
        wait_until(lambda: asked(study) == 1, "the bot is asked")
        server.kill()
        (study.folder / "go").touch()
        server.start()
        page.locator("main[data-chat-state=ended]").wait_for()
        assert turns(page) == ["are you there?", "Sorry, that took a while."]
        page.get_by_role("link", name="Go on").click()
        page.get_by_role("radio").first.wait_for(state="attached")
        assert server.stop() == 0
    assert asked(study) == 2
    with open_store(study.database) as store:
        (dialogue,) = store.stream(fetch_chat_dialogues())
    assert [turn.text for turn in dialogue.turns] == ["are you there?", "Sorry, that took a while."]


def test_it_all_works_without_script(serve_chats: Serve) -> None:
    site, folder = serve_chats(bots=(("sal", "slow"),), likert=TWO_QUESTIONS, chat=SHORT)
    page = begin(site, java_script_enabled=False)
    page.get_by_label("Your message").fill("hello")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Your partner is typing…")).to_be_visible()
    (folder / "go").touch()
    in_state(page, "ended")  # by itself: the page looks again every three seconds
    assert turns(page) == ["hello", "Sorry, that took a while."]
    page.get_by_role("link", name="Go on").click()
    page.locator("label.choice").nth(2).click()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Back").click()
    page.locator("label.choice").nth(1).click()
    page.get_by_role("button", name="Next").click()
    page.locator("label.choice").nth(0).click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert site.judgments[0].answer["ratings"] == {"enjoyment": 2}


def test_a_failed_reply_can_be_tried_again_or_ended(serve_chats: Serve) -> None:
    site, folder = serve_chats(bots=(("fay", "failing"),))
    (folder / "broken").touch()
    page = begin(site)
    say(page, "hello")
    in_state(page, "failed")
    expect(page.get_by_text("Your partner could not answer.")).to_be_visible()
    expect(page.get_by_label("Your message")).to_be_hidden()
    (folder / "broken").unlink()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".turn")).to_have_count(2)
    (folder / "broken").touch()
    say(page, "once more")
    in_state(page, "failed")
    page.get_by_role("button", name="End the conversation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert site.seen.complaints == []


def test_what_is_said_about_a_failure_covers_no_turn_on_a_phone(serve_chats: Serve) -> None:
    site, folder = serve_chats(bots=(("fay", "failing"),))
    page = begin(site, viewport={"width": 390, "height": 600})
    say(page, "well, " * 160)
    expect(page.locator(".turn")).to_have_count(2)
    (folder / "broken").touch()
    say(page, "hello")
    in_state(page, "failed")
    words, turn = page.locator(".now .words").bounding_box(), page.locator(".turn").last.bounding_box()
    assert words is not None
    assert turn is not None
    assert words["y"] >= turn["y"] + turn["height"]
    log = page.locator(".log").bounding_box()
    assert log is not None
    assert words["y"] + words["height"] <= log["y"] + log["height"]


def test_two_people_meet_in_the_waiting_room(serve_chats: Serve) -> None:
    site, _ = serve_chats(bots=(), chat="human_partner = true\nmin_exchanges = 1\nmax_exchanges = 2\n")
    one = begin(site)
    expect(one.get_by_text("We are looking for a partner for you.")).to_be_visible()
    other = begin(site)
    in_state(one, "annotator")
    say(one, "hello you")
    expect(other.get_by_text("hello you")).to_be_visible()
    say(other, "hello <b>yourself</b>")
    expect(one.get_by_text("hello <b>yourself</b>")).to_be_visible()
    one.get_by_role("button", name="End the conversation").click()
    one.get_by_role("radio").first.wait_for(state="attached")
    in_state(other, "ended")
    assert site.seen.complaints == []


def test_it_reads_from_right_to_left(serve_chats: Serve) -> None:
    site, _ = serve_chats(study='lang = "he"\ndir = "rtl"', personas=[{"partner_persona": ["אני גנן."]}])
    page = begin(site)
    say(page, "שלום לך")
    expect(page.locator(".turn")).to_have_count(2)
    mine, theirs = (page.locator(f".{who} .text").bounding_box() for who in ("mine", "turn.partner"))
    assert mine is not None
    assert theirs is not None
    assert mine["x"] < theirs["x"]
    box, button = page.locator("#text").bounding_box(), page.locator(".say button").bounding_box()
    assert box is not None
    assert button is not None
    assert button["x"] < box["x"]
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_chats_and_ratings_are_accessible_and_fit(serve_chats: Serve) -> None:
    site, folder = serve_chats(
        bots=(("fay", "failing"),),
        likert=TWO_QUESTIONS,
        chat=SHORT.replace("max_exchanges = 1", "max_exchanges = 2"),
    )

    def check(page: Page) -> None:
        assert faults_in_every_look(page) == []

    page = begin(site)
    check(page)
    say(page, "a very long word: " + "x" * 300)
    expect(page.locator(".turn")).to_have_count(2)
    check(page)
    (folder / "broken").touch()
    say(page, "hello")
    in_state(page, "failed")
    check(page)
    (folder / "broken").unlink()
    page.get_by_role("button", name="Try again").click()
    in_state(page, "ended")
    check(page)
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("radio").first.wait_for(state="attached")
    check(page)
    page.locator("label.choice").nth(2).click()
    check(page)
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Which of these two characters").wait_for()
    check(page)
    researcher = site.researcher()
    (chat,) = site.store.run(fetch_chats())
    for path in ("/chats", f"/chats/{chat.id}", ""):
        researcher.goto(f"{site.address}/researcher{path}")
        check(researcher)
    assert site.seen.complaints == []


@pytest.mark.parametrize(
    ("width", "height"),
    [(1280, 900), (390, 844), (844, 390), (640, 450)],
    ids=["desk", "phone", "low", "zoom"],
)
def test_a_chat_is_read_while_it_is_rated(serve_chats: Serve, width: int, height: int) -> None:
    site, _ = serve_chats(likert=TWO_QUESTIONS, chat="min_exchanges = 3\nmax_exchanges = 3\n")
    page = begin(site, viewport={"width": width, "height": height})
    bar = page.get_by_role("progressbar")
    expect(page.get_by_text("Write the first message. You can begin with a greeting.")).to_be_visible()
    assert bar.evaluate("bar => bar.value / bar.max") == 0
    filled = []
    for number in (1, 2, 3):
        say(page, f"message {number}, about the sea")
        expect(page.locator(".turn.partner")).to_have_count(number)
        expect(page.get_by_text("Write the first message.")).to_have_count(0)
        filled.append(bar.evaluate("bar => bar.value / bar.max"))
    page.get_by_role("link", name="Go on to the questions").click()
    page.locator("main.rating").wait_for()
    expect(page.locator(".turn .text").last).to_be_in_viewport(ratio=1)  # nothing has to be opened
    expect(page.get_by_role("radio").last).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Next")).to_be_in_viewport(ratio=1)
    filled.append(bar.evaluate("bar => bar.value / bar.max"))
    page.get_by_role("radio").last.check()
    page.get_by_role("button", name="Next").click()
    page.get_by_text("Which of these two characters").wait_for()
    filled.append(bar.evaluate("bar => bar.value / bar.max"))
    assert filled == pytest.approx([1 / 4, 2 / 4, 3 / 4, 3 / 4, 7 / 8])
    expect(page.locator(".turn .text").last).to_be_in_viewport(ratio=1)
    assert page.locator(".turn .who").all_inner_texts() == ["You", "Partner"] * 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_waiting_room_is_accessible(serve_chats: Serve) -> None:
    site, _ = serve_chats(bots=(), chat="human_partner = true\n")
    page = begin(site)
    in_state(page, "waiting")
    assert faults_in_every_look(page) == []


def test_no_other_host_is_asked_for_anything(serve_chats: Serve) -> None:
    site, _ = serve_chats(chat=SHORT)
    page = begin(site)
    say(page, "hello")
    in_state(page, "ended")
    addresses = [re.sub(r"^\w+ ", "", request) for request in site.seen.requests]
    assert all(address.startswith(site.address) for address in addresses)


def test_whoever_is_kept_waiting_is_offered_to_end_with_credit(serve_chats: Serve) -> None:
    chat = "min_exchanges = 2\nmax_exchanges = 3\noffer_end_seconds = 2\n"
    site, _ = serve_chats(bots=(("sal", "slow"),), chat=chat)
    page = begin(site)
    with page.expect_response("**/say") as answer:
        say(page, "hello")
    assert re.search(r"<[^>]* data-offer-in=[^>]* hidden", answer.value.text())  # it is not there at once
    expect(page.get_by_text("Your partner takes long to answer.")).to_be_visible()
    page.get_by_role("button", name="End the conversation").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert credits_of(site.store) == ["bot-failed"]
