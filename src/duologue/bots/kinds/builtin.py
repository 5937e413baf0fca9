"""``kind = "builtin"``: one of the demo's bots."""

from __future__ import annotations

from collections.abc import Sequence

from duologue.bots.base import Message, Reply
from duologue.bots.builtin import builtin_bot
from duologue.bots.settings import BuiltinBot


class BuiltinBackend:
    """A bot made of rules, which is told no system prompt."""

    def __init__(self, settings: BuiltinBot) -> None:
        self._bot = builtin_bot(settings.builtin or settings.name, name=settings.name)

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The next turn."""
        said = [message for message in messages if message.role != "system"]
        return await self._bot.reply(said, seed=seed)

    async def close(self) -> None:
        """There is nothing to close."""
