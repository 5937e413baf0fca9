"""Parallel chats: one message goes to two bots, their replies come together, and the chats are compared."""

import re
import secrets
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from duologue.reports import collect_chats
from duologue.store import ensure_secret, fetch_chats, fetch_items, judgment_rows
from tests.server.chat_people import Person, Serve, serving_chats
from tests.server.visits import text_of
from tests.waiting import PATIENCE

ECHOES = (("ann", "echo"), ("bob", "told"))
SHORT = "min_exchanges = 1\nmax_exchanges = 2\n"


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with serving_chats(tmp_path) as start:
        yield start


def test_two_chats_are_held_and_compared_without_script(serve: Serve) -> None:
    site = serve(bots=ECHOES, chat=SHORT, acute="ties = true", personas=())
    sides = []
    for number in range(4):
        person = site.person().start().talk("Hello there", "And you?")
        told = ["user: Hello there | assistant: user: Hello there | user: And you?", "You said: And you?"]
        assert sorted(person.said[-2:], reverse=True) == told
        assert person.said[:1] == ["Hello there"]
        person.open()
        assert text_of(person.html).count("YouAnd you?") == 2
        assert "Partner" not in text_of(person.html)
        sides.append(person.said.index(told[1]) > person.said.index(told[0]))
        person.post("submit", choice="tie" if number == 3 else "1", reason="because")
        assert "Thank you!" in person.html
    assert sorted(sides) == [False, False, True, True]
    rows = list(judgment_rows(site.study, site.store))
    assert [row["outcome"] for row in rows] == ["win", "win", "win", "tie"]
    chats = site.store.run(fetch_chats())
    assert [chat.dialogues for chat in chats] == [(chat.id, f"{chat.id}.2") for chat in chats]
    for row, chat, is_bob_first in zip(rows, chats, sides, strict=True):
        assert row["winner"] == ("bob" if is_bob_first else "ann")
        by_bot = {str(row[f"{which}"]): row[f"{which}_dialogue"] for which in ("winner", "loser")}
        assert (by_bot["ann"], by_bot["bob"]) == chat.dialogues
    found = collect_chats(site.store, site.study.folder)
    assert (found.by_bot, found.unjudged) == ({"ann": 4, "bob": 4}, 0)
    key = site.store.run(ensure_secret("researcher"))
    with httpx2.Client(
        base_url=site.address, trust_env=False, follow_redirects=True, timeout=PATIENCE
    ) as client:
        client.post("/researcher/sign-in", data={"key": key})
        read = text_of(client.get(f"/researcher/chats/{chats[0].id}").text)
    assert "The same chat with bob" in read
    assert read.count("Hello there") >= 4


def test_a_slow_bot_keeps_both_replies_back(serve: Serve) -> None:
    site = serve(bots=(("ann", "echo"), ("sal", "slow")), chat=SHORT, acute="", personas=())
    person = site.person().start().say("Hello there")
    (chat,) = site.store.run(fetch_chats())
    change = re.search(r'data-change="(\d+)"', person.html)
    for _ in range(3):
        assert (person.open().state, person.said) == ("partner", ["Hello there"])
    assert change is not None
    asked = person.client.get(f"/a/{person.token}/chat", params={"after": change[1]})
    assert asked.status_code == 204
    (site.study.folder / "go").touch()
    person.wait_for("annotator")
    assert sorted(person.said[1:]) == ["Sorry, that took a while.", "You said: Hello there"]
    assert chat.state == "partner"


def test_a_bot_that_fails_can_be_asked_again_and_the_other_is_not_asked_twice(serve: Serve) -> None:
    site = serve(bots=(("ann", "echo"), ("fay", "failing")), chat=SHORT, acute="", personas=())
    broken = site.study.folder / "broken"
    broken.touch()
    person = site.person().start().say("Hello there").wait_for("failed")
    assert person.said == ["Hello there"]
    assert "One of the two could not answer." in text_of(person.html)
    broken.unlink()
    person.post("again").wait_for("annotator")
    assert sorted(person.said[1:]) == ["Here I am again.", "You said: Hello there"]
    broken.touch()
    person.say("Are you there?").wait_for("failed")
    assert 'name="choice"' in person.post("end").html  # it was long enough to be compared
    other = site.person().start().say("Hello there").wait_for("failed")
    assert 'name="choice"' not in other.post("end").html
    credited = [chat.credit for chat in site.store.run(fetch_chats())]
    assert credited == ["", "bot-failed"]


def test_a_chat_ends_with_credit_when_the_study_says_so(serve: Serve) -> None:
    failing = (("ann", "echo"), ("fay", "failing"))
    site = serve(bots=failing, chat=SHORT, acute='after_failure = "end"', personas=())
    (site.study.folder / "broken").touch()
    person = site.person().start().say("Hello there").wait_for("ended")
    assert "A reply is missing, so the conversation is over. This is not your fault" in text_of(person.html)
    person.post("leave")
    (chat,) = site.store.run(fetch_chats())
    assert (chat.ending, chat.credit, chat.judgment) == ("bot-failed", "bot-failed", "")


def test_every_state_is_the_same_after_a_reload_and_on_another_device(serve: Serve) -> None:
    site = serve(bots=(("ann", "echo"), ("sal", "slow")), chat=SHORT, acute="", personas=())
    person = site.person().start()
    other = site.with_token(person.token)

    def is_the_same() -> bool:
        return other.open().said == person.open().said and other.state == person.state

    assert is_the_same()
    fields = person.fields()
    person.say("Hello there")
    assert is_the_same()
    person.client.post(f"/a/{person.token}/say", data={**fields, "text": "Hello there"})
    (site.study.folder / "go").touch()
    person.wait_for("annotator")
    assert is_the_same()
    assert len(person.said) == 3
    other.post("end").open()
    assert is_the_same()
    assert (person.state, len(person.said)) == ("", 4)
    submitted = person.fields() | {"choice": "2", "reason": "."}
    for one in (person, other):
        one.client.post(f"/a/{person.token}/submit", data=submitted)
    assert len(list(judgment_rows(site.study, site.store))) == 1


def test_no_byte_of_parallel_chats_names_a_bot(serve: Serve) -> None:
    names = tuple("x" + secrets.token_hex(6) for _ in range(3))
    traffic: list[str] = []

    def keep(response: httpx2.Response) -> None:
        traffic.append(f"{response.headers}\n{response.read().decode()}")

    site = serve(
        bots=tuple(zip(names, ("echo", "failing", "echo"), strict=True)),
        chat=f'{SHORT}first = "balanced"\n',
        acute="",
    )
    (site.study.folder / "broken").touch()
    for _ in range(3):
        person = site.person()
        person.client.event_hooks["response"].append(keep)
        _walk(person)
    private = {*names, "secret cause", "I have two cats.", "I bake bread."}
    private |= {item.id for item in site.store.stream(fetch_items())}
    private |= {key for chat in site.store.run(fetch_chats()) for key in chat.dialogues}
    assert len(traffic) > 30
    assert not [secret for text in traffic for secret in private if secret in text]


def _walk(person: Person) -> None:
    """All parallel chats of one annotator, compared or left."""
    person.open().start()
    while person.state:
        while person.wait_for("annotator", "failed", "ended").state == "annotator":
            person.client.get(f"/a/{person.token}/chat")
            person.say("hello, how are you?")
        person.post("end") if person.state == "failed" else person.open()
        if 'name="choice"' in person.html:
            person.post("submit", choice="2", reason="because")
    assert "Thank you!" in person.html
