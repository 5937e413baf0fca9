"""Three bots of three kinds, from `study new --protocol likert` to the report.

A Python function, an OpenAI-compatible endpoint and a command are talked to by simulated annotators over the
real pages of `duologue serve`; and the server is killed while a bot thinks.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from duologue.dialogues import read_dialogues
from duologue.likert.rehearsal import LikertRehearsal
from duologue.likert.rehearsal.means import Means
from duologue.rehearsal.answers import Knowledge
from duologue.rehearsal.kinds import Kind, SimulatedAnnotator
from duologue.rehearsal.pages import Form, Page, read_page
from duologue.rehearsal.walk import Walk, walk_pages
from duologue.store import (
    Invitation,
    fetch_annotators,
    fetch_chat,
    fetch_chats,
    fetch_judgments,
    invite_annotators,
    open_store,
)
from duologue.studies import Study, load_study
from tests.bots.endpoint import Endpoint, never_answers, waits_for
from tests.commands import Commands
from tests.end_to_end.loaded_server import Server
from tests.waiting import PATIENCE, wait_until

BOTS = {"quillorn": 3.9, "brasswyke": 2.6, "tamarundle": 1.1}
"""Names nobody would say by chance, with the mean that careful annotators truly give each."""
PYTHON, OPENAI, COMMAND = BOTS

FUNCTION = """
async def answer(messages, seed):
    return f"That is turn {len(messages)} for me. Tell me more about it!"
"""

PROCESS = """
import json, sys

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"text": "I heard: " + asked["messages"][-1]["content"]}), flush=True)
"""

CAST: tuple[Kind, ...] = ("careful",) * 8 + ("spammer", "double-clicker")
CHATS_PER_BOT = len(CAST)


def tables(base_url: str) -> str:
    return f"""
[[bots]]
name = "{PYTHON}"
kind = "python"
call = "my_bot:answer"

[[bots]]
name = "{OPENAI}"
kind = "openai"
base_url = "{base_url}"
model = "anything"

[[bots]]
name = "{COMMAND}"
kind = "command"
command = ["{sys.executable}", "bot.py"]

