"""The pages of a per-turn chat over a real server: cards, selections, the end; and nothing names a bot."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import httpx2
import pytest

from duologue.per_turn import PerTurnResults
from duologue.reports import analyse_study
from duologue.server import create_app, served
from duologue.store import (
    ensure_secret,
    fetch_chats,
    fetch_items,
    fetch_judgments,
    invite_annotators,
    judgment_rows,
)
from duologue.studies import load_study
from tests.server.chat_people import Person, Site
from tests.server.conftest import prepared_store
from tests.waiting import wait_until

NAMES = ("qzxvwkpjhgfdsatr", "plmoknijbuhvygct", "wsxedcrfvtgbyhnu")
BOTS = """
def upper(messages):
    return messages[-1]["content"].upper()

def title(messages):
    return messages[-1]["content"].title()

def backwards(messages):
    return messages[-1]["content"][::-1]
"""
STUDY = """
[study]
name = "turns"
protocol = "per-turn"
seed = 7

{bots}
[chat]
min_exchanges = 2
max_exchanges = 2
chats_per_bot = 4

[per-turn]
dimensions = ["human"]

[[per-turn.arms]]
name = "user"
bots = [{names}]
setting = "sata-user"

[[per-turn.arms]]
name = "best"
bots = [{names}]
setting = "soba"

[[per-turn.questions]]
name = "fun"
text = "Was it fun?"
labels = ["No", "Yes"]

[onboarding]
enabled = false

