"""Live chats that a study held, as files of dialogues that this or another study can use."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues import (
    Dialogue,
    bot_file_name,
    mask_again,
    masked_names,
    read_dialogues,
    removed_dialogues,
    study_dialogues,
    write_dialogues,
)
from duologue.errors import StudyNotFound
from duologue.files import make_folder
from duologue.store import Store, fetch_chat_dialogues, fetch_chats, fetch_judgments

LIVE = ".live.jsonl"


@dataclass(frozen=True, slots=True)
class CollectedChats:
    """What was written, and what was left out and why."""

    files: Mapping[str, Path]
    """By bot."""
    by_bot: Mapping[str, int]
    excluded: int
    """Chats whose judgment was excluded."""
    unjudged: int
    """Chats that nobody has judged yet, or that could not be judged."""
    removed: int = 0
    """Chats that were taken out of the study that gets them."""


def collect_chats(store: Store, folder: Path, *, with_all: bool = False) -> CollectedChats:
    """Write what was said in a study's live chats to ``dialogues/<bot>.live.jsonl`` of a study's folder.

    Chats that count are written: those whose judgment was not excluded. Chats of this study that are in such
    files already are replaced, so that doing it again adds what came since, and takes out what annotators who
    withdrew had said; chats of other studies stay. What was masked there, or taken out, stays so.

    Args:
        store: The database of the study that held the chats.
        folder: The folder of the study that gets the files: the same, or another.
        with_all: Write also chats whose judgment was excluded, and those without one.

    Raises:
        StudyNotFound: The folder holds no ``study.toml``.
    """
    if not (folder / "study.toml").is_file():
        raise StudyNotFound(folder)
    judged = {key: chat.judgment for chat in store.run(fetch_chats()) for key in chat.dialogues}
    set_aside = {judgment.id for judgment in store.stream(fetch_judgments()) if judgment.excluded}
    chosen: defaultdict[str, list[Dialogue]] = defaultdict(list)
    left: Counter[str] = Counter()
    gone = {one.dialogue.id for one in removed_dialogues(folder)}
    masked = {one.id: one for one in study_dialogues(folder) if masked_names(one)}
    for dialogue in store.stream(fetch_chat_dialogues()):
        if dialogue.id in gone:
            left["removed"] += 1
            continue
        judgment = judged.get(dialogue.id, "")
        why = "excluded" if judgment in set_aside else "" if judgment else "unjudged"
        left[why] += 1
        if with_all or not why:
            if dialogue.id in masked:
                dialogue = mask_again(dialogue, masked[dialogue.id])
            chosen[dialogue.bot].append(dialogue)
    return CollectedChats(
        files=_written(folder / "dialogues", chosen, own=judged.keys()),
        by_bot={bot: len(dialogues) for bot, dialogues in sorted(chosen.items())},
        excluded=0 if with_all else left["excluded"],
        unjudged=0 if with_all else left["unjudged"],
        removed=left["removed"],
    )


def _written(home: Path, chosen: Mapping[str, list[Dialogue]], *, own: Collection[str]) -> dict[str, Path]:
    """Where the chosen chats of each bot stand now, behind what the files hold of other studies."""
    make_folder(home)
    there = sorted(home.glob(f"*{LIVE}"))
    others: defaultdict[str, list[Dialogue]] = defaultdict(list)
    for path in there:
        for dialogue in read_dialogues(path, format="duologue", max_turn_chars=2**63):
            if dialogue.id not in own:
                others[dialogue.bot].append(dialogue)
    files: dict[str, Path] = {}
    for bot in sorted({*chosen, *others}):
        taken = [path.name.removesuffix(LIVE) + ".jsonl" for path in files.values()]
        files[bot] = home / (bot_file_name(bot, taken=taken).removesuffix(".jsonl") + LIVE)
        write_dialogues([*others[bot], *chosen.get(bot, ())], files[bot])
    for path in there:
        if path not in files.values():
            path.unlink()
    return {bot: path for bot, path in files.items() if bot in chosen}