"""


@contextmanager
def answering_endpoint() -> Iterator[Endpoint]:
    """An endpoint that answers in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    endpoint = Endpoint()
    try:
        asyncio.run_coroutine_threadsafe(endpoint.__aenter__(), loop).result(PATIENCE)
        yield endpoint
    finally:
        asyncio.run_coroutine_threadsafe(_end(endpoint), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end(endpoint: Endpoint) -> None:
    await endpoint.__aexit__(None, None, None)
    others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


Run = Callable[..., str]


@pytest.fixture(scope="module")
def duologue(quick_duologue: Path) -> Run:
    """What a command prints."""
    commands = Commands(quick_duologue, {"COLUMNS": "120"})

    def run(*arguments: str, folder: Path) -> str:
        done = commands.finished(list(arguments), folder=folder)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout

    return run


def make_study(duologue: Run, folder: Path, base_url: str, *, chats: int = CHATS_PER_BOT) -> Study:
    """A study with three bots of three kinds, made as a researcher would."""
    duologue("study", "new", "live", "--protocol", "likert", "--seed", "5", folder=folder)
    path = folder / "live" / "study.toml"
    before, _, rest = path.read_text(encoding="utf-8").partition("[[bots]]")
    after = "[chat]" + rest.partition("[chat]")[2]
    for old, new in (
        ("chats_per_bot = 235", f"chats_per_bot = {chats}"),
        ("min_exchanges = 4", "min_exchanges = 2"),
        ("max_exchanges = 6", "max_exchanges = 3"),
        ("exclude = []", 'exclude = ["few-words"]'),
    ):
        assert old in after
        after = after.replace(old, new, 1)
    path.write_text(before + tables(base_url).lstrip() + after, encoding="utf-8")
    (path.parent / "my_bot.py").write_text(FUNCTION, encoding="utf-8")
    (path.parent / "bot.py").write_text(PROCESS, encoding="utf-8")
    return load_study(path.parent)


@dataclass
class Journey:
    """What the commands printed, what annotators did, and all that was sent to them."""

    study: Study
    checked: str
    walks: tuple[Walk, ...]
    requests: list[dict[str, Any]]
    sent: bytes
    said: dict[str, str] = field(default_factory=dict)


@pytest.fixture(scope="module")
def journey(tmp_path_factory: pytest.TempPathFactory, duologue: Run) -> Journey:
    folder = tmp_path_factory.mktemp("live")
    with answering_endpoint() as endpoint:
        study = make_study(duologue, folder, endpoint.base_url)
        checked = duologue("bots", "check", "live", folder=folder)
        checked += duologue("study", "check", "live", folder=folder)
        with Server(study.folder) as server:
            server.start()
            invited = duologue("annotators", "invite", "live", "--count", str(len(CAST)), folder=folder)
            tokens = re.findall(r"/a/(\S+)", invited)
            walks, sent = asyncio.run(walk_all(study, server.address, tokens))
            assert server.stop() == 0
        journey = Journey(study, checked, walks, list(endpoint.requests), sent)
    for name, *arguments in (
        ("analyse", "live"),
        ("report", "live"),
        ("judgments", "export", "live", "--out", "judgments.csv"),
    ):
        journey.said[name] = duologue(name, *arguments, folder=folder)
    return journey


async def walk_all(study: Study, address: str, tokens: list[str]) -> tuple[tuple[Walk, ...], bytes]:
    """Everybody chats and rates at the same time; every byte of what they were sent is kept."""
    seen: list[bytes] = []

    async def keep(response: httpx2.Response) -> None:
        seen.append(await response.aread())
        seen.append(repr(response.headers).encode())

    knowledge = Knowledge(study, LikertRehearsal(), Means({}, BOTS))
    with open_store(study.database) as store:
        ids = {annotator.token: annotator.id for annotator in store.run(fetch_annotators())}
        async with httpx2.AsyncClient(
            base_url=address,
            follow_redirects=True,
            trust_env=False,
            timeout=PATIENCE,
            event_hooks={"response": [keep]},
        ) as client:
            walks = await asyncio.gather(
                *(
                    walk_pages(
                        SimulatedAnnotator(number, kind, has_script=number % 2 == 0, seed=1),
                        Invitation(ids[token], "", token),
                        client=client,
                        store=store,
                        knowledge=knowledge,
                    )
                    for number, (kind, token) in enumerate(zip(CAST, tokens, strict=True))
                )
            )
    return tuple(walks), b"\n".join(seen)


def results(journey: Journey) -> Any:
    return json.loads((journey.study.folder / "results.json").read_text(encoding="utf-8"))


def test_the_three_bots_answer_before_anybody_comes(journey: Journey) -> None:
    assert all(bot in journey.checked for bot in BOTS)
    assert "can be served" in journey.checked


def test_everybody_chats_with_every_bot_once_and_is_thanked(journey: Journey) -> None:
    assert {walk.ending for walk in journey.walks} == {"thanks"}
    with open_store(journey.study.database) as store:
        chats = store.run(fetch_chats())
    met = Counter((chat.annotator, chat.bot) for chat in chats)
    assert set(met.values()) == {1}
    assert Counter(chat.bot for chat in chats if chat.judgment) == dict.fromkeys(BOTS, CHATS_PER_BOT)


def test_every_turn_is_stored_once_and_in_its_place(journey: Journey) -> None:
    with open_store(journey.study.database) as store:
        stored = {
            key: tuple(
                turn.text for turn in store.run(fetch_chat(walk.token, key)).turns if turn.is_annotator
            )
            for walk in journey.walks
            for key in walk.said
        }
    assert stored == {key: texts for walk in journey.walks for key, texts in walk.said.items()}


def test_each_bot_was_given_all_that_was_said(journey: Journey) -> None:
    longest = max((request["messages"] for request in journey.requests), key=len)
    assert [message["role"] for message in longest] == ["user", "assistant", "user", "assistant", "user"]
    assert longest[1]["content"] == "Hello!"


def test_no_bot_is_named_in_any_byte_that_annotators_were_sent(journey: Journey) -> None:
    for bot in BOTS:
        assert bot.encode() not in journey.sent.lower()


def test_the_spammer_is_flagged_and_set_aside_as_the_study_says(journey: Journey) -> None:
    (spammer,) = (walk for walk in journey.walks if walk.annotator.kind == "spammer")
    with open_store(journey.study.database) as store:
        flags = [
            {flag.rule for flag in chat.flags}
            for chat in store.run(fetch_chats())
            if chat.annotator == spammer.id
        ]
        excluded = {one.excluded for one in store.stream(fetch_judgments()) if one.annotator == spammer.id}
    assert len(flags) == 3
    assert all("few-words" in rules for rules in flags)
    assert excluded == {"chat:few-words"}


def test_the_bots_are_ranked_as_planted_and_the_best_beats_the_worst(journey: Journey) -> None:
    (section,) = results(journey)["sections"]
    assert section["bots"] == list(BOTS)
    (question,) = section["questions"]
    pairs = {(pair["first"], pair["second"]): pair["verdict"]["better"] for pair in question["pairs"]}
    assert pairs[PYTHON, COMMAND] == PYTHON
    assert PYTHON in journey.said["analyse"]


def test_the_report_stands_alone_and_shows_the_chats(journey: Journey) -> None:
    html = (journey.study.folder / "report" / "report.html").read_text(encoding="utf-8")
    assert "Tell me more about it!" in html
    assert re.findall(r'(?:src|href)="(?!#|data:|[\w./-]+")[^"]*"', html) == []


def test_every_rating_is_in_the_exported_table(journey: Journey) -> None:
    rows = (journey.study.folder.parent / "judgments.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + sum(walk.saved for walk in journey.walks)


def test_the_chats_are_dialogues_that_other_studies_can_use(journey: Journey, duologue: Run) -> None:
    duologue("dialogues", "collect", "live", folder=journey.study.folder.parent)
    for bot in BOTS:
        held = list(read_dialogues(journey.study.folder / "dialogues" / f"{bot}.live.jsonl"))
        assert len(held) == CHATS_PER_BOT - CAST.count("spammer")
        assert {dialogue.kind for dialogue in held} == {"live-chat"}


# Killed in mid-reply


@dataclass
class Person:
    """Somebody at a page, who asks again while the server is away."""

    client: httpx2.Client
    path: str

    def look(self) -> Page:
        return read_page(self._insist("GET", self.path))

    def send(self, form: Form, **fields: str) -> Page:
        return read_page(self._insist("POST", form.action, {**form.hidden, **fields}))

    def wait_for(self, state: str) -> Page:
        wait_until(lambda: self.look().chat_state == state, f"the chat is {state}")
        return self.look()

    def _insist(self, method: str, path: str, fields: dict[str, str] | None = None) -> str:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                answer = self.client.request(method, path, data=fields)
                assert answer.status_code == 200, answer.text
                return answer.text
            except httpx2.TransportError:
                assert time.monotonic() < end, "the server did not come back in time"
                time.sleep(0.1)


def form(page: Page, name: str) -> Form:
    found = page.named(name)
    assert found is not None
    return found


def test_killed_while_a_bot_thinks_nothing_said_is_lost_and_the_reply_comes(
    tmp_path: Path, duologue: Run
) -> None:
    with answering_endpoint() as endpoint, ExitStack() as stack:
        study = make_study(duologue, tmp_path, endpoint.base_url, chats=4)
        path = study.folder / "study.toml"
        only = study.text.replace('# bots = ["companion"] ', f'bots = ["{OPENAI}"] ')
        assert only != study.text
        path.write_text(only, encoding="utf-8")
        server = stack.enter_context(Server(study.folder))
        server.start()
        with open_store(study.database) as store:
            (invitation,) = store.run(invite_annotators(1))
        with httpx2.Client(
            base_url=server.address, follow_redirects=True, trust_env=False, timeout=PATIENCE
        ) as client:
            person = Person(client, f"/a/{invitation.token}")
            consent = person.look().form
            assert consent is not None
            page = person.send(consent)
            page = person.send(form(page, "say"), text="Hello there, how are you?")
            page = person.wait_for("annotator")

            seen = threading.Event()
            endpoint.then(never_answers, waits_for(seen))
            asked = len(endpoint.requests)
            page = person.send(form(page, "say"), text="Do you like bread?")
            assert page.chat_state == "partner"
            wait_until(lambda: len(endpoint.requests) > asked and endpoint.running, "the bot is asked")
            server.kill()
            server.start()

            page = person.look()
            assert page.chat_state == "partner"  # what was said is there, and the reply still owed
            seen.set()
            page = person.wait_for("annotator")
            key = form(page, "say").hidden["assignment"]
        assert server.stop() == 0
        with open_store(study.database) as store:
            turns = store.run(fetch_chat(invitation.token, key)).turns
        assert [turn.text for turn in turns] == [
            "Hello there, how are you?",
            "Hello!",
            "Do you like bread?",
            "Hello!",
        ]
        last = endpoint.requests[-1]["messages"]
        assert [message["content"] for message in last] == [turn.text for turn in turns[:3]]
        assert endpoint.requests[-1]["seed"] == endpoint.requests[-2]["seed"]
