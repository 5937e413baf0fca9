"""Duologue's own format: one dialogue a line, as a person can open and a script can write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from json.encoder import encode_basestring as quoted
from typing import cast

from duologue.dialogues.checks import check_dialogue
from duologue.dialogues.extras import unknown_fields
from duologue.dialogues.json_values import dump_json, json_name, json_objects
from duologue.dialogues.reading import (
    LocatedDialogue,
    ReadingOptions,
    check_agrees,
    objects_of,
    read_speaker,
    text_of,
)
from duologue.dialogues.records import Dialogue, DialogueKind, Json, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, NewerFormat

FORMAT = "duologue.dialogue/1"
"""What the field ``format`` of every line says."""

_FAMILY = re.compile(r"duologue\.dialogue/([0-9]{1,9})")
_FIELDS = frozenset({"format", "id", "bot", "kind", "judged", "speakers", "turns", "context", "extras"})
_TURN_FIELDS = frozenset({"speaker", "text", "image", "extras"})


def is_duologue(record: Mapping[str, Json]) -> bool:
    """Whether an object is a line of this format, of whatever version."""
    return str(record.get("format", "")).startswith("duologue.dialogue/")


def read_duologue(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a file in our own format."""
    for line, record in json_objects(source):
        try:
            dialogue = check_dialogue(
                _dialogue(source, line, record), source, line, max_turn_chars=reading.max_turn_chars
            )
            check_agrees(dialogue, source, line, reading)
            _check_index(source, line, dialogue, reading)
        except FormatError as error:
            source.leave_out(error)
            continue
        yield LocatedDialogue(line, dialogue)


def encode_duologue(dialogues: Iterable[Dialogue]) -> Iterator[bytes]:
    """Yield the lines of a file in our own format."""
    for dialogue in dialogues:
        yield encode_line(dialogue)


def dump_dialogue(dialogue: Dialogue) -> str:
    """Write a dialogue as one line of our own format.

    Example:
        >>> from duologue.dialogues.records import Speaker
        >>> hello = Dialogue("d1", "ada", "live-chat", "A", (Speaker("A", "ada"),), (Turn("A", "Hi!"),))
        >>> print(dump_dialogue(hello)[:62])
        {"format": "duologue.dialogue/1", "id": "d1", "bot": "ada", "k
    """
    return encode_line(dialogue).decode("utf-8").removesuffix("\n")


def encode_line(dialogue: Dialogue) -> bytes:
    """Write a dialogue as one line of a file; what UTF-8 has no place for is escaped, as JSON can."""
    try:
        return f"{_line(dialogue)}\n".encode()
    except UnicodeEncodeError:
        return f"{dump_json(dialogue_record(dialogue))}\n".encode()


def _line(dialogue: Dialogue) -> str:
    """Write what ``dialogue_record`` returns by hand: an import writes every dialogue."""
    speakers = [
        f'{{"name": {quoted(one.name)}, "bot": {"null" if one.bot is None else quoted(one.bot)}}}'
        for one in dialogue.speakers
    ]
    turns = [
        dump_json(_turn_record(turn))
        if turn.extras or turn.image is not None
        else f'{{"speaker": {quoted(turn.speaker)}, "text": {quoted(turn.text)}}}'
        for turn in dialogue.turns
    ]
    context = f', "context": {dump_json(list(dialogue.context))}' if dialogue.context else ""
    extras = f', "extras": {dump_json(dict(dialogue.extras))}' if dialogue.extras else ""
    return (
        f'{{"format": "{FORMAT}", "id": {quoted(dialogue.id)}, "bot": {quoted(dialogue.bot)}, '
        f'"kind": {quoted(dialogue.kind)}, "judged": {quoted(dialogue.judged)}, '
        f'"speakers": [{", ".join(speakers)}], "turns": [{", ".join(turns)}]{context}{extras}}}'
    )


