"""Deadlines on the pages: until when there is time, and what is said when it is over."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from starlette.testclient import TestClient

from duologue.store import Store, fetch_judgments, invite_annotators
from tests.server.visits import Visitor, assignment_in, text_of

Serve = Callable[..., tuple[TestClient, Store]]


class LaterClock:
    """The time, moved on by hand."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> LaterClock:
    """What stores that are opened from now on take for the time."""
    found = LaterClock()
    from duologue.store import open_store

    monkeypatch.setattr("tests.server.conftest.open_store", lambda address: open_store(address, clock=found))
    return found


def visit(serve: Serve, annotators: str) -> tuple[Visitor, Store]:
    client, store = serve(onboarding=0, rest=f"[annotators]\nmax_judgments = 3\n{annotators}\n")
    return Visitor(client, store.run(invite_annotators(1))[0].token), store


def test_without_a_deadline_there_is_no_clock(serve: Serve) -> None:
    visitor, _store = visit(serve, "")
    assert "deadline" not in visitor.consent().text


def test_until_when_there_is_time_stands_beside_the_progress(serve: Serve) -> None:
    visitor, _store = visit(serve, "item_seconds = 90")
    html = visitor.consent().text
    found = re.search(r'data-seconds-left="([0-9.]+)"', html)
    assert found is not None
    assert 80 < float(found[1]) <= 90
    assert re.search(r"Comparison 1 of 3\s+You have time until \d\d:\d\d UTC\.", text_of(html))
    assert "data-countdown" not in html


def test_the_seconds_are_counted_where_the_study_says_so(serve: Serve) -> None:
    visitor, _store = visit(serve, "item_seconds = 90\ncountdown = true")
    assert "data-countdown" in visitor.consent().text


def test_an_item_that_took_too_long_is_followed_by_the_next_with_a_word_about_it(
    clock: LaterClock, serve: Serve
) -> None:
    visitor, store = visit(serve, "item_seconds = 90")
    first = visitor.consent()
    clock.ahead = timedelta(seconds=91)
    following = visitor.client.get(f"/a/{visitor.token}?saved")
    assert "The time for the last one was over." in following.text.split("</header>")[0]
    assert "Saved" not in text_of(following.text)
    assert assignment_in(following.text) != assignment_in(first.text)
    assert "The time for the last one was over." not in visitor.open().text
    late = visitor.client.get(visitor.submit(first).headers["location"])
    assert "That had ended before, so what you sent was not saved." in text_of(late.text)
    assert "Saved" not in text_of(late.text)
    assert not list(store.stream(fetch_judgments()))


def test_who_answers_too_late_reads_that_the_time_was_over(clock: LaterClock, serve: Serve) -> None:
    visitor, _store = visit(serve, "item_seconds = 90")
    first = visitor.consent()
    clock.ahead = timedelta(seconds=96)
    following = visitor.client.get(visitor.submit(first).headers["location"])
    assert "The time for the last one was over." in following.text
    assert "Saved" not in text_of(following.text)
    clock.ahead += timedelta(seconds=96)
    late = visitor.submit(following, script=True)
    assert late.headers["duologue-outcome"] == "late"
    assert "The time for the last one was over." in late.text
    in_time = visitor.submit(late, script=True)
    assert in_time.headers["duologue-outcome"] == "saved"


def test_a_sitting_that_took_too_long_ends_with_thanks_and_the_code(clock: LaterClock, serve: Serve) -> None:
    visitor, store = visit(serve, "sitting_minutes = 5")
    page = visitor.consent()
    visitor.submit(page)
    clock.ahead = timedelta(minutes=5)
    thanks = text_of(visitor.open().text)
    assert "The time is over. What you have done is saved." in thanks
    assert "Your completion code" in thanks
    assert len(list(store.stream(fetch_judgments()))) == 1


def test_who_lets_every_item_time_out_gets_the_code_and_true_words(clock: LaterClock, serve: Serve) -> None:
    visitor, _store = visit(serve, "sitting_minutes = 5")
    visitor.consent()
    clock.ahead = timedelta(minutes=5)
    thanks = text_of(visitor.open().text)
    assert "The time was over before an answer came, so none was recorded." in thanks
    assert "saved" not in thanks
    assert "Your completion code" in thanks
