"""``[[bots]]`` in the study file: what each kind of bot needs to be told."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

from duologue.errors import BotError

if TYPE_CHECKING:
    from duologue.bots.answering import Backend

Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(gt=0, le=1)]
Parameter = str | int | float | bool | list[str]


class _Bot(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Text
    note: str = ""


class LogsBot(_Bot):
    """``kind = "logs"``: a bot that is known by its dialogues only and cannot be talked to."""

    kind: Literal["logs"] = "logs"


class AnsweringSettings(_Bot):
    """What every bot that answers can be told: how long to wait, how often to ask, how many at a time."""

    timeout_seconds: Seconds = 60.0
    retries: Annotated[int, Field(ge=0)] = 0
    max_concurrent: Positive = 8
    cache: bool = False
    """Whether replies are kept on disk, so that an interrupted self-chat pays for none of them twice."""

    @property
    def identity(self) -> dict[str, object]:
        """All that the bot's replies depend on, for the cache and for telling self-chats apart."""
        return self.model_dump(mode="json", exclude=_NOT_IDENTITY)

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """What answers. Heavy packages are imported here and not before.

        Args:
            folder: The study's folder, from which its files are found.
            is_live: Whether people wait for its replies.

        Raises:
            BotError: It cannot be opened.
            MissingExtra: A package that this kind of bot needs is not installed.
        """
        raise BotError(self.name, f"{type(self).__name__} does not say how it is opened.")


_NOT_IDENTITY = {"name", "note", "timeout_seconds", "retries", "max_concurrent", "cache", "api_key_env"}


class BuiltinBot(AnsweringSettings):
    """``kind = "builtin"``: one of the bots of the demo."""

    kind: Literal["builtin"] = "builtin"
    builtin: str | None = None
    """Which of them; the one of the same name when not given."""

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.builtin import BuiltinBackend

        return BuiltinBackend(self)


class ReplayBot(AnsweringSettings):
    """``kind = "replay"``: answers with what its judged speaker said in recorded dialogues."""

    kind: Literal["replay"] = "replay"
    file: Text
    format: str | None = None
    judged: str | None = None
    """Whose turns are its replies, where the file does not say."""
    match: Literal["history", "turn"] = "history"
    """``history``: the reply recorded after the very same turns. ``turn``: the n-th reply of a dialogue that
    the seed picks, whatever was said."""

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.replay import ReplayBackend

        return ReplayBackend(self, folder=folder)


class _PromptedSettings(AnsweringSettings):
    system_prompt: str = ""
    """What the bot is told first; ``{persona}`` and ``{topic}`` are filled in for each dialogue."""


class PythonBot(_PromptedSettings):
    """``kind = "python"``: a function of ours or yours, ``messages -> str``, plain or async."""

    kind: Literal["python"] = "python"
    call: Annotated[str, Field(pattern=r"^[^:]+:[A-Za-z_][\w.]*$")]
    """``module:callable``; the module may lie beside the study file."""

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.python import PythonBackend

        return PythonBackend(self, folder=folder)


class CommandBot(_PromptedSettings):
    """``kind = "command"``: a process that reads a JSON line and answers with one, in any language."""

    kind: Literal["command"] = "command"
    command: Annotated[tuple[Text, ...], Field(min_length=1)]
    retries: Annotated[int, Field(ge=0)] = 1
    max_concurrent: Positive = 1
    """How many such processes run at a time."""

    @field_validator("command", mode="before")
    @classmethod
    def _split(cls, command: object) -> object:
        return tuple(shlex.split(command)) if isinstance(command, str) else command

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.command import CommandBackend

        return CommandBackend(self, folder=folder)


class OpenAIBot(_PromptedSettings):
    """``kind = "openai"``: any endpoint that speaks OpenAI's ``/chat/completions``."""

    kind: Literal["openai"] = "openai"
    base_url: Annotated[str, Field(pattern=r"^https?://[^/\s]+")]
    model: Text
    api_key_env: str = ""
    """The environment variable that holds the key; never the key itself."""
    temperature: Annotated[float, Field(ge=0)] | None = None
    top_p: Share | None = None
    max_tokens: Positive | None = None
    stop: tuple[str, ...] = ()
    stream: bool = False
    send_seed: bool = True
    parameters: dict[str, Parameter] = Field(default_factory=dict)
    """Further fields of the request, as they are."""
    retries: Annotated[int, Field(ge=0)] = 4
    cache: bool = True

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.openai import OpenAIBackend

        return OpenAIBackend(self)


class _Sampling(_PromptedSettings):
    model: Text
    max_tokens: Positive = 64
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """0 takes the likeliest token at every step."""
    top_p: Share = 0.9
    timeout_seconds: Seconds = 300.0
    max_concurrent: Positive = 1
    cache: bool = True


class TransformersBot(_Sampling):
    """``kind = "transformers"``: local weights, with nucleus sampling (extra ``neural``)."""

    kind: Literal["transformers"] = "transformers"
    device: str = "cpu"

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.transformers import TransformersBackend

        return TransformersBackend(self, folder=folder)


class GgufBot(_Sampling):
    """``kind = "gguf"``: a local GGUF file through llama.cpp (extra ``llm``)."""

    kind: Literal["gguf"] = "gguf"
    context_tokens: Positive = 2048
    threads: Positive = 1
    """More are faster only on cores that nobody else uses."""
    prompt_cache: bool | None = None
    """Whether what was read of a chat is kept until its next turn; in live chats only when not given."""

    def backend(self, folder: Path, *, is_live: bool) -> Backend:
        """Imported when it is opened."""
        from duologue.bots.kinds.gguf import GgufBackend

        return GgufBackend(self, folder=folder, is_live=is_live)


def answering_bots(
    tables: Sequence[LogsBot | AnsweringSettings], names: Sequence[str] = ()
) -> tuple[AnsweringSettings, ...]:
    """The settings of the bots that can be talked to: those named, or all of them.

    Raises:
        BotError: There is no bot of that name, or it is known by its logs only.

    Example:
        >>> answering_bots([LogsBot(name="human"), BuiltinBot(name="parrot")])[0].name
        'parrot'
    """
    known = {table.name: table for table in tables}
    chosen = [table for table in known.values() if isinstance(table, AnsweringSettings)]
    if not names:
        return tuple(chosen)
    for name in names:
        if name not in known:
            listed = ", ".join(table.name for table in chosen) or "none"
            raise BotError(name, f"there is no such bot in [[bots]]; those that answer: {listed}.")
        if known[name] not in chosen:
            raise BotError(name, f"it is known by its logs only. {HOW_TO_ANSWER}")
    return tuple(table for name in names for table in chosen if table.name == name)


HOW_TO_ANSWER = "Give its [[bots]] table a kind that answers: docs/bots.md has an example of each."
