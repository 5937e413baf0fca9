"""The types and methods of Telegram's Bot API that we use, as published (https://core.telegram.org/bots/api).

Bot API 9 and 10. Fields are those of the documentation, required where it does not say "Optional"; of the
long list of optional ones, those that can occur here. Anything else is refused, on both sides of the wire.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, field_validator


class _Type(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)


class User(_Type):
    id: int
    is_bot: bool
    first_name: str
    last_name: str | None = None
    username: str | None = None
    language_code: str | None = None
    can_join_groups: bool | None = None
    can_read_all_group_messages: bool | None = None
    supports_inline_queries: bool | None = None


class Chat(_Type):
    id: int
    type: Literal["private", "group", "supergroup", "channel"]
    title: str | None = None
    username: str | None = None
    first_name: str | None = None


class InlineKeyboardButton(_Type):
    """Exactly one of the optional fields must be used; we use one of them."""

    text: Annotated[str, StringConstraints(min_length=1)]
    callback_data: str

    @field_validator("callback_data")
    @classmethod
    def _1_to_64_bytes(cls, data: str) -> str:
        if not 1 <= len(data.encode()) <= 64:
            raise ValueError("BUTTON_DATA_INVALID")
        return data


class InlineKeyboardMarkup(_Type):
    inline_keyboard: list[list[InlineKeyboardButton]]


class Sticker(_Type):
    file_id: str
    file_unique_id: str
    type: Literal["regular", "mask", "custom_emoji"]
    width: int
    height: int
    is_animated: bool
    is_video: bool


class Message(_Type):
    message_id: int
    from_: Annotated[User | None, Field(alias="from")] = None
    date: int
    chat: Chat
    edit_date: int | None = None
    text: str | None = None
    sticker: Sticker | None = None
    reply_markup: InlineKeyboardMarkup | None = None


class CallbackQuery(_Type):
    id: str
    from_: Annotated[User, Field(alias="from")]
    message: Message | None = None
    inline_message_id: str | None = None
    chat_instance: str
    data: str | None = None


class ChatMember(_Type):
    status: Literal["creator", "administrator", "member", "restricted", "left", "kicked"]
    user: User
    until_date: int | None = None


class ChatMemberUpdated(_Type):
    chat: Chat
    from_: Annotated[User, Field(alias="from")]
    date: int
    old_chat_member: ChatMember
    new_chat_member: ChatMember


class Update(_Type):
    """At most one of the optional fields is present."""

    update_id: int
    message: Message | None = None
    edited_message: Message | None = None
    callback_query: CallbackQuery | None = None
    my_chat_member: ChatMemberUpdated | None = None


class ResponseParameters(_Type):
    migrate_to_chat_id: int | None = None
    retry_after: int | None = None


class Response(_Type):
    """What every method answers with; ``result`` only when ``ok``."""

    ok: bool
    description: str | None = None
    error_code: int | None = None
    parameters: ResponseParameters | None = None
    result: User | Message | list[Update] | bool | None = None


class LinkPreviewOptions(_Type):
    is_disabled: bool | None = None


class BotCommand(_Type):
    command: Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]{1,32}$")]
    description: Annotated[str, StringConstraints(min_length=1, max_length=256)]


class GetMe(_Type):
    pass


class DeleteWebhook(_Type):
    drop_pending_updates: bool | None = None


class SetMyCommands(_Type):
    commands: Annotated[list[BotCommand], Field(max_length=100)]


class GetUpdates(_Type):
    offset: int | None = None
    limit: Annotated[int, Field(ge=1, le=100)] = 100
    timeout: int = 0
    allowed_updates: list[str] | None = None


def _in_code_units(text: str) -> str:
    if not text.strip():
        raise ValueError("message text is empty")
    if len(text.encode("utf-16-le")) // 2 > 4096:
        raise ValueError("message is too long")
    return text


class SendMessage(_Type):
    chat_id: int | str
    text: str
    parse_mode: str | None = None
    link_preview_options: LinkPreviewOptions | None = None
    reply_markup: InlineKeyboardMarkup | None = None

    _fits = field_validator("text")(_in_code_units)


class EditMessageText(_Type):
    chat_id: int | str
    message_id: int
    text: str
    reply_markup: InlineKeyboardMarkup | None = None

    _fits = field_validator("text")(_in_code_units)


class SendChatAction(_Type):
    chat_id: int | str
    action: Literal["typing", "upload_photo", "record_voice", "upload_document", "choose_sticker"]


class AnswerCallbackQuery(_Type):
    callback_query_id: str
    text: Annotated[str, StringConstraints(max_length=200)] | None = None
    show_alert: bool | None = None


METHODS: dict[str, type[_Type]] = {
    "getMe": GetMe,
    "deleteWebhook": DeleteWebhook,
    "setMyCommands": SetMyCommands,
    "getUpdates": GetUpdates,
    "sendMessage": SendMessage,
    "editMessageText": EditMessageText,
    "sendChatAction": SendChatAction,
    "answerCallbackQuery": AnswerCallbackQuery,
}
