"""Telegram's Bot API, as far as a study needs it: long polling, messages with buttons, typing.

See https://core.telegram.org/bots/api. The token is part of every address, so no address and no error of
the HTTP library is ever shown or logged.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpx2

from duologue.back_off import back_off
from duologue.dialogues import Json
from duologue.errors import TelegramError
from duologue.strict_json import read_json

PUBLIC_API = "https://api.telegram.org"
LONGEST_MESSAGE = 4096
"""In UTF-16 code units, as Telegram counts."""
NOTHING_TO_SEE = "…"
"""Stands for a text without a visible character, which Telegram does not take."""
UPDATE_KINDS = ("message", "edited_message", "callback_query", "my_chat_member")
TRIES = 5
ANSWER_SECONDS = 20.0

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Button:
    """A button under a message; ``data`` comes back when it is pressed (at most 64 bytes)."""

    text: str
    data: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send: plain text, never markup, and rows of buttons under it."""

    text: str
    rows: tuple[tuple[Button, ...], ...] = ()


class BotApi:
    """One bot account. Requests are repeated when Telegram is busy, and wait as long as it asks."""

    def __init__(self, token: str, *, address: str = PUBLIC_API, sleep: Sleep = asyncio.sleep) -> None:
        self._base = f"{address.rstrip('/')}/bot{token}/"
        self._sleep = sleep
        self._client = httpx2.AsyncClient(timeout=ANSWER_SECONDS)
        self._discretion = _Discretion(token)
        self._calm_at = 0.0

    async def __aenter__(self) -> Self:
        logging.getLogger(httpx2.__name__).addFilter(self._discretion)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()
        logging.getLogger(httpx2.__name__).removeFilter(self._discretion)

    async def username(self) -> str:
        """The name of the bot account, as it stands in ``https://t.me/NAME``."""
        me = await self.call("getMe", {})
        name = me.get("username") if isinstance(me, Mapping) else None
        if not isinstance(name, str):
            raise TelegramError("getMe", "the answer does not name the bot account")
        return name

    async def use_long_polling(self) -> None:
        """Have updates kept for us, also when the account was set up to have them delivered elsewhere."""
        await self.call("deleteWebhook", {})

    async def set_commands(self, commands: Mapping[str, str]) -> None:
        """Say which commands people are offered, with a few words on each."""
        listed: list[Json] = [{"command": name, "description": words} for name, words in commands.items()]
        await self.call("setMyCommands", {"commands": listed})

    async def updates(self, *, offset: int | None, wait_seconds: int) -> tuple[Mapping[str, Json], ...]:
        """What has happened from ``offset`` on; waits for something to happen. Asked once, not repeated."""
        parameters: dict[str, Json] = {"timeout": wait_seconds, "allowed_updates": list(UPDATE_KINDS)}
        if offset is not None:
            parameters["offset"] = offset
        result = await self._once("getUpdates", parameters, timeout=wait_seconds + ANSWER_SECONDS)
        if not isinstance(result, list):
            raise TelegramError("getUpdates", "the answer is not a list of updates")
        return tuple(update for update in result if isinstance(update, Mapping))

    async def send(self, chat: int, message: Outgoing) -> None:
        """Send a message; a long one in pieces, the buttons under the last."""
        pieces = [piece for piece in in_pieces(message.text) if piece.strip()] or [NOTHING_TO_SEE]
        for number, piece in enumerate(pieces, 1):
            parameters: dict[str, Json] = {
                "chat_id": chat,
                "text": piece,
                "link_preview_options": {"is_disabled": True},
            }
            if message.rows and number == len(pieces):
                parameters["reply_markup"] = _keyboard(message.rows)
            await self.call("sendMessage", parameters)

    async def show_typing(self, chat: int) -> None:
        """Show "typing…" for about five seconds; tried once."""
        await self._once("sendChatAction", {"chat_id": chat, "action": "typing"})

    async def acknowledge(self, query: str, words: str = "") -> None:
        """Take the waiting sign off a button that was pressed; tried once."""
        parameters: dict[str, Json] = {"callback_query_id": query}
        if words:
            parameters["text"] = words[:200]
        await self._once("answerCallbackQuery", parameters)

    async def settle(self, chat: int, message: int, text: str) -> None:
        """Replace a question by question and answer, without its buttons; tried once."""
        parameters: dict[str, Json] = {"chat_id": chat, "message_id": message, "text": text}
        await self._once("editMessageText", parameters)

    async def call(self, method: str, parameters: Mapping[str, Json]) -> Json:
        """One method, repeated while Telegram is busy or out of reach.

        Raises:
            TelegramError: It was refused, or did not get through in five tries.
        """
        for number in range(1, TRIES + 1):
            try:
                return await self._once(method, parameters)
            except TelegramError as error:
                if not error.may_pass or number == TRIES:
                    raise
                if error.retry_after is None:  # how long Telegram asks for is waited before any request
                    await self._sleep(back_off(number, jitter=random.uniform(0.5, 1.0)))
        raise AssertionError  # the last try returns or raises

    async def _once(
        self, method: str, parameters: Mapping[str, Json], *, timeout: float = ANSWER_SECONDS
    ) -> Json:
        await self._calm()
        try:
            answer = await self._client.post(self._base + method, json=parameters, timeout=timeout)
        except httpx2.HTTPError as error:
            raise TelegramError(method, f"no connection ({type(error).__name__})") from None
        try:
            record = read_json(answer.content)
        except ValueError:
            record = None
        if not isinstance(record, dict) or not isinstance(record.get("ok"), bool):
            why = f"the answer (status {answer.status_code}) is not one of the Bot API"
            raise TelegramError(method, why, status=answer.status_code)
        if record["ok"]:
            result: Json = record.get("result")
            return result
        raise self._refused(method, answer.status_code, record)

    def _refused(self, method: str, status: int, record: Mapping[str, Json]) -> TelegramError:
        code = record.get("error_code")
        facts = record.get("parameters")
        asked = facts.get("retry_after") if isinstance(facts, Mapping) else None
        wait = float(asked) if isinstance(asked, int | float) else None
        if wait is not None:  # whoever goes on asking is made to wait longer: all of us wait
            self._calm_at = max(self._calm_at, asyncio.get_running_loop().time() + wait)
        why = str(record.get("description", "refused"))
        return TelegramError(method, why, status=code if isinstance(code, int) else status, retry_after=wait)

    async def _calm(self) -> None:
        wait = self._calm_at - asyncio.get_running_loop().time()
        if wait > 0:
            await self._sleep(wait)


