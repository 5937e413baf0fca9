"""Errors become answers in one place, and what was typed survives them."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from duologue.errors import (
    AnswerError,
    DesignError,
    LinkRevoked,
    LinkUnknown,
    NotFound,
    SignInNeeded,
    StoreBusy,
    StoreError,
    StoreFull,
    StoreGone,
    TooManyTries,
)
from duologue.server.failures import failure_of
from duologue.store import Store, fetch_annotators, fetch_judgments, invite_annotators, revoke_link
from duologue.store.database.engine import Transaction
from duologue.store.database.operations import writes
from duologue.studies import Study
from tests.server.visits import PART, Visitor, hidden_fields


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (LinkUnknown(), 404, "link-unknown"),
        (LinkRevoked(), 410, "link-revoked"),
        (SignInNeeded(), 401, "sign-in-needed"),
        (TooManyTries(wait_seconds=3), 429, "too-many-tries"),
        (AnswerError("no", field="choice"), 422, "answer"),
        (NotFound("annotator", "x"), 404, "not-found"),
        (StoreBusy("study.db", 10), 503, "store-busy"),
        (StoreFull("study.db"), 503, "store-full"),
        (StoreGone("study.db"), 503, "store-gone"),
        (StoreError("broken"), 503, "store"),
        (DesignError("odd"), 400, "refused"),
        (HTTPException(405, "no"), 405, "method-not-allowed"),
        (ZeroDivisionError("secret"), 500, "internal"),
    ],
)
def test_every_error_has_a_status_and_a_code(error: Exception, status: int, code: str) -> None:
    failure = failure_of(error)
    assert (failure.status, failure.code) == (status, code)
    assert failure.as_json()["error"]["code"] == code


def test_a_bug_tells_nothing() -> None:
    assert "secret" not in failure_of(ZeroDivisionError("secret")).message


def set_on_writer(store: Store, pragma: str) -> int:
    """Set something on the connection that writes."""

    @writes
    def set_it(tx: Transaction) -> int:
        return int(tx._raw.execute(f"PRAGMA {pragma}").fetchone()[0])

    return store.run(set_it())


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_keeps_what_was_typed_and_can_be_tried_again(
    visitor: Visitor, store: Store, study: Study
) -> None:
    page = visitor.consent()
    other = sqlite3.connect(study.database.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    answer = visitor.submit(page, reason="do not lose <this>")
    assert answer.status_code == 503
    assert "was not saved" in answer.text
    assert "do not lose &lt;this&gt;</textarea>" in answer.text
    kept = hidden_fields(answer.text)
    assert kept["choice"] == "1"
    told = visitor.submit(page, script=True)
    assert told.status_code == 503
    assert told.json()["error"]["code"] == "store-busy"
    other.execute("ROLLBACK")
    other.close()
    again = visitor.client.post(f"/a/{visitor.token}/submit", data=kept | {"reason": "do not lose <this>"})
    assert again.status_code == 303
    assert [judgment.reason for judgment in store.stream(fetch_judgments())] == ["do not lose <this>"]


def test_a_full_database_keeps_what_was_typed_and_can_be_tried_again(visitor: Visitor, store: Store) -> None:
    page = visitor.consent()
    pages = set_on_writer(store, "page_count")
    set_on_writer(store, f"max_page_count = {pages}")
    reason = "x" * 9_000
    answer = visitor.submit(page, reason=reason)
    assert answer.status_code == 503
    assert f"{reason}</textarea>" in answer.text
    assert list(store.stream(fetch_judgments())) == []
    set_on_writer(store, f"max_page_count = {pages + 1000}")
    assert visitor.submit(page, reason=reason).status_code == 303
    assert len(list(store.stream(fetch_judgments()))) == 1


@pytest.mark.usefixtures("impatient")
def test_a_consent_that_failed_leads_back_to_the_annotators_page(
    visitor: Visitor, store: Store, study: Study
) -> None:
    with closing(sqlite3.connect(study.database.removeprefix("sqlite:///"), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = visitor.client.post(f"/a/{visitor.token}/consent")
    assert answer.status_code == 503
    assert f'href="/a/{visitor.token}">Try again</a>' in answer.text


def test_the_place_of_the_database_is_not_told_to_annotators(
    visitor: Visitor, store: Store, study: Study
) -> None:
    page = visitor.consent()
    set_on_writer(store, f"max_page_count = {set_on_writer(store, 'page_count')}")
    for headers in ({}, PART):
        fields = hidden_fields(page.text) | {"choice": "1", "reason": "x" * 9_000}
        answer = visitor.client.post(f"/a/{visitor.token}/submit", data=fields, headers=headers)
        assert answer.status_code == 503
        assert str(study.folder) not in answer.text


def test_arriving_at_a_store_that_fails_gets_a_page_that_says_so(
    client: TestClient, store: Store, study: Study, tmp_path: Path
) -> None:
    token = store.run(invite_annotators(1))[0].token
    store.close()
    answer = client.get(f"/a/{token}")
    assert answer.status_code == 503
    assert "Something went wrong" in answer.text
    assert str(study.folder) not in answer.text


def test_with_a_deleted_database_pages_and_health_say_so(
    visitor: Visitor, client: TestClient, study: Study, store: Store
) -> None:
    visitor.open()
    Path(store.where).unlink()
    assert client.get("/healthz").status_code == 503
    page = visitor.open()
    assert page.status_code == 503
    assert study.file.wording.not_saved in page.text
    told = client.get("/api/progress", headers={"authorization": "Bearer any"})
    assert told.status_code == 503
    assert told.json()["error"]["code"] == "store-gone"
    assert "start the server again" in told.json()["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status", "said", "way_on"),
    [
        ("GET", "/a/made-up", 404, "This link is not known.", ""),
        ("GET", "/open/made-up", 404, "This link is not known.", ""),
        ("GET", "/a/{token}/nothing", 404, "There is nothing at this address.", "/a/{token}"),
        ("GET", "/a/{token}/consent", 405, "What was sent could not be read", "/a/{token}"),
        ("POST", "/a/{token}/submit", 415, "What was sent could not be read", "/a/{token}"),
        (
            "GET",
            "/nowhere",
            404,
            "This link is not known. Please check that you copied the whole address",
            "",
        ),
    ],
)
def test_every_error_page_is_in_plain_words_with_a_way_on(
    visitor: Visitor, method: str, path: str, status: int, said: str, way_on: str
) -> None:
    answer = visitor.client.request(method, path.replace("{token}", visitor.token))
    assert answer.status_code == status
    assert said in answer.text
    assert ("Something went wrong" if way_on else "This link does not work") in answer.text
    link = f'href="{way_on.replace("{token}", visitor.token)}">Go to your page</a>'
    assert (link in answer.text) == bool(way_on)


def test_a_form_that_is_too_large_or_not_readable_leads_back(visitor: Visitor) -> None:
    form = {"content-type": "application/x-www-form-urlencoded"}
    path = f"/a/{visitor.token}/submit"
    for body, status, said in ((b"a" * 300_000, 413, "too much text"), (b"\xff=1", 400, "could not be read")):
        answer = visitor.client.post(path, content=body, headers=form)
        assert answer.status_code == status
        assert said in answer.text
        assert f'href="/a/{visitor.token}">Go to your page</a>' in answer.text


def test_a_revoked_link_says_whom_to_ask(visitor: Visitor, store: Store) -> None:
    store.run(revoke_link(store.run(fetch_annotators())[0].id))
    answer = visitor.open()
    assert answer.status_code == 410
    assert "This link does not work any more." in answer.text
    assert "<a " not in answer.text.partition("<main")[2]


def test_an_old_assignment_leads_to_where_the_annotator_stands(visitor: Visitor) -> None:
    visitor.consent()
    answer = visitor.client.post(f"/a/{visitor.token}/submit", data={"assignment": "another", "choice": "1"})
    assert answer.status_code == 404
    assert f'href="/a/{visitor.token}">Go to your page</a>' in answer.text
