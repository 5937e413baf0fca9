"""Forms in a real browser: by keyboard, without script, with errors, on a desk and on a phone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from duologue.store import fetch_filled_forms
from tests.browser.conftest import Site, agree
from tests.browser.test_accessibility import faults_in_every_look
from tests.server.test_form_pages import FORMS

Serve = Callable[..., Site]


def come(site: Site, **look: object) -> Page:
    page = site.context(**look).new_page()
    page.goto(site.link())
    agree(page)
    page.get_by_label("Age").wait_for()
    return page


def answers(site: Site) -> list[object]:
    return [one.answers for one in site.store.stream(fetch_filled_forms())]


def test_forms_are_accessible_and_fit_the_page(serve: Serve) -> None:
    page = come(serve(onboarding=0, rest=FORMS))
    assert faults_in_every_look(page) == []
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Please answer this question.")).to_be_visible()
    assert faults_in_every_look(page) == []


def test_a_form_can_be_filled_in_by_keyboard_and_an_error_is_where_one_is(serve: Serve) -> None:
    site = serve(onboarding=0, rest=FORMS)
    page = come(site)
    keys = page.keyboard
    page.get_by_label("Age").focus()
    keys.type("seven")
    keys.press("Tab")
    keys.press("Space")
    keys.press("Enter")
    expect(page.get_by_label("Age")).to_be_focused()
    expect(page.get_by_label("Age")).to_have_value("seven")
    expect(page.get_by_label("Age")).to_have_accessible_description("Please write a number.")
    expect(page.get_by_label("English")).to_be_checked()
    keys.press("ControlOrMeta+a")
    keys.type("31")
    for key in ("Tab", "Tab", "Tab", "Space", "Tab", "ArrowDown", "Tab", "Enter"):
        keys.press(key)
    page.get_by_role("button", name="Submit").wait_for()
    assert answers(site) == [{"age": 31, "langs": ["English", "فارسی"], "work": "no"}]


def test_a_question_without_an_answer_has_the_focus_and_none_of_its_answers_has(serve: Serve) -> None:
    work = 'label = "Work"'
    site = serve(onboarding=0, rest=FORMS.replace(work, f"{work}\nrequired = true"))
    page = come(site)
    page.get_by_label("Age").fill("31")
    page.get_by_role("button", name="Next").click()
    expect(page.locator("legend", has_text="Work")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Submit").wait_for()


def test_a_sitting_with_forms_works_without_script(serve: Serve) -> None:
    site = serve(onboarding=0, rest=FORMS)
    page = come(site, java_script_enabled=False)
    page.get_by_label("Age").fill("31")
    page.get_by_label("English").check()
    page.get_by_label("Deutsch & mehr").check()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("radio").first.check(force=True)
    page.get_by_label("Why?").fill("so")
    page.get_by_role("button", name="Submit").click()
    page.get_by_label("Anmerkungen").fill("mehr als zwanzig Zeichen")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_label("Anmerkungen")).to_have_value("mehr als zwanzig Zeichen")
    expect(page.get_by_text("Please write at most 20 characters.")).to_be_visible()
    page.get_by_label("Anmerkungen").fill("keine")
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("Thank you!")).to_be_visible()
    first = {"age": 31, "langs": ["English", "Deutsch & mehr"], "work": None}
    assert answers(site) == [first, {"notes": "keine"}]