[annotators]
exclude_without_reason = false
"""


@contextmanager
def serving(
    folder: Path,
    *,
    code: str = BOTS,
    ways: Sequence[str] = ("upper", "title", "backwards"),
    arm: str = "sata-user",
    asks: bool = True,
) -> Iterator[Site]:
    folder.mkdir()
    (folder / "dialogues").mkdir()
    (folder / "chat_bots.py").write_text(code, encoding="utf-8")
    names = (*NAMES, "rfvtgbyhnujmiklo")[: len(ways)]
    bots = "\n".join(
        f'[[bots]]\nname = "{name}"\nkind = "python"\ncall = "chat_bots:{way}"\n'
        for name, way in zip(names, ways, strict=True)
    )
    text = STUDY.format(bots=bots, names=", ".join(f'"{name}"' for name in names)).replace("sata-user", arm)
    if not asks:
        text = re.sub(r"\[\[per-turn.questions\]\].*?\n\n", "", text, flags=re.DOTALL)
    if len(ways) == 1:
        text = text.replace(f'setting = "{arm}"\n', "")
    if len(ways) != 3 or arm != "sata-user":
        text = re.sub(r'\[\[per-turn.arms\]\]\nname = "best".*?\n\n', "", text, flags=re.DOTALL)
    (folder / "study.toml").write_text(text, encoding="utf-8")
    study = load_study(folder)
    store = prepared_store(study)
    with served(create_app(study, store)) as address:
        site = Site(study, store, address, [])
        yield site
        for client in site.clients:
            client.close()
    store.close()


def select(person: Person, **fields: str | list[str]) -> Person:
    """Send the cards as a browser without script does."""
    form = re.search(r'<form class="cards".*?</form>', person.html, re.DOTALL)
    assert form is not None
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0]))
    person.page = person.client.post(f"/a/{person.token}/select", data=hidden | fields)
    return person


def problem(person: Person) -> str:
    """What is said to be wrong."""
    (said,) = re.findall(r'role="alert">([^<]+)<', person.html)
    return str(said)


def walk(person: Person) -> None:
    """Both arms: a written reply where none will do, one best reply, and what is asked at the end."""
    person.open().start()
    for number in range(2):
        for turn in range(2):
            person.say(f"message {number} {turn} says hello").wait_for("choosing")
            assert len(re.findall(r'name="chosen"', person.html)) == 3
            if 'name="none"' in person.html:
                assert "Write a reply that would be better (at least 10 characters)" in person.html
                given = {"none": "1", "written": "A better reply."} if turn else {"chosen": ["1", "3"]}
                select(person, also_human=["2"], **given)
            else:
                select(person, chosen="2", also_human="1")
            person.wait_for("annotator", "ended")
        person.open()
        assert "Was it fun?" in person.html
        assert "Keys: the number of an answer to choose it, Enter to go on" in person.html
        person.post("submit", whole_fun="2")
    assert "Thank you!" in person.html


def check_transcripts(site: Site) -> None:
    """The researcher sees every reply that was on offer, and which were chosen."""
    client = site.person().client
    client.post("/researcher/sign-in", data={"key": site.store.run(ensure_secret("researcher"))})
    for chat in site.store.run(fetch_chats()):
        page = client.get(f"/researcher/chats/{chat.id}").text
        offered = re.findall(r'<td class="number">(\d)</td><th scope="row">([^<]+)</th>', page)
        assert [bot for turn, bot in offered if turn == "2"] == list(NAMES)
        written = ("4", "written by the annotator")
        assert ("A better reply." in page) == (written in offered)
        assert page.count("<td>yes</td>") == (3 if written in offered else 2)


def test_chats_are_held_blind_and_come_back_as_rows(tmp_path: Path) -> None:
    traffic: list[str] = []

    def keep(response: httpx2.Response) -> None:
        response.read()
        traffic.append(f"{response.headers}\n{response.text}")

    with serving(tmp_path / "s") as site:
        for _ in range(2):
            person = site.person()
            person.client.event_hooks["response"].append(keep)
            walk(person)
        private = {item.id for item in site.store.stream(fetch_items())}
        private |= {judgment.id for judgment in site.store.stream(fetch_judgments())}
        rows = list(judgment_rows(site.study, site.store))
        check_transcripts(site)
        results = analyse_study(site.study, site.store).results
    assert len(traffic) > 20
    for text in traffic:
        assert not [secret for secret in {*NAMES, *private, "chat_bots"} if secret in text]
    assert [row["whole_fun"] for row in rows] == [2] * 4
    assert isinstance(results, PerTurnResults)
    user, best = (next(one for one in results.sections if one.arm == arm) for arm in ("user", "best"))
    assert (user.setting, best.setting) == ("sata-user", "soba")
    assert user.written_rate == pytest.approx(1.0)  # the first turn, with a selection, does not count
    assert user.none_rate == pytest.approx(1.0)
    turns = [turn for row in rows for turn in row["turns"]]  # type: ignore[attr-defined]
    assert len(turns) == 8
    for turn in turns:
        cards = sorted(one["position"] for one in turn["candidates"])
        assert cards == [1, 2, 3]
        assert [one["bot"] for one in turn["candidates"]] == list(NAMES)
        assert turn["message"].startswith("message")
    orders = {tuple(one["position"] for one in turn["candidates"]) for turn in turns}
    assert len(orders) > 1


def test_what_may_not_be_selected_is_said_on_the_page(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as site:
        person = site.person().open().start()
        person.say("hello there friend").wait_for("choosing")
        is_one = 'name="none"' not in person.html
        select(person, also_human="1")
        first = "Which reply fits the conversation best?" if is_one else "Which replies are appropriate?"
        assert problem(person).startswith(f"Please answer: {first}")
        select(person, chosen="1")
        second = "Which next response from your partner" if is_one else "Which replies sound human?"
        assert problem(person).startswith(f"Please answer: {second}")
        assert person.open("?chat").state == "choosing"
        chosen: dict[str, str | list[str]] = {"chosen": "1"} if is_one else {"none": "1", "written": "no"}
        select(person, also_human="1", **chosen)
        if not is_one:
            assert "at least 10 characters" in person.html
            select(person, also_human="1", chosen="1", written="That is a better reply.")
            assert "chosen a reply and written one" in person.html
            assert person.open("?chat").state == "choosing"
            select(person, also_human="1", none="1", written="That is a better reply.")
        assert person.wait_for("annotator").state == "annotator"


def test_a_single_reply_is_selected_or_not(tmp_path: Path) -> None:
    with serving(tmp_path / "s", ways=("upper",)) as site:
        person = site.person().open().start()
        person.say("hello there friend").wait_for("choosing")
        assert "Not this one" in person.html
        assert "None of these" not in person.html


def test_what_an_annotator_does_is_said_of_the_arm_that_they_are_in(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as site:
        told = {}
        for _ in range(4):
            page = site.person().open()
            assert "the chat continues with one of them or with a reply that you write." in page.html
            page.start()
            said = re.search(r'<details class="how".*?</details>', page.html, re.DOTALL)
            assert said is not None
            page.say("hello there friend").wait_for("choosing")
            told['name="none"' in page.html] = "or with a reply that you write" in said[0]
        assert told == {True: True, False: False}


def test_none_of_these_is_no_name_of_what_applies(tmp_path: Path) -> None:
    with serving(tmp_path / "s", arm="sata-random", ways=("upper", "title")) as site:
        page = site.person().open().start().say("hello there friend").wait_for("choosing").html
    names = re.findall(r'<span class="initial"[^>]*>(\w)</span><bdi[^>]*>([^<]*)</bdi></label>', page)
    assert names == [("A", "Appropriate"), ("B", "Sounds human")] * 2 + [
        ("A", "None of these"),
        ("B", "None of these"),
    ]


def test_nothing_is_submitted_where_nothing_is_asked_after_the_chat(tmp_path: Path) -> None:
    with serving(tmp_path / "s", arm="soba", ways=("upper", "title"), asks=False) as site:
        person = site.person().open().start()
        for _ in range(2):
            person.say("hello there friend").wait_for("choosing")
            select(person, chosen="1", also_human="1").wait_for("annotator", "ended")
        person.open()  # reloaded: still the chat, with the way on
        assert "The conversation is over." in person.html
        assert "data-go-on" not in person.html
        way_on = person.fields()
        for _ in range(2):
            person.post("submit", **way_on)
        assert len(list(site.store.stream(fetch_judgments()))) == 1


def test_a_selection_on_a_second_device_changes_nothing(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as site:
        token = site.store.run(invite_annotators(1))[0].token
        first, second = site.with_token(token), site.with_token(token)
        first.open().start()
        first.say("hello there friend").wait_for("choosing")
        second.open("?chat")
        assert second.state == "choosing"
        one = {"chosen": "1"} if 'name="none"' not in first.html else {"chosen": ["1"]}
        select(first, also_human="1", **one)
        select(second, also_human="1", **one)  # the other device repeats it: the first selection stays
        assert second.wait_for("annotator").said == first.wait_for("annotator").said


WAITING = """
import time
from pathlib import Path

