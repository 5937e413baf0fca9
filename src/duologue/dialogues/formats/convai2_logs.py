"""Logs of the human evaluation of ConvAI2: a dialogue, its score, and whether the persona was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from duologue.dialogues.extras import unknown_fields
from duologue.dialogues.json_values import json_name
from duologue.dialogues.reading import (
    ForeignRecord,
    LocatedDialogue,
    ReadingOptions,
    objects_of,
    read_foreign,
    text_of,
)
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import Source

_CLASSES = ("Human", "Bot")
_FIELDS = frozenset({"sender", "text", "sender_class", "id"})

UNNAMED = "bot"
"""What the bot is called where the logs do not name it, as those of the competition do not."""


def is_convai2_logs(record: Mapping[str, Json]) -> bool:
    """Whether an object is a dialogue with its evaluation, as the competition published them."""
    return isinstance(record.get("dialog"), list) and "eval_score" in record


def read_convai2_logs(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of evaluation logs; the bot is judged, and the score is kept with the dialogue."""
    return read_foreign(source, reading, _foreign_record)


def _foreign_record(source: Source, line: int, record: Mapping[str, Json]) -> ForeignRecord:
    entries = objects_of(source, line, record.get("dialog"), "dialog")
    classes: dict[str, str] = {}
    turns = []
    for number, entry in enumerate(entries):
        sender = text_of(source, line, entry, "sender", f"dialog[{number}].")
        said = entry.get("sender_class")
        if said is None and sender not in classes:
            classes[sender] = _CLASS_OF.get(_class(record.get(f"{sender}_id")), "")
        elif said is not None and said not in _CLASSES:
            got = json_name(said)
            raise source.error(line, f"dialog[{number}].sender_class", expected="Human or Bot", got=got)
        elif said is not None:
            classes[sender] = str(said)
        text = text_of(source, line, entry, "text", f"dialog[{number}].")
        turns.append(Turn(sender, text, extras=unknown_fields(entry, _FIELDS)))
    bots = [sender for sender, said in classes.items() if said == "Bot"]
    is_told = any(classes.values())
    if is_told and len(bots) != 1:
        raise source.error(line, "dialog", expected="turns of one bot", got=f"{len(bots)} bots")
    extras = unknown_fields(record, frozenset({"dialog"}))
    briefing = {
        "persona": _lines(record.get("bot_profile")),
        "partner_persona": _lines(record.get("user_profile")),
    }
    if kept := {key: lines for key, lines in briefing.items() if lines}:
        extras["briefing"] = kept
    return ForeignRecord(
        line=line,
        names=tuple(classes),
        turns=tuple(turns),
        judged=bots[0] if is_told else None,
        kind="live-chat",
        name_turn=lambda number: f"dialog[{number}].text",
        bot=(_user(record.get(f"{bots[0]}_id")) if is_told else "") or UNNAMED,
        key=record.get("dialog_id"),
        extras=extras,
    )


_CLASS_OF = {"Bot": "Bot", "User": "Human", "Human": "Human"}


def _class(participant: Json) -> str:
    said = participant.get("class") if isinstance(participant, Mapping) else None
    return said if isinstance(said, str) else ""


def _user(participant: Json) -> str:
    name = participant.get("user_id") if isinstance(participant, Mapping) else None
    return name if isinstance(name, str) else ""


def _lines(profile: Json) -> list[str]:
    """The lines of a persona, which may stand in lists of their own."""
    if isinstance(profile, str):
        return [profile] if profile.strip() else []
    return [line for part in profile for line in _lines(part)] if isinstance(profile, list) else []
