"""Several questions about the same dialogues in a real browser: keys, clicks, touch, without script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, agree, drawn, read_all
from tests.browser.test_accessibility import faults, faults_in_every_look
from tests.browser.test_annotator import assignment
from tests.browser.test_keys import press, send
from tests.browser.test_layout import box, is_on_top
from tests.browser.test_ranking import Ranked
from tests.browser.test_ranking import ranked as ranked  # a fixture

Serve = Callable[..., Site]

QUESTIONS = """\
[[acute.questions]]
name = "long"
[[acute.questions]]
name = "human"
question = "humanness"
[[acute.questions]]
name = "wise"
question = "knowledgeable"
"""
TOGETHER = f"""\
[acute]
ask = "together"
question_order = "as-written"
primary = "human"
{{more}}
{QUESTIONS}
[annotators]
max_judgments = 3
"""
TITLES = ("Who would you prefer", "Which speaker sounds more human", "If you had to say")


@pytest.fixture
def together(serve: Serve) -> Callable[..., Site]:
    """Serves three questions about the same dialogues, the second of them with the reason."""

    def start(more: str = "", **settings: Any) -> Site:
        return serve(onboarding=0, per_matchup=6, rest=TOGETHER.format(more=more), **settings)

    return start


def is_asked(page: Page, number: int) -> None:
    """The question of that number is there, has the focus, and is the only one."""
    expect(page.locator("legend:visible")).to_have_count(1)
    expect(page.locator("legend:visible")).to_contain_text(TITLES[number - 1])
    expect(page.locator(".asked [aria-current=step]")).to_contain_text(str(number))


def answers(site: Site) -> list[tuple[object, ...]]:
    return [
        (one.answer["also"]["long"]["side"], one.answer["side"], one.answer["also"]["wise"]["side"])  # type: ignore[index]
        for one in site.judgments
    ]


def test_keys_flow_from_one_question_to_the_next(together: Callable[..., Site]) -> None:
    site = together()
    page = site.annotator()
    is_asked(page, 1)
    expect(page.get_by_label("Why?")).to_be_hidden()
    press(page, "2")
    is_asked(page, 2)
    expect(page.locator("legend:visible")).to_be_focused()
    press(page, "1")
    expect(page.get_by_label("Why?")).to_be_focused()
    press(page, "the 2nd one is odd", "Enter")
    is_asked(page, 3)
    expect(page.get_by_label("Why?")).to_be_hidden()
    expect(page.get_by_role("button", name="Submit")).to_be_visible()
    send(page, "2")
    send(page, "1", "1", "Enter", "2")
    assert answers(site) == [(2, 1, 2), (1, 1, 2)]
    assert [one.reason for one in site.judgments] == ["the 2nd one is odd", ""]
    assert [one.answer["asked"] for one in site.judgments] == [["long", "human", "wise"]] * 2
    assert site.seen.complaints == []


def test_enter_asks_for_what_is_open_and_another_number_still_changes_an_answer(
    together: Callable[..., Site],
) -> None:
    site = together('reason = "off"')
    page = site.annotator()
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_have_text("Please choose one of the answers.")
    is_asked(page, 1)
    press(page, "1", "2", "1")
    is_asked(page, 3)
    expect(page.locator("fieldset:visible :checked")).to_have_value("1")
    page.get_by_role("button", name="If you had").click()
    press(page, "2")
    page.get_by_role("button", name=TITLES[0]).click()
    is_asked(page, 1)
    expect(page.get_by_role("button", name="Submit")).to_be_visible()  # nothing is open
    send(page, "2")
    assert answers(site) == [(2, 2, 2)]


def test_a_required_reason_is_asked_for_before_the_next_question(together: Callable[..., Site]) -> None:
    site = together('reason = "required"')
    page = site.annotator()
    press(page, "1", "1", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Please say in a few words why.")
    is_asked(page, 2)
    press(page, "so", "Enter")
    send(page, "1")
    assert [one.reason for one in site.judgments] == ["so"]


def test_clicks_go_on_and_arrows_do_not(together: Callable[..., Site]) -> None:
    site = together('reason = "off"\nties = true\n')
    page = site.annotator()
    page.locator("label.choice:visible").nth(1).click()
    is_asked(page, 2)
    page.locator("input:visible").first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    is_asked(page, 2)
    page.get_by_role("button", name="Next").click()
    is_asked(page, 3)
    page.locator("label.choice:visible").nth(2).click()
    is_asked(page, 3)
    before = assignment(page)
    page.get_by_role("button", name="Submit").click()
    page.wait_for_function("(key) => document.querySelector('main').dataset.assignment !== key", arg=before)
    assert answers(site) == [(2, 2, None)]


def test_what_was_answered_is_there_after_a_reload_and_its_time_is_not_made_up(
    together: Callable[..., Site],
) -> None:
    site = together()
    page = site.annotator()
    page.wait_for_timeout(1_200)
    press(page, "2", "1", "because")
    page.reload()
    drawn(page)
    is_asked(page, 3)
    expect(page.locator(".asked .is-done")).to_have_count(2)
    send(page, "1")
    assert answers(site) == [(2, 1, 1)]
    assert site.judgments[0].reason == "because"
    assert "took" not in site.judgments[0].answer
    page.wait_for_timeout(300)
    send(page, "1", "1", "Enter", "1")
    took = site.judgments[1].answer["took"]
    assert isinstance(took, dict)
    assert took.keys() == {"long", "human", "wise"}
    assert took["long"] >= 0.2
    assert sum(took.values()) <= site.judgments[1].seconds + 0.3


def test_without_script_all_stand_under_each_other_and_the_reason_says_what_it_is_about(
    together: Callable[..., Site],
) -> None:
    site = together()
    page = site.context(java_script_enabled=False).new_page()
    page.goto(site.link())
    page.get_by_role("button", name="I agree").click()
    expect(page.locator("legend:visible")).to_have_count(3)
    expect(page.locator(".asked")).to_be_hidden()
    expect(page.get_by_label("Why? A few words help us a lot. Which speaker sounds")).to_be_visible()
    for place in (2, 1, 2):
        page.locator(f"input[name='choice-{place}'][value='{place % 2 + 1}']").check(force=True)
    page.locator("input[name='choice-3'][value='1']").check(force=True)
    page.get_by_role("button", name="Submit").click()
    expect(page.locator("#progress")).to_have_attribute("value", "1")
    assert answers(site) == [(2, 1, 1)]


@pytest.mark.parametrize(
    ("width", "height"),
    [(1280, 900), (390, 844), (844, 390), (640, 400)],
    ids=["wide", "phone", "low", "zoom"],
)
@pytest.mark.parametrize("answer", ["choice", "graded"])
def test_it_fits_every_screen_with_its_button(
    together: Callable[..., Site], width: int, height: int, answer: str
) -> None:
    page = together(f'answer = "{answer}"').annotator(viewport={"width": width, "height": height})
    for key in ("1", "2"):
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        press(page, key)
    expect(page.get_by_label("Why?")).to_be_focused()
    button = page.get_by_role("button", name="Next")
    assert is_on_top(button)
    assert box(button)[3] <= height
    if width == 1280:
        _, top, _, bottom = box(page.locator(".answer"))
        assert bottom - top < height / 3


def test_every_look_is_accessible(together: Callable[..., Site]) -> None:
    page = together().annotator()
    assert faults_in_every_look(page) == []
    press(page, "1", "1")
    assert faults_in_every_look(page) == []
    page.get_by_role("button", name=TITLES[0]).click()  # the pointer stays on the tab
    assert faults_in_every_look(page) == []


def test_by_touch_the_next_question_comes_after_a_tap(together: Callable[..., Site]) -> None:
    site = together('reason = "off"')
    context: dict[str, Any] = {
        "viewport": {"width": 390, "height": 844},
        "has_touch": True,
        "is_mobile": True,
    }
    page = site.annotator(**context)
    for number in (1, 2, 3):
        is_asked(page, number)
        page.locator("label.choice:visible").nth(number % 2).tap()
    read_all(page)
    before = assignment(page)
    page.get_by_role("button", name="Submit").tap()
    page.wait_for_function("(key) => document.querySelector('main').dataset.assignment !== key", arg=before)
    assert answers(site) == [(2, 1, 2)]


def test_three_are_ranked_by_one_question_after_the_other(ranked: Ranked) -> None:
    site = ranked(f'ask = "together"\nquestion_order = "as-written"\nprimary = "human"\n{QUESTIONS}')
    page = site.annotator()
    press(page, "2", "1", "3")
    is_asked(page, 2)
    press(page, "3", "2", "none is human", "Enter")
    is_asked(page, 3)
    page.keyboard.press("Backspace")
    send(page, "1", "3", "2")
    (found,) = site.judgments
    assert found.answer["ranks"] == [3, 2, 1]
    assert found.answer["also"] == {"long": {"ranks": [2, 1, 3]}, "wise": {"ranks": [1, 3, 2]}}
    assert found.reason == "none is human"
    assert site.seen.complaints == []


def test_the_order_of_questions_is_the_annotators_own(serve: Serve) -> None:
    rest = TOGETHER.format(more='reason = "off"').replace('question_order = "as-written"\n', "")
    site = serve(onboarding=0, per_matchup=20, rest=rest)
    firsts = []
    for _ in range(6):
        page = site.context().new_page()
        page.goto(site.link())
        agree(page)
        first = page.locator("legend:visible").inner_text()
        send(page, "1", "1", "1")
        assert page.locator("legend:visible").inner_text() == first
        firsts.append(first)
    assert sorted(firsts.count(first) for first in set(firsts)) == [2, 2, 2]
