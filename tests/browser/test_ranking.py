"""Three dialogues ranked in a real browser: by keys, clicks and touch, on every screen, without script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from duologue.server import create_app, served
from tests.acute.ranked_study import TEXT, new_ranked_study
from tests.browser.conftest import Seen, Site, read_all
from tests.browser.test_accessibility import faults, faults_in_every_look
from tests.browser.test_keys import InputMethod, press, send
from tests.browser.test_layout import box, is_on_top
from tests.server.conftest import prepared_store

Ranked = Callable[..., Site]
NO_PAIRS = TEXT.replace("pairs_per_matchup = 4\n", "")


@pytest.fixture
def ranked(tmp_path: Path, browser: Browser) -> Iterator[Ranked]:
    """Serves a study of rankings; its annotators begin with an onboarding one."""
    ends: list[Callable[[], object]] = []

    def start(acute: str = "") -> Site:
        text = NO_PAIRS.replace('answer = "ranking"\n', f'answer = "ranking"\n{acute}')
        study = new_ranked_study(tmp_path / "s", text=text)
        store = prepared_store(study)
        serving = served(create_app(study, store))
        site = Site(serving.__enter__(), store, browser, Seen())
        ends.extend([store.close, lambda: serving.__exit__(None, None, None)])
        return site

    yield start
    for end in reversed(ends):
        end()


def chip(page: Page, place: int, speaker: int) -> Locator:
    return page.locator(f"input[name=rank-{place}][value='{speaker}']")


def ranks(site: Site) -> list[object]:
    return [judgment.answer["ranks"] for judgment in site.judgments]


def test_numbers_rank_from_the_first_to_the_last_and_the_last_goes_on_to_the_reason(ranked: Ranked) -> None:
    site = ranked()
    page = site.annotator()
    send(page, "2", "1", "3", "the 1st one is dull")
    press(page, "3", "1")
    expect(chip(page, 3, 2)).not_to_be_checked()  # it waits for its number, or for the reason
    expect(page.get_by_label("Why?")).not_to_be_focused()
    send(page, "all of it")  # what is typed after a ranking is the reason
    press(page, "1")
    page.keyboard.press("Backspace")
    expect(page.locator("input:checked")).to_have_count(0)
    press(page, "2", "2", "3", "1", "2")  # taken back, then all three
    expect(chip(page, 3, 2)).to_be_checked()
    method = InputMethod(page)
    method.press("1")
    expect(chip(page, 3, 2)).to_be_checked()
    press(page, "Escape")
    page.keyboard.press("Backspace")
    press(page, "1", "3", "2")
    method.compose("たの")
    for key in ("2", "Escape", "Enter"):
        method.press(key)
    method.commit("楽しい")
    method.press("Enter")
    send(page, " 3")
    assert ranks(site) == [[2, 1, 3], [2, 3, 1], [1, 3, 2]]
    reasons = [judgment.reason for judgment in site.judgments]
    assert reasons == ["the 1st one is dull", "all of it", "楽しい 3"]
    assert site.seen.complaints == []


def test_what_is_left_takes_the_last_place_and_a_changed_place_changes_two(ranked: Ranked) -> None:
    page = ranked('reason = "off"\n').annotator()
    chip(page, 1, 3).check(force=True)
    chip(page, 2, 1).check(force=True)
    expect(chip(page, 3, 2)).to_be_checked()
    chip(page, 1, 2).check(force=True)
    expect(chip(page, 3, 3)).to_be_checked()
    expect(chip(page, 2, 1)).to_be_checked()


@pytest.mark.parametrize("whole", [("2", "1"), ("2", "1", "3")], ids=["two-numbers", "three-numbers"])
def test_a_reason_that_begins_with_a_number_leaves_the_ranking_as_it_is(
    ranked: Ranked, whole: tuple[str, ...]
) -> None:
    site = ranked()
    page = site.annotator()
    send(page, *whole, "1st was dull, 2nd too")
    press(page, *whole, "no", "Escape")
    send(page, "2 3 1")  # Escape leaves the box; a number goes back to it
    assert ranks(site) == [[2, 1, 3]] * 2
    assert [judgment.reason for judgment in site.judgments] == ["1st was dull, 2nd too", "no2 3 1"]


@pytest.mark.parametrize(
    ("typed", "reason"),
    [("2133 times better", "3 times better"), ("2131st was dull", "1st was dull"), ("2133", "3")],
)
def test_after_three_numbers_every_number_is_of_the_reason(ranked: Ranked, typed: str, reason: str) -> None:
    site = ranked()
    page = site.annotator()
    expect(page.locator("#keys")).to_contain_text("the numbers of the three speakers")
    send(page, typed)
    assert (ranks(site), site.judgments[0].reason) == ([[2, 1, 3]], reason)


def test_after_places_chosen_by_the_space_bar_numbers_are_of_the_reason(ranked: Ranked) -> None:
    site = ranked()
    page = site.annotator()
    chip(page, 1, 2).focus()
    page.keyboard.press("Space")
    chip(page, 2, 1).focus()
    page.keyboard.press("Space")
    send(page, "3 times better")
    assert (ranks(site), site.judgments[0].reason) == ([[2, 1, 3]], "3 times better")


def test_without_a_reason_a_whole_ranking_stays_until_backspace(ranked: Ranked) -> None:
    site = ranked('reason = "off"\n')
    page = site.annotator()
    press(page, "2", "1", "1", "2", "3")
    expect(chip(page, 1, 2)).to_be_checked()
    expect(chip(page, 3, 3)).to_be_checked()
    page.keyboard.press("Backspace")
    send(page, "3", "2")  # Enter gives the third speaker what is left
    assert ranks(site) == [[3, 2, 1]]


def test_arrows_and_space_rank_too(ranked: Ranked) -> None:
    page = ranked('reason = "off"\n').annotator()
    chip(page, 1, 1).focus()
    press(page, "ArrowDown")  # the first place goes from Speaker 1 to Speaker 2
    expect(chip(page, 1, 2)).to_be_checked()
    chip(page, 2, 1).focus()
    page.keyboard.press("Space")
    expect(chip(page, 3, 3)).to_be_checked()


LOW = [(1280, 900), (390, 844), (844, 390), (640, 450)]


@pytest.mark.parametrize(("width", "height"), LOW)
def test_ranking_reason_and_submit_are_all_in_sight(ranked: Ranked, width: int, height: int) -> None:
    page = ranked().annotator(viewport={"width": width, "height": height})
    press(page, "2", "1", "3", "because it is")
    places = page.locator(".place")
    whole = [*places.all(), page.get_by_label("Why?"), page.get_by_role("button", name="Submit")]
    assert len(whole) == 11
    for one in whole:
        expect(one).to_be_in_viewport(ratio=1)
        assert is_on_top(one)
        assert box(one)[3] - box(one)[1] >= 40
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows = [box(page.locator(f"#speaker-{side}"))[1] for side in (1, 2, 3)]
    assert rows == sorted(rows)
    assert rows[1] - rows[0] >= 40  # a row for each speaker, one below the other
    assert faults(page) == []


def test_three_dialogues_are_as_wide_as_words_on_a_phone_held_sideways(ranked: Ranked) -> None:
    page = ranked().annotator(viewport={"width": 844, "height": 390})
    widths = [right - left for left, _top, right, _bottom in map(box, page.locator(".dialogue").all())]
    assert len(widths) == 3
    assert min(widths) >= 200
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_third_dialogue_is_reached_by_its_tab_on_a_phone_held_sideways(ranked: Ranked) -> None:
    page = ranked().annotator(viewport={"width": 844, "height": 390})
    third, tab = page.locator("#conversation-3"), page.get_by_role("link", name="Conversation 3")
    expect(third).not_to_be_in_viewport(ratio=0.5)
    expect(tab).not_to_have_attribute("aria-current", "true")
    tab.click()
    expect(third).to_be_in_viewport(ratio=0.9)
    expect(tab).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("link", name="Conversation 1")).not_to_have_attribute("aria-current", "true")


LONG = "e => { for (let n = 0; n < 40; n++) e.prepend(e.children[0].cloneNode(true)) }"


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (640, 400)])
def test_that_there_is_more_to_read_is_said_with_the_question_in_sight(
    ranked: Ranked, width: int, height: int
) -> None:
    page = ranked().annotator(viewport={"width": width, "height": height})
    page.locator(".turns").first.evaluate(LONG)
    press(page, "2", "1", "3", "so", "Enter")
    expect(page.get_by_role("alert")).to_contain_text("There is more to read")
    for one in (page.get_by_role("alert"), page.locator("legend"), page.locator("#speaker-1")):
        expect(one).to_be_in_viewport(ratio=1)
        assert is_on_top(one)
    if width == 390:
        assert box(page.locator(".answer"))[1] > height / 2


def test_a_ranking_is_tapped(ranked: Ranked) -> None:
    site = ranked()
    page = site.annotator(has_touch=True, viewport={"width": 390, "height": 844})
    read_all(page)
    for speaker, place in ((3, 1), (1, 2)):
        page.locator(f".rank.speaker-{speaker} .place").nth(place - 1).tap()
    expect(chip(page, 3, 2)).to_be_checked()
    page.get_by_role("button", name="Submit").tap()
    expect(page.locator("progress")).to_have_attribute("value", "1")
    assert ranks(site) == [[2, 3, 1]]


def test_a_ranking_that_is_not_whole_is_asked_for(ranked: Ranked) -> None:
    page = ranked().annotator()
    press(page, "2", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Please give every speaker a place of its own.")


def test_the_page_is_accessible_and_fits_and_names_no_bot(ranked: Ranked) -> None:
    page = ranked().annotator()
    press(page, "2", "1")
    assert faults_in_every_look(page) == []
    assert not [bot for bot in ("ann", "bob", "human", "weak") if f">{bot}" in page.content()]


def test_without_script_a_plain_form_is_read_and_refused_with_what_was_chosen(ranked: Ranked) -> None:
    site = ranked()
    page = site.annotator(java_script_enabled=False)
    for place, speaker in ((1, 2), (2, 2), (3, 1)):
        chip(page, place, speaker).check(force=True)
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert")).to_have_text("Please give every speaker a place of its own.")
    expect(chip(page, 1, 2)).to_be_checked()
    chip(page, 2, 3).check(force=True)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("progress")).to_have_attribute("value", "1")
    assert ranks(site) == [[3, 1, 2]]


def test_what_is_typed_after_clicks_that_make_a_ranking_whole_is_the_reason(ranked: Ranked) -> None:
    site = ranked()
    page = site.annotator()
    chip(page, 1, 2).click()
    expect(page.get_by_label("Why?")).not_to_be_focused()
    chip(page, 2, 1).click()
    expect(page.get_by_label("Why?")).to_be_focused()
    send(page, "2nd was dull")
    assert ranks(site) == [[2, 1, 3]]
    assert [judgment.reason for judgment in site.judgments] == ["2nd was dull"]
