from __future__ import annotations

import asyncio
import re
from itertools import chain

import pytest

from duologue.bots import BUILTIN_BOTS, Bot, Message, builtin_bot, openers, self_chats
from duologue.dialogues import Dialogue
from duologue.errors import BotError

NAMES = list(BUILTIN_BOTS)


def reply(bot: Bot, *texts: str, seed: int = 3) -> str:
    """What the bot says after these turns, the last of which the other speaker said."""
    messages = [
        Message("user" if (len(texts) - number) % 2 else "assistant", text)
        for number, text in enumerate(texts)
    ]
    return asyncio.run(bot.reply(messages, seed=seed)).text


def chats(name: str, n: int = 12) -> tuple[Dialogue, ...]:
    made = self_chats([builtin_bot(name)], n, exchanges=6, openers=openers(), seed=11)
    return asyncio.run(made)


def own_turns(dialogue: Dialogue) -> list[str]:
    return [turn.text for turn in dialogue.turns if turn.speaker == dialogue.judged]


def repeated_share(dialogue: Dialogue) -> float:
    """Share of the judged speaker's turns that it had said before, word for word."""
    turns = own_turns(dialogue)
    return 1 - len(set(turns)) / len(turns)


def distinct_words(name: str) -> int:
    texts = chain.from_iterable(own_turns(dialogue) for dialogue in chats(name))
    return len({word for text in texts for word in re.findall(r"[a-z]+", text.lower())})


@pytest.mark.parametrize("name", NAMES)
def test_a_built_in_bot_is_a_bot(name: str) -> None:
    assert isinstance(builtin_bot(name), Bot)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_history_and_seed_give_the_same_reply(name: str) -> None:
    assert reply(builtin_bot(name), openers()[0]) == reply(builtin_bot(name), openers()[0])


@pytest.mark.parametrize("name", NAMES)
def test_another_seed_gives_other_replies(name: str) -> None:
    replies = {reply(builtin_bot(name), openers()[0], seed=seed) for seed in range(20)}
    assert len(replies) > 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("heard", [(), ("",), ("???",), ("日本語で話しましょう",), ("{word} {0} %s",)])
def test_a_built_in_bot_answers_whatever_it_hears(name: str, heard: tuple[str, ...]) -> None:
    for seed in range(20):
        assert isinstance(reply(builtin_bot(name), *heard, seed=seed), str)


def test_a_bot_can_be_given_another_name() -> None:
    assert builtin_bot("parrot", name="baseline").name == "baseline"


def test_an_unknown_built_in_bot_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BotError, match="there are parrot, small-talk, companion"):
        builtin_bot("oracle")


def test_the_companion_answers_the_question_it_was_asked() -> None:
    said = reply(builtin_bot("companion"), "Mountains or the sea?")
    assert "The sea, but in November" in said or "Mountains. I sleep best" in said


def test_the_companion_takes_up_what_it_was_told() -> None:
    told = "Rice. Forty years of people telling me how easy it is, and mine is still soup."
    assert "congee" in reply(builtin_bot("companion"), told)


def test_the_companion_keeps_to_the_topic_it_was_given() -> None:
    asks = {
        "Who taught you to cook?",
        "Is there a dish that always goes wrong for you?",
        "Sweet or savoury, if you could keep only one?",
        "What do you make when you are too tired to cook properly?",
    }
    for seed in range(20):
        said = reply(builtin_bot("companion"), "Hi! I baked bread yesterday.", seed=seed)
        assert any(said.endswith(ask) for ask in asks), said


def test_the_parrot_repeats_itself_and_the_others_do_not() -> None:
    assert sum(map(repeated_share, chats("parrot"))) / 12 > 0.2
    assert max(map(repeated_share, chats("small-talk"))) == 0
    assert max(map(repeated_share, chats("companion"))) == 0


def test_the_better_the_bot_the_more_words_it_has() -> None:
    assert distinct_words("parrot") < distinct_words("small-talk") < distinct_words("companion")


@pytest.mark.parametrize("name", NAMES)
def test_no_bot_says_its_own_name(name: str) -> None:
    said = " ".join(turn.text for dialogue in chats(name, n=48) for turn in dialogue.turns).lower()
    assert name not in said
