"""Taking dialogues out of a study with the reason: they are kept aside, counted, and not imported again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from duologue.dialogues.drafts import drafting
from duologue.dialogues.formats.duologue_jsonl import encode_line
from duologue.dialogues.importing import bot_file_name
from duologue.dialogues.records import Dialogue
from duologue.dialogues.study_folder import (
    REMOVED,
    REMOVED_FILE,
    RemovedDialogue,
    dialogue_files,
    dialogues_folder,
    read_study_file,
    removed_dialogues,
)


def remove_dialogues(
    folder: Path | str, ids: Collection[str], *, reason: str, at: datetime
) -> Mapping[str, int]:
    """Take dialogues out of a study, all at once or none; returns how many of each bot.

    They are kept in ``dialogues/removed.ndjson`` with the reason, and an import does not bring them back.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    home = dialogues_folder(folder)
    moment = at.isoformat(timespec="seconds")
    by_bot: Counter[str] = Counter()
    with drafting(home) as draft:
        for path in dialogue_files(home):
            draft.begin(path.name)
            before = by_bot.total()
            for located in read_study_file(path):
                dialogue = located.dialogue
                if dialogue.id in ids:
                    by_bot[dialogue.bot] += 1
                    draft.add(REMOVED_FILE, _line(RemovedDialogue(dialogue, reason, moment)))
                else:
                    draft.add(path.name, encode_line(dialogue))
            if by_bot.total() == before:
                draft.forget(path.name)
        draft.commit()
    return dict(by_bot)


def restore_dialogues(folder: Path | str, ids: Collection[str]) -> Mapping[str, int]:
    """Bring dialogues back that were taken out, all at once or none; returns how many of each bot.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    home = dialogues_folder(folder)
    by_bot: Counter[str] = Counter()
    with drafting(home) as draft:
        files = _files_of_bots(home)
        draft.begin(REMOVED_FILE)
        for one in removed_dialogues(folder):
            bot = one.dialogue.bot
            if one.dialogue.id in ids:
                by_bot[bot] += 1
                name = files.setdefault(bot, bot_file_name(bot, taken=files.values()))
                draft.add(name, encode_line(one.dialogue))
            else:
                draft.add(REMOVED_FILE, _line(one))
        if by_bot:
            draft.commit()
    return dict(by_bot)


def _files_of_bots(home: Path) -> dict[str, str]:
    files: dict[str, str] = {}
    for path in dialogue_files(home):
        for located in read_study_file(path):
            files.setdefault(located.dialogue.bot, path.name)
    return files


def _line(one: RemovedDialogue) -> bytes:
    note = {"reason": one.reason, "at": one.at}
    return encode_line(_with_note(one.dialogue, note))


def _with_note(dialogue: Dialogue, note: Mapping[str, str]) -> Dialogue:
    return replace(dialogue, extras={**dialogue.extras, REMOVED: dict(note)})
