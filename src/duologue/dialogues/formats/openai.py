"""OpenAI messages: one ``{"messages": [{"role", "content"}]}`` a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from duologue.dialogues.extras import unknown_fields, with_extras
from duologue.dialogues.json_values import dump_json, json_name
from duologue.dialogues.reading import (
    ForeignRecord,
    LocatedDialogue,
    ReadingOptions,
    objects_of,
    read_foreign,
    text_of,
)
from duologue.dialogues.records import Dialogue, Json, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError

_SYSTEM = ("system", "developer")
_SPEAKERS = ("user", "assistant")
_MESSAGE_FIELDS = frozenset({"role", "content"})
_KEPT_CONTEXT = "duologue:system_messages"
_KEPT_CONTENT = "duologue:content"
_PLAIN_CONTEXT = {"role", "content"}


def is_openai(record: Mapping[str, Json]) -> bool:
    """Whether an object is a conversation in OpenAI's message format."""
    return isinstance(record.get("messages"), list)


def read_openai(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a file of OpenAI messages; the assistant is judged unless said otherwise."""
    return read_foreign(source, reading, _foreign_record)


def encode_openai(dialogues: Iterable[Dialogue]) -> Iterator[bytes]:
    """Yield the lines of a file of OpenAI messages: the judged speaker is the assistant."""
    for dialogue in dialogues:
        extras = dict(dialogue.extras)
        key = extras.pop("id", dialogue.id)
        system = extras.pop(_KEPT_CONTEXT, [{"role": "system", "content": text} for text in dialogue.context])
        messages = [_message(turn, is_judged=turn.speaker == dialogue.judged) for turn in dialogue.turns]
        record = {"id": key, "messages": [*(system if isinstance(system, list) else []), *messages]}
        yield f"{dump_json(with_extras(record, extras))}\n".encode()


def _message(turn: Turn, *, is_judged: bool) -> dict[str, Json]:
    extras = dict(turn.extras)
    content: Json = turn.text
    if turn.image is not None:
        text = [{"type": "text", "text": turn.text}] if turn.text else []
        content = [*text, {"type": "image_url", "image_url": {"url": turn.image}}]
    content = extras.pop(_KEPT_CONTENT, content)
    return with_extras({"role": "assistant" if is_judged else "user", "content": content}, extras)


def _foreign_record(source: Source, line: int, record: Mapping[str, Json]) -> ForeignRecord:
    messages = objects_of(source, line, record.get("messages"), "messages")
    roles = [text_of(source, line, message, "role", f"messages[{n}].") for n, message in enumerate(messages)]
    first = next((n for n, role in enumerate(roles) if role not in _SYSTEM), len(roles))
    for number, role in enumerate(roles[first:], start=first):
        if role not in _SPEAKERS:
            raise _unusable_role(source, line, number, role)
    system, spoken = messages[:first], messages[first:]
    contents = [_content(source, line, n, message) for n, message in enumerate(system)]
    extras = unknown_fields(record, frozenset({"messages"}))
    if any(message.keys() - _PLAIN_CONTEXT or message["role"] != "system" for message in system):
        extras[_KEPT_CONTEXT] = system
    return ForeignRecord(
        line=line,
        names=_SPEAKERS,
        turns=tuple(_turn(source, line, n, message) for n, message in enumerate(spoken, start=first)),
        judged="assistant",
        kind="live-chat",
        name_turn=lambda number: f"messages[{number + first}].content",
        key=record.get("id"),
        context=tuple(text for text, _ in contents),
        extras=extras,
    )


def _unusable_role(source: Source, line: int, number: int, role: str) -> FormatError:
    if role in _SYSTEM:
        hint = "Annotators see system messages before the dialogue: move it to the front, or remove it."
    else:
        hint = "Only what was said can be shown: remove the messages of tools."
    return source.error(
        line, f"messages[{number}].role", expected="user or assistant", got=json_name(role), hint=hint
    )


def _turn(source: Source, line: int, number: int, message: Mapping[str, Json]) -> Turn:
    text, image = _content(source, line, number, message)
    extras = unknown_fields(message, _MESSAGE_FIELDS)
    content = message["content"]
    if isinstance(content, list) and not _is_plain(content):
        extras[_KEPT_CONTENT] = content
    return Turn(str(message["role"]), text, image, extras)


def _is_plain(parts: list[Json]) -> bool:
    """Whether text and image alone are enough to write these parts again."""
    for part in parts:
        if not isinstance(part, dict) or part.keys() != {"type", part.get("type")}:
            return False
        address = part.get("image_url")
        if isinstance(address, dict) and address.keys() != {"url"}:
            return False
    return len(parts) == len({str(part["type"]) for part in parts if isinstance(part, dict)})


def _content(source: Source, line: int, number: int, message: Mapping[str, Json]) -> tuple[str, str | None]:
    """Return the text and the image of a message; several text parts stand on lines of their own."""
    content = message.get("content")
    if isinstance(content, str):
        return content, None
    field = f"messages[{number}].content"
    if not isinstance(content, list):
        got = json_name(content) if "content" in message else "no such field"
        raise source.error(line, field, expected="a text or a list of parts", got=got)
    parts = [_part(source, line, f"{field}[{n}]", part) for n, part in enumerate(content)]
    images = [value for kind, value in parts if kind == "image_url"]
    if len(images) > 1:
        raise source.error(line, field, expected="at most one image a turn", got=f"{len(images)}")
    return "\n".join(value for kind, value in parts if kind == "text"), images[0] if images else None


def _part(source: Source, line: int, field: str, part: Json) -> tuple[str, str]:
    kind = part.get("type") if isinstance(part, dict) else None
    value = part.get(kind) if isinstance(part, dict) and kind in ("text", "image_url") else None
    if kind == "image_url" and isinstance(value, dict):
        value = value.get("url")
    if not isinstance(value, str):
        got = f"one of type {kind!r}" if isinstance(kind, str) else json_name(part)
        raise source.error(line, field, expected="a part of type text or image_url", got=got)
    return str(kind), value