class _Discretion(logging.Filter):
    """Keeps addresses with the token out of the HTTP library's log."""

    def __init__(self, token: str) -> None:
        super().__init__()
        self._token = token

    def filter(self, record: logging.LogRecord) -> bool:
        return self._token not in record.getMessage()


def in_pieces(text: str, longest: int = LONGEST_MESSAGE) -> tuple[str, ...]:
    """A text in pieces that Telegram takes, broken after a space where there is one. Nothing is lost.

    Example:
        >>> in_pieces("one two three", 9)
        ('one two ', 'three')
        >>> in_pieces("😀😀😀", 4)
        ('😀😀', '😀')
    """
    pieces: list[str] = []
    while _units(text) > longest:
        end = _fitting(text, longest)
        space = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end)) + 1
        end = space or end
        pieces.append(text[:end])
        text = text[end:]
    return (*pieces, text)


def _fitting(text: str, longest: int) -> int:
    units = 0
    for place, character in enumerate(text):
        units += _units(character)
        if units > longest:
            return place
    return len(text)


def _units(text: str) -> int:
    return len(text) + sum(1 for character in text if ord(character) > 0xFFFF)


def _keyboard(rows: Sequence[Sequence[Button]]) -> dict[str, Json]:
    keyboard: list[Json] = [
        [{"text": button.text, "callback_data": button.data} for button in row] for row in rows
    ]
    return {"inline_keyboard": keyboard}
