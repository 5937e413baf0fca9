"""No byte that an annotator gets says which bot is which, what is expected, or what is onboarding."""

import random
import re
import string
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
from httpx2 import Response
from starlette.testclient import TestClient

from duologue.store import (
    Store,
    fetch_annotators,
    fetch_chats,
    fetch_items,
    fetch_judgments,
    invite_annotators,
)
from tests.server.chat_people import Person, serving_chats
from tests.server.visits import Visitor, assignment_in, hidden_fields
from tests.waiting import PATIENCE

Serve = Callable[..., tuple[TestClient, Store]]
SECRETS = random.Random(11)


def secret_name() -> str:
    return "".join(SECRETS.choices(string.ascii_lowercase, k=16))


class Recorder:
    """Keeps every byte of every response, headers too."""

    def __init__(self, client: TestClient) -> None:
        self.traffic: list[tuple[str, bytes]] = []
        self.pages: list[Response] = []
        client.event_hooks["response"].append(self._keep)

    def _keep(self, response: Response) -> None:
        response.read()
        head = b"\n".join(name + b": " + value for name, value in response.headers.raw)
        self.traffic.append((str(response.url), head + b"\n\n" + response.content))
        self.pages.append(response)


def walk(visitor: Visitor, *, script: bool) -> list[Response]:
    """All comparisons of one annotator, in order."""
    visitor.open()
    page = visitor.consent()
    shown = []
    while 'name="assignment"' in page.text:
        shown.append(page)
        page = visitor.submit(page, script=script)
        if page.status_code == 303:
            page = visitor.client.get(page.headers["location"])
    return shown


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
def test_no_byte_of_a_whole_study_names_a_bot(serve: Serve, script: bool) -> None:
    bots = tuple(secret_name() for _ in range(3))
    client, store = serve(
        bots=bots,
        per_matchup=3,
        rest="[annotators]\nmax_judgments = 3\nopen_link = true\n[onboarding]\ncomparisons = 2\n",
    )
    recorder = Recorder(client)
    for invitation in store.run(invite_annotators(4)):
        walk(Visitor(client, invitation.token), script=script)
    client.get("/")
    client.get("/a/unknown")
    client.get("/nowhere")
    assert len(list(store.stream(fetch_judgments()))) >= 9
    dialogue_ids = {name for item in store.stream(fetch_items()) for name in item.dialogues}
    item_ids = {item.id for item in store.stream(fetch_items())}
    judgment_ids = {judgment.id for judgment in store.stream(fetch_judgments())}
    annotator_ids = {annotator.id for annotator in store.run(fetch_annotators())}
    for url, content in recorder.traffic:
        text = content.decode()
        for bot in bots:
            assert bot not in text, url
        for internal in (
            dialogue_ids | judgment_ids | annotator_ids | {one for one in item_ids if len(one) > 4}
        ):
            assert internal not in text, url
        assert not re.search(r"onboarding|gold|correct_answer|__vs__", text), url


def test_onboarding_cannot_be_told_from_the_rest(serve: Serve) -> None:
    client, store = serve(bots=("x" * 16, "y" * 16), per_matchup=4, rest="[annotators]\nmax_judgments = 2\n")
    token = store.run(invite_annotators(1))[0].token
    pages = walk(Visitor(client, token), script=False)
    assert len(pages) == 3
    kinds = [judgment.is_onboarding for judgment in store.stream(fetch_judgments())]
    assert kinds == [True, False, False]
    assert len({skeleton(page) for page in pages}) == 1
    totals = {re.search(r"Comparison \d of (\d)", page.text)[1] for page in pages}  # type: ignore[index]
    assert totals == {"3"}
    headers = [{name for name in page.headers if name != "date"} for page in pages]
    assert headers[0] == headers[1] == headers[2]
    lengths = {len(assignment_in(page.text)) for page in pages}
    assert len(lengths) == 1


