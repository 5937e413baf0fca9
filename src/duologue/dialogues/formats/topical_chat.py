"""Topical-Chat as it was published: one JSON object, in which every conversation stands under its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duologue.dialogues.extras import unknown_fields
from duologue.dialogues.json_values import json_members, json_name
from duologue.dialogues.reading import (
    Assembler,
    ForeignRecord,
    LocatedDialogue,
    ReadingOptions,
    objects_of,
    text_of,
)
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import RecordLine, Source
from duologue.errors import FormatError

_AGENTS = ("agent_1", "agent_2")
REPLIES = "agent_2"
_ABOUT = frozenset({"article_url", "config", "conversation_rating"})
_FIELDS = frozenset({"message", "agent"})


def is_topical_chat(conversation: Mapping[str, Json]) -> bool:
    """Whether an object is a conversation as Topical-Chat has them."""
    return "content" in conversation and not _ABOUT.isdisjoint(conversation)


def read_topical_chat(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the conversations of a file; what the partners said of turn and conversation is kept with them.

    Both speakers are people. The one who replies is judged unless said otherwise.
    """
    assembler = Assembler(source, reading)
    for line, key, value in json_members(source):
        try:
            dialogue = assembler.dialogue(_foreign_record(source, line, key, value))
        except FormatError as error:
            source.leave_out(error)
            continue
        yield LocatedDialogue(line, dialogue)


def _foreign_record(source: Source, line: int, key: str, value: Json | FormatError) -> ForeignRecord:
    if isinstance(value, FormatError):
        raise value
    line = RecordLine(line, f"conversation {key}")
    if not isinstance(value, dict):
        raise source.error(line, expected="a JSON object", got=json_name(value))
    entries = objects_of(source, line, value.get("content"), "content")
    return ForeignRecord(
        line=line,
        names=_AGENTS,
        turns=tuple(_turn(source, line, number, entry) for number, entry in enumerate(entries)),
        judged=REPLIES,
        kind="human-human",
        name_turn=lambda number: f"content[{number}].message",
        key=key,
        extras=unknown_fields(value, frozenset({"content"})),
    )


def _turn(source: Source, line: int, number: int, entry: Mapping[str, Json]) -> Turn:
    place = f"content[{number}]."
    agent = text_of(source, line, entry, "agent", place)
    if agent not in _AGENTS:
        raise source.error(line, f"{place}agent", expected=" or ".join(_AGENTS), got=json_name(agent))
    text = text_of(source, line, entry, "message", place)
    return Turn(agent, text, extras=unknown_fields(entry, _FIELDS))
