"""Self-chats: a bot talking to itself, so that dialogues can be had without people."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from duologue.bots.base import Bot, Message
from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.errors import BotError, DesignError


async def self_chat(bot: Bot, *, exchanges: int, opener: str, seed: int) -> Dialogue:
    """A dialogue of a bot with itself, begun with a given first turn.

    ``<bot>_1`` says the opener, which is not the bot's own; so ``<bot>_2``, all of whose turns are, is the
    speaker that is judged.

    Args:
        bot: The bot that speaks for both sides.
        exchanges: How many turns each side has, the opener counted.
        opener: The first turn.
        seed: Where the bot's random choices come from.

    Raises:
        BotError: The bot did not answer, or answered with nothing.
        DesignError: There is not even one exchange, or the opener is empty.

    Example:
        >>> import asyncio
        >>> from duologue.bots import builtin_bot
        >>> dialogue = asyncio.run(self_chat(builtin_bot("parrot"), exchanges=2, opener="Hi there!", seed=1))
        >>> [turn.speaker for turn in dialogue.turns]
        ['parrot_1', 'parrot_2', 'parrot_1', 'parrot_2']
    """
    if exchanges < 1:
        raise DesignError(f"a self-chat needs at least one exchange, and {exchanges} were asked for.")
    if not opener.strip():
        raise DesignError("a self-chat needs a first turn, and the opener is empty.")
    names = (f"{bot.name}_1", f"{bot.name}_2")
    texts = [opener]
    while len(texts) < 2 * exchanges:
        texts.append(await _next_turn(bot, texts, seed=seed))
    return Dialogue(
        id=_dialogue_id(bot.name, texts, seed),
        bot=bot.name,
        kind="self-chat",
        judged=names[1],
        speakers=tuple(Speaker(name, bot.name) for name in names),
        turns=tuple(Turn(names[number % 2], text) for number, text in enumerate(texts)),
    )


async def self_chats(
    bots: Sequence[Bot],
    n: int,
    *,
    exchanges: int,
    openers: Sequence[str],
    seed: int,
) -> tuple[Dialogue, ...]:
    """The same number of self-chats of each bot, the i-th of every bot begun with the same opener.

    The openers are gone through in a shuffled order, again and again when there are fewer of them than
    ``n``. What one bot says does not depend on which other bots take part.

    Raises:
        BotError: A bot did not answer.
        DesignError: There are no openers, or no exchanges.
    """
    if not openers:
        raise DesignError("self-chats need at least one opener.")
    order = np.random.default_rng(_seeded(seed, "openers")).permutation(len(openers))
    begun = [openers[int(order[i % len(openers)])] for i in range(n)]
    dialogues = []
    for bot in bots:
        for i, opener in enumerate(begun):
            chat_seed = int(_seeded(seed, "self-chat", bot.name, str(i)).generate_state(1)[0])
            dialogues.append(await self_chat(bot, exchanges=exchanges, opener=opener, seed=chat_seed))
    return tuple(dialogues)


async def _next_turn(bot: Bot, texts: Sequence[str], *, seed: int) -> str:
    """What the side that is next says: its own turns are every second one back from here."""
    messages = [
        Message("user" if (len(texts) - number) % 2 else "assistant", text)
        for number, text in enumerate(texts)
    ]
    reply = await bot.reply(messages, seed=seed)
    if not reply.text.strip():
        raise BotError(bot.name, "it gave an empty reply.")
    return reply.text


def _dialogue_id(name: str, texts: Sequence[str], seed: int) -> str:
    """The same dialogue made again has the same id; two that happen to agree do not share one."""
    return hashlib.sha256("\0".join((name, str(seed), *texts)).encode()).hexdigest()[:16]


def _seeded(seed: int, *names: str) -> np.random.SeedSequence:
    digest = hashlib.sha256("\0".join(names).encode()).digest()
    return np.random.SeedSequence([seed, int.from_bytes(digest[:8], "big")])
