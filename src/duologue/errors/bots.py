"""Bots that do not answer."""

from __future__ import annotations

import re

from duologue.errors.root import DuologueError


class BotError(DuologueError):
    """A bot did not answer."""

    def __init__(self, bot: str, why: str) -> None:
        why = _sentence(why)
        super().__init__(f"bot {bot!r} did not answer: {why}")
        self.bot, self.why = bot, why


def _sentence(why: str) -> str:
    """What a bot or a library says, with one full stop at its end, whether it brought one or not."""
    said = re.sub(r"((?<!\.)(?:\.\.\.|[.!?…]))\.$", r"\1", why.rstrip())
    return said if said.endswith((".", "!", "?", "…")) else f"{said}."


class BotUnavailable(BotError):
    """A bot did not answer this time; asking again may help, perhaps after the wait it asked for."""

    def __init__(self, bot: str, why: str, *, retry_after: float | None = None) -> None:
        super().__init__(bot, why)
        self.retry_after = retry_after


class BotResting(BotError):
    """A bot failed too often in a row and is not asked for a while."""

    def __init__(self, bot: str, why: str, *, wait_seconds: float) -> None:
        super().__init__(bot, f"it failed too often and is not asked for {wait_seconds:.0f} s; last: {why}")
        self.wait_seconds = wait_seconds
