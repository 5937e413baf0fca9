"""A protocol of somebody else's in a real browser: several screens, a tie, and its own screening rule."""

from __future__ import annotations

import csv
import re
import signal
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import agree, read_all
from tests.own_protocol import placed
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.waiting import PATIENCE


def choose(page: Page, label: str) -> None:
    page.get_by_role("radio", name=label, exact=True).check()
    page.get_by_role("button").last.click()


def asked(page: Page) -> str:
    return page.locator("legend").inner_text()


def end_of(page: Page) -> str:
    """The label of the conversation that ends with what the check asks for."""
    found = re.search(r"“(.*)”", asked(page), re.DOTALL)
    assert found
    ends = [one.locator(".turn .text").last.inner_text() for one in page.locator("section.dialogue").all()]
    return f"Conversation {ends.index(found[1]) + 1}"


def judge(page: Page) -> None:
    """Three threes: a whole ranking, a tie, and one by somebody who has not read."""
    expect(page.locator("section.dialogue")).to_have_count(3)
    read_all(page)
    for text in page.locator("section.dialogue .judged .text").all():
        expect(text).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    page.get_by_role("radio", name="Conversation 2", exact=True).check()
    expect(page.locator("section.dialogue.is-named")).to_have_css("outline-width", "3px")
    choose(page, "Conversation 2")
    expect(page.locator("legend")).to_contain_text("worst")
    assert page.get_by_role("radio", name="Conversation 2", exact=True).count() == 0
    page.get_by_role("radio", name="Conversation 1", exact=True).check()
    expect(page.locator("section.dialogue.is-named")).to_have_count(1)
    choose(page, "Conversation 1")
    expect(page.locator("legend")).to_contain_text("ends with")
    choose(page, end_of(page))
    expect(page.locator("legend")).to_contain_text("best")
    read_all(page)
    choose(page, "No difference")
    expect(page.locator("legend")).to_contain_text("ends with")
    choose(page, end_of(page))
    expect(page.locator("legend")).to_contain_text("best")
    read_all(page)
    choose(page, "Conversation 1")
    expect(page.locator("legend")).to_contain_text("worst")
    choose(page, "Conversation 3")
    expect(page.locator("legend")).to_contain_text("ends with")
    wrong = next(name for name in ("Conversation 1", "Conversation 2") if name != end_of(page))
    choose(page, wrong)
    expect(page.locator("main code")).to_be_visible()


def test_an_annotator_ranks_three_conversations_screen_by_screen(browser: Browser, tmp_path: Path) -> None:
    variables = placed(tmp_path / "lib")
    for command in (
        "study new threes --protocol best-worst --seed 5",
        "dialogues self-chat threes -n 4 --exchanges 3",
    ):
        done = finished([*DUOLOGUE, *command.split()], folder=tmp_path, variables=variables)
        assert done.returncode == 0, done.stderr
    study = tmp_path / "threes" / "study.toml"
    study.write_text(study.read_text().replace("max_judgments = 2", "max_judgments = 3"), encoding="utf-8")
    serve = [*DUOLOGUE, "serve", "threes", "--port", "0"]
    with running(serve, folder=tmp_path, variables=variables) as server:
        link = re.search(r"http\S+/a/\S+", printed_until(server, "to stop"))
        assert link
        context = browser.new_context()
        context.set_default_timeout(1000 * PATIENCE)
        page = context.new_page()
        page.goto(link[0])
        agree(page)
        judge(page)
        context.close()
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
    export = [*DUOLOGUE, "judgments", "export", "threes", "--out", "judgments.csv"]
    assert finished(export, folder=tmp_path, variables=variables).returncode == 0
    with (tmp_path / "judgments.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [bool(row["best"]) for row in rows] == [True, False, True]
    assert [row["excluded"] for row in rows] == ["", "", "check-failed"]
