"""What a chat-completions endpoint answers: one JSON object, or a stream of pieces."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

from duologue.bots.kinds.wire import shortened
from duologue.dialogues import Json
from duologue.errors import BotError, BotUnavailable
from duologue.strict_json import read_json


@dataclass(frozen=True, slots=True)
class Completion:
    """What the endpoint's bot said."""

    text: str
    finish: str = ""
    is_refusal: bool = False
    tokens: int | None = None


def read_completion(bot: str, raw: bytes) -> Completion:
    """The completion in the body of an answer.

    Raises:
        BotUnavailable: There is none in it.
        BotError: The bot's content filter refused, without a word.

    Example:
        >>> raw = b'{"choices": [{"message": {"content": "Hi!"}, "finish_reason": "stop"}]}'
        >>> read_completion("ada", raw).text
        'Hi!'
    """
    return completion_of(bot, _object(bot, raw.decode("utf-8", "replace")))


def completion_of(bot: str, answer: Mapping[str, Json]) -> Completion:
    """The completion in an answer that has been understood as JSON.

    Raises:
        BotUnavailable: There is none in it.
        BotError: The bot's content filter refused, without a word.
    """
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise BotUnavailable(bot, "its answer holds no choices.")
    message = choices[0].get("message")
    said = message if isinstance(message, dict) else {}
    pieces = _Pieces()
    pieces.add(said, choices[0].get("finish_reason"), answer.get("usage"))
    return pieces.completion(bot)


async def read_stream(bot: str, lines: AsyncIterator[str]) -> Completion:
    """The completion in a stream of server-sent events; one that breaks off is no completion.

    Raises:
        BotUnavailable: The stream broke off, or something in it is no piece of a completion.
        BotError: The bot's content filter refused, without a word.
    """
    pieces, is_whole = _Pieces(), False
    async for line in lines:
        if not line.startswith("data:"):
            continue  # a comment that keeps the connection alive, or a field we have no use for
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            is_whole = True
            break
        event = _object(bot, data)
        choices = event.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else {}
        if isinstance(choice, dict):
            delta = choice.get("delta")
            said = delta if isinstance(delta, dict) else {}
            pieces.add(said, choice.get("finish_reason"), event.get("usage"))
    if not is_whole and not pieces.finish:
        raise BotUnavailable(bot, "the stream broke off in the middle of the reply.")
    return pieces.completion(bot)


@dataclass(slots=True)
class _Pieces:
    """What has been said so far."""

    texts: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    finish: str = ""
    tokens: int | None = None

    def add(self, said: dict[str, Json], finish: Json, usage: Json) -> None:
        self.texts.append(_text(said.get("content")))
        self.refusals.append(_text(said.get("refusal")))
        self.finish = finish if isinstance(finish, str) else self.finish
        tokens = usage.get("completion_tokens") if isinstance(usage, dict) else None
        self.tokens = tokens if isinstance(tokens, int) else self.tokens

    def completion(self, bot: str) -> Completion:
        text, refusal = "".join(self.texts), "".join(self.refusals)
        if not text.strip() and not refusal.strip() and self.finish == "content_filter":
            raise BotError(bot, "its content filter refused, without a word.")
        is_refusal = bool(refusal.strip())
        return Completion(refusal if is_refusal else text, self.finish, is_refusal, self.tokens)


def _text(content: Json) -> str:
    """A content is a text, or a list of parts of which some are texts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _object(bot: str, text: str) -> dict[str, Json]:
    try:
        answer = read_json(text)
    except ValueError:
        raise BotUnavailable(bot, f"its answer is not JSON: {shortened(text, limit=80)!r}.") from None
    if not isinstance(answer, dict):
        raise BotUnavailable(bot, f"its answer is no JSON object: {shortened(text, limit=80)!r}.")
    if error := answer.get("error"):
        message = error.get("message", error) if isinstance(error, dict) else error
        raise BotUnavailable(bot, f"it says: {shortened(message if isinstance(message, str) else text)}")
    return answer
