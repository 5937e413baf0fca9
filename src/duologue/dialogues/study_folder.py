"""The dialogues of a study: one file a bot in the study's folder ``dialogues``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from json import loads
from pathlib import Path
from typing import cast

from duologue.dialogues.checks import MAX_TURN_CHARS
from duologue.dialogues.drafts import settle
from duologue.dialogues.formats.duologue_jsonl import FORMAT, read_duologue
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions
from duologue.dialogues.records import DIALOGUE_KINDS, Dialogue, DialogueKind
from duologue.dialogues.sources import Source
from duologue.errors import StudyNotFound
from duologue.files import toml_fault

_STRING = rb'("(?:[^"\\]|\\.)*+")'
_KIND = b"(%b)" % "|".join(f'"{kind}"' for kind in DIALOGUE_KINDS).encode()
_OPENING = re.compile(
    rb'\{"format": "%b", "id": %b, "bot": %b, "kind": %b, "judged": %b, '
    % (re.escape(FORMAT.encode()), _STRING, _STRING, _KIND, _STRING)
)
"""How a line written by us begins, so that an index need not read the turns."""

_UNLIMITED = ReadingOptions(max_turn_chars=2**63)
"""What is in the study was checked when it came in, against the limit of that time."""


REMOVED_FILE = "removed.ndjson"
"""Where a study keeps the dialogues that were taken out of it, beside the others."""
REMOVED = "removed"
"""The extra field of such a dialogue: why it was taken out, and when."""


@dataclass(frozen=True, slots=True)
class RemovedDialogue:
    """A dialogue that was taken out of a study."""

    dialogue: Dialogue
    reason: str
    at: str


@dataclass(frozen=True, slots=True)
class DialogueIndex:
    """What pairing needs to know of a dialogue."""

    id: str
    bot: str
    kind: DialogueKind
    judged: str


def dialogues_folder(folder: Path | str) -> Path:
    """Return where a study keeps its dialogues.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    if not (Path(folder) / "study.toml").is_file():
        raise StudyNotFound(folder)
    return Path(folder) / "dialogues"


def turn_limit(folder: Path | str) -> int:
    """Return how many characters a turn of a study may have: ``max_turn_chars`` in ``[study]`` of its file.

    Where the file is missing, is silent or is wrong (``duologue study check`` says how), the default holds.
    """
    try:
        text = (Path(folder) / "study.toml").read_text(encoding="utf-8-sig")
        table = {} if toml_fault(text) else tomllib.loads(text).get("study", {})
    except (OSError, ValueError, RecursionError):
        return MAX_TURN_CHARS
    limit = table.get("max_turn_chars") if isinstance(table, dict) else None
    return limit if isinstance(limit, int) and limit >= 1 else MAX_TURN_CHARS


def study_dialogues(folder: Path | str) -> Iterator[Dialogue]:
    """Yield all dialogues of a study, bot by bot, in bounded memory.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        FormatError: A file of dialogues is damaged.
    """
    files = dialogue_files(dialogues_folder(folder))
    return (located.dialogue for path in files for located in read_study_file(path))


def study_files(folder: Path | str) -> list[Path]:
    """The files that hold the dialogues of a study, in our own format.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    return list(dialogue_files(dialogues_folder(folder)))


def removed_dialogues(folder: Path | str) -> Iterator[RemovedDialogue]:
    """Yield the dialogues that were taken out of a study, in the order they were.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        FormatError: The file that keeps them is damaged.
    """
    home = dialogues_folder(folder)
    settle(home)
    return _removed(home / REMOVED_FILE)


def _removed(path: Path) -> Iterator[RemovedDialogue]:
    if not path.is_file():
        return
    for located in read_study_file(path):
        extras = dict(located.dialogue.extras)
        note = extras.pop(REMOVED, None)
        if not isinstance(note, dict):
            raise Source(path).error(
                located.line, f"extras.{REMOVED}", expected="why and when it was removed"
            )
        dialogue = replace(located.dialogue, extras=extras)
        yield RemovedDialogue(dialogue, str(note.get("reason", "")), str(note.get("at", "")))


def index_dialogues(folder: Path | str) -> tuple[DialogueIndex, ...]:
    """Return id, bot, kind and judged speaker of every dialogue of a study, without reading the turns.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        FormatError: A file of dialogues is damaged.
    """
    files = dialogue_files(dialogues_folder(folder))
    return tuple([row for path in files for row in _index(path)])


def dialogue_files(folder: Path) -> list[Path]:
    """Return the files of dialogues in a study's folder of them, in the order of their names."""
    settle(folder)
    return sorted(path for path in folder.glob("*.jsonl") if not path.name.startswith("."))


def read_study_file(path: Path) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of one file of a study."""
    return read_duologue(Source(path), _UNLIMITED)


def _index(path: Path) -> list[DialogueIndex]:
    try:
        rows = _quick_index(path)
    except ValueError:  # a name that is not UTF-8, or not JSON
        rows = None
    if rows is not None:
        return rows
    read = (located.dialogue for located in read_study_file(path))
    return [DialogueIndex(dialogue.id, dialogue.bot, dialogue.kind, dialogue.judged) for dialogue in read]


def _quick_index(path: Path) -> list[DialogueIndex] | None:
    """Index a file whose lines are as we write them; nothing when one is not, and must be looked at."""
    rows = []
    name = cache(_text)
    with Source(path).opened() as file:
        for raw in file:
            opening = _OPENING.match(raw)
            if opening is None or not raw.endswith(b"}\n"):
                return None
            key, bot, kind, judged = opening.groups()
            rows.append(DialogueIndex(_text(key), name(bot), cast(DialogueKind, name(kind)), name(judged)))
    return rows


def _text(raw: bytes) -> str:
    return str(loads(raw)) if b"\\" in raw else raw[1:-1].decode("utf-8")
