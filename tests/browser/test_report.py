"""The report in a real browser: on a desk and on a phone, from a file, asking nobody for anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from duologue.acute import Example, analyse_votes
from duologue.judgments import Row, votes_from_rows
from duologue.reports import report_page
from duologue.reports.shown_dialogues import ExampleDialogue, ExampleTurn
from tests.browser.conftest import Seen

BOTS = ("mint", "sage", "a bot with quite a long name", "thyme", "dill", "rue")


def rows() -> list[Row]:
    found: list[Row] = []
    for one, bot in enumerate(BOTS):
        for other in BOTS[one + 1 :]:
            for number in range(40):
                pair = (bot, other) if number % 10 < 7 else (other, bot)
                found.append(
                    {
                        "winner": pair[0],
                        "loser": pair[1],
                        "winner_side": 1 + number % 2,
                        "annotator": f"a{number % 25}",
                        "pairing": f"{bot}{other}{number // 2}",
                        "seconds": 20 + number,
                        "at": f"2026-05-{1 + number // 4:02}T12:00:00+00:00",
                        "excluded": "late" if number == 39 else "",
                    }
                )
    return found


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    turns = (ExampleTurn("hello there " * 12, False), ExampleTurn("x" * 300, True))
    shown = ExampleDialogue("mint", turns, 3), ExampleDialogue("sage", turns, 0)
    example = Example(*shown, reason="better " * 30, question="Who?")
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(
        report_page(analyse_votes(votes_from_rows(rows())), examples=(example,)), encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("width", [1280, 390])
def test_the_report_fits_is_accessible_and_asks_nobody(browser: Browser, page_file: Path, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    seen = Seen()
    seen.watch(context)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert seen.requests == [f"GET {page_file.as_uri()}"]
    assert seen.complaints == []
    found = Axe().run(page).response["violations"]
    assert [f"{one['id']}: {node['html'][:200]}" for one in found for node in one["nodes"]] == []
    context.close()


def test_the_report_reads_the_same_without_script(browser: Browser, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(page_file.as_uri())
    assert page.get_by_role("heading", name="Verdicts").is_visible()
    assert page.get_by_text("Each verdict with and without the exclusions").is_visible()
    context.close()
