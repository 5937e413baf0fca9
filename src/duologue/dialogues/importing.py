"""Importing log files into a study: all of them or nothing, and each dialogue once."""

from __future__ import annotations

import hashlib
import re
import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from duologue.dialogues.drafts import FolderDraft, drafting
from duologue.dialogues.formats.duologue_jsonl import encode_line
from duologue.dialogues.json_values import too_deep
from duologue.dialogues.masking import unmasked
from duologue.dialogues.read import read_located
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions, digest_of
from duologue.dialogues.records import Dialogue, DialogueKind
from duologue.dialogues.sources import OnProgress, Source
from duologue.dialogues.study_folder import (
    dialogue_files,
    dialogues_folder,
    read_study_file,
    removed_dialogues,
    turn_limit,
)
from duologue.errors import FormatError

_PLACE = struct.Struct(">16sII")
"""What is remembered of a dialogue: 16 bytes for its content, the number of its file, its line."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did.

    ``already_there`` counts dialogues that the study, or an earlier line, holds with the same id and
    content. ``left_out`` says why bad records were left out. ``onboarding`` counts dialogues of ACUTE
    onboarding lines: they are test questions, which ``duologue pairings import`` takes. ``removed`` counts
    dialogues that were taken out of the study before, and stay out.
    """

    added: int
    already_there: int
    left_out: tuple[FormatError, ...]
    by_bot: Mapping[str, int]
    onboarding: int = 0
    removed: int = 0
    repeated: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """By an imported bot and another one: how many dialogues are word for word the same."""