def dialogue_record(dialogue: Dialogue) -> dict[str, Json]:
    """Return a dialogue as the JSON object that our own format holds."""
    record: dict[str, Json] = {
        "format": FORMAT,
        "id": dialogue.id,
        "bot": dialogue.bot,
        "kind": dialogue.kind,
        "judged": dialogue.judged,
        "speakers": [{"name": speaker.name, "bot": speaker.bot} for speaker in dialogue.speakers],
        "turns": [_turn_record(turn) for turn in dialogue.turns],
    }
    if dialogue.context:
        record["context"] = list(dialogue.context)
    if dialogue.extras:
        record["extras"] = dict(dialogue.extras)
    return record


def _turn_record(turn: Turn) -> dict[str, Json]:
    record: dict[str, Json] = {"speaker": turn.speaker, "text": turn.text}
    if turn.image is not None:
        record["image"] = turn.image
    if not turn.extras:
        return record
    # Extras stand beside the text, unless one of them bears a name that this format needs.
    extras = dict(turn.extras)
    return record | (extras if _TURN_FIELDS.isdisjoint(extras) else {"extras": extras})


def _dialogue(source: Source, line: int, record: Mapping[str, Json]) -> Dialogue:
    _check_version(source, line, record)
    context = record.get("context", [])
    if not isinstance(context, list) or not all(isinstance(text, str) for text in context):
        raise source.error(line, "context", expected="a list of texts", got=json_name(context))
    return Dialogue(
        id=text_of(source, line, record, "id", ""),
        bot=text_of(source, line, record, "bot", ""),
        kind=cast(DialogueKind, text_of(source, line, record, "kind", "")),
        judged=text_of(source, line, record, "judged", ""),
        speakers=tuple(
            read_speaker(source, line, f"speakers[{number}]", entry)
            for number, entry in enumerate(objects_of(source, line, record.get("speakers"), "speakers"))
        ),
        turns=tuple(_turns(source, line, objects_of(source, line, record.get("turns"), "turns"))),
        context=tuple(context),
        extras=_extras(source, line, record, _FIELDS, "extras"),
    )


def _check_version(source: Source, line: int, record: Mapping[str, Json]) -> None:
    version = record.get("format")
    if version == FORMAT:
        return
    known = _FAMILY.fullmatch(version) if isinstance(version, str) else None
    if known and int(known[1]) > 1:
        raise NewerFormat(source.path, known[0], FORMAT)
    got = json_name(version) if "format" in record else "no such field"
    raise source.error(line, "format", expected=f'"{FORMAT}"', got=got)


def _turns(source: Source, line: int, entries: list[dict[str, Json]]) -> list[Turn]:
    turns = []
    for entry in entries:
        speaker, text = entry.get("speaker"), entry.get("text")
        if len(entry) == 2 and isinstance(speaker, str) and isinstance(text, str):
            turns.append(Turn(speaker, text))
        else:
            turns.append(_turn(source, line, len(turns), entry))
    return turns


def _turn(source: Source, line: int, number: int, entry: Mapping[str, Json]) -> Turn:
    speaker = text_of(source, line, entry, "speaker", f"turns[{number}].")
    text = text_of(source, line, entry, "text", f"turns[{number}].")
    image = entry.get("image")
    if image is not None and not isinstance(image, str):
        raise source.error(line, f"turns[{number}].image", expected="a text or null", got=json_name(image))
    return Turn(speaker, text, image, _extras(source, line, entry, _TURN_FIELDS, f"turns[{number}].extras"))


def _extras(
    source: Source, line: int, entry: Mapping[str, Json], known: frozenset[str], field: str
) -> dict[str, Json]:
    """Gather what we do not use: the field ``extras`` and every field we do not know."""
    extras = entry.get("extras", {})
    if not isinstance(extras, dict):
        raise source.error(line, field, expected="an object", got=json_name(extras))
    unknown = unknown_fields(entry, known)
    if twice := sorted(unknown.keys() & extras.keys()):
        raise source.error(line, field, expected="each field once", got=f"{twice[0]!r} here and beside it")
    return unknown | extras


def _check_index(source: Source, line: int, dialogue: Dialogue, reading: ReadingOptions) -> None:
    index, names = reading.speaker_index, [speaker.name for speaker in dialogue.speakers]
    if index is not None and names[index : index + 1] != [dialogue.judged]:
        hint = "This format says it itself: leave --speaker-index out."
        raise source.error(line, "judged", expected=f"speaker {index}", got=repr(dialogue.judged), hint=hint)
