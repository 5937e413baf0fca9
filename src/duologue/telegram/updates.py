"""What people do in Telegram, read from the Bot API's updates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from duologue.dialogues import Json
from duologue.errors import TelegramError


@dataclass(frozen=True, slots=True)
class Sender:
    """Somebody who wrote to the bot account in private. No name is read."""

    user: int
    chat: int


@dataclass(frozen=True, slots=True)
class TextMessage:
    """A text message."""

    number: int
    sender: Sender
    text: str


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A button was pressed."""

    number: int
    sender: Sender
    query: str
    data: str
    message: int | None
    """The message the button is under; None when Telegram no longer knows it."""


@dataclass(frozen=True, slots=True)
class MessageEdit:
    """A message was changed after it was sent."""

    number: int
    sender: Sender


@dataclass(frozen=True, slots=True)
class NoText:
    """A sticker, a picture, a voice message: anything but text."""

    number: int
    sender: Sender


@dataclass(frozen=True, slots=True)
class AccountBlocked:
    """Somebody blocked the bot account."""

    number: int
    sender: Sender


@dataclass(frozen=True, slots=True)
class IgnoredUpdate:
    """Nothing that concerns a study: a group, another bot account, an update of another kind."""

    number: int


Update = TextMessage | ButtonPress | MessageEdit | NoText | AccountBlocked | IgnoredUpdate


def read_update(record: Mapping[str, Json]) -> Update:
    """One update of the Bot API.

    Raises:
        TelegramError: It has no number, so it cannot be acknowledged.

    Example:
        >>> read_update({"update_id": 7, "message": {"message_id": 1, "date": 0, "text": "hello",
        ...     "chat": {"id": 5, "type": "private"}, "from": {"id": 5, "is_bot": False, "first_name": "A"}}})
        TextMessage(number=7, sender=Sender(user=5, chat=5), text='hello')
    """
    number = record.get("update_id")
    if not isinstance(number, int):
        raise TelegramError("getUpdates", "an update has no update_id")
    return (
        _message(number, _object(record, "message"))
        or _edited(number, _object(record, "edited_message"))
        or _pressed(number, _object(record, "callback_query"))
        or _left(number, _object(record, "my_chat_member"))
        or IgnoredUpdate(number)
    )


def _message(number: int, message: Mapping[str, Json]) -> Update | None:
    sender = _sender(message, _object(message, "chat"))
    if sender is None:
        return None
    text = message.get("text")
    return TextMessage(number, sender, text) if isinstance(text, str) else NoText(number, sender)


def _edited(number: int, message: Mapping[str, Json]) -> Update | None:
    sender = _sender(message, _object(message, "chat"))
    return None if sender is None else MessageEdit(number, sender)


def _pressed(number: int, query: Mapping[str, Json]) -> Update | None:
    key, data, message = query.get("id"), query.get("data"), _object(query, "message")
    sender = _sender(query, _object(message, "chat"))
    if sender is None or not isinstance(key, str) or not isinstance(data, str):
        return None
    place = message.get("message_id")
    return ButtonPress(number, sender, key, data, place if isinstance(place, int) else None)


def _left(number: int, change: Mapping[str, Json]) -> Update | None:
    sender = _sender(change, _object(change, "chat"))
    if sender is None or _object(change, "new_chat_member").get("status") != "kicked":
        return None
    return AccountBlocked(number, sender)


def _sender(record: Mapping[str, Json], chat: Mapping[str, Json]) -> Sender | None:
    """Who it is from; None for groups, channels and other bot accounts."""
    user = _object(record, "from")
    who, where = user.get("id"), chat.get("id")
    if chat.get("type") != "private" or user.get("is_bot") is True:
        return None
    return Sender(who, where) if isinstance(who, int) and isinstance(where, int) else None


def _object(record: Mapping[str, Json], key: str) -> Mapping[str, Json]:
    value = record.get(key)
    return value if isinstance(value, Mapping) else {}
