"""Bots of three kinds, from the study file to pairings, and personas people really used."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from duologue.acute import change_pairing, make_pairings
from duologue.bots import SelfChats, answering_bots, collect_self_chats, read_briefings
from duologue.dialogues import index_dialogues
from duologue.studies import load_study, new_study
from tests.bots.endpoint import Endpoint, fails
from tests.waiting import PATIENCE

PERSONACHAT = (
    Path(__file__).parents[3] / "shared" / "data" / "convai2_valid" / "valid_both_original_no_cands.txt"
)


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[str]:
    """The endpoint in a thread of its own; gives its address."""
    ready, done = Event(), Event()
    address: list[str] = []

    async def serve() -> None:
        async with endpoint:
            address.append(endpoint.base_url)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = Thread(target=lambda: asyncio.run(serve()))
    thread.start()
    ready.wait(PATIENCE)
    try:
        yield address[0]
    finally:
        done.set()
        thread.join()


def bots(base_url: str) -> str:
    command = json.dumps([sys.executable, "bot.py"])
    return f"""
[[bots]]
name = "function"
kind = "python"
call = "my_bot:answer"

[[bots]]
name = "endpoint"
kind = "openai"
base_url = "{base_url}"
model = "m"
retries = 2

[[bots]]
name = "process"
kind = "command"
command = {command}
max_concurrent = 2
"""


def test_three_kinds_of_bots_talk_and_are_paired(tmp_path: Path) -> None:
    folder = new_study(tmp_path / "s", seed=3).folder
    (folder / "my_bot.py").write_text("def answer(messages):\n    return f'turn {len(messages)}'\n")
    (folder / "bot.py").write_text(
        "import json, sys\nfor line in sys.stdin:\n"
        "    said = json.loads(line)['messages']\n"
        "    print(json.dumps({'text': f'line {len(said)}'}), flush=True)\n"
    )
    endpoint = Endpoint().then(fails(500), fails(429, retry_after="0"))
    with serving(endpoint) as base_url:
        with (folder / "study.toml").open("a", encoding="utf-8") as file:
            file.write(bots(base_url))
        study = load_study(folder)
        found = collect_self_chats(
            folder, answering_bots(study.file.bots), SelfChats(n=4, exchanges=3, seed=study.seed)
        )
    assert [(one.bot, one.made) for one in found] == [("function", 4), ("endpoint", 4), ("process", 4)]
    assert len(endpoint.requests) == 4 * 5 + 2
    assert len(index_dialogues(folder)) == 12
    made = make_pairings(study, settings=change_pairing(study, {"per_matchup": 4}))
    assert sorted(made.matchups.values()) == [4, 4, 4]


@pytest.mark.skipif(not PERSONACHAT.exists(), reason="the PersonaChat data are not beside the repository")
def test_personas_that_people_used_are_read() -> None:
    briefings = read_briefings(PERSONACHAT)
    assert len(briefings) >= 1000
    assert all(3 <= len(one.persona) <= 5 and 3 <= len(one.partner_persona) <= 5 for one in briefings)
    assert all(one.opener for one in briefings)
