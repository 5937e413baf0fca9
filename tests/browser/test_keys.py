"""The keys of an annotator, pressed: on every protocol's page, with and without a reason, composing too."""

from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser.conftest import Site, interfere_once, read_all, whole_new_page
from tests.browser.test_accessibility import faults
from tests.browser.test_annotator import assignment, choose
from tests.browser.test_chat import SHORT, TWO_QUESTIONS, begin, in_state, say, turns
from tests.browser.test_chat import Serve as ServeChats
from tests.browser.test_chat import serve_chats as serve_chats  # a fixture

Serve = Callable[..., Site]

DULL = "the 1st one is dull"


def press(page: Page, *keys: str) -> None:
    """Press keys and type texts, one after the other, wherever the focus is."""
    for key in keys:
        if len(key) == 1 or key in ("Enter", "Escape", "Shift+Enter", "Tab", "ArrowDown"):
            page.keyboard.press(key)
        else:
            page.keyboard.type(key)


def send(page: Page, *keys: str) -> None:
    """Press keys, then Enter, and wait for what comes next."""
    before = assignment(page), page.locator("main").get_attribute("data-screen")
    press(page, *keys, "Enter")
    page.wait_for_function(
        """([key, screen]) => {
            const main = document.querySelector("main");
            return main.dataset.assignment !== key || (main.dataset.screen ?? null) !== screen;
        }""",
        arg=list(before),
    )


def stored(site: Site) -> list[tuple[object, str]]:
    return [(judgment.answer.get("side"), judgment.reason) for judgment in site.judgments]


def is_chosen(page: Page, value: str) -> None:
    expect(page.locator(f"input[type=radio][value='{value}']")).to_be_checked()


