"""Local weights: a tiny model that is made here (skipped when torch or transformers is absent)."""

from __future__ import annotations

import asyncio
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from duologue.bots import Message, Reply, TransformersBot, open_bot
from duologue.errors import BotError, MissingExtra

IS_THERE = find_spec("torch") is not None and find_spec("transformers") is not None
needs_weights = pytest.mark.skipif(not IS_THERE, reason="torch and transformers are not installed")
WORDS = [
    "<unk>",
    "<end>",
    "<user>",
    "<bot>",
    *("hello", "there", "how", "are", "you", "fine", "thanks", "good", "day", "tea", "dog", "ski"),
]
TEMPLATE = (
    "{% for m in messages %}"
    "{{ '<user> ' if m['role'] == 'user' else '<bot> ' }}{{ m['content'] }} "
    "{% endfor %}"
    "{% if add_generation_prompt %}<bot> {% endif %}"
)
SAID = (Message("user", "hello there"),)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A GPT-2 of a few thousand numbers, drawn at random, with a vocabulary of a few words."""
    folder = tmp_path_factory.mktemp("weights")
    torch, transformers, tokenizers = map(import_module, ("torch", "transformers", "tokenizers"))
    words = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(WORDS)}, unk_token="<unk>")
    )
    words.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="<unk>", eos_token="<end>", pad_token="<end>"
    )
    torch.manual_seed(3)
    config = transformers.GPT2Config(
        vocab_size=len(WORDS),
        n_positions=64,
        n_embd=16,
        n_layer=1,
        n_head=2,
        eos_token_id=1,
        bos_token_id=1,
        tie_word_embeddings=False,
    )
    model = transformers.GPT2LMHeadModel(config)
    model.generation_config.suppress_tokens = [0, 1, 2, 3]
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def ask(weights: Path, messages: tuple[Message, ...] = SAID, seed: int = 1, **settings: object) -> Reply:
    async def run() -> Reply:
        table = {"name": "ada", "model": weights.name, "max_tokens": 12, **settings}
        bot = open_bot(TransformersBot.model_validate(table), folder=weights.parent)
        async with bot:
            return await bot.reply(messages, seed=seed)

    return asyncio.run(run())


@needs_weights
def test_the_weights_answer_in_words_they_know(weights: Path) -> None:
    reply = ask(weights)
    assert set(reply.text.split()) <= set(WORDS)
    assert reply.tokens is not None
    assert 1 <= reply.tokens <= 12


@needs_weights
def test_the_seed_decides_what_is_said(weights: Path) -> None:
    assert ask(weights, seed=4).text == ask(weights, seed=4).text
    assert len({ask(weights, seed=seed).text for seed in range(5)}) > 1


@needs_weights
def test_at_temperature_nought_the_seed_does_not_matter(weights: Path) -> None:
    assert len({ask(weights, seed=seed, temperature=0).text for seed in range(3)}) == 1


@needs_weights
def test_replies_asked_for_together_are_those_asked_for_one_by_one(weights: Path) -> None:
    async def together() -> list[str]:
        table = {"name": "ada", "model": str(weights), "max_tokens": 12, "max_concurrent": 3}
        async with open_bot(TransformersBot.model_validate(table)) as bot:
            replies = await asyncio.gather(*(bot.reply(SAID, seed=seed) for seed in range(3)))
            return [reply.text for reply in replies]

    assert asyncio.run(together()) == [ask(weights, seed=seed).text for seed in range(3)]


@needs_weights
def test_a_chat_template_tells_the_speakers_apart(weights: Path) -> None:
    plain = ask(weights, temperature=0).text
    (weights / "chat_template.jinja").write_text(TEMPLATE, encoding="utf-8")
    try:
        told = ask(weights, temperature=0).text
        other = ask(weights, (Message("assistant", "hello there"),), temperature=0).text
    finally:
        (weights / "chat_template.jinja").unlink()
    assert len({plain, told, other}) > 1


@needs_weights
def test_what_is_too_long_loses_its_beginning(weights: Path) -> None:
    long = (Message("user", "hello " * 500),)
    assert ask(weights, long).text


@needs_weights
def test_weights_that_are_not_there_are_named(tmp_path: Path) -> None:
    (tmp_path / "nothing").mkdir()
    with pytest.raises(BotError, match=r"nothing.* cannot be loaded"):
        ask(tmp_path / "nothing")


@pytest.mark.skipif(IS_THERE, reason="torch and transformers are installed")
def test_without_the_packages_the_message_says_how_to_get_them() -> None:
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[neural\]'"):
        open_bot(TransformersBot(name="ada", model="weights"))