def test_checks_and_repeats_cannot_be_told_from_the_rest(serve: Serve) -> None:
    client, store = serve(
        bots=("x" * 16, "y" * 16),
        per_matchup=6,
        attention=2,
        rest=(
            "[annotators]\nmax_judgments = 4\nrepeat = 0.25\nrepeat_after = 2\nitem_seconds = 900\n"
            "sitting_minutes = 60\n[attention]\nevery = 4\n"
        ),
    )
    token = store.run(invite_annotators(1))[0].token
    pages = walk(Visitor(client, token), script=False)
    given = list(store.stream(fetch_judgments()))
    assert Counter((one.role, one.occasion) for one in given) == {
        ("onboarding", 1): 1,
        ("judged", 1): 4,
        ("attention", 1): 1,
        ("judged", 2): 1,
    }
    assert len({skeleton(page) for page in pages}) == 1
    assert {re.search(r"Comparison \d of (\d)", page.text)[1] for page in pages} == {"7"}  # type: ignore[index]
    assert not any(re.search(r"onboarding|attention|gold|repeat|occasion", page.text) for page in pages)
    assert len({frozenset(name for name in page.headers if name != "date") for page in pages}) == 1


def skeleton(page: Response) -> str:
    """The page without what differs between any two comparisons: ids, text, numbers, where it was saved."""
    html = page.text
    for value in hidden_fields(html).values():
        if value:
            html = html.replace(value, "…")
    html = html.replace('<span class="saved">Saved</span>', "")
    html = re.sub(r'(data-seconds-left|datetime)="[^"]+"', "", html)
    html = re.sub(r">[^<]+<", "><", html)
    return re.sub(r'value="\d"', "", html)


def test_the_two_sides_differ_in_nothing_but_number_and_text(serve: Serve) -> None:
    client, store = serve(bots=("plain", "fancy"))
    html = Visitor(client, store.run(invite_annotators(1))[0].token).consent().text
    one, other = re.findall(r'<section class="dialogue.*?</section>', html, re.DOTALL)
    assert (
        one.replace("side-1", "side-2")
        .replace("conversation-1", "conversation-2")
        .replace("speaker-1", "speaker-2")
        .replace("Speaker 1", "Speaker 2")
        .replace("Conversation 1", "Conversation 2")
        == other
    )


def test_no_byte_of_a_whole_study_of_live_chats_names_a_bot_its_persona_or_why_it_failed(
    tmp_path: Path,
) -> None:
    names = tuple(secret_name() for _ in range(3))
    told = [f"I am {secret_name()}." for _ in range(4)]
    personas = [{"persona": [line], "partner_persona": ["I am a cook."]} for line in told]
    traffic: list[tuple[str, bytes]] = []

    def keep(response: httpx2.Response) -> None:
        response.read()
        head = b"\n".join(name + b": " + value for name, value in response.headers.raw)
        traffic.append((str(response.url), head + b"\n\n" + response.content))

    with serving_chats(tmp_path) as serve:
        site = serve(
            bots=((names[0], "echo"), (names[1], "failing"), (names[2], "echo")),
            personas=personas,
            chat='min_exchanges = 1\nmax_exchanges = 2\nfirst = "balanced"\n',
        )
        (site.study.folder / "broken").touch()
        for _ in range(4):
            person = site.person()
            person.client.event_hooks["response"].append(keep)
            _walk_chats(person)
        chats = site.store.run(fetch_chats())
        private = {chat.id for chat in chats} | {item.id for item in site.store.stream(fetch_items())}
        private |= {judgment.id for judgment in site.store.stream(fetch_judgments())}
        assert {chat.bot for chat in chats} == set(names)
        assert any("secret cause" in why for chat in chats for why in chat.failures)
    streamed = [content for url, content in traffic if url.endswith("/events")]
    assert any(b"data-chat-state" in content for content in streamed)
    assert len(traffic) > 50
    secrets = {*names, "secret cause", "ValueError", *told}
    for url, content in traffic:
        text = content.decode()
        for secret in secrets | private:
            assert secret not in text, url


def _walk_chats(person: Person) -> None:
    """All chats of one annotator: talked, followed by stream and by polling, rated or left."""
    person.open().start()
    while person.state:
        listener = threading.Thread(target=person.client.get, args=(f"/a/{person.token}/events",))
        listener.start()
        while person.wait_for("annotator", "failed", "ended").state == "annotator":
            person.client.get(f"/a/{person.token}/chat")
            person.say("hello, how are you?")
        if person.state == "failed":
            person.post("again").wait_for("failed")
            person.post("end")
        else:
            person.open()
        listener.join(PATIENCE)
        if 'name="rating_enjoyment"' in person.html:
            person.post("submit", rating_enjoyment="2", reason="because")
    assert "Thank you!" in person.html
