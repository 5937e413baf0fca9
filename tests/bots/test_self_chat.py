from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from duologue.bots import BUILTIN_BOTS, Message, Reply, builtin_bot, openers, self_chat, self_chats
from duologue.dialogues import Dialogue
from duologue.errors import BotError, DesignError


class Counting:
    """A bot that says how much it has heard and how much it has said itself."""

    name = "counting"

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        roles = [message.role for message in messages]
        return Reply(f"heard {roles.count('user')}, said {roles.count('assistant')}", 0.0)


class Mute:
    """A bot that answers with nothing."""

    name = "mute"

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        return Reply(" \n", 0.0)


def chat_all(names: Sequence[str], *, n: int = 30, seed: int = 5) -> tuple[Dialogue, ...]:
    bots = [builtin_bot(name) for name in names]
    return asyncio.run(self_chats(bots, n, exchanges=4, openers=openers(), seed=seed))


def first_turns(dialogues: Sequence[Dialogue], bot: str) -> list[str]:
    return [dialogue.turns[0].text for dialogue in dialogues if dialogue.bot == bot]


def test_each_side_sees_its_own_turns_as_its_own() -> None:
    dialogue = asyncio.run(self_chat(Counting(), exchanges=3, opener="Hi", seed=1))
    assert [turn.text for turn in dialogue.turns] == [
        "Hi",
        "heard 1, said 0",
        "heard 1, said 1",
        "heard 2, said 1",
        "heard 2, said 2",
        "heard 3, said 2",
    ]


def test_a_self_chat_keeps_both_sides_names_and_judges_the_one_that_did_not_open() -> None:
    dialogue = asyncio.run(self_chat(Counting(), exchanges=2, opener="Hi", seed=1))
    assert [(speaker.name, speaker.bot) for speaker in dialogue.speakers] == [
        ("counting_1", "counting"),
        ("counting_2", "counting"),
    ]
    assert dialogue.kind == "self-chat"
    assert dialogue.turns[0].speaker == "counting_1"
    assert dialogue.judged == "counting_2"


def test_an_empty_reply_is_a_failure_of_the_bot() -> None:
    with pytest.raises(BotError, match="'mute' did not answer: it gave an empty reply"):
        asyncio.run(self_chat(Mute(), exchanges=1, opener="Hi", seed=1))


@pytest.mark.parametrize(("exchanges", "opener"), [(0, "Hi"), (-1, "Hi"), (2, ""), (2, "  ")])
def test_a_self_chat_without_turns_is_refused(exchanges: int, opener: str) -> None:
    with pytest.raises(DesignError):
        asyncio.run(self_chat(Counting(), exchanges=exchanges, opener=opener, seed=1))


def test_self_chats_without_openers_are_refused() -> None:
    with pytest.raises(DesignError, match="opener"):
        asyncio.run(self_chats([Counting()], 3, exchanges=2, openers=(), seed=1))


def test_openers_are_matched_across_bots() -> None:
    dialogues = chat_all(list(BUILTIN_BOTS))
    begun = [first_turns(dialogues, bot) for bot in BUILTIN_BOTS]
    assert begun[0] == begun[1] == begun[2]


def test_every_opener_is_used_before_any_is_used_again() -> None:
    begun = first_turns(chat_all(["parrot"], n=len(openers())), "parrot")
    assert sorted(begun) == sorted(openers())


def test_the_same_seed_gives_the_same_dialogues_and_another_seed_does_not() -> None:
    assert chat_all(["companion"]) == chat_all(["companion"])
    assert chat_all(["companion"]) != chat_all(["companion"], seed=6)


def test_what_a_bot_says_does_not_depend_on_the_other_bots() -> None:
    together = chat_all(["parrot", "companion"])
    assert tuple(dialogue for dialogue in together if dialogue.bot == "companion") == chat_all(["companion"])


def test_every_self_chat_has_an_id_of_its_own() -> None:
    dialogues = chat_all(list(BUILTIN_BOTS), n=60)
    assert len({dialogue.id for dialogue in dialogues}) == len(dialogues)


class Refusing:
    """A bot that refuses every second time."""

    name = "refusing"

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        is_refusal = len(messages) % 2 == 0
        return Reply("I would rather not.", 0.0, meta={"refusal": True} if is_refusal else {})


def test_a_refusal_is_marked_in_the_dialogue() -> None:
    dialogue = asyncio.run(self_chat(Refusing(), exchanges=2, opener="Hi", seed=1))
    assert [turn.extras for turn in dialogue.turns] == [{}, {}, {"refusal": True}, {}]
