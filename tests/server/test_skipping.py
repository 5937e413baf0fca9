"""Skipping on the pages, what the page saw, and where the researcher is told."""

from collections.abc import Callable

import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from duologue.store import Store, count_flags, ensure_secret, fetch_judgments, fetch_skips, invite_annotators
from tests.server.visits import PART, Visitor, assignment_in, text_of

Serve = Callable[..., tuple[TestClient, Store]]


def visit(serve: Serve, annotators: str = "skips = 2") -> tuple[Visitor, Store]:
    rest = f"[annotators]\nmax_judgments = 3\n{annotators}\n[screening]\nwords_per_second = 0\n"
    client, store = serve(onboarding=0, per_matchup=6, rest=rest)
    return Visitor(client, store.run(invite_annotators(1))[0].token), store


def skip(visitor: Visitor, page: Response, *, script: bool = False) -> Response:
    fields = {"assignment": assignment_in(page.text)}
    headers = PART if script else {}
    return visitor.client.post(f"/a/{visitor.token}/skip", data=fields, headers=headers)


def test_the_next_item_comes_after_a_skipped_one(serve: Serve) -> None:
    visitor, store = visit(serve)
    page = visitor.consent()
    assert "Skip this one (2 left)" in page.text
    assert skip(visitor, page).headers["location"] == f"/a/{visitor.token}"
    after = visitor.open()
    assert "Comparison 2 of 3" in text_of(after.text)
    assert "Skip this one (1 left)" in after.text
    assert not list(store.stream(fetch_judgments()))


def test_with_script_the_answer_is_the_next_item(serve: Serve) -> None:
    visitor, _store = visit(serve)
    after = skip(visitor, visitor.consent(), script=True)
    assert after.status_code == 200
    assert after.text.startswith("<main")
    assert "Comparison 2 of 3" in text_of(after.text)


def test_skipping_again_changes_nothing_and_an_answer_to_it_is_not_saved(serve: Serve) -> None:
    visitor, store = visit(serve)
    page = visitor.consent()
    for _ in range(3):
        skip(visitor, page)
    skips = store.run(fetch_skips())
    assert skips is not None
    assert skips.skipped == 1
    visitor.submit(page)
    assert not list(store.stream(fetch_judgments()))
    assert "was not saved" in text_of(visitor.open("?unsaved").text)


def test_who_has_skipped_all_that_may_be_skipped_is_thanked_when_the_rest_is_judged(serve: Serve) -> None:
    visitor, store = visit(serve)
    page = visitor.consent()
    for _ in range(2):
        skip(visitor, page)
        page = visitor.open()
    assert "Skip this one" not in page.text
    visitor.submit(page)
    assert "Thank you!" in visitor.open().text
    assert len(list(store.stream(fetch_judgments()))) == 1


def test_somebody_elses_item_cannot_be_skipped(serve: Serve) -> None:
    visitor, store = visit(serve)
    page = visitor.consent()
    other = Visitor(visitor.client, store.run(invite_annotators(1))[0].token)
    other.consent()
    assert skip(other, page).status_code == 404
    assert store.run(fetch_skips()) is None


def test_the_researcher_is_told_what_was_skipped(serve: Serve) -> None:
    visitor, store = visit(serve)
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    assert visitor.client.get("/api/skips", headers=key).json() is None
    skip(visitor, visitor.consent())
    found = visitor.client.get("/api/skips", headers=key).json()
    assert (found["skipped"], found["annotators"]) == (1, 1)
    assert found["bots"] == [{"bot": bot, "skipped": 1, "of": 1} for bot in ("ann", "bob")]
    assert [(one["bots"], one["role"], one["skipped"]) for one in found["items"]] == [
        (["ann", "bob"], "judged", 1)
    ]
    visitor.client.post("/researcher/sign-in", data={"key": key["authorization"].split()[1]})
    assert "1 item was skipped, by 1 annotator" in text_of(visitor.client.get("/researcher").text)


@pytest.mark.parametrize("flag", ["pasted", "unscrolled"])
def test_what_the_page_saw_is_a_flag_of_the_judgment(serve: Serve, flag: str) -> None:
    visitor, store = visit(serve)
    page = visitor.consent()
    visitor.submit(page, script=False, **{flag: "1"})
    visitor.submit(visitor.open(), script=False, **{flag: "0"})
    assert store.run(count_flags()) == {flag: 1}


def test_a_flag_of_the_page_excludes_where_the_study_says_so(serve: Serve) -> None:
    rest = '[annotators]\nmax_judgments = 3\n[screening]\nwords_per_second = 0\nexclude = ["pasted"]\n'
    client, store = serve(onboarding=0, per_matchup=6, rest=rest)
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    visitor.submit(visitor.consent(), pasted="1")
    key = {"authorization": f"Bearer {store.run(ensure_secret('researcher'))}"}
    (found,) = client.get("/api/exclusions", headers=key).json()
    assert found["rule"] == "pasted"
