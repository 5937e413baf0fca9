"""Reading dialogues from a file in any known format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from duologue.dialogues.checks import MAX_TURN_CHARS
from duologue.dialogues.formats.known import FORMATS, TRANSCRIPT, Format, detect_format
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions
from duologue.dialogues.records import Dialogue, DialogueKind
from duologue.dialogues.sources import OnBad, OnProgress, Source, Stretch
from duologue.errors import FormatError, MissingDetail, UnknownFormat


def read_dialogues(
    path: Path | str,
    *,
    format: str | None = None,
    bot: str | None = None,
    kind: DialogueKind | None = None,
    judged: str | None = None,
    speaker_index: int | None = None,
    speaker_map: Mapping[str, str] | None = None,
    max_turn_chars: int = MAX_TURN_CHARS,
    on_bad: OnBad | None = None,
    on_progress: OnProgress | None = None,
    stretch: Stretch | None = None,
) -> Iterator[Dialogue]:
    """Yield the dialogues of a file one by one, in bounded memory.

    Onboarding lines of ACUTE pairings hold test questions rather than logs: see ``read_pairing_lines``.

    Args:
        path: The file.
        format: One of ``FORMATS``; found out from the content unless given.
        bot: The bot the dialogues belong to, where the format does not say.
        kind: Live chats, self-chats or dialogues between humans, where the format does not say.
        judged: The name of the speaker who is judged, where the format does not say.
        speaker_index: The same by number, counted from 0 in the order of the dialogue's speakers.
        speaker_map: Who the turns' ids of ACUTE pairings mean (see ``read_pairing_lines``), or which bot a
            name in a plain transcript is.
        max_turn_chars: Longer turns are refused.
        on_bad: Told of every bad record; without it the first one raises.
        on_progress: Told now and then how many bytes were read, of how many.
        stretch: Read this part only, as ``split_file`` gives it.

    Raises:
        FormatError: One place in the file is not what the format says.
        UnknownFormat: The file is in no known format, or ``format`` is none.
        NewerFormat: A later version of Duologue wrote the file.
        MissingDetail: Neither the file nor the caller says whose dialogues these are.
        UnreadableFile: The file cannot be opened.
    """
    reading = ReadingOptions(bot, kind, judged, speaker_index, speaker_map or {}, max_turn_chars)
    source = Source(Path(path), on_bad, on_progress, stretch or Stretch())
    found = read_located(source, reading, format=format)
    return (located.dialogue for located in found if not located.is_onboarding)


def read_corpus(
    path: Path | str,
    name: str = "corpus",
    *,
    on_bad: OnBad | None = None,
    on_progress: OnProgress | None = None,
) -> Iterator[Dialogue]:
    """The dialogues of a file in any format, where it does not matter whose they are or who is judged.

    Args:
        path: The file.
        name: Whose dialogues they are, where the file does not say.
        on_bad: Told of every bad record; without it the first one raises.
        on_progress: Told now and then how many bytes were read, of how many.

    Raises:
        InputError: The file cannot be used.
    """
    try:
        next(read_dialogues(path, on_bad=on_bad and _ignore), None)
    except MissingDetail:
        return read_dialogues(path, bot=name, speaker_index=0, on_bad=on_bad, on_progress=on_progress)
    return read_dialogues(path, on_bad=on_bad, on_progress=on_progress)


def _ignore(error: FormatError) -> None:
    """It will come again."""


def read_located(
    source: Source, reading: ReadingOptions, *, format: str | None = None
) -> Iterator[LocatedDialogue]:
    """Yield the dialogues of a file with the lines they begin on, those of onboarding lines too.

    Raises:
        FormatError: The file is empty, or has no use for a speaker map.
    """
    if format is None:
        format = detect_format(source.path)
    elif not source.head():
        raise source.error(None, expected="at least one dialogue", got="an empty file")
    if reading.speaker_map and format in FORMATS and format not in ("acute", TRANSCRIPT):
        expected = "ACUTE pairings or plain transcripts, which --speaker is for"
        raise source.error(None, expected=expected, got=FORMATS[format].title)
    return known_format(source.path, format).read(source, reading)


def known_format(path: Path, name: str) -> Format:
    """Return a format by its name.

    Raises:
        UnknownFormat: There is none of that name.
    """
    if name not in FORMATS:
        raise UnknownFormat(path, list(FORMATS), hint=f"There is no format {name!r}.")
    return FORMATS[name]
