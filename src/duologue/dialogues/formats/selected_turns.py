"""Chats in which one of several candidate replies was taken at every turn: the chat as it went.

Rows of ``duologue.turns/1``, one a turn. Several bots may have answered in one chat, so it belongs to all of
them together (``mint+sage``); each reply keeps whose it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duologue.dialogues.json_values import json_name, json_objects
from duologue.dialogues.reading import (
    Assembler,
    ForeignRecord,
    LocatedDialogue,
    ReadingOptions,
    objects_of,
    text_of,
)
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, NewerFormat

NAME, VERSION = "duologue.turns", 1

PERSON, BOT = "annotator", "bot"
_FIELDS = ("arm", "mechanism", "setting", "revision")


def is_selected_turns(record: Mapping[str, Json]) -> bool:
    """Whether an object is a turn with its candidate replies."""
    is_named = str(record.get("format", NAME)).partition("/")[0] == NAME
    return is_named and isinstance(record.get("candidates"), list) and {"dialogue", "turn"} <= record.keys()


def read_selected_turns(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield every chat as it went, in the order in which the file has them; its rows may be anywhere."""
    assembler = Assembler(source, reading)
    chats: dict[str, dict[int, tuple[int, Mapping[str, Json]]]] = {}
    for line, record in json_objects(source):
        version = str(record.get("format", "")).partition("/")[2]
        if version.isdecimal() and int(version) > VERSION:
            raise NewerFormat(source.path, str(record["format"]), f"{NAME}/{VERSION}")
        try:
            key, turn = text_of(source, line, record, "dialogue", ""), _number(source, line, record)
        except FormatError as error:
            source.leave_out(error)
            continue
        chat = chats.setdefault(key, {})
        if turn not in chat or chat[turn][1].get("continuation") is None:  # of several annotators, any
            chat[turn] = line, record
    for key, chat in chats.items():
        rows = [chat[turn] for turn in sorted(chat)]
        try:
            dialogue = assembler.dialogue(_foreign_record(source, key, rows))
        except FormatError as error:
            source.leave_out(error)
            continue
        yield LocatedDialogue(rows[0][0], dialogue)


def _number(source: Source, line: int, record: Mapping[str, Json]) -> int:
    turn = record.get("turn")
    if isinstance(turn, int) and not isinstance(turn, bool) and turn > 0:
        return turn
    raise source.error(line, "turn", expected="a number from 1", got=json_name(turn))


def _foreign_record(source: Source, key: str, rows: list[tuple[int, Mapping[str, Json]]]) -> ForeignRecord:
    turns: list[Turn] = []
    bots: set[str] = set()
    for line, record in rows:
        if message := text_of(source, line, record, "message", ""):
            turns.append(Turn(PERSON, message))
        candidates = objects_of(source, line, record.get("candidates"), "candidates")
        bots |= {
            text_of(source, line, candidate, "bot", f"candidates[{number}].")
            for number, candidate in enumerate(candidates)
        }
        turns += _reply(source, line, record.get("continuation"))
    line, first = rows[0]
    return ForeignRecord(
        line=line,
        names=(PERSON, BOT),
        turns=tuple(turns),
        judged=BOT,
        kind="live-chat",
        name_turn=lambda number: f"turn {number + 1} of the chat",
        bot="+".join(sorted(bots)),
        key=key,
        extras={name: first[name] for name in _FIELDS if first.get(name) not in (None, "")},
    )


def _reply(source: Source, line: int, continuation: Json) -> Iterator[Turn]:
    if continuation is None:
        return
    if not isinstance(continuation, Mapping):
        raise source.error(line, "continuation", expected="an object or null", got=json_name(continuation))
    text = text_of(source, line, continuation, "text", "continuation.")
    kept = {name: continuation[name] for name in ("bot", "by") if continuation.get(name) is not None}
    yield Turn(BOT, text, extras=kept)
