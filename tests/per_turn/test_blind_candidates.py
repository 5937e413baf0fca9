"""Three bots in one chat: no byte, change number or card tells which of them is slow, or which is which."""

from __future__ import annotations

import re
from pathlib import Path

from duologue.store import fetch_chat
from tests.per_turn.test_pages import NAMES, select, serving
from tests.server.chat_people import Person, Site
from tests.server.visits import hidden_fields
from tests.waiting import wait_until

WAYS = ("upper", "title", "backwards")
GATED = """
import time
from pathlib import Path

HERE = Path(__file__).parent

def slow():
    try:
        return (HERE / "slow").read_text()
    except FileNotFoundError:
        return None

def answered(way, text):
    while slow() == way:
        time.sleep(0.01)
    (HERE / f"{way}.answered").touch()
    return text

def upper(messages):
    return answered("upper", messages[-1]["content"].upper())

def title(messages):
    return answered("title", messages[-1]["content"].title())

def backwards(messages):
    return answered("backwards", messages[-1]["content"][::-1])
"""


def bare(person: Person) -> str:
    """The page as it is, but for the keys of its forms and for what counts seconds."""
    html = person.html
    for value in hidden_fields(html).values():
        html = html.replace(value, "…") if len(value) > 8 else html
    html = html.replace(person.token, "…")
    return re.sub(r'data-(offer-in|seconds)="[^"]*"|data-assignment="[^"]*"', "", html)


def cards(person: Person) -> list[str]:
    """The cards without their texts and numbers."""
    found = re.findall(r'<div class="candidate shared".*?</label>\s*</div></div>', person.html, re.DOTALL)
    return [
        re.sub(r'value="\d"|reply-\d|>\d<|dir="auto">.*?</span>', "", one, flags=re.DOTALL) for one in found
    ]


def test_whichever_bot_is_slow_the_traffic_is_the_same_and_all_cards_come_at_once(
    tmp_path: Path,
) -> None:
    with serving(tmp_path / "s", code=GATED, arm="sata-random") as site:
        waiting = {waiting_for(site, slow) for slow in WAYS}
    assert len(waiting) == 1


def waiting_for(site: Site, slow: str) -> str:
    """The page of an annotator who waits for one bot; then all cards come, and one is chosen."""
    folder, person = site.study.folder, site.person().open().start()
    (folder / "slow").write_text(slow)
    for way in WAYS:
        (folder / f"{way}.answered").unlink(missing_ok=True)
    person.say("hello there friend").wait_for("partner")
    before, key = bare(person.open("?chat")), person.fields()["assignment"]
    change = re.search(r'data-change="(\d+)"', person.html)
    assert change
    others = [folder / f"{way}.answered" for way in WAYS if way != slow]
    wait_until(lambda: all(one.exists() for one in others), "the others have answered")
    assert site.store.run(fetch_chat(person.token, key)).state == "partner"
    assert bare(person.open("?chat")) == before
    news = person.client.get(f"/a/{person.token}/chat?after={change[1]}")
    assert (news.status_code, news.text) == (204, "")
    (folder / "slow").unlink()
    person.wait_for("choosing")
    assert len(cards(person)) == 3
    assert len(set(cards(person))) == 1
    one: dict[str, str | list[str]] = (
        {"chosen": "1"} if 'name="none"' not in person.html else {"chosen": ["1"]}
    )
    select(person, also_human="1", **one).wait_for("annotator")
    assert not [name for name in NAMES if name in person.html]
    return before
