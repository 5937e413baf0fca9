"""ParlAI "Conversations": one ``{"dialog": [[act, act], …]}`` a line, with a ``.metadata`` file beside."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from duologue.dialogues.extras import unknown_fields, with_extras
from duologue.dialogues.json_values import dump_json, json_name
from duologue.dialogues.reading import (
    HUMAN_NAMES,
    ForeignRecord,
    LocatedDialogue,
    ReadingOptions,
    objects_of,
    read_foreign,
    text_of,
)
from duologue.dialogues.records import Dialogue, Json, Turn
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, UnreadableFile
from duologue.strict_json import read_json

_VERSION = "0.1"
_CONTEXT_ID = "context"
_KEPT_CONTEXT = "duologue:parlai_context"
_ACT_FIELDS = frozenset({"id", "text", "image_src"})

Act = dict[str, Json]
PlacedAct = tuple[str, Act]
"""Where an act stands in its record, and the act."""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What the ``.metadata`` file beside a ParlAI log says; nothing when there is no such file."""

    is_self_chat: bool | None = None
    speakers: tuple[str, ...] = ()


def is_parlai(record: Mapping[str, Json]) -> bool:
    """Whether an object is a ParlAI conversation."""
    return isinstance(record.get("dialog"), list)


def read_parlai(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a ParlAI log.

    In a self-chat the first speaker is judged unless the reader says otherwise; in a live chat the one
    speaker who does not bear a human's name is.
    """
    metadata = read_metadata(metadata_path(source.path))
    yield from read_foreign(source, reading, partial(_foreign_record, metadata=metadata))


def metadata_path(path: Path) -> Path:
    """Return where a log's metadata lie: beside it, whatever path the log itself names."""
    return path.with_suffix(".metadata")


def read_metadata(path: Path) -> Metadata:
    """Read the metadata of a log, which may be missing.

    Raises:
        FormatError: The file is there and is not ParlAI metadata.
    """
    if not path.exists():
        return Metadata()
    try:
        content = read_json(path.read_bytes())
    except OSError as error:
        raise UnreadableFile(path, str(error.strerror)) from error
    except ValueError as error:
        raise FormatError(path, expected="ParlAI metadata (a JSON object)", got="something else") from error
    is_self_chat = content.get("self_chat") if isinstance(content, dict) else path
    speakers = content.get("speakers") or [] if isinstance(content, dict) else []
    if not isinstance(is_self_chat, bool | None) or not _are_names(speakers):
        raise FormatError(path, expected="ParlAI metadata: self_chat true or false, speakers a list of names")
    return Metadata(is_self_chat, tuple(speakers))


def encode_parlai(dialogues: Iterable[Dialogue]) -> Iterator[bytes]:
    """Yield the lines of a ParlAI log."""
    for dialogue in dialogues:
        extras = dict(dialogue.extras)
        plain = [{"id": _CONTEXT_ID, "text": text, "episode_done": False} for text in dialogue.context]
        context = extras.pop(_KEPT_CONTEXT, plain)
        extras.pop("metadata_path", None)
        record: dict[str, Json] = {
            "id": extras.pop("id", dialogue.id),
            "dialog": _exchanges(dialogue.turns),
            "context": context,
        }
        yield f"{dump_json(with_extras(record, extras))}\n".encode()


def encode_metadata(*, is_self_chat: bool, speakers: Iterable[str], date: str) -> str:
    """Write the metadata that belong beside a log."""
    metadata = {
        "date": date,
        "opt": {},
        "self_chat": is_self_chat,
        "speakers": list(speakers),
        "version": _VERSION,
    }
    return dump_json(metadata) + "\n"


def _are_names(value: Json) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _exchanges(turns: Sequence[Turn]) -> list[list[Act]]:
    """Group turns two by two; a speaker who goes on talking begins a new exchange."""
    exchanges: list[list[Act]] = []
    for number, turn in enumerate(turns):
        act: Act = {"id": turn.speaker, "text": turn.text}
        if turn.image is not None:
            act["image_src"] = turn.image
        if "episode_done" not in turn.extras:
            act["episode_done"] = number == len(turns) - 1
        act = with_extras(act, turn.extras)
        if exchanges and len(exchanges[-1]) == 1 and exchanges[-1][0]["id"] != turn.speaker:
            exchanges[-1].append(act)
        else:
            exchanges.append([act])
    return exchanges


def _foreign_record(
    source: Source, line: int, record: Mapping[str, Json], metadata: Metadata
) -> ForeignRecord:
    placed = list(_acts(source, line, record))
    spoken = [(place, act) for place, act in placed if act.get("id") != _CONTEXT_ID]
    turns = tuple(_turn(source, line, place, act) for place, act in spoken)
    names = _speakers(turns, metadata)
    is_self_chat = _is_self_chat(names) if metadata.is_self_chat is None else metadata.is_self_chat
    context = [act for _, act in placed if act.get("id") == _CONTEXT_ID]
    context += objects_of(source, line, record.get("context") or [], "context")
    texts = [text_of(source, line, act, "text", f"context[{n}].") for n, act in enumerate(context)]
    extras = unknown_fields(record, frozenset({"dialog", "context"}))
    return ForeignRecord(
        line=line,
        names=names,
        turns=turns,
        judged=names[0] if is_self_chat and names else _not_human(names),
        kind="self-chat" if is_self_chat else "live-chat",
        name_turn=lambda number: f"{spoken[number][0]}.text",
        bot=_nickname(record),
        key=record.get("id"),
        context=tuple(dict.fromkeys(texts)),
        extras=extras | {_KEPT_CONTEXT: context} if context else extras,
    )


def _acts(source: Source, line: int, record: Mapping[str, Json]) -> Iterator[PlacedAct]:
    """Yield the acts of a record, which come in exchanges, or one by one as in ParlAI's model-chat files."""
    entries = record.get("dialog")
    if not isinstance(entries, list):
        got = json_name(entries) if "dialog" in record else "no such field"
        raise source.error(line, "dialog", expected="a list of exchanges", got=got)
    for number, entry in enumerate(entries):
        place = f"dialog[{number}]"
        if isinstance(entry, dict):
            yield place, entry
            continue
        for side, act in enumerate(objects_of(source, line, entry, place)):
            yield f"{place}[{side}]", act


def _turn(source: Source, line: int, place: str, act: Act) -> Turn:
    speaker = text_of(source, line, act, "id", f"{place}.")
    text = text_of(source, line, act, "text", f"{place}.")
    image, extras = act.get("image_src"), unknown_fields(act, _ACT_FIELDS)
    if image is not None and not isinstance(image, str):
        raise source.error(line, f"{place}.image_src", expected="a text", got=json_name(image))
    return Turn(speaker, text, image, extras)


def _speakers(turns: Sequence[Turn], metadata: Metadata) -> tuple[str, ...]:
    """Order the speakers as the metadata do, and those it does not name as they come."""
    seen = dict.fromkeys(turn.speaker for turn in turns)
    return tuple(dict.fromkeys([name for name in metadata.speakers if name in seen] + list(seen)))


def _is_self_chat(names: Sequence[str]) -> bool:
    """Whether two speakers are called ``<Agent>_1`` and ``<Agent>_2``."""
    stems = {name.rpartition("_")[0] for name in names}
    return len(names) == 2 and len(stems) == 1 and {name[-2:] for name in names} == {"_1", "_2"}


def _not_human(names: Sequence[str]) -> str | None:
    others = [name for name in names if name.lower() not in HUMAN_NAMES]
    return others[0] if len(others) == 1 else None


def _nickname(record: Mapping[str, Json]) -> str | None:
    """Return the bot's name in ParlAI's model-chat files, the only ones that say it."""
    task = record.get("task_description")
    nickname = task.get("model_nickname") if isinstance(task, dict) else None
    return nickname if isinstance(nickname, str) and nickname else None
