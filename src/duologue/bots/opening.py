"""Opening a bot: from its table in the study file to something that answers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from duologue.bots.answering import AnsweringBot, Backend
from duologue.bots.base import Message, Reply
from duologue.bots.builtin import builtin_bot
from duologue.bots.cache import ReplyCache
from duologue.bots.settings import (
    HOW_TO_ANSWER,
    AnsweringSettings,
    BuiltinBot,
    CommandBot,
    GgufBot,
    LogsBot,
    OpenAIBot,
    PythonBot,
    ReplayBot,
    TransformersBot,
)
from duologue.dialogues import turn_limit
from duologue.errors import BotError


def open_bot(
    settings: LogsBot | AnsweringSettings,
    *,
    folder: Path | str = ".",
    cache: ReplyCache | None = None,
    is_live: bool = False,
) -> AnsweringBot:
    """A bot that answers, opened from its settings.

    Args:
        settings: Its ``[[bots]]`` table.
        folder: The study's folder, from which its files are found; its ``max_turn_chars`` holds for replies.
        cache: Where replies are kept, if its settings say that they are.
        is_live: Whether people wait for its replies; what makes them sooner then may cost that the same
            messages and seed give the same reply.

    Raises:
        BotError: It comes as logs only, or cannot be opened.
        InputError: The recorded dialogues it answers from cannot be read.
        MissingExtra: A package that this kind of bot needs is not installed.

    Example:
        >>> import asyncio
        >>> bot = open_bot(BuiltinBot(name="ada", builtin="parrot"))
        >>> asyncio.run(bot.reply([Message("user", "Hi there!")], seed=1)).text != ""
        True
    """
    if isinstance(settings, LogsBot):
        raise BotError(settings.name, f"it is known by its logs only. {HOW_TO_ANSWER}")
    backend = _backend(settings, Path(folder), is_live=is_live)
    return AnsweringBot(settings, backend, cache=cache, max_turn_chars=turn_limit(folder))


def _backend(settings: AnsweringSettings, folder: Path, *, is_live: bool) -> Backend:
    # Each kind is imported where it is opened: an endpoint's library is no concern of a rule-based bot.
    match settings:
        case BuiltinBot():
            return _Builtin(settings)
        case PythonBot():
            from duologue.bots.kinds.python import PythonBackend

            return PythonBackend(settings, folder=folder)
        case OpenAIBot():
            from duologue.bots.kinds.openai import OpenAIBackend

            return OpenAIBackend(settings)
        case CommandBot():
            from duologue.bots.kinds.command import CommandBackend

            return CommandBackend(settings, folder=folder)
        case TransformersBot():
            from duologue.bots.kinds.transformers import TransformersBackend

            return TransformersBackend(settings, folder=folder)
        case GgufBot():
            from duologue.bots.kinds.gguf import GgufBackend

            return GgufBackend(settings, folder=folder, is_live=is_live)
        case ReplayBot():
            from duologue.bots.kinds.replay import ReplayBackend

            return ReplayBackend(settings, folder=folder)
    raise BotError(settings.name, "nobody knows how to open this kind of bot.")


class _Builtin:
    """One of the demo's bots."""

    def __init__(self, settings: BuiltinBot) -> None:
        self._bot = builtin_bot(settings.builtin or settings.name, name=settings.name)

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        said = [message for message in messages if message.role != "system"]
        return await self._bot.reply(said, seed=seed)

    async def close(self) -> None:
        pass
