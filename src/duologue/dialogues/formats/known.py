"""The formats Duologue knows, and which of them a file is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from shlex import quote
from types import MappingProxyType

from duologue.dialogues.formats.acute_pairings import is_acute, read_acute
from duologue.dialogues.formats.convai2 import is_convai2, read_convai2
from duologue.dialogues.formats.convai2_logs import is_convai2_logs, read_convai2_logs
from duologue.dialogues.formats.duologue_jsonl import encode_duologue, is_duologue, read_duologue
from duologue.dialogues.formats.openai import encode_openai, is_openai, read_openai
from duologue.dialogues.formats.parlai import encode_parlai, is_parlai, read_parlai
from duologue.dialogues.formats.parlai_text import is_parlai_text, read_parlai_text
from duologue.dialogues.formats.selected_turns import is_selected_turns, read_selected_turns
from duologue.dialogues.formats.sharegpt import encode_sharegpt, is_sharegpt, read_sharegpt
from duologue.dialogues.formats.topical_chat import is_topical_chat, read_topical_chat
from duologue.dialogues.formats.transcripts import is_transcript, read_transcripts
from duologue.dialogues.json_values import begins_json, json_members, json_values, not_an_object
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions
from duologue.dialogues.records import Dialogue, Json
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, UnknownFormat

_LOOK_AT = 20
"""How many lines or records are looked at: the first may be the bad one."""


@dataclass(frozen=True, slots=True)
class Format:
    """How one format is recognised, read and, for some, written."""

    name: str
    title: str
    read: Callable[[Source, ReadingOptions], Iterator[LocatedDialogue]]
    is_record: Callable[[Mapping[str, Json]], bool] | None = None
    is_line: Callable[[str], bool] | None = None
    is_member: Callable[[Mapping[str, Json]], bool] | None = None
    """Of a format whose file is one object with a field for each dialogue: whether a value is one."""
    encode: Callable[[Iterable[Dialogue]], Iterator[bytes]] | None = None


TRANSCRIPT = "transcript"
"""The format that is told by many lines together, after all others."""

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        known.name: known
        for known in (
            Format("duologue", "Duologue dialogues", read_duologue, is_duologue, encode=encode_duologue),
            Format("acute", "ACUTE-Eval pairings", read_acute, is_acute),
            Format("convai2-logs", "ConvAI2 evaluation logs", read_convai2_logs, is_convai2_logs),
            Format("parlai", "ParlAI conversations", read_parlai, is_parlai, encode=encode_parlai),
            Format("parlai-text", "ParlAI text", read_parlai_text, is_line=is_parlai_text),
            Format("openai", "OpenAI messages", read_openai, is_openai, encode=encode_openai),
            Format("sharegpt", "ShareGPT conversations", read_sharegpt, is_sharegpt, encode=encode_sharegpt),
            Format("turns", "turns with candidate replies", read_selected_turns, is_selected_turns),
            Format("convai2", "ConvAI2 text", read_convai2, is_line=is_convai2),
            Format("topical-chat", "Topical-Chat", read_topical_chat, is_member=is_topical_chat),
            Format(TRANSCRIPT, "plain transcripts", read_transcripts),
        )
    }
)


def detect_format(path: Path | str) -> str:
    """Say which of the known formats a file is in, by what stands in it.

    Raises:
        FormatError: The file is empty, or broken where it begins.
        UnknownFormat: It is none of them.
        UnreadableFile: It cannot be opened.
    """
    source = Source(Path(path))
    if name := _recognised_by_members(source):
        return name
    first_error: FormatError | None = None
    lines: list[str] = []
    for found in _first_things(source):
        lines += [found] if isinstance(found, str) else []
        if isinstance(found, FormatError):
            first_error = first_error or found
        elif name := _recognised(found):
            return name
    if is_transcript(lines):
        return TRANSCRIPT
    if first_error is not None:
        raise first_error
    check = f"`duologue dialogues check {quote(str(source.path))} --format NAME`"
    raise UnknownFormat(
        source.path, list(FORMATS), hint=f"If it should be one of them, {check} says where not."
    )


def _recognised_by_members(source: Source) -> str | None:
    """Look at the first fields of a file that is one object, which may be too long to be read whole."""
    for _, _, value in islice(json_members(source), _LOOK_AT):
        for known in FORMATS.values():
            if known.is_member is not None and isinstance(value, dict) and known.is_member(value):
                return known.name
    return None


def _recognised(found: str | dict[str, Json]) -> str | None:
    for known in FORMATS.values():
        if isinstance(found, str):
            if known.is_line is not None and known.is_line(found):
                return known.name
        elif known.is_record is not None and known.is_record(found):
            return known.name
    return None


def _first_things(source: Source) -> Iterator[str | dict[str, Json] | FormatError]:
    """Yield the first lines of a text file, or the first objects of a JSON file, and what is wrong there."""
    lines = [text for _, text in source.head()[:_LOOK_AT]]
    if not lines:
        raise source.error(None, expected="at least one dialogue", got="an empty file")
    is_json = any(isinstance(text, str) and begins_json(text) for text in lines)
    if not is_json:
        yield from lines
        return
    for line, value in islice(json_values(source), _LOOK_AT):
        yield value if isinstance(value, dict) else not_an_object(source, line, value)
