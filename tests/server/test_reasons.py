"""The page of reasons: searched, escaped, by group, and by winner only where win rates may be seen."""

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.store import (
    Store,
    ensure_secret,
    exclude_judgments,
    fetch_judgments,
    fetch_looks,
    invite_annotators,
)
from tests.server.test_researcher import Researcher
from tests.server.visits import Visitor

Serve = Callable[..., tuple[TestClient, Store]]


def judge(client: TestClient, store: Store, *given: tuple[str, str]) -> None:
    for choice, reason in given:
        visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
        visitor.submit(visitor.consent(), script=True, choice=choice, reason=reason)


def test_reasons_are_for_the_researcher_alone(serve: Serve) -> None:
    client, _store = serve()
    answer = client.get("/researcher/reasons", follow_redirects=False)
    assert answer.status_code != 200


def test_who_won_stays_hidden_until_the_planned_number_and_it_is_no_look(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=3)
    researcher = Researcher(client, store)
    assert "Nobody has given a reason yet" in researcher.page("/reasons")
    judge(client, store, ("1", "left was nicer"), ("2", "<b>right</b>"))
    for query in ("", "?group=main/ann__vs__bob", "?group=main/ann__vs__bob&bot=ann"):
        page = researcher.page(f"/reasons{query}")
        assert "left was nicer" in page
        assert "&lt;b&gt;right&lt;/b&gt;" in page
        assert "By winner" not in page
        assert page.count('<span class="quiet">hidden</span>') == 2
    assert store.run(fetch_looks()) == ()
    judge(client, store, ("1", "also fine"))
    page = researcher.page("/reasons?group=main/ann__vs__bob")
    assert "By winner, of judgments that count" in page
    assert "hidden</span>" not in page
    assert [look.how for look in store.run(fetch_looks())] == ["dashboard"]


def test_reasons_for_one_winner(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=3, rest="[acute]\nties = true\n")
    judge(client, store, ("1", "reason one"), ("2", "reason two"), ("tie", "reason three"))
    researcher = Researcher(client, store)
    pages = {
        winner: researcher.page(f"/reasons?group=main/ann__vs__bob&bot={winner}")
        for winner in ("ann", "bob", "%3D")
    }
    found = {
        winner: {text for text in ("one", "two", "three") if f"reason {text}" in page}
        for winner, page in pages.items()
    }
    assert found["%3D"] == {"three"}
    assert found["ann"] | found["bob"] == {"one", "two"}
    assert found["ann"].isdisjoint(found["bob"])
    assert ">no difference</a> <b>1</b>" in pages["ann"]


def test_reasons_are_searched_and_excluded_ones_marked(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=4)
    judge(client, store, ("1", "50 % better"), ("1", "50 times better"))
    one = next(iter(store.stream(fetch_judgments())))
    store.run(exclude_judgments([one.id], rule="slow", reason="a test", by="me"))
    researcher = Researcher(client, store)
    page = researcher.page("/reasons?search=50+%25")
    assert "50 % better" in page
    assert "50 times better" not in page
    assert "excluded: slow" in page
    assert "Nothing was found" in researcher.page("/reasons?search=nobody")


def test_long_lists_come_in_pages_that_keep_what_was_asked_for(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, store = serve(onboarding=0, per_matchup=3)
    judge(client, store, ("1", "reason 1"), ("1", "reason 2"), ("1", "reason 3"))
    monkeypatch.setattr("duologue.server.researcher.reasons.PAGE_ROWS", 2)
    monkeypatch.setattr("duologue.server.researcher.paging.PAGE_ROWS", 2)
    researcher = Researcher(client, store)
    for query in ("search=reason", "search=reason&group=main%2Fann__vs__bob"):
        page = researcher.page(f"/reasons?{query}")
        assert "reason 3" in page
        assert "reason 1<" not in page
        assert f"{query.replace('&', '&amp;')}&amp;page=2" in page
        assert "reason 1" in researcher.page(f"/reasons?{query}&page=2")


def test_the_api_lists_reasons_and_hides_who_won_alike(serve: Serve) -> None:
    client, store = serve(onboarding=0, per_matchup=2)
    client.headers["authorization"] = f"Bearer {store.run(ensure_secret('researcher'))}"
    judge(client, store, ("1", "first reason"))
    (row,) = client.get("/api/reasons").json()
    assert (row["reason"], row["winner"], row["is_hidden"]) == ("first reason", "", True)
    assert store.run(fetch_looks()) == ()
    judge(client, store, ("1", "second reason"))
    answer = client.get("/api/reasons?limit=1")
    assert answer.headers["x-total-count"] == "2"
    (row,) = answer.json()
    assert row["reason"] == "second reason"
    assert row["winner"] in ("ann", "bob")
    assert len(store.run(fetch_looks())) == 1
    assert client.get("/api/reasons?search=FIRST").json()[0]["reason"] == "first reason"
