"""Where things stand on the annotator's page: on a desk, zoomed, and on a phone either way up."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Site
from tests.browser.test_accessibility import faults
from tests.browser.test_chat import SHORT, begin, say
from tests.browser.test_chat import Serve as ServeChats
from tests.browser.test_chat import serve_chats as serve_chats  # a fixture

Serve = Callable[..., Site]

LONG = tuple(f"turn {number}, which is neither very long nor very short" for number in range(20))
RTL = 'lang = "ar"\ndir = "rtl"'
SIZES = [(1280, 800, ""), (390, 844, ""), (844, 390, ""), (640, 400, ""), (844, 390, RTL), (640, 400, RTL)]
NAMES = ["desk", "phone", "phone-sideways", "zoomed", "phone-sideways-rtl", "zoomed-rtl"]


def box(locator: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom edge on the screen."""
    found = locator.bounding_box()
    assert found is not None
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


def is_on_top(locator: Locator) -> bool:
    """Whether nothing covers it: neither its first line, its middle nor its last line."""
    return bool(
        locator.evaluate(
            """element => {
                const { left, top, width, height } = element.getBoundingClientRect();
                return [1, height / 2, height - 1].every((down) => {
                    const there = document.elementFromPoint(left + width / 2, top + down);
                    return element.contains(there);
                });
            }"""
        )
    )


@pytest.mark.parametrize(("width", "height", "direction"), SIZES, ids=NAMES)
def test_after_a_choice_the_answer_covers_no_dialogue_and_submit_is_in_sight(
    serve: Serve, width: int, height: int, direction: str
) -> None:
    site = serve(texts=LONG, study=direction)
    page = site.annotator(viewport={"width": width, "height": height})
    page.keyboard.press("2")
    page.keyboard.type("because")
    expect(page.get_by_label("Why?")).to_be_focused()
    for number in (1, 2):
        for turn in (
            page.locator(f"#conversation-{number} .text").first,
            page.locator(f"#conversation-{number} .text").last,
        ):
            turn.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
            expect(turn).to_be_in_viewport(ratio=1)
            assert is_on_top(turn)
    expect(page.get_by_role("button", name="Submit")).to_be_in_viewport(ratio=1)
    assert is_on_top(page.get_by_role("button", name="Submit"))
    assert readable(page) >= 0.45 * height
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


LOW = [(1280, 800), (390, 844), (844, 390), (640, 400)]


def says_in_sight(page: Page, message: str, control: Locator) -> None:
    """What is wrong is said, can be read, and hides no control that is at fault and has the focus."""
    expect(page.get_by_role("alert")).to_have_text(message)
    expect(control).to_be_focused()
    expect(page.get_by_role("alert")).to_be_in_viewport(ratio=1)
    expect(control).to_be_in_viewport(ratio=1)
    assert is_on_top(page.get_by_role("alert"))
    assert is_on_top(control)
    assert faults(page) == []


@pytest.mark.parametrize("answer", ["", 'answer = "graded"\nties = true\n'], ids=["choice", "graded"])
@pytest.mark.parametrize(("width", "height"), LOW)
def test_what_is_missing_is_said_in_sight(serve: Serve, width: int, height: int, answer: str) -> None:
    site = serve(texts=LONG, rest=f'[acute]\nreason = "required"\n{answer}')
    page = site.annotator(viewport={"width": width, "height": height})
    page.keyboard.press("Enter")
    says_in_sight(page, "Please choose one of the answers.", page.get_by_role("radio").first)
    page.keyboard.press("2")
    expect(page.locator(".problem")).to_be_empty()
    page.keyboard.press("Enter")
    says_in_sight(page, "Please say in a few words why.", page.get_by_label("Why?"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("width", "height"), LOW)
def test_what_is_missing_in_a_rating_is_said_in_sight(
    serve_chats: ServeChats, width: int, height: int
) -> None:
    site, _ = serve_chats(likert='reason = "required"\n', chat=SHORT)
    page = begin(site, viewport={"width": width, "height": height})
    say(page, "hello")
    page.get_by_role("link", name="Go on").click()
    page.locator("main.rating").wait_for()
    page.keyboard.press("Enter")
    says_in_sight(page, "Please choose one of the answers.", page.get_by_role("radio").first)
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    says_in_sight(page, "Please say in a few words why.", page.locator("#reason"))


GRADED = 'answer = "graded"\nties = true\n'


@pytest.mark.parametrize("direction", ["", RTL], ids=["ltr", "rtl"])
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (390, 844), (844, 390), (640, 450)])
def test_graded_answers_are_points_on_a_scale_between_the_two_speakers(
    serve: Serve, width: int, height: int, direction: str
) -> None:
    site = serve(texts=LONG, onboarding=0, study=direction, rest=f"[acute]\n{GRADED}")
    page = site.annotator(viewport={"width": width, "height": height})
    page.keyboard.press("4")
    page.keyboard.type("because")
    expect(page.get_by_role("radio", name="Slightly I would prefer to talk to Speaker 2")).to_be_checked()
    points = [box(point) for point in page.locator(".grade").all()]
    from_first = points if not direction else points[::-1]
    assert len(points) == 5
    assert all(left[2] <= right[0] + 1 for left, right in pairwise(from_first))
    assert max(top for _, top, _, _ in points) - min(top for _, top, _, _ in points) < 1  # in one row
    first, second = (box(page.locator(f"#end-{side}")) for side in (1, 2))
    assert (first[0] < second[0]) is (not direction)  # each end on the side of its conversation
    words = [*page.locator(".grade bdi").all(), page.locator("#end-1"), page.locator("#end-2")]
    for one in (*words, page.get_by_label("Why?"), page.get_by_role("button", name="Submit")):
        expect(one).to_be_in_viewport(ratio=1)
    tall = [bottom - top for _, top, _, bottom in points]
    assert max(tall) <= 80
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults(page) == []


