"""One side of an ACUTE-Eval pairing: a dialogue of alternating turns, in which one speaker is judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import cast

from duologue.dialogues.checks import check_dialogue
from duologue.dialogues.extras import unknown_fields, with_extras
from duologue.dialogues.json_values import json_name
from duologue.dialogues.reading import (
    ReadingOptions,
    has_key,
    id_within,
    make_speakers,
    objects_of,
    read_speaker,
    text_of,
)
from duologue.dialogues.records import Dialogue, DialogueKind, Json, Turn
from duologue.dialogues.sources import Source
from duologue.errors import ExportError, FormatError

JUDGED, PARTNER = "<judged>", "<partner>"
"""In a speaker map: the judged speaker of whichever dialogue it is, and the other one."""

_OTHER = "other_speaker"
_KIND: DialogueKind = "live-chat"
"""What dialogues of this format are, unless somebody says otherwise."""
_KEPT_CONTEXT = "duologue:acute_context"
_KEPT_DIALOGUE = "duologue:dialogue"
"""The field for what the format has no place for: a dialogue's id, its kind and its speakers as they were."""
_FIELDS = frozenset({"speakers", "dialogue", "context", _KEPT_DIALOGUE})


def read_side(
    source: Source,
    line: int,
    side: int,
    record: Mapping[str, Json],
    *,
    judged: str,
    key: Json,
    reading: ReadingOptions,
) -> Dialogue:
    """Return the dialogue on one side of a pairing.

    Its id is ``<bot>:<dialogue id of the line>``, else the dialogue's own ``id`` field, else made from what
    is said: a dialogue that stands in many lines is one dialogue. What `side_record` wrote is the dialogue
    that it was.

    Raises:
        FormatError: It breaks a rule of the format.
    """
    place = f"dialogue_dicts[{side}]"
    kind = reading.kind or _KIND
    turns, names = _turns_and_names(source, line, place, record, judged=judged, reading=reading)
    context, extras = _context(record)
    key = key if has_key(key) else record.get("id")
    dialogue = Dialogue(
        id=id_within(judged, key),
        bot=judged,
        kind=kind,
        judged=judged,
        speakers=make_speakers(names, bot=judged, judged=judged, kind=kind),
        turns=turns,
        context=context,
        extras=extras,
    )
    if _KEPT_DIALOGUE in record:
        dialogue = _as_it_was(source, line, f"{place}.{_KEPT_DIALOGUE}", record[_KEPT_DIALOGUE], dialogue)
    elif not has_key(key):
        dialogue = _named_by_content(dialogue)
    return check_dialogue(
        dialogue,
        source,
        line,
        max_turn_chars=reading.max_turn_chars,
        name_turn=lambda number: f"{place}.dialogue[{number}].text",
    )


def side_record(dialogue: Dialogue, path: Path) -> dict[str, Json]:
    """Return a dialogue as a pairings file holds it, its judged speaker called by the bot's name.

    Where that is not enough to read the same dialogue again, a field of ours says what it was.

    Raises:
        ExportError: Its turns do not alternate between two speakers.
    """
    names = [speaker.name for speaker in dialogue.speakers]
    if len(names) > 2:
        raise ExportError(
            path, f"dialogue {dialogue.id!r} has {len(names)} speakers; ACUTE pairings hold two."
        )
    written = {name: _OTHER if name == dialogue.bot else name for name in names} | {
        dialogue.judged: dialogue.bot
    }
    extras = dict(dialogue.extras)
    record: dict[str, Json] = {
        "speakers": [written[name] for name in names],
        "dialogue": [_turn_record(turn, written) for turn in dialogue.turns],
    }
    if dialogue.context or _KEPT_CONTEXT in extras:
        record["context"] = extras.pop(_KEPT_CONTEXT, list(dialogue.context))
    if not _says_it_itself(dialogue, written):
        record[_KEPT_DIALOGUE] = {
            "id": dialogue.id,
            "kind": dialogue.kind,
            "judged": dialogue.judged,
            "speakers": [{"name": speaker.name, "bot": speaker.bot} for speaker in dialogue.speakers],
        }
    if number := _same_speaker_twice(dialogue.turns):
        raise ExportError(
            path,
            f"in dialogue {dialogue.id!r} turn {number + 1} is by the speaker of the turn before; "
            "turns of ACUTE pairings alternate.",
        )
    return with_extras(record, extras)


def _says_it_itself(dialogue: Dialogue, written: Mapping[str, str]) -> bool:
    """Whether the format's own fields are all that is needed to read the same dialogue again."""
    names = [speaker.name for speaker in dialogue.speakers]
    return (
        all(name == written[name] for name in names)
        and dialogue.kind == _KIND
        and dialogue.speakers == make_speakers(names, bot=dialogue.bot, judged=dialogue.bot, kind=_KIND)
        and dialogue.id == id_within(dialogue.bot, dialogue.id)
    )


def _as_it_was(source: Source, line: int, place: str, kept: Json, dialogue: Dialogue) -> Dialogue:
    """The dialogue that was written, from what was read and from the field that was kept beside it."""
    if not isinstance(kept, dict):
        raise source.error(line, place, expected="an object", got=json_name(kept))
    speakers = tuple(
        read_speaker(source, line, f"{place}.speakers[{number}]", entry)
        for number, entry in enumerate(objects_of(source, line, kept.get("speakers"), f"{place}.speakers"))
    )
    if len(speakers) != len(dialogue.speakers):
        raise source.error(
            line, f"{place}.speakers", expected=f"{len(dialogue.speakers)} of them", got=f"{len(speakers)}"
        )
    was = {now.name: then.name for now, then in zip(dialogue.speakers, speakers, strict=True)}
    return replace(
        dialogue,
        id=text_of(source, line, kept, "id", f"{place}."),
        kind=cast(DialogueKind, text_of(source, line, kept, "kind", f"{place}.")),
        judged=text_of(source, line, kept, "judged", f"{place}."),
        speakers=speakers,
        turns=tuple(replace(turn, speaker=was[turn.speaker]) for turn in dialogue.turns),
    )


