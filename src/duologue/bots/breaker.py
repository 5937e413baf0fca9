"""Leaving a bot alone that has failed too often in a row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic

from duologue.errors import BotError, BotResting


@dataclass(slots=True)
class Breaker:
    """Counts failures in a row; after ``limit`` of them nobody asks for ``rest_seconds``, then one may try.

    Example:
        >>> breaker = Breaker(limit=1, clock=lambda: 0.0)
        >>> breaker.failed(BotError("ada", "gone."))
        >>> breaker.check("ada")
        Traceback (most recent call last):
        ...
        duologue.errors.bots.BotResting: bot 'ada' did not answer: it failed too often and is not asked ...
    """

    limit: int = 5
    rest_seconds: float = 30.0
    clock: Callable[[], float] = monotonic
    _failures: int = field(default=0, init=False)
    _until: float = field(default=0.0, init=False)
    _why: str = field(default="", init=False)

    def check(self, bot: str) -> None:
        """Let somebody ask the bot.

        Raises:
            BotResting: It is not asked for now.
        """
        if self._failures < self.limit:
            return
        now = self.clock()
        if now < self._until:
            raise BotResting(bot, self._why, wait_seconds=self._until - now)
        self._until = now + self.rest_seconds  # this one may try; the others wait for how it goes

    def succeeded(self) -> None:
        """The bot answered: the count starts again."""
        self._failures = 0

    def failed(self, error: BotError) -> None:
        """The bot did not answer."""
        self._failures += 1
        self._why = error.why
        self._until = self.clock() + self.rest_seconds
