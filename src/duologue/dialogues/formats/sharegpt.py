"""ShareGPT: ``{"conversations": [{"from", "value"}]}`` in one JSON list, or one a line."""

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

_HUMAN = ("human", "user")
_BOT = ("gpt", "chatgpt", "assistant", "bing", "bard", "model")
_FIELDS = frozenset({"from", "value", "image"})
_KEPT_CONTEXT = "duologue:system_entries"


def is_sharegpt(record: Mapping[str, Json]) -> bool:
    """Whether an object is a conversation as ShareGPT exports them."""
    return isinstance(record.get("conversations"), list)


def read_sharegpt(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a ShareGPT file; ``gpt`` is judged unless said otherwise."""
    return read_foreign(source, reading, _foreign_record)


def encode_sharegpt(dialogues: Iterable[Dialogue]) -> Iterator[bytes]:
    """Yield a ShareGPT file piece by piece: one JSON list, in which the judged speaker is ``gpt``."""
    yield b"["
    separator = "\n"
    for dialogue in dialogues:
        yield f"{separator}{dump_json(_record(dialogue))}".encode()
        separator = ",\n"
    yield b"\n]\n"


def _record(dialogue: Dialogue) -> dict[str, Json]:
    extras = dict(dialogue.extras)
    key = extras.pop("id", dialogue.id)
    system = extras.pop(_KEPT_CONTEXT, [{"from": "system", "value": text} for text in dialogue.context])
    turns = [_entry(turn, is_judged=turn.speaker == dialogue.judged) for turn in dialogue.turns]
    record = {"id": key, "conversations": [*(system if isinstance(system, list) else []), *turns]}
    return with_extras(record, extras)


def _entry(turn: Turn, *, is_judged: bool) -> dict[str, Json]:
    if is_judged:
        name = turn.speaker if turn.speaker in _BOT else "gpt"
    else:
        name = turn.speaker if turn.speaker in _HUMAN else "human"
    entry: dict[str, Json] = {"from": name, "value": turn.text}
    if turn.image is not None:
        entry["image"] = turn.image
    return with_extras(entry, turn.extras)


def _foreign_record(source: Source, line: int, record: Mapping[str, Json]) -> ForeignRecord:
    entries = objects_of(source, line, record.get("conversations"), "conversations")
    names = [text_of(source, line, entry, "from", f"conversations[{n}].") for n, entry in enumerate(entries)]
    first = next((n for n, name in enumerate(names) if name != "system"), len(names))
    for number, name in enumerate(names[first:], start=first):
        if name not in _HUMAN + _BOT:
            expected = f"one of {', '.join(_HUMAN + _BOT)} (and system at the front)"
            raise source.error(line, f"conversations[{number}].from", expected=expected, got=json_name(name))
    turns = tuple(_turn(source, line, n, entry) for n, entry in enumerate(entries))
    system = entries[:first]
    extras = unknown_fields(record, frozenset({"conversations"}))
    if any(entry.keys() != {"from", "value"} for entry in system):
        extras[_KEPT_CONTEXT] = system
    speakers = tuple(dict.fromkeys(names[first:]))
    bots = [name for name in speakers if name in _BOT]
    return ForeignRecord(
        line=line,
        names=speakers,
        turns=turns[first:],
        judged=bots[0] if len(bots) == 1 else "gpt",
        kind="live-chat",
        name_turn=lambda number: f"conversations[{number + first}].value",
        key=record.get("id"),
        context=tuple(turn.text for turn in turns[:first]),
        extras=extras,
    )


def _turn(source: Source, line: int, number: int, entry: Mapping[str, Json]) -> Turn:
    text = text_of(source, line, entry, "value", f"conversations[{number}].")
    image, extras = entry.get("image"), unknown_fields(entry, _FIELDS)
    if isinstance(image, str):
        return Turn(str(entry["from"]), text, image, extras)
    return Turn(str(entry["from"]), text, None, extras | ({"image": image} if "image" in entry else {}))