class InputMethod:
    """An input method for Japanese, say, at work in the focused text box."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)

    def compose(self, text: str) -> None:
        self._session.send(
            "Input.imeSetComposition",
            {"text": text, "selectionStart": len(text), "selectionEnd": len(text)},
        )

    def press(self, key: str) -> None:
        """A key the input method takes for itself."""
        code = {"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": 229}
        self._session.send("Input.dispatchKeyEvent", code)
        self._session.send("Input.dispatchKeyEvent", {**code, "type": "keyUp"})

    def commit(self, text: str) -> None:
        self._session.send("Input.insertText", {"text": text})


def test_a_number_then_the_reason_then_enter_from_onboarding_on(site: Site) -> None:
    page = site.annotator()
    send(page, "2", DULL)
    send(page, "1", "2 jokes", "Shift+Enter", "and 3 more")
    assert stored(site) == [(2, DULL), (1, "2 jokes\nand 3 more")]
    assert site.judgments[0].is_onboarding


def test_a_number_then_enter_where_the_reason_is_optional(site: Site) -> None:
    page = site.annotator()
    send(page, "2")
    assert stored(site) == [(2, "")]


def test_without_a_reason_another_number_changes_the_choice_until_enter(serve: Serve) -> None:
    site = serve(rest='[acute]\nreason = "off"\nties = true\n')
    page = site.annotator()
    expect(page.get_by_text("Keys: a number to choose, Enter to submit", exact=True)).to_be_visible()
    send(page, "2")
    send(page, "1", "2", "x", "3")
    assert stored(site) == [(2, ""), (None, "")]


@pytest.mark.parametrize("width", [1280, 390])
def test_graded_answers_have_the_keys_one_to_four_and_fit_a_phone(serve: Serve, width: int) -> None:
    rest = '[acute]\nreason = "off"\nanswer = "graded"\n[annotators]\nmax_judgments = 4\n'
    site = serve(onboarding=0, per_matchup=4, rest=rest)
    page = site.annotator(viewport={"width": width, "height": 844})
    expect(page.get_by_role("radio", name="Slightly I would prefer to talk to Speaker 2")).to_be_attached()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []
    for key in ("4", "3", "1", "2"):
        read_all(page)
        send(page, key)
    answers = [(one.answer["side"], one.answer["lead"]) for one in site.judgments]
    assert answers == [(2, 1), (2, 0.5), (1, 1), (1, 0.5)]


def test_a_required_reason_is_asked_for_and_the_choice_stays(serve: Serve) -> None:
    site = serve(rest='[acute]\nreason = "required"\n')
    page = site.annotator()
    press(page, "2", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Please say in a few words why.")
    expect(page.get_by_label("Why?")).to_be_focused()
    is_chosen(page, "2")
    send(page, DULL)
    assert stored(site) == [(2, DULL)]


def test_enter_in_the_reason_without_a_choice_asks_for_one_and_keeps_the_text(site: Site) -> None:
    page = site.annotator()
    page.get_by_label("Why?").focus()
    press(page, "no 1 is best", "Enter")
    expect(page.get_by_role("alert")).to_have_text("Please choose one of the answers.")
    send(page, "2", " really")
    assert stored(site) == [(2, "no 1 is best really")]


def test_escape_leaves_the_reason_and_another_number_chooses_again(site: Site) -> None:
    page = site.annotator()
    press(page, "1", "wait", "Escape")
    expect(page.locator("input[value='1']")).to_be_focused()
    send(page, "2", ", no")
    assert stored(site) == [(2, "wait, no")]


def test_a_number_key_held_down_writes_nothing(site: Site) -> None:
    page = site.annotator()
    for _ in range(3):
        page.keyboard.down("2")
    page.keyboard.up("2")
    send(page, "2 good")
    assert stored(site) == [(2, "2 good")]


def test_enter_held_down_submits_once_and_writes_no_lines(site: Site) -> None:
    page = site.annotator()
    press(page, "2", "fine")
    interfere_once(page, "**/submit", lambda route: route.abort())
    for _ in range(3):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    expect(page.get_by_role("alert")).to_contain_text("was not saved")
    expect(page.get_by_label("Why?")).to_have_value("fine")
    assert stored(site) == []


def test_letters_typed_after_a_click_are_the_reason(site: Site) -> None:
    page = site.annotator()
    choose(page, "2")
    send(page, DULL)
    assert stored(site) == [(2, DULL)]


def test_keys_with_a_modifier_are_the_browsers(site: Site) -> None:
    page = site.annotator()
    page.keyboard.press("Control+1")
    page.keyboard.press("Alt+2")
    assert page.locator("input:checked").count() == 0


@pytest.mark.parametrize("look", [{}, {"viewport": {"width": 640, "height": 400}}], ids=["desk", "zoomed"])
def test_nothing_is_chosen_or_submitted_while_an_input_method_composes(
    site: Site, look: dict[str, object]
) -> None:
    page = site.annotator(**look)
    read_all(page)
    method = InputMethod(page)
    method.press("2")  # on no text box
    assert page.locator("input:checked").count() == 0
    press(page, "1")
    method.compose("たの")
    for key in ("2", "Escape", "Enter"):
        method.press(key)
    expect(page.get_by_label("Why?")).to_be_focused()
    method.commit("楽しい")
    method.press("Enter")  # Safari: the Enter that ended the composition comes after its end
    send(page, "!")
    assert stored(site) == [(1, "楽しい!")]


def test_the_keys_are_said_where_they_work(site: Site) -> None:
    page = site.annotator()
    said = (
        "Keys: a number to choose, then write why; Enter to submit, Shift+Enter for a new line, "
        "Escape to leave the text box"
    )
    expect(page.get_by_text(said, exact=True)).to_be_visible()
    expect(page.get_by_role("group", name="Who would you prefer")).to_have_accessible_description(said)


@pytest.mark.parametrize("reason", ["off", "optional", "required"])
def test_ratings_are_given_by_keys(serve_chats: ServeChats, reason: str) -> None:
    site, _ = serve_chats(likert=f'reason = "{reason}"\n' + TWO_QUESTIONS, chat=SHORT)
    page = _rating(site)
    expect(page.get_by_text("Keys: the number of an answer to choose it, Enter to go on")).to_be_visible()
    send(page, "1", "3")
    page.get_by_text("Which of these two characters").wait_for()
    if reason == "required":
        press(page, "2", "Enter")
        expect(page.get_by_role("alert")).to_have_text("Please say in a few words why.")
        expect(page.locator("label.choice").nth(1).locator("input")).to_be_checked()
        press(page, "Escape")
    with page.expect_request("**/submit") as sent:
        send(page, "2", *([] if reason == "off" else [DULL]))
    assert "&persona=2&" in f"&{sent.value.post_data}&"
    (judgment,) = site.judgments
    assert judgment.answer["ratings"] == {"enjoyment": 3}
    assert judgment.reason == ("" if reason == "off" else DULL)


def _rating(site: Site, **look: object) -> Page:
    page = begin(site, **look)
    say(page, "hello")
    in_state(page, "ended")
    with whole_new_page(page):
        page.get_by_role("link", name="Go on").click()
    page.locator("main.rating").wait_for()
    return page


def test_a_rating_with_its_reason_on_one_screen_while_composing(serve_chats: ServeChats) -> None:
    site, _ = serve_chats(chat=SHORT)
    page = _rating(site)
    method = InputMethod(page)
    press(page, "4")
    method.compose("に")
    method.press("1")
    method.press("Enter")
    method.commit("2人")
    send(page, " 1st class")
    (judgment,) = site.judgments
    assert (judgment.answer["ratings"], judgment.reason) == ({"enjoyment": 4}, "2人 1st class")


def test_a_turn_is_not_sent_while_an_input_method_composes(serve_chats: ServeChats) -> None:
    site, _ = serve_chats()
    page = begin(site)
    method = InputMethod(page)
    method.compose("にほ")
    method.press("Enter")
    method.commit("日本")
    method.press("Enter")
    press(page, " 2", "Shift+Enter", "and 1", "Enter")
    expect(page.locator(".turn")).to_have_count(2)
    assert turns(page)[0] == "日本 2\nand 1"
    press(page, "half", "Escape")
    expect(page.get_by_role("log")).to_be_focused()
    expect(page.get_by_label("Your message")).to_have_value("half")


def scale(low: int, points: int) -> str:
    labels = ", ".join(['"Bad"', *['""'] * (points - 2), '"Good"'])
    return f'[[likert.questions]]\nname = "mood"\ntext = "How was it?"\nlow = {low}\nlabels = [{labels}]\n'


def shown_keys(page: Page) -> list[str]:
    """The numbers of keys that can be seen at the choices."""
    return [key.inner_text() for key in page.locator("label.choice kbd").all() if key.is_visible()]


@pytest.mark.parametrize(
    ("low", "points", "keys"),
    [
        (0, 5, {"0": "0", "1": "1", "5": "1", "4": "4"}),
        (-2, 5, {"3": None, "1": "1", "2": "2", "0": "0", "-2": "-2", "4": "-2", "-1": "-1", "-3": "-1"}),
        (3, 3, {"1": None, "3": "3", "5": "5", "2": "5"}),
        (0, 11, {"7": "7", "10": "10", "0": "0", "1": "1", "5": "5"}),
        (-5, 11, {"5": "5", "-5": "-5", "11": "1", "2": "2"}),
        (5, 9, {"1": None, "7": "7", "12": "12", "4": "12"}),
        (1, 5, {"-1": None, "3": "3", "-2": "3", "2": "2"}),
    ],
    ids=[
        "from-0",
        "below-0",
        "from-3",
        "eleven-points",
        "eleven-points-below-0",
        "from-5-over-10",
        "minus-where-none-is",
    ],
)
def test_a_number_chooses_the_point_at_which_it_is_written_or_none(
    serve_chats: ServeChats, low: int, points: int, keys: dict[str, str | None]
) -> None:
    site, _ = serve_chats(likert='reason = "off"\n' + scale(low, points), chat=SHORT)
    page = _rating(site)
    assert shown_keys(page) == []
    expect(page.get_by_text("(one below 0 begins with -)")).to_have_count(1 if low < 0 else 0)
    for typed, value in keys.items():
        press(page, *typed)
        if value is None:
            expect(page.locator("input:checked")).to_have_count(0)
        else:
            is_chosen(page, value)
        page.keyboard.press("Shift")  # a number that may go on ends with any other key
    assert faults(page) == []


def test_a_point_of_two_digits_is_typed_and_then_the_reason(serve_chats: ServeChats) -> None:
    site, _ = serve_chats(likert=scale(1, 10), chat=SHORT)
    page = _rating(site)
    send(page, "1", "0", "2 good jokes")
    (judgment,) = site.judgments
    assert (judgment.answer["ratings"], judgment.reason) == ({"mood": 10}, "2 good jokes")


@pytest.mark.parametrize(
    ("width", "height", "is_said"), [(1280, 800, True), (640, 400, True), (844, 390, True), (390, 844, False)]
)
def test_numbers_stand_at_the_choices_wherever_the_keys_are_said(
    serve: Serve, width: int, height: int, is_said: bool
) -> None:
    site = serve(onboarding=0, rest='[acute]\nanswer = "graded"\nties = true\n')
    page = site.annotator(viewport={"width": width, "height": height})
    assert shown_keys(page) == (list("12345") if is_said else [])
    press(page, "3")
    is_chosen(page, "tie")
    assert page.get_by_text("Keys: a number to choose").is_visible() is is_said
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def test_what_is_typed_after_a_click_is_the_reason_digits_too(site: Site) -> None:
    page = site.annotator()
    choose(page, "1")
    expect(page.get_by_label("Why?")).to_be_focused()
    send(page, "2nd was dull")
    choose(page, "1")
    press(page, "Escape")
    send(page, "2", "1st was dull")
    assert stored(site) == [(1, "2nd was dull"), (2, "1st was dull")]


def test_after_a_tap_no_keyboard_comes_up_and_what_is_typed_is_the_reason(site: Site) -> None:
    page = site.annotator(has_touch=True, viewport={"width": 1024, "height": 768})
    page.locator("label.choice").first.tap()
    is_chosen(page, "1")
    expect(page.get_by_label("Why?")).not_to_be_focused()
    send(page, "2nd was dull")
    page.locator("label.choice").first.tap()
    press(page, "Escape")
    send(page, "2")
    assert stored(site) == [(1, "2nd was dull"), (2, "")]


def test_whoever_moves_between_the_choices_by_keyboard_stays_there(site: Site) -> None:
    page = site.annotator()
    page.mouse.move(300, 300)
    page.mouse.down()
    page.mouse.up()  # a click elsewhere changes nothing
    page.locator("input[value='1']").focus()
    page.keyboard.press("Space")
    press(page, "ArrowDown")
    is_chosen(page, "2")
    expect(page.locator("input[value='2']")).to_be_focused()
    page.locator("input[value='1']").evaluate("one => one.click()")  # as a screen reader does
    expect(page.get_by_label("Why?")).not_to_be_focused()
    send(page, "2")
    assert stored(site) == [(2, "")]


def test_a_reason_that_is_too_long_is_not_cut_and_not_sent(site: Site) -> None:
    page = site.annotator()
    press(page, "2")
    page.keyboard.insert_text("🙂" + "x" * 10_002)
    expect(page.get_by_text("3 characters too many: at most 10000 can be sent.")).to_be_visible()
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_contain_text("3 characters too many")
    expect(page.get_by_label("Why?")).to_be_focused()
    assert faults(page) == []
    for _ in range(3):
        page.keyboard.press("Backspace")
    expect(page.get_by_text("0 characters left")).to_be_visible()
    send(page)
    assert [len(reason) for _, reason in stored(site)] == [10_000]


def test_a_turn_that_is_too_long_is_not_cut_and_not_sent(serve_chats: ServeChats) -> None:
    site, _ = serve_chats(study="max_turn_chars = 60")
    page = begin(site)
    expect(page.locator(".length")).to_be_hidden()
    press(page, "0123456789" * 6)
    expect(page.get_by_text("0 characters left")).to_be_visible()
    page.keyboard.insert_text("and ten …!")  # as pasting does
    expect(page.get_by_label("Your message")).to_have_value("0123456789" * 6 + "and ten …!")
    press(page, "Enter")
    expect(page.get_by_role("alert")).to_have_text("10 characters too many: at most 60 can be sent.")
    assert faults(page) == []
    assert turns(page) == []
    for _ in range(10):
        page.keyboard.press("Backspace")
    press(page, "Enter")
    expect(page.locator(".turn.mine")).to_have_count(1)
    assert turns(page)[0] == "0123456789" * 6
    expect(page.locator(".length")).to_be_hidden()
