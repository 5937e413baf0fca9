"""A kind of bot of our own: it says back what it hears."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from duologue.bots import AnsweringSettings, Message, Reply


class EchoBot(AnsweringSettings):
    """``kind = "echo"``: says the last message again, and something before it."""

    kind: Literal["echo"] = "echo"
    before: str = "You say: "

    def backend(self, folder: Path, *, is_live: bool) -> EchoBackend:
        """What answers."""
        return EchoBackend(self)


class EchoBackend:
    """Answers without a network."""

    def __init__(self, settings: EchoBot) -> None:
        self._before = settings.before

    async def answer(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The last message again."""
        return Reply(self._before + (messages[-1].text if messages else "Hello."), 0.0)

    async def close(self) -> None:
        """There is nothing to close."""
