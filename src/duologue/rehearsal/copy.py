"""A copy of a study to rehearse in: its own folder and database, so that nothing mixes."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

from duologue.errors import RehearsalError, StudyExists
from duologue.store import scratch_address
from duologue.studies import Study, load_study, require_items

FOLDER = "rehearsal"
"""Where a rehearsal lives, in the folder of its study."""

NOTE = "REHEARSAL.json"
"""The file that says a folder is a rehearsal; only such a folder is ever replaced."""


def copy_study(study: Study, *, seed: int, annotators: int) -> Study:
    """Copy a study into its folder ``rehearsal``, in place of an earlier rehearsal.

    Study file, dialogues and items are copied; what else lies in the folder (modules and weights of bots,
    personas) is linked to. The database is not, and the copy has one of its own: a SQLite file in its folder,
    or for a study in PostgreSQL a schema beside that of the study.

    Raises:
        StudyExists: There is something else in the folder ``rehearsal``.
        RehearsalError: The study has nothing to judge, cannot be copied, or its file cannot be given a
            database of its own.
    """
    target = study.folder / FOLDER
    check_items(study)
    note = {"rehearsal_of": study.name, "seed": seed, "annotators": annotators}
    try:
        _clear(target)
        (target / NOTE).write_text(json.dumps(note, ensure_ascii=False) + "\n", encoding="utf-8")
        _copy_files(study, target)
    except OSError as error:
        raise RehearsalError(f"{target}: the study could not be copied there ({error}).") from error
    copy = load_study(target)
    own = scratch_address(study.database) or f"sqlite:///{(target / 'study.db').resolve()}"
    is_own = copy.database == own
    if not is_own or copy.design_hash != study.design_hash:
        raise RehearsalError(
            f"{study.folder / 'study.toml'}: the copy could not be given a database of its own. Write the "
            "study's as a line `database = …` under [study], or leave it out."
        )
    return copy


def _copy_files(study: Study, target: Path) -> None:
    if (study.folder / "dialogues").is_dir():
        shutil.copytree(study.folder / "dialogues", target / "dialogues")
    items = target / study.items_path.resolve().relative_to(study.folder.resolve())
    items.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(study.items_path, items)
    (target / "study.toml").write_text(_own_database(study), encoding="utf-8")
    for path in study.folder.iterdir():
        if not _is_left_out(path) and not (target / path.name).exists():
            _link(path, target / path.name)
    _link_logs(study.folder / LOGS, target / LOGS)


LOGS = "logs"
"""Where servers write what they did, each of its own study. Logs that a bot answers from may be there too."""

_LEFT_OUT = (FOLDER, "__pycache__", LOGS, "plan.json", "report", "results.json", "tables")
"""What commands leave in the folder of a study, and no bot needs."""


def _link_logs(logs: Path, place: Path) -> None:
    for path in logs.iterdir() if logs.is_dir() else ():
        if not path.name.startswith("server."):
            place.mkdir(exist_ok=True)
            _link(path, place / path.name)


def _is_left_out(path: Path) -> bool:
    is_database = path.name.startswith("study.db") or path.suffix in (".db", ".bak") or ".db." in path.name
    is_addendum = re.fullmatch(r"plan-addendum-\d+\.json", path.name) is not None
    return is_database or is_addendum or path.name in _LEFT_OUT or path.name.startswith(".")


def _link(path: Path, place: Path) -> None:
    """Let a file or folder be found at a second place: by a link, or a copy where there are no links."""
    try:
        place.symlink_to(path.resolve(), target_is_directory=path.is_dir())
    except (NotImplementedError, PermissionError):
        if path.is_dir():
            shutil.copytree(path, place)
        else:
            shutil.copyfile(path, place)


def earlier_copy(study: Study) -> Study:
    """The copy that an earlier rehearsal of the study made, and that is being served.

    Raises:
        RehearsalError: There was no earlier rehearsal.
    """
    target = study.folder / FOLDER
    if not (target / NOTE).is_file():
        raise RehearsalError(f"{target}: no copy of the study is here. Rehearse once without a base URL.")
    return load_study(target)


def check_items(study: Study) -> None:
    """Refuse a study that has nothing to judge, or keeps it elsewhere.

    Raises:
        FormatError: Its items are not there.
        RehearsalError: They are not in its folder.
    """
    path = study.items_path
    require_items(study)
    if not path.resolve().is_relative_to(study.folder.resolve()):
        raise RehearsalError(f"{path}: a study that is rehearsed keeps its items in its own folder.")


def _clear(target: Path) -> None:
    """Empty the folder of an earlier rehearsal, but for the note that says it is one."""
    if target.exists() and not (target / NOTE).is_file():
        raise StudyExists(target)
    target.mkdir(exist_ok=True)
    for inside in target.iterdir():
        if inside.is_dir() and not inside.is_symlink():
            shutil.rmtree(inside)
        elif inside.name != NOTE:
            inside.unlink()


def _own_database(study: Study) -> str:
    """The study file with a database of its own: the default beside it, or another schema of PostgreSQL."""
    lines, table, scratch = [], "", scratch_address(study.database)
    for line in study.text.splitlines(keepends=True):
        if header := re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line):
            table = header[1]
        if table == "study" and re.match(r"\s*database\s*=", line):
            if scratch:
                lines.append(f"database = {json.dumps(scratch)}\n")
            continue
        lines.append(line)
    return "".join(lines)
