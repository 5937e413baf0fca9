"""Bots that answer from a whole corpus."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from pydantic import ValidationError

from duologue.bots import AnsweringBot, Message, RetrievalBot, open_bot
from duologue.dialogues import Dialogue, Speaker, Turn, write_dialogues
from duologue.errors import BotError, InputError

SAID = (
    ("Do you like tea?", "I like tea a lot."),
    ("Do you like rain?", "No rain please."),
    ("Tea or coffee?", "Tea, tea, tea, you stupid!"),
    ("Hello.", "I love green tea."),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    people = (Speaker("a"), Speaker("b"))
    dialogues = [
        Dialogue(f"d{number}", "people", "human-human", "b", people, tuple(map(Turn, "ab", texts)))
        for number, texts in enumerate(SAID)
    ]
    write_dialogues(dialogues, tmp_path / "corpus.jsonl")
    return tmp_path


def bot(folder: Path, **more: object) -> AnsweringBot:
    table = {"name": "r", "kind": "retrieval", "corpus": "corpus.jsonl"} | more
    return open_bot(RetrievalBot.model_validate(table), folder=folder)


def ask(folder: Path, *texts: str, **more: object) -> str:
    said = [Message("assistant" if place % 2 else "user", text) for place, text in enumerate(texts)]
    return asyncio.run(bot(folder, **more).reply(said, seed=1)).text


@pytest.mark.parametrize("model", ["tf-idf", "bm25"])
def test_the_best_reply_of_the_corpus_is_given(folder: Path, model: str) -> None:
    assert ask(folder, "rain, please?", model=model) == "No rain please."


def test_forbidden_replies_are_never_given(folder: Path) -> None:
    tea = "tea tea tea stupid?"
    assert ask(folder, tea) == "Tea, tea, tea, you stupid!"
    assert ask(folder, tea, never=["tea tea TEA you stupid"]) == "I love green tea."
    assert ask(folder, tea, never_patterns=[r"\bSTUP"]) == "I love green tea."
    (folder / "never.txt").write_text("Tea, tea, tea, you stupid!\n\nI love green tea.\n")
    assert ask(folder, tea, never_file="never.txt") == "I like tea a lot."
    with pytest.raises(BotError, match="no reply that it may give"):
        ask(folder, tea, never_patterns=["."])


def test_it_does_not_repeat_itself_unless_it_may(folder: Path) -> None:
    talk = ("green tea love?", "i love GREEN tea", "green tea love?")
    assert ask(folder, *talk) != "I love green tea."
    assert ask(folder, *talk, may_repeat=True) == "I love green tea."
    everything = [text for _, answer in SAID for text in ("tea?", answer)]
    with pytest.raises(BotError, match="every reply"):
        ask(folder, *everything, "tea?")


def test_it_scores_candidates_and_first_turns_are_no_replies(folder: Path) -> None:
    opened = bot(folder)
    assert opened.abilities == ("reply", "score")
    told = [Message("system", "your persona: I like snow and tea."), Message("user", "And you?")]
    scores = asyncio.run(opened.score(told, ["Green tea", "Rain"], seed=1))
    assert scores[0] > scores[1]
    assert ask(folder, "Do you like tea?") != "Do you like tea?"


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ({"model": "magic"}, InputError),
        ({"corpus": "none.jsonl"}, InputError),
        ({"never_file": "none.txt"}, InputError),
        ({"never_patterns": ["("]}, ValidationError),
    ],
)
def test_what_cannot_be_opened_is_said(
    folder: Path, table: dict[str, object], error: type[Exception]
) -> None:
    with pytest.raises(error):
        bot(folder, **table)
