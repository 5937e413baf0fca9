"""Every page on which somebody's way ends says what happens now, and whom to write to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from starlette.testclient import TestClient

from duologue.store import (
    Store,
    block_annotator,
    fetch_annotators,
    fetch_assignment,
    invite_annotators,
    revoke_link,
)
from tests.server.visits import Visitor, assignment_in, text_of

Serve = Callable[..., tuple[TestClient, Store]]
CONTACT = "ada@example.org"
CONSENT = f'[consent]\ncontact = "{CONTACT}"\npay = "2 euros by bank transfer"\n'
CLOSE = "You can close this page."


def come(serve: Serve, *, rest: str = "") -> tuple[Visitor, Store]:
    client, store = serve(onboarding=0, per_matchup=1, rest=CONSENT + rest)
    return Visitor(client, store.run(invite_annotators(1))[0].token), store


def declined(serve: Serve) -> str:
    visitor, _ = come(serve)
    visitor.client.post(f"/a/{visitor.token}/decline")
    page = visitor.client.get(f"/a/{visitor.token}/declined").text
    assert f'href="/a/{visitor.token}">I have changed my mind' in page
    return page


def thanked(serve: Serve) -> str:
    visitor, _ = come(serve)
    visitor.submit(visitor.consent())
    return visitor.open().text


def complete(serve: Serve) -> str:
    visitor, store = come(serve)
    visitor.submit(visitor.consent())
    return Visitor(visitor.client, store.run(invite_annotators(1))[0].token).consent().text


def stopped(serve: Serve) -> str:
    client, store = serve(
        onboarding=0,
        attention=2,
        per_matchup=4,
        rest=CONSENT + "[annotators]\nmax_judgments = 4\n[attention]\nper_sitting = 2\nstop_after = 1\n",
    )
    visitor = Visitor(client, store.run(invite_annotators(1))[0].token)
    assert "If you get 1 of them wrong, the study ends there for you" in text_of(visitor.open().text)
    page = visitor.consent()
    while (
        work := store.run(fetch_assignment(visitor.token, assignment_in(page.text)))
    ).item.role == "judged":
        visitor.submit(page)
        page = visitor.open()
    wrong = str(work.order.index(1) + 1)  # slot 0 is the better one
    for choice in (wrong, wrong, "1", "2"):  # by a double click, and from another tab
        visitor.submit(page, choice=choice)
    (somebody,) = store.run(fetch_annotators())
    assert (somebody.ending, somebody.attention_asked, somebody.attention_right) == ("stopped", 1, 0)
    return visitor.open().text


def blocked(serve: Serve) -> str:
    visitor, store = come(serve)
    visitor.consent()
    store.run(block_annotator(store.run(fetch_annotators())[0].id, reason="spam", by="test"))
    return visitor.open().text


def taken(serve: Serve) -> str:
    visitor, store = come(serve)
    visitor.consent()
    page = Visitor(visitor.client, (token := store.run(invite_annotators(1))[0].token)).consent().text
    assert f'href="/a/{token}">Look again' in page
    return page


def unknown(serve: Serve) -> str:
    return come(serve)[0].client.get("/a/made-up").text


def astray(serve: Serve) -> str:
    return come(serve)[0].client.get("/made-up").text


def revoked(serve: Serve) -> str:
    visitor, store = come(serve)
    store.run(revoke_link(store.run(fetch_annotators())[0].id))
    return visitor.open().text


def broken(serve: Serve) -> str:
    visitor, _ = come(serve)
    return visitor.client.get(f"/a/{visitor.token}/nothing").text


ENDS: dict[Callable[[Serve], str], tuple[str, ...]] = {
    declined: (
        "You have not agreed",
        "We store that you declined, when, and the name",
        CLOSE,
    ),
    thanked: (
        "Thank you!",
        "Your answers are saved.",
        "If you were asked for a code, copy this one and paste it there.",
        "Payment: 2 euros by bank transfer",
        CLOSE,
    ),
    stopped: (
        "Thank you!",
        "The study ends here for you: some items had a known answer",
        "What you have done is saved.",
        "If you were asked for a code, copy this one and paste it there.",
        CLOSE,
    ),
    complete: ("This study is complete", "please do not submit anything", CLOSE),
    blocked: (
        "You cannot go on in this study",
        "There is no more work for you here.",
        "Everything that you have sent is saved.",
        CLOSE,
    ),
    taken: ("All places are taken at the moment", "please do not submit anything"),
    unknown: ("This link does not work", "Please check that you copied the whole address"),
    astray: ("This link does not work", "Please check that you copied the whole address"),
    revoked: ("This link does not work", "If you think that this is a mistake"),
    broken: ("Something went wrong", "What you have done so far is saved.", "Go to your page"),
}


@pytest.mark.parametrize("reach", ENDS, ids=lambda reach: reach.__name__)
def test_where_a_way_ends_it_is_said_what_happens_now(serve: Serve, reach: Callable[[Serve], str]) -> None:
    page = reach(serve)
    told = text_of(page)
    for sentence in ENDS[reach]:
        assert sentence in told
    assert f'<a href="mailto:{CONTACT}">{CONTACT}</a>' in page
    assert (CLOSE in told) == (CLOSE in ENDS[reach])
    assert ("saved" in told) == any("saved" in sentence for sentence in ENDS[reach])


def test_a_contact_that_is_no_address_stands_as_it_is_written(serve: Serve) -> None:
    client, _ = serve(rest='[consent]\ncontact = "Ada <b> Lovelace, room 3"\n')
    page = client.get("/a/made-up").text
    assert "Contact: Ada <b> Lovelace, room 3" in text_of(page)
    assert "mailto" not in page


def test_without_a_contact_none_is_named(serve: Serve) -> None:
    client, _ = serve()
    assert "Contact" not in client.get("/a/made-up").text


def test_who_skipped_all_is_not_told_that_answers_are_saved(serve: Serve) -> None:
    visitor, _ = come(serve, rest="[annotators]\nmax_judgments = 1\nskips = 1\n")
    page = visitor.consent()
    visitor.client.post(f"/a/{visitor.token}/skip", data={"assignment": assignment_in(page.text)})
    told = text_of(visitor.open().text)
    assert "That was all. Your time counts." in told
    assert "saved" not in told
    assert "Payment: 2 euros" in told


def test_no_payment_is_named_where_no_answer_was_recorded(serve: Serve) -> None:
    visitor, _ = come(serve, rest="[annotators]\nsitting_minutes = 0.000001\n")
    told = text_of(visitor.consent().text)
    assert "none was recorded" in told
    assert "2 euros" not in told