def _turn_record(turn: Turn, written: Mapping[str, str]) -> dict[str, Json]:
    record: dict[str, Json] = {"id": written[turn.speaker], "text": turn.text}
    if turn.image is not None:
        record["image_src"] = turn.image
    return with_extras(record, turn.extras)


def _turns_and_names(
    source: Source,
    line: int,
    place: str,
    record: Mapping[str, Json],
    *,
    judged: str,
    reading: ReadingOptions,
) -> tuple[tuple[Turn, ...], list[str]]:
    names = _names(source, line, place, record, judged)
    acts = objects_of(source, line, record.get("dialogue"), f"{place}.dialogue")
    turns = [_turn(source, line, f"{place}.dialogue[{n}]", act) for n, act in enumerate(acts)]
    if reading.kind == "self-chat" and {turn.speaker for turn in turns} == {judged}:
        return _told_apart(turns, judged, reading.speaker_index or 0)
    partners = [name for name in names if name != judged]
    known = dict(reading.speaker_map)
    meanings = {JUDGED: judged, PARTNER: partners[0] if partners else PARTNER}
    mapped = []
    for number, turn in enumerate(turns):
        speaker = turn.speaker if turn.speaker in names else known.get(turn.speaker, turn.speaker)
        speaker = meanings.get(speaker, speaker)
        if speaker not in names:
            raise _unknown_speaker(source, line, f"{place}.dialogue[{number}].id", turn.speaker, names)
        mapped.append(Turn(speaker, turn.text, turn.image, turn.extras))
    if number := _same_speaker_twice(mapped):
        hint = "In a self-chat give the two sides different ids, or say --kind self-chat."
        raise source.error(
            line,
            f"{place}.dialogue[{number}].id",
            expected="turns that alternate",
            got=f"a second turn in a row by {mapped[number].speaker!r} (turn {number + 1})",
            hint=hint if len(set(names)) < 2 or {turn.speaker for turn in mapped} == {judged} else None,
        )
    return tuple(mapped), names


def _names(source: Source, line: int, place: str, record: Mapping[str, Json], judged: str) -> list[str]:
    names = record.get("speakers")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        got = "no such field" if names is None else json_name(names)
        raise source.error(line, f"{place}.speakers", expected="a list of names", got=got)
    if judged not in names:
        hint = "speakers_to_eval must be in the order of dialogue_dicts."
        listed = ", ".join(names) or "nobody"
        raise source.error(
            line, f"{place}.speakers", expected=f"{judged!r} among them", got=listed, hint=hint
        )
    if len(names) > 2:
        raise source.error(line, f"{place}.speakers", expected="two speakers", got=f"{len(names)}")
    return names


def _turn(source: Source, line: int, place: str, act: Mapping[str, Json]) -> Turn:
    speaker = text_of(source, line, act, "id", f"{place}.")
    text = text_of(source, line, act, "text", f"{place}.")
    image = act.get("image_src")
    known = frozenset({"id", "text", "image_src"}) if isinstance(image, str) else frozenset({"id", "text"})
    return Turn(speaker, text, image if isinstance(image, str) else None, unknown_fields(act, known))


def _told_apart(turns: Sequence[Turn], judged: str, index: int) -> tuple[tuple[Turn, ...], list[str]]:
    """Tell the two sides of a self-chat apart by their place, where the file calls both by the bot's name.

    The side that is judged keeps the name; the other one is called by it with ``_partner`` added.
    """
    partner = f"{judged}_partner"
    speakers = [judged if number % 2 == index else partner for number in range(len(turns))]
    apart = [
        Turn(name, turn.text, turn.image, turn.extras) for name, turn in zip(speakers, turns, strict=True)
    ]
    return tuple(apart), [judged, partner]


def _unknown_speaker(
    source: Source, line: int, field: str, speaker: str, names: Sequence[str]
) -> FormatError:
    return source.error(
        line,
        field,
        expected=f"one of the speakers ({', '.join(names)})",
        got=json_name(speaker),
        hint=f"Write the speaker's name there, or say who it is: --speaker '{speaker}={JUDGED}' "
        f"(speaker_map={{{speaker!r}: {JUDGED!r}}}) if it is the one to be judged.",
    )


def _same_speaker_twice(turns: Sequence[Turn]) -> int:
    """Return the number of the first turn by the speaker of the turn before it, 0 if they alternate."""
    pairs = enumerate(pairwise(turns), start=1)
    return next((n for n, (one, two) in pairs if one.speaker == two.speaker), 0)


def _context(record: Mapping[str, Json]) -> tuple[tuple[str, ...], dict[str, Json]]:
    """Return the context as texts; whatever else a context may be is kept beside them."""
    extras, value = unknown_fields(record, _FIELDS), record.get("context")
    if "context" not in record:
        return (), extras
    if isinstance(value, list) and value and all(isinstance(text, str) for text in value):
        return tuple(value), extras
    entries = value if isinstance(value, list) else []
    texts = [entry.get("text") if isinstance(entry, dict) else entry for entry in entries]
    return tuple(text for text in texts if isinstance(text, str)), extras | {_KEPT_CONTEXT: value}


def _named_by_content(dialogue: Dialogue) -> Dialogue:
    return replace(dialogue, id=f"{dialogue.bot}:{dialogue.content_hash[:16]}")
