"""Self-chats: a bot talking to itself or to another bot, so that dialogues can be had without people."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from duologue.bots.base import Bot, Message, Reply
from duologue.bots.briefing import Briefing
from duologue.dialogues import CUT, Dialogue, Json, Speaker, Turn
from duologue.errors import BotError, BotResting, DesignError
from duologue.seeds import seed_sequence

First = Literal["judged", "other", "balanced"]
"""Who has the first turn: the judged speaker, the other one, or each of them in half of the dialogues."""


@dataclass(frozen=True, slots=True)
class PlannedChat:
    """One self-chat before it is held: all that decides what will be said.

    ``partner`` is None when the bot talks to itself. Without an opener the first speaker begins by itself.
    """

    bot: str
    number: int
    seed: int
    exchanges: int
    partner: str | None = None
    briefing: Briefing = field(default_factory=Briefing)
    opener: str | None = None
    is_judged_first: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """The speakers in the order in which they speak; the sides of a bot that talks to itself differ."""
        if self.partner is None or self.partner == self.bot:
            return f"{self.bot}_1", f"{self.bot}_2"
        return (self.bot, self.partner) if self.is_judged_first else (self.partner, self.bot)

    @property
    def judged(self) -> str:
        """The speaker who is judged."""
        return self.names[0 if self.is_judged_first else 1]


@dataclass(frozen=True, slots=True)
class FailedChat:
    """A self-chat that a bot did not finish, and why; ``turns`` holds what had been said until then.

    ``is_left`` tells that the bot was not even asked, because it had failed too often before.
    """

    bot: str
    number: int
    seed: int
    failed: str
    why: str
    turns: tuple[str, ...]
    is_left: bool = False


async def hold_chat(
    planned: PlannedChat, bots: Mapping[str, Bot], *, extras: Mapping[str, Json] | None = None
) -> Dialogue | FailedChat:
    """The dialogue that was planned, or what kept it from being finished.

    Args:
        planned: Who talks, how long, and from where.
        bots: The bots by name.
        extras: What is stored with the dialogue besides.
    """
    judged, other = bots[planned.bot], bots[planned.partner or planned.bot]
    sides = (judged, other) if planned.is_judged_first else (other, judged)
    texts = [planned.opener] if planned.opener is not None else []
    marks: dict[int, dict[str, Json]] = {}
    while len(texts) < 2 * planned.exchanges:
        side = len(texts) % 2
        told = planned.briefing.lines(is_judged=(side == 0) == planned.is_judged_first)
        try:
            seed = turn_seed(planned.seed, len(texts), planned.names[side])
            reply = await _next_reply(sides[side], told, texts, seed=seed)
        except BotError as error:
            is_left = isinstance(error, BotResting)
            name = sides[side].name
            return FailedChat(
                planned.bot, planned.number, planned.seed, name, error.why, tuple(texts), is_left
            )
        marks[len(texts)] = _marks(reply)
        texts.append(reply.text)
    return Dialogue(
        id=_dialogue_id(planned, texts),
        bot=planned.bot,
        kind="self-chat",
        judged=planned.judged,
        speakers=tuple(Speaker(name, bot.name) for name, bot in zip(planned.names, sides, strict=True)),
        turns=tuple(
            Turn(planned.names[number % 2], text, extras=marks.get(number, {}))
            for number, text in enumerate(texts)
        ),
        extras=extras or {},
    )


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
    check_exchanges(exchanges)
    if not opener.strip():
        raise DesignError("a self-chat needs a first turn, and the opener is empty.")
    planned = PlannedChat(bot.name, 0, seed, exchanges, opener=opener)
    held = await hold_chat(planned, {bot.name: bot})
    if isinstance(held, FailedChat):
        raise BotError(held.failed, held.why)
    return held


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
    briefings = tuple(Briefing(opener=opener) for opener in openers)
    dialogues = []
    for bot in bots:
        for planned in plan_chats(bot.name, range(n), exchanges=exchanges, briefings=briefings, seed=seed):
            opener = planned.opener or ""
            dialogues.append(await self_chat(bot, exchanges=exchanges, opener=opener, seed=planned.seed))
    return tuple(dialogues)


def plan_chats(
    bot: str,
    numbers: Sequence[int],
    *,
    exchanges: int,
    briefings: Sequence[Briefing],
    seed: int,
    partner: str | None = None,
    first: First = "other",
) -> tuple[PlannedChat, ...]:
    """The self-chats with these numbers: the same briefing for every bot, a seed of its own for each.

    Number i is the same however many others are planned, and whichever other bots take part.

    Raises:
        DesignError: There is not even one exchange.
    """
    check_exchanges(exchanges)
    order = np.random.default_rng(seed_sequence(seed, "openers")).permutation(len(briefings))
    names = (bot,) if partner is None else (bot, partner)
    plans = []
    for number in numbers:
        briefing = briefings[int(order[number % len(briefings)])]
        plans.append(
            PlannedChat(
                bot,
                number,
                int(seed_sequence(seed, "self-chat", *names, str(number)).generate_state(1)[0]),
                exchanges,
                partner,
                briefing,
                briefing.opener or None,
                first == "judged" or (first == "balanced" and number % 2 == 1),
            )
        )
    return tuple(plans)


def turn_seed(dialogue_seed: int, place: int, side: str) -> int:
    """The seed that a bot is given for one turn: another one for each turn and side of each dialogue.

    A bot that takes all its randomness from it says the same again for the same dialogue, and does not make
    the same choice at every turn.

    Args:
        dialogue_seed: The seed of the dialogue.
        place: How many turns were said before.
        side: Whose turn it is.

    Example:
        >>> turn_seed(7, 1, "ada_2") == turn_seed(7, 1, "ada_2")
        True
        >>> len({turn_seed(7, place, f"ada_{1 + place % 2}") for place in range(12)})
        12
    """
    return int(seed_sequence(dialogue_seed, "turn", str(place), side).generate_state(1)[0])


def check_exchanges(exchanges: int) -> None:
    """Refuse a self-chat without turns.

    Raises:
        DesignError: There is not even one exchange.
    """
    if exchanges < 1:
        raise DesignError(f"a self-chat needs at least one exchange, and {exchanges} were asked for.")


async def _next_reply(bot: Bot, told: Sequence[str], texts: Sequence[str], *, seed: int) -> Reply:
    """What the side that is next says: its own turns are every second one back from here."""
    messages = [Message("system", line) for line in told]
    messages += [
        Message("user" if (len(texts) - number) % 2 else "assistant", text)
        for number, text in enumerate(texts)
    ]
    reply = await bot.reply(messages, seed=seed)
    if not reply.text.strip():
        raise BotError(bot.name, "it gave an empty reply.")
    return reply


def _marks(reply: Reply) -> dict[str, Json]:
    """What is kept with a turn besides its text: that it is a refusal, or was cut at the bot's limit."""
    marks: dict[str, Json] = {}
    if reply.meta.get("refusal"):
        marks["refusal"] = True
    if reply.is_cut:
        marks[CUT] = True
    return marks


def _dialogue_id(planned: PlannedChat, texts: Sequence[str]) -> str:
    """The same dialogue made again has the same id; two that happen to agree do not share one."""
    names = (planned.bot,) if planned.partner is None else (planned.bot, planned.partner)
    return hashlib.sha256("\0".join((*names, str(planned.seed), *texts)).encode()).hexdigest()[:16]