HERE = Path(__file__).parent

def fast(messages):
    return "quick " + messages[-1]["content"]

def slow(messages):
    while not (HERE / "go").exists():
        time.sleep(0.01)
    return "long " + messages[-1]["content"]
"""


def test_nothing_shows_that_one_bot_answers_sooner_than_the_other(tmp_path: Path) -> None:
    """The page changes once, when the last reply is there, and cards are not in the order of speed."""
    positions = []
    for number, (first, second) in enumerate((("fast", "slow"), ("slow", "fast"))):
        folder = tmp_path / str(number)
        with serving(folder, code=WAITING, ways=(first, second), arm="sata-random") as site:
            person = site.person().open().start()
            person.say("hello there friend").open("?chat")
            wait_until(partial(_has_one_reply, folder), "the fast bot has answered")
            before, state = person.html, person.state
            change = re.search(r'data-change="(\d+)"', before)
            assert change is not None
            for _ in range(3):
                looked = person.client.get(f"/a/{person.token}/chat?after={change[1]}")
                assert (looked.status_code, looked.text) == (204, "")
                assert (person.open("?chat").state, state) == ("partner", "partner")
                assert _without_keys(person.html) == _without_keys(before)
                assert "quick" not in person.html
            (folder / "go").touch()
            person.wait_for("choosing")
            cards = re.findall(r'<span class="text"[^>]*>(quick|long) hello', person.html)[:2]
            assert sorted(cards) == ["long", "quick"]
            positions.append(cards.index("quick" if first == "fast" else "long"))
    assert positions[0] == positions[1]  # the first bot's card is where it was drawn to be, fast or slow


def _has_one_reply(folder: Path) -> bool:
    with closing(sqlite3.connect(folder / "study.db")) as database:
        given = "SELECT count(*) FROM wanted_replies WHERE state = 'given'"
        return bool(database.execute(given).fetchone()[0] == 1)


def _without_keys(html: str) -> str:
    """A page without what is new on every one: the key of the next message, and the seconds left to wait."""
    return re.sub(r'(name="key" value|data-offer-in)="[^"]*"', "", html)
