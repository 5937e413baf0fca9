from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from duologue.bots import Message, ReplayBot, builtin_bot, open_bot, self_chat
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import BotError, InputError


def recorded(*texts: str, key: str = "d1") -> Dialogue:
    """A live chat that a human began."""
    turns = tuple(Turn("ada" if number % 2 else "human", text) for number, text in enumerate(texts))
    return Dialogue(key, "ada", "live-chat", "ada", (Speaker("human"), Speaker("ada", "ada")), turns)


def messages(*texts: str) -> list[Message]:
    return [Message("assistant" if number % 2 else "user", text) for number, text in enumerate(texts)]


def ask(folder: Path, *texts: str, seed: int = 1, match: str = "history") -> str:
    bot = open_bot(
        ReplayBot.model_validate({"name": "r", "file": "logs.jsonl", "match": match}), folder=folder
    )
    return asyncio.run(bot.reply(messages(*texts), seed=seed)).text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    logs = [
        recorded("Hi!", "Hello.", "How are you?", "Fine."),
        recorded("Hey.", "Yo.", "So?", "So.", key="d2"),
    ]
    write_dialogues(logs, tmp_path / "logs.jsonl")
    return tmp_path


def test_the_same_turns_get_the_recorded_reply(folder: Path) -> None:
    assert ask(folder, "Hi!") == "Hello."
    assert ask(folder, "Hi!", "Hello.", "How are you?") == "Fine."
    assert ask(folder, "Hey.") == "Yo."


def test_turns_nobody_said_get_a_failure_not_a_guess(folder: Path) -> None:
    with pytest.raises(BotError, match=r'nobody answered these very 1 turns\. Set match = "turn"'):
        ask(folder, "Hi?")


def test_by_turn_the_seed_picks_one_dialogue_and_keeps_to_it(folder: Path) -> None:
    firsts = {seed: ask(folder, "Whatever", seed=seed, match="turn") for seed in range(12)}
    assert set(firsts.values()) == {"Hello.", "Yo."}
    for seed, first in firsts.items():
        second = ask(folder, "Whatever", first, "Well?", seed=seed, match="turn")
        assert (first, second) in {("Hello.", "Fine."), ("Yo.", "So.")}


def test_by_turn_the_replies_run_out(folder: Path) -> None:
    with pytest.raises(BotError, match="has only 2 replies"):
        ask(folder, "a", "b", "c", "d", "e", match="turn")


def test_a_self_chat_is_replayed_word_for_word(tmp_path: Path) -> None:
    chat = asyncio.run(self_chat(builtin_bot("companion"), exchanges=4, opener="Hi!", seed=3))
    write_dialogues([chat], tmp_path / "logs.jsonl")
    bot = open_bot(ReplayBot(name="companion", file="logs.jsonl"), folder=tmp_path)
    again = asyncio.run(self_chat(bot, exchanges=4, opener="Hi!", seed=99))
    assert [turn.text for turn in again.turns] == [turn.text for turn in chat.turns]


def test_logs_of_other_formats_are_replayed(tmp_path: Path) -> None:
    lines = '{"messages": [{"role": "user", "content": "Hi!"}, {"role": "assistant", "content": "Hello."}]}\n'
    (tmp_path / "logs.jsonl").write_text(lines, encoding="utf-8")
    assert ask(tmp_path, "Hi!") == "Hello."


def test_logs_that_are_not_there_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"logs\.jsonl"):
        ask(tmp_path, "Hi!")


def test_by_turn_a_dialogue_is_kept_to_although_every_turn_has_its_own_seed(folder: Path) -> None:
    for seed in range(12):
        first = ask(folder, "Whatever", seed=seed, match="turn")
        second = ask(folder, "Whatever", first, "Well?", seed=seed + 1_000, match="turn")
        assert (first, second) in {("Hello.", "Fine."), ("Yo.", "So.")}


def test_by_turn_a_first_turn_that_was_given_is_in_no_dialogue(folder: Path) -> None:
    assert ask(folder, "Whatever", "An opener.", "Well?", match="turn") in {"Fine.", "So."}
