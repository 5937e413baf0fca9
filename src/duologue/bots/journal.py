"""Finished self-chats on disk, one line each, until all of them are there."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Iterator, Set
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from duologue.bots.self_chatting import FailedChat
from duologue.dialogues import Dialogue, Json, dump_dialogue, read_dialogues, write_dialogues
from duologue.errors import DesignError, ExportError, FormatError
from duologue.strict_json import read_json

if sys.platform != "win32":
    import fcntl

FOLDER = "self-chats"
"""Where a study keeps self-chats that are being held, and what went wrong with them."""
PLAN = "self_chat"
"""The extra field of a dialogue that says which plan it belongs to, and which number it has there."""


@dataclass(slots=True)
class Journal:
    """The self-chats of one plan that are finished and not yet among the study's dialogues, by number."""

    path: Path
    finished: dict[int, Dialogue]
    _file: BinaryIO

    def add(self, dialogue: Dialogue, number: int) -> None:
        """Write a finished dialogue down; a program that is killed the next moment has not lost it."""
        self._file.write(f"{dump_dialogue(dialogue)}\n".encode())
        self._file.flush()
        self.finished[number] = dialogue

    def in_order(self) -> list[tuple[int, Dialogue]]:
        """The finished dialogues by their numbers, however they came."""
        return sorted(self.finished.items(), key=lambda entry: entry[0])

    def keep_only(self, numbers: Set[int]) -> None:
        """Forget all dialogues but these: the others are among the study's."""
        self.finished = {number: self.finished[number] for number in numbers}
        if self.finished:
            write_dialogues([dialogue for _, dialogue in self.in_order()], self.path)
        else:
            self.path.unlink()


@contextmanager
def open_journal(folder: Path, plan: str) -> Iterator[Journal]:
    """Open the journal of a plan, alone; a last line that was cut short by a crash is dropped.

    Raises:
        DesignError: Another program is holding the same self-chats at the moment.
        ExportError: The folder cannot be written to.
    """
    path = folder / FOLDER / f"{plan}.jsonl"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with alone(path.with_suffix(".lock"), "holding the very same self-chats"):
            finished = _recovered(path, plan)
            with path.open("ab") as file:
                yield Journal(path, finished, file)
            if path.exists() and not path.stat().st_size:
                path.unlink()
    except OSError as error:
        raise ExportError(path, f"{(error.strerror or str(error)).lower()}.") from error


def planned_number(dialogue: Dialogue, plan: str) -> int | None:
    """The number a dialogue has in a plan; None when it belongs to another one, or to none."""
    noted = dialogue.extras.get(PLAN)
    if not isinstance(noted, dict) or noted.get("plan") != plan:
        return None
    number = noted.get("number")
    return number if isinstance(number, int) else None


def plan_name(parts: Json) -> str:
    """A name for all that a set of self-chats depends on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def write_failures(folder: Path, plans: Iterable[str], failures: Iterable[tuple[str, FailedChat]]) -> Path:
    """Record the failures of these plans in place of their earlier ones; those of other plans stay."""
    path = folder / FOLDER / "failures.jsonl"
    again = set(plans)
    lines = [line for line in _lines(path) if _plan_of(line) not in again]
    lines += [json.dumps({"plan": plan} | asdict(failed), ensure_ascii=False) for plan, failed in failures]
    if lines:
        draft = path.with_suffix(".draft")
        draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
        draft.replace(path)
    else:
        path.unlink(missing_ok=True)
    return path


def _recovered(path: Path, plan: str) -> dict[int, Dialogue]:
    if not path.exists() or not path.stat().st_size:
        return {}
    cut_short: list[FormatError] = []
    kept = list(read_dialogues(path, format="duologue", max_turn_chars=2**63, on_bad=cut_short.append))
    if cut_short:
        write_dialogues(kept, path)
    numbered = ((planned_number(dialogue, plan), dialogue) for dialogue in kept)
    return {number: dialogue for number, dialogue in numbered if number is not None}


@contextmanager
def alone(path: Path, work: str) -> Iterator[None]:
    """Hold a lock that the system frees when the program ends, however it ends.

    Raises:
        DesignError: Another program holds it: it is at the same work.
    """
    if sys.platform == "win32":
        yield
        return
    while True:
        with path.open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                why = f"another program is {work}; wait for it, or stop it."
                raise DesignError(f"{path.parent.parent}: {why}") from None
            if not _is_still(path, lock.fileno()):
                continue  # whoever held it before has just removed it
            try:
                yield
            finally:
                path.unlink(missing_ok=True)
            return


def _is_still(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _plan_of(line: str) -> str:
    try:
        return str(read_json(line)["plan"])
    except (ValueError, KeyError, TypeError):
        return ""