def import_dialogues(
    files: Iterable[Path | str],
    folder: Path | str,
    *,
    format: str | None = None,
    bot: str | None = None,
    kind: DialogueKind | None = None,
    judged: str | None = None,
    speaker_index: int | None = None,
    speaker_map: Mapping[str, str] | None = None,
    max_turn_chars: int | None = None,
    with_onboarding: bool = False,
    skip_bad: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportResult:
    """Add the dialogues of log files to a study.

    Every dialogue goes to ``dialogues/<bot>.jsonl`` in the study's folder. Unless ``skip_bad``, one bad
    record in any file means that nothing is imported. Memory stays within about 250 bytes a dialogue,
    however long the dialogues are.

    Args:
        files: The log files.
        folder: The study's folder.
        format: As for ``read_dialogues``, like the next five.
        bot: The bot the dialogues belong to.
        kind: Live chats, self-chats or dialogues between humans.
        judged: The name of the speaker who is judged.
        speaker_index: The same by number.
        speaker_map: Who the turns' ids of ACUTE pairings mean, or which bot a name in a transcript is.
        max_turn_chars: Longer turns are refused; ``max_turn_chars`` of the study file when not given.
        with_onboarding: Take the dialogues of ACUTE onboarding lines as well.
        skip_bad: Leave bad records out, and say which, instead of stopping.
        on_progress: Told now and then how many bytes of all files were read, of how many.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
        FormatError: A record is bad, or has the id of another dialogue with other content.
        InputError: A file cannot be used; nothing was imported.
        StoreFull: The disk is full; nothing was imported.
    """
    home = dialogues_folder(folder)
    limit = turn_limit(folder) if max_turn_chars is None else max_turn_chars
    reading = ReadingOptions(bot, kind, judged, speaker_index, speaker_map or {}, limit)
    left_out: list[FormatError] = []
    paths = [Path(path) for path in files]
    sizes = [Source(path).size for path in paths]
    with drafting(home) as draft:
        intake = _Intake(home, draft, with_onboarding=with_onboarding)
        for number, path in enumerate(paths):
            progress = _shifted(on_progress, sum(sizes[:number]), sum(sizes))
            source = Source(path, left_out.append if skip_bad else None, progress)
            intake.take(source, read_located(source, reading, format=format))
        draft.commit()
    return ImportResult(
        added=intake.added.total(),
        already_there=intake.already_there,
        left_out=tuple(left_out),
        by_bot=dict(intake.added),
        onboarding=intake.onboarding,
        removed=intake.removed,
        repeated=dict(intake.repeated),
    )


class _Intake:
    """The dialogues a study has and those that come in, known by 16 bytes of id and 16 of content."""

    def __init__(self, home: Path, draft: FolderDraft, *, with_onboarding: bool = False) -> None:
        self._draft = draft
        self._with_onboarding = with_onboarding
        self._known: dict[bytes, bytes] = {}
        self._paths: list[Path] = []
        self._files: dict[str, str] = {}
        self._first_to_say: dict[bytes, str] = {}
        self.added: Counter[str] = Counter()
        self.repeated: Counter[tuple[str, str]] = Counter()
        self.already_there = self.onboarding = self.removed = 0
        self._gone = {
            digest_of(one.dialogue.id): _content(one.dialogue) for one in removed_dialogues(home.parent)
        }
        for path in dialogue_files(home):
            self._paths.append(path)
            for located in read_study_file(path):
                self._files.setdefault(located.dialogue.bot, path.name)
                if not self._is_there(Source(path), located):
                    self._remember(located)

    def take(self, source: Source, found: Iterable[LocatedDialogue]) -> None:
        """Draft what is new of a file."""
        self._paths.append(source.path)
        for located in found:
            if located.is_onboarding:
                self.onboarding += 1
                if not self._with_onboarding:
                    continue
            try:
                if self._gone.get(digest_of(located.dialogue.id)) == _content(located.dialogue):
                    self.removed += 1
                elif self._is_there(source, located):
                    self.already_there += 1
                else:
                    self._add(located.dialogue, _line(source, located))
                    self._remember(located)
            except FormatError as error:
                source.leave_out(error)

    def _add(self, dialogue: Dialogue, line: bytes) -> None:
        if dialogue.bot not in self._files:
            self._files[dialogue.bot] = bot_file_name(dialogue.bot, taken=self._files.values())
        self._draft.add(self._files[dialogue.bot], line)
        self.added[dialogue.bot] += 1

    def _remember(self, located: LocatedDialogue) -> None:
        dialogue = located.dialogue
        place = _PLACE.pack(_content(dialogue), len(self._paths) - 1, located.line)
        self._known[digest_of(dialogue.id)] = place
        said = digest_of(
            repr([(turn.speaker == dialogue.judged, turn.text) for turn in unmasked(dialogue).turns])
        )
        first = self._first_to_say.setdefault(said[:8], dialogue.bot)
        if first != dialogue.bot and dialogue.bot in self.added:
            self.repeated[dialogue.bot, first] += 1

    def _is_there(self, source: Source, located: LocatedDialogue) -> bool:
        known = self._known.get(digest_of(located.dialogue.id))
        if known is None:
            return False
        content, file, line = _PLACE.unpack(known)
        if content == _content(located.dialogue):
            return True
        raise source.error(
            located.line,
            "id",
            expected="an id that no other dialogue has",
            got=f"{located.dialogue.id!r}, which is another dialogue in {self._paths[file]}, line {line}",
            hint="Give one of them a different id.",
        )


def _content(dialogue: Dialogue) -> bytes:
    return bytes.fromhex(unmasked(dialogue).content_hash[:32])


def _line(source: Source, located: LocatedDialogue) -> bytes:
    try:
        return encode_line(located.dialogue)
    except RecursionError:
        raise too_deep(source, located.line) from None


def bot_file_name(bot: str, *, taken: Iterable[str] = ()) -> str:
    """Return the name of a bot's file: the bot's own name where a file system can bear it.

    Two names that differ in letter case only get files that differ in more.

    Example:
        >>> bot_file_name("GPT 4/turbo"), bot_file_name("Ada-2", taken=["ada-2.jsonl"])
        ('GPT-4-turbo-eb9388d5.jsonl', 'Ada-2-0f40bbdf.jsonl')
    """
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", bot).strip("-.")[:60]
    is_taken = f"{safe}.jsonl".casefold() in {name.casefold() for name in taken}
    if safe == bot and not is_taken:
        return f"{safe}.jsonl"
    return f"{safe or 'bot'}-{hashlib.sha256(bot.encode('utf-8')).hexdigest()[:8]}.jsonl"


def _shifted(on_progress: OnProgress | None, before: int, total: int) -> OnProgress | None:
    if on_progress is None:
        return None
    return lambda read, _: on_progress(before + read, total)
