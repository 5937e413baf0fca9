"""Opening a bot: from its table in the study file to something that answers."""

from __future__ import annotations

from pathlib import Path

from duologue.bots.answering import AnsweringBot
from duologue.bots.cache import ReplyCache
from duologue.bots.settings import HOW_TO_ANSWER, AnsweringSettings, LogsBot
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
        >>> from duologue.bots import BuiltinBot, Message
        >>> bot = open_bot(BuiltinBot(name="ada", builtin="parrot"))
        >>> asyncio.run(bot.reply([Message("user", "Hi there!")], seed=1)).text != ""
        True
    """
    if isinstance(settings, LogsBot):
        raise BotError(settings.name, f"it is known by its logs only. {HOW_TO_ANSWER}")
    place = Path(folder).absolute()  # a bot's own code may take the process to another folder
    backend = settings.backend(place, is_live=is_live)
    return AnsweringBot(settings, backend, cache=cache, max_turn_chars=turn_limit(place))
