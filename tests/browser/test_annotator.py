"""An annotator's whole way, in a real browser."""

import time
from collections.abc import Callable
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Page, Request, expect

from duologue.server import create_app, served
from duologue.store import fetch_annotators, fetch_judgments, invite_annotators, revoke_link
from tests.browser.conftest import Site, agree, drawn, is_told, read_all, whole_new_page
from tests.ports import reserved_port
from tests.server.conftest import prepared_store
from tests.server.studies import make_study
from tests.waiting import PATIENCE, wait_until

Serve = Callable[..., Site]


def assignment(page: Page) -> str:
    return str(page.locator("main").get_attribute("data-assignment"))


def choose(page: Page, choice: str = "1") -> None:
    page.locator(f"label.choice:has(input[value='{choice}'])").click()


def answer(page: Page, choice: str = "1", reason: str = "it listens") -> None:
    before = assignment(page)
    choose(page, choice)
    page.get_by_label("Why?").fill(reason)
    page.get_by_role("button", name="Submit").click()
    page.locator(f"main:not([data-assignment='{before}'])").wait_for()


def test_the_whole_way_from_link_to_code(site: Site) -> None:
    page = site.context().new_page()
    page.goto(site.link())
    expect(page.get_by_role("heading", level=1)).to_have_text("Which conversational partner is better?")
    agree(page)
    for number in range(1, 5):
        expect(page.get_by_text(f"Comparison {number} of 4")).to_be_visible()
        answer(page, choice="1" if number % 2 else "2", reason=f"reason {number}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert len(page.locator("code").inner_text()) >= 8
    assert [judgment.reason for judgment in site.judgments] == [f"reason {n}" for n in range(1, 5)]
    assert {judgment.seconds_kind for judgment in site.judgments} == {"visible"}
    assert site.seen.complaints == []


def test_nothing_is_asked_of_any_other_host_and_one_request_makes_a_cycle(site: Site) -> None:
    page = site.annotator()
    before = len(site.seen.requests)
    answer(page)
    answer(page)
    assert all(request.split()[1].startswith(site.address) for request in site.seen.requests)
    assert [request.rsplit("/", 1)[1] for request in site.seen.since(before)] == ["submit", "submit"]


def test_saved_is_said_after_every_answer(site: Site) -> None:
    page = site.annotator()
    with is_told(page, "[role=status]", "Saved"):
        answer(page)


def test_a_reload_goes_on_where_it_was_with_what_was_typed(site: Site) -> None:
    page = site.annotator()
    answer(page)
    before = assignment(page)
    choose(page, "2")
    page.get_by_label("Why?").fill("half a thou")
    page.reload()
    assert assignment(page) == before
    expect(page.get_by_label("Why?")).to_have_value("half a thou")
    expect(page.locator("input[value='2']")).to_be_checked()


def test_a_second_tab_goes_on_with_the_same_comparison(site: Site) -> None:
    first = site.annotator()
    second = first.context.new_page()
    second.goto(first.url)
    assert assignment(second) == assignment(first)
    answer(first, choice="1")
    answer(second, choice="2")
    assert assignment(second) == assignment(first)
    assert [judgment.answer for judgment in site.judgments] == [{"side": 1}]


def test_a_double_click_stores_one_judgment(site: Site) -> None:
    page = site.annotator()
    before = assignment(page)
    choose(page)
    page.get_by_role("button", name="Submit").dblclick()
    page.locator(f"main:not([data-assignment='{before}'])").wait_for()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("Comparison 2 of 4")).to_be_visible()
    assert len(site.judgments) == 1


def test_everything_can_be_done_by_keyboard(site: Site) -> None:
    page = site.context().new_page()
    page.goto(site.link())
    drawn(page)
    page.keyboard.press("Tab")
    with whole_new_page(page):
        page.keyboard.press("Enter")
    for key in ("1", "2", "1", "2"):
        page.get_by_role("radio").first.wait_for(state="attached")
        before = assignment(page)
        page.keyboard.press(key)
        page.keyboard.type(f"because of {key}")
        page.keyboard.press("Enter")
        page.locator(f"main:not([data-assignment='{before}'])").wait_for()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert [judgment.answer["side"] for judgment in site.judgments] == [1, 2, 1, 2]
    assert [judgment.reason for judgment in site.judgments][:2] == ["because of 1", "because of 2"]


def test_a_third_key_says_no_difference_where_that_is_offered(serve: Serve) -> None:
    site = serve(rest="[acute]\nties = true\n")
    page = site.annotator()
    before = assignment(page)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    page.locator(f"main:not([data-assignment='{before}'])").wait_for()
    assert site.judgments[0].answer == {"side": None}


