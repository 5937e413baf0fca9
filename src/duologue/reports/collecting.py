"""Live chats that a study held, as files of dialogues that this or another study can use."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues import Dialogue, bot_file_name, write_dialogues
from duologue.errors import StudyNotFound
from duologue.files import make_folder
from duologue.store import Store

LIVE = ".live.jsonl"


@dataclass(frozen=True, slots=True)
class Collected:
    """What was written, and what was left out and why."""

    files: Mapping[str, Path]
    """By bot."""
    by_bot: Mapping[str, int]
    excluded: int
    """Chats whose judgment was set aside."""
    unjudged: int
    """Chats that nobody has judged yet, or that could not be judged."""


def collect_chats(store: Store, folder: Path, *, with_all: bool = False) -> Collected:
    """Write what was said in a study's live chats to ``dialogues/<bot>.live.jsonl`` of a study's folder.

    Chats that count are written: those whose judgment was not set aside. The files are replaced, so that
    doing it again adds what came since, and takes out what annotators who withdrew had said.

    Args:
        store: The database of the study that held the chats.
        folder: The folder of the study that gets the files: the same, or another.
        with_all: Write also chats whose judgment was set aside, and those without one.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    if not (folder / "study.toml").is_file():
        raise StudyNotFound(folder)
    judged = {chat.id: chat.judgment for chat in store.chats()}
    set_aside = {judgment.id for judgment in store.judgments() if judgment.excluded}
    chosen: defaultdict[str, list[Dialogue]] = defaultdict(list)
    left: Counter[str] = Counter()
    for dialogue in store.chat_dialogues():
        judgment = judged.get(dialogue.id, "")
        why = "excluded" if judgment in set_aside else "" if judgment else "unjudged"
        left[why] += 1
        if with_all or not why:
            chosen[dialogue.bot].append(dialogue)
    home = folder / "dialogues"
    make_folder(home)
    files: dict[str, Path] = {}
    for bot in sorted(chosen):
        taken = [path.name.removesuffix(LIVE) + ".jsonl" for path in files.values()]
        files[bot] = home / (bot_file_name(bot, taken=taken).removesuffix(".jsonl") + LIVE)
        write_dialogues(chosen[bot], files[bot])
    return Collected(
        files=files,
        by_bot={bot: len(dialogues) for bot, dialogues in sorted(chosen.items())},
        excluded=0 if with_all else left["excluded"],
        unjudged=0 if with_all else left["unjudged"],
    )
