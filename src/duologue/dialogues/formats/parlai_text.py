"""ParlAI's text format: ``text:…<TAB>labels:…<TAB>episode_done:True``, one exchange a line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duologue.dialogues.formats.episodes import PARTNER, PERSONAS, REPLY, Episode, finished, leave_out_episode
from duologue.dialogues.reading import Assembler, LocatedDialogue, ReadingOptions
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import Source, is_blank
from duologue.errors import FormatError

_LINE = re.compile(r"text:.*\t(?:labels|eval_labels|episode_done):", re.DOTALL)
_LABELS = ("labels", "eval_labels")
_KNOWN = frozenset({"text", "episode_done", *_LABELS})


def is_parlai_text(line: str) -> bool:
    """Whether a line is an exchange in ParlAI's text format."""
    return _LINE.match(line) is not None


def read_parlai_text(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a file in ParlAI's text format; the one who replies is judged."""
    assembler = Assembler(source, reading)
    episode: Episode | None = None
    for line, text in source.lines():
        is_done = is_blank(text)
        if not is_done:
            episode = episode or Episode(line)
            try:
                is_done = _add(source, line, episode, text)
            except FormatError as error:
                leave_out_episode(source, episode, error)
                is_done = isinstance(text, str) and _is_done(_fields(text))
        if episode is not None and is_done:
            yield from finished(source, assembler, episode, "live-chat")
            episode = None
    if episode is not None:
        yield from finished(source, assembler, episode, "live-chat")


def _add(source: Source, line: int, episode: Episode, text: str | FormatError) -> bool:
    """Add one line to a dialogue and say whether it was the last."""
    if isinstance(text, FormatError):
        raise text
    fields = _fields(text)
    if "text" not in fields:
        raise source.error(line, "text", expected="text:…, a tab, labels:…", got="no such field")
    labels = next((fields[key] for key in _LABELS if key in fields), None)
    if labels is not None and "|" in labels:
        raise source.error(line, "labels", expected="one reply", got=f"{labels.count('|') + 1}")
    written = _unescaped(fields["text"])
    said = _split_personas(episode, written)
    if said or not written:
        episode.say(line, Turn(PARTNER, said))
    if labels is not None:
        extras: dict[str, Json] = {key: value for key, value in fields.items() if key not in _KNOWN}
        episode.say(line, Turn(REPLY, _unescaped(labels), extras=extras))
    return _is_done(fields)


def _fields(text: str) -> dict[str, str]:
    return {key: value for key, _, value in (field.partition(":") for field in text.split("\t"))}


def _is_done(fields: dict[str, str]) -> bool:
    return fields.get("episode_done", "").strip().lower() == "true"


def _unescaped(text: str) -> str:
    """Undo what ParlAI writes for the characters that its format needs itself."""
    return text.replace("\\t", "\t").replace("\\n", "\n").replace("__PIPE__", "|")


def _split_personas(episode: Episode, text: str) -> str:
    """Move the persona lines at the front into the context, and return what was said."""
    lines = text.split("\n")
    while lines and lines[0].startswith(PERSONAS):
        episode.context.append(lines.pop(0))
    return "\n".join(lines)