def test_submitting_without_a_choice_says_what_is_missing(site: Site) -> None:
    page = site.annotator()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_have_text("Please choose one of the answers.")
    page.keyboard.press("1")
    expect(page.locator(".problem")).to_be_empty()
    assert site.judgments == []


def test_a_missing_reason_is_asked_for_where_it_is_required(serve: Serve) -> None:
    site = serve(rest='[acute]\nreason = "required"\n')
    page = site.annotator()
    choose(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_have_text("Please say in a few words why.")
    expect(page.get_by_label("Why?")).to_be_focused()


def test_everything_works_without_script(site: Site) -> None:
    page = site.context(java_script_enabled=False).new_page()
    page.goto(site.link())
    agree(page)
    for number in range(1, 5):
        expect(page.get_by_text(f"Comparison {number} of 4")).to_be_visible()
        choose(page)
        page.get_by_label("Why?").fill("plain")
        page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Thank you!")
    assert {judgment.seconds_kind for judgment in site.judgments} == {"wall"}
    assert len(site.judgments) == 4


def test_without_script_a_reload_after_sending_stores_nothing_twice(site: Site) -> None:
    page = site.annotator(java_script_enabled=False)
    choose(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("✓ Saved").or_(page.locator(".saved"))).to_be_visible()
    page.reload()
    page.go_back()
    page.go_forward()
    assert len(site.judgments) == 1


def seconds_in(request: Request) -> float:
    """What the page counted; the store takes no more than really passed."""
    return float(parse_qs(request.post_data or "")["seconds"][0])


def test_seconds_count_only_while_the_page_can_be_seen(site: Site) -> None:
    started = time.monotonic()
    page = site.context().new_page()
    page.clock.install()
    page.goto(site.link())
    agree(page)
    page.get_by_role("radio").first.wait_for(state="attached")
    page.clock.run_for(10_000)
    _set_visibility(page, "hidden")
    page.clock.run_for(60_000)
    _set_visibility(page, "visible")
    page.clock.run_for(5_000)
    page.keyboard.press("1")
    with page.expect_request("**/submit") as sent:
        page.keyboard.press("Enter")
    assert 15 <= seconds_in(sent.value) <= 15 + time.monotonic() - started


def _set_visibility(page: Page, state: str) -> None:
    page.evaluate(
        """state => {
            Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        }""",
        state,
    )


def test_seconds_go_on_after_a_reload(site: Site) -> None:
    page = site.context().new_page()
    page.clock.install()
    page.goto(site.link())
    agree(page)
    page.get_by_role("radio").first.wait_for(state="attached")
    page.clock.run_for(20_000)
    page.reload()
    drawn(page)
    page.clock.run_for(5_000)
    page.keyboard.press("1")
    with page.expect_request("**/submit") as sent:
        page.keyboard.press("Enter")
    assert seconds_in(sent.value) >= 25


def test_text_is_shown_exactly_as_written(serve: Serve) -> None:
    texts = (
        "  two  spaces, a\ttab\nand\n\na new line ",
        "<script>alert('one')</script><img src=x onerror=alert('two')>",
        "\"><svg onload=alert('three')> {{ 7 * 7 }} javascript:alert(1)",
        "&lt;b&gt; &amp; e\u0301 👩‍👩‍👧 \u202eevil\u202c",
        "word" * 200,
    )
    site = serve(texts=texts)
    page = site.annotator()
    shown = page.locator("#conversation-1 .text").all_text_contents()
    assert shown == list(texts)
    styles = page.locator("#conversation-1 .text").first.evaluate("e => getComputedStyle(e).whiteSpace")
    assert styles.startswith("pre-wrap") or styles == "break-spaces"
    page.wait_for_timeout(100)
    assert site.seen.complaints == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_an_image_is_shown_when_it_is_part_of_the_dialogue(serve: Serve) -> None:
    pixel = (
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5E"
        "rkJggg=="
    )
    site = serve(images=(pixel,))
    page = site.annotator()
    images = page.locator("#conversation-1 img")
    expect(images).to_have_count(1)
    assert images.first.evaluate("image => image.complete && image.naturalWidth") == 1
    assert site.seen.complaints == []


@pytest.mark.parametrize("width", [390, 320])
def test_on_a_phone_nothing_scrolls_sideways_and_the_question_stays_in_sight(site: Site, width: int) -> None:
    page = site.context(viewport={"width": width, "height": 844}, has_touch=True).new_page()
    page.goto(site.link())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    with whole_new_page(page):
        page.get_by_role("button", name="I agree").tap()
    page.get_by_role("radio").first.wait_for(state="attached")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.get_by_role("group", name="Who would you prefer")).to_be_in_viewport()
    page.get_by_role("link", name="Conversation 2").tap()
    expect(page.get_by_role("heading", name="Conversation 2")).to_be_in_viewport()
    expect(page.get_by_role("group", name="Who would you prefer")).to_be_in_viewport()
    read_all(page)
    page.locator("label.choice").nth(1).tap()
    expect(page.get_by_role("button", name="Submit")).to_be_in_viewport()
    page.get_by_label("Why?").fill("small but fine")
    page.get_by_role("button", name="Submit").tap()
    expect(page.get_by_text("Comparison 2 of 4")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(site.judgments) == 1


def test_on_a_desk_each_dialogue_scrolls_on_its_own(serve: Serve) -> None:
    site = serve(texts=tuple(f"turn {number}\nof many" for number in range(40)))
    page = site.annotator(viewport={"width": 1280, "height": 800})
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    first = page.locator("#conversation-1 .turns")
    first.hover()

    def is_moved_by_the_wheel() -> bool:
        page.mouse.wheel(0, 50)  # a browser drops what comes before it has drawn the page
        return bool(first.evaluate("e => e.scrollTop > 0"))

    wait_until(is_moved_by_the_wheel, "the first dialogue is scrolled")
    assert page.locator("#conversation-2 .turns").evaluate("e => e.scrollTop") == 0
    expect(page.get_by_role("button", name="Submit")).to_be_in_viewport()


def test_a_study_from_right_to_left_is_laid_out_that_way(serve: Serve) -> None:
    site = serve(study='lang = "ar"\ndir = "rtl"', texts=("مرحبا، كيف حالك؟", "أنا بخير", "hello", "bye"))
    page = site.annotator()
    assert page.evaluate("getComputedStyle(document.documentElement).direction") == "rtl"
    first, second = (
        page.locator("#conversation-1").bounding_box(),
        page.locator("#conversation-2").bounding_box(),
    )
    assert first
    assert second
    assert first["x"] > second["x"]
    directions = page.locator("#conversation-1 .text").evaluate_all(
        "all => all.map(e => getComputedStyle(e).direction)"
    )
    assert directions == ["rtl", "rtl", "ltr", "ltr"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_text_from_right_to_left_reads_so_in_a_study_that_does_not(serve: Serve) -> None:
    site = serve(texts=("שלום", "hello"))
    page = site.annotator()
    directions = page.locator("#conversation-1 .text").evaluate_all(
        "all => all.map(e => getComputedStyle(e).direction)"
    )
    assert directions == ["rtl", "ltr"]


def test_when_the_server_is_gone_nothing_typed_is_lost(
    tmp_path_factory: pytest.TempPathFactory, site: Site
) -> None:
    study = make_study(tmp_path_factory.mktemp("gone") / "study", rest="[annotators]\nmax_judgments = 3\n")
    with prepared_store(study) as store, reserved_port() as port:
        token = store.run(invite_annotators(1))[0].token
        with served(create_app(study, store), port=port) as address:
            page = site.context().new_page()
            page.goto(f"{address}/a/{token}")
            agree(page)
            choose(page)
            page.get_by_label("Why?").fill("worth keeping")
        page.get_by_role("button", name="Submit").click()
        expect(page.get_by_role("alert")).to_contain_text("was not saved")
        expect(page.get_by_label("Why?")).to_have_value("worth keeping")
        with served(create_app(study, store), port=port):
            page.get_by_role("button", name="Submit").click()
            expect(page.get_by_text("Comparison 2 of")).to_be_visible()
        assert [judgment.reason for judgment in store.stream(fetch_judgments())] == ["worth keeping"]


def test_a_link_withdrawn_meanwhile_is_told_at_the_next_answer(site: Site) -> None:
    page = site.annotator()
    site.store.run(revoke_link(site.store.run(fetch_annotators())[0].id))
    choose(page)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("This link does not work any more")).to_be_visible()
    assert site.judgments == []


def test_the_pages_work_in_the_frame_of_another_site(site: Site, serve: Serve) -> None:
    page = site.context(bypass_csp=True).new_page()
    page.goto(site.address.replace("127.0.0.1", "localhost") + "/")
    page.evaluate(
        "link => { const f = document.createElement('iframe'); f.src = link; f.width = 1000; f.height = 700;"
        " document.body.append(f); }",
        site.link(),
    )
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="I agree").click()
    expect(frame.get_by_text("Comparison 1 of 4")).to_be_visible()
    frame.locator("label.choice").first.click()
    expect(frame.locator("label.choice input").first).to_be_checked()
    frame.get_by_role("button", name="Submit").click()
    try:
        expect(frame.get_by_text("Comparison 2 of 4")).to_be_visible(timeout=1_000 * PATIENCE / 4)
    except AssertionError:  # the page says that nothing was saved when the machine is too slow: once more
        frame.get_by_role("button", name="Submit").click()
        expect(frame.get_by_text("Comparison 2 of 4")).to_be_visible()
    assert len(site.judgments) == 1
