"""PersonaChat and ConvAI2 text files: numbered lines, personas first, then ``partner<TAB>reply``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from duologue.dialogues.formats.episodes import PARTNER, PERSONAS, REPLY, Episode, finished, leave_out_episode
from duologue.dialogues.reading import Assembler, LocatedDialogue, ReadingOptions
from duologue.dialogues.records import Json, Turn
from duologue.dialogues.sources import Source, is_blank
from duologue.errors import FormatError

_LINE = re.compile(r"([0-9]{1,9}) (.*)", re.DOTALL)


def is_convai2(line: str) -> bool:
    """Whether a line is numbered and either a persona or two utterances with a tab between them.

    Example:
        >>> is_convai2("1 your persona: i like tea."), is_convai2("1 shopping list")
        (True, False)
    """
    numbered = _LINE.fullmatch(line)
    return numbered is not None and (numbered[2].startswith(PERSONAS) or "\t" in numbered[2])


def read_convai2(source: Source, reading: ReadingOptions) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a ConvAI2 file: two humans, of whom the one who replies is judged."""
    assembler = Assembler(source, reading)
    episode: Episode | None = None
    last = 0
    for line, text in source.lines():
        if is_blank(text):
            continue
        number, content = _numbered(text)
        if episode is None or number == 1:
            if episode is not None:
                yield from finished(source, assembler, episode, "human-human")
            episode, last = Episode(line), 0
        try:
            _add(source, line, episode, text, number, content, last)
        except FormatError as error:
            leave_out_episode(source, episode, error)
        last = number if number is not None else last + 1
    if episode is not None:
        yield from finished(source, assembler, episode, "human-human")


def _numbered(text: str | FormatError) -> tuple[int | None, str]:
    match = _LINE.fullmatch(text) if isinstance(text, str) else None
    return (int(match[1]), match[2]) if match else (None, "")


def _add(
    source: Source,
    line: int,
    episode: Episode,
    text: str | FormatError,
    number: int | None,
    content: str,
    last: int,
) -> None:
    """Add one line to a dialogue."""
    if isinstance(text, FormatError):
        raise text
    if number != last + 1:
        got = "no number" if number is None else f"number {number}"
        hint = "Numbers go up by one and begin again at 1 with every dialogue: a line may be missing."
        raise source.error(line, expected=f"line number {last + 1} of a dialogue, or 1", got=got, hint=hint)
    if content.startswith(PERSONAS):
        episode.context.append(content)
        return
    partner, *rest = content.split("\t")
    if not rest:
        raise source.error(line, expected="two utterances with a tab between them", got="no tab")
    episode.say(line, Turn(PARTNER, partner))
    episode.say(line, Turn(REPLY, rest[0], extras=_rewards(rest[1:])))


def _rewards(fields: list[str]) -> dict[str, Json]:
    """Keep what may follow the reply: a reward, and candidates of which the last is the reply itself."""
    extras: dict[str, Json] = {}
    if fields and fields[0]:
        extras["reward"] = fields[0]
    if len(fields) > 1 and fields[1]:
        extras["candidates"] = fields[1].split("|")
    return extras
