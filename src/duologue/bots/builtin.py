"""The built-in bots of the demo: three of clearly different quality, made of rules and written lines.

They need no network and no weights, and say the same thing again for the same seed and the same history.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from duologue.bots.base import Bot, Message, Reply
from duologue.bots.companion import read_topics, speak_companion
from duologue.bots.lines import read_lines
from duologue.bots.parrot import speak_parrot
from duologue.bots.small_talk import SmallTalkLines, speak_small_talk
from duologue.errors import BotError

Speak = Callable[[Sequence[Message], np.random.Generator], str]


@dataclass(frozen=True, slots=True)
class RuleBot:
    """A bot whose next turn follows by rules from what was said so far."""

    name: str
    speak: Speak

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The next turn: the same for the same messages and seed."""
        start = perf_counter()
        rng = np.random.default_rng(np.random.SeedSequence([seed, len(messages)]))
        return Reply(self.speak(messages, rng), perf_counter() - start)


def _parrot() -> Speak:
    patterns = tuple(read_lines("parrot")["patterns"])
    return lambda messages, rng: speak_parrot(messages, patterns, rng)


def _small_talk() -> Speak:
    written = read_lines("small_talk")
    lines = SmallTalkLines(*(tuple(written[part]) for part in ("answers", "asides", "questions")))
    return lambda messages, rng: speak_small_talk(messages, lines, rng)


def _companion() -> Speak:
    conversation = read_topics(read_lines("companion"))
    return lambda messages, rng: speak_companion(messages, conversation, rng)


BUILTIN_BOTS: Mapping[str, Callable[[], Speak]] = {
    "parrot": _parrot,
    "small-talk": _small_talk,
    "companion": _companion,
}
"""The built-in bots by name, the weakest first."""


def builtin_bot(builtin: str, *, name: str | None = None) -> Bot:
    """A built-in bot: ``parrot`` repeats itself, ``small-talk`` does not listen, ``companion`` does.

    Args:
        builtin: Which of them.
        name: What it is called in the study; its own name when not given.

    Raises:
        BotError: There is no such built-in bot.

    Example:
        >>> builtin_bot("parrot").name
        'parrot'
    """
    if builtin not in BUILTIN_BOTS:
        known = ", ".join(BUILTIN_BOTS)
        raise BotError(name or builtin, f"there is no built-in bot {builtin!r}; there are {known}.")
    return RuleBot(name or builtin, BUILTIN_BOTS[builtin]())


def openers() -> tuple[str, ...]:
    """Written first turns that self-chats can start from."""
    return tuple(read_lines("openers")["openers"])
