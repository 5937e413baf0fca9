"""What a bot is: anything that answers what was said so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol, runtime_checkable

from duologue.dialogues import Json

Role = Literal["system", "user", "assistant"]
"""Who said it, as the bot sees it: its instructions, the other speaker, or the bot itself."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something said so far, from the point of view of the bot that answers next."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a bot answered, and what it took."""

    text: str
    seconds: float
    tokens: int | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)
    """What else the bot said about its reply (a finish reason, say); kept, never shown to annotators."""

    @property
    def is_cut(self) -> bool:
        """Whether the bot was stopped at its limit of tokens before it had finished, where it can tell."""
        return self.meta.get("finish") == "length"


Ability = Literal["reply", "score", "words"]
"""What a bot can be asked: a reply, scores of candidate replies, how likely each next word is."""


@runtime_checkable
class Bot(Protocol):
    """A system under evaluation."""

    @property
    def name(self) -> str:
        """What the bot is called in the study."""

    async def reply(self, messages: Sequence[Message], *, seed: int) -> Reply:
        """The bot's next turn; a bot that has randomness takes it from ``seed``.

        Raises:
            BotError: It did not answer.
        """