def readable(page: Page) -> float:
    """How many pixels of height are left for reading a dialogue."""
    pane = page.locator("#conversation-2 .turns")
    left, top, right, bottom = box(pane)
    points = page.evaluate(
        """([x, from, to]) => {
            const pane = document.querySelector("#conversation-2");
            let seen = 0;
            for (let y = Math.max(0, from); y < Math.min(innerHeight, to); y += 1)
                seen += pane.contains(document.elementFromPoint(x, y));
            return seen;
        }""",
        [(left + right) / 2, top, bottom],
    )
    return float(points)


def test_where_there_is_hardly_any_room_the_question_comes_after_the_dialogues(serve: Serve) -> None:
    site = serve(texts=LONG)
    page = site.annotator(viewport={"width": 320, "height": 256})
    page.keyboard.press("1")
    expect(page.get_by_label("Why?")).to_be_in_viewport()
    last = page.locator("#conversation-2 .text").last
    last.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    assert is_on_top(last)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def fade(pane: Locator, edge: str) -> tuple[str, bool]:
    """How the pane's edge is drawn: its position, and whether it is a gradient."""
    drawn = pane.evaluate(
        """(element, edge) => {
            const { display, position, backgroundImage } = getComputedStyle(element, edge);
            return [display, position, backgroundImage];
        }""",
        edge,
    )
    return drawn[1] if drawn[0] != "none" else "none", "gradient" in drawn[2]


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (844, 390)])
def test_a_cut_off_dialogue_fades_out_and_its_last_turn_does_not(
    serve: Serve, width: int, height: int
) -> None:
    site = serve(texts=LONG)
    page = site.annotator(viewport={"width": width, "height": height})
    pane = page.locator("#conversation-1 .turns")
    assert pane.evaluate("e => e.scrollHeight > e.clientHeight")
    assert [fade(pane, edge) for edge in ("::before", "::after")] == [("sticky", True)] * 2
    first = page.locator("#conversation-1 .turn").first
    assert box(first)[1] >= box(pane)[1] + 16
    pane.evaluate("e => e.scrollTo({ top: e.scrollHeight, behavior: 'instant' })")
    last = page.locator("#conversation-1 .turn").last
    assert box(last)[3] <= box(pane)[3] - 12


def test_a_page_that_scrolls_as_a_whole_has_no_fading_panes(serve: Serve) -> None:
    site = serve(texts=LONG)
    page = site.annotator(viewport={"width": 390, "height": 844})
    assert fade(page.locator("#conversation-1 .turns"), "::after")[0] == "none"


@pytest.mark.parametrize(("width", "height"), [(844, 390), (640, 400)])
def test_in_little_height_a_live_chat_can_still_be_read(
    serve_chats: ServeChats, width: int, height: int
) -> None:
    site, _ = serve_chats()
    page = begin(site, viewport={"width": width, "height": height})
    say(page, "hello there")
    expect(page.locator(".turn")).to_have_count(2)
    _, top, _, bottom = box(page.get_by_role("log"))
    assert bottom - top >= 0.45 * height
    assert fade(page.get_by_role("log"), "::before") == ("sticky", True)
    for control in (page.get_by_label("Your message"), page.get_by_role("button", name="Send")):
        expect(control).to_be_in_viewport(ratio=1)
    assert faults(page) == []
