"""Whether a study can be served: what `serve` does before it answers requests, tried on a copy."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from duologue.errors import DuologueError, StoreError
from duologue.files import make_folder
from duologue.server.annotator.flags import ChatScreening
from duologue.server.annotator.replies import open_chat_bots
from duologue.server.running.preparing import Watch, live_bots, prepare_study, unwatched
from duologue.store import Store, check_place, trial_store
from duologue.studies import Study, StudyCheck, check_study, load_study


def check_serving(folder: Path | str) -> StudyCheck:
    """Everything that is wrong or odd about a study, and whatever else `serve` would refuse it for.

    The study is not changed: nothing is drawn or loaded in its folder.

    Raises:
        StudyNotFound: There is no study.toml.
    """
    found = check_study(folder)
    if not found.is_sound:
        return found
    with TemporaryDirectory(prefix="duologue-check-") as scratch:
        study = load_study(folder)
        twin, copy = Path(scratch) / "twin", Path(scratch) / "copy.db"
        try:
            _try_serving(study, twin, copy)
        except DuologueError as error:
            said = (str(error), *getattr(error, "__notes__", ()))
            return replace(
                found,
                problems=tuple(
                    one.replace(str(copy), _database_file(study)).replace(str(twin), str(folder))
                    for one in said
                ),
            )
    return found


def check_chat_parts(study: Study, store: Store, *, watch: Watch = unwatched) -> None:
    """Open what live chats need, so that it fails now and not with the first annotator.

    Raises:
        BotError: A bot that annotators chat with cannot be opened.
        InputError: A file that the bots or the screening need cannot be read.
        MissingExtra: A package that a bot needs is not installed.
    """
    open_chat_bots(study, live_bots(store), watch=watch)
    ChatScreening(study)


def _try_serving(study: Study, twin: Path, copy: Path) -> None:
    check_place(study)
    _check_writable(study)
    with trial_store(study.database, copy) as store:
        prepare_study(_twin(study, twin), store)
        check_chat_parts(study, store)


def _check_writable(study: Study) -> None:
    """Refuse a folder or a file in which nothing can be stored."""
    file, logs = Path(_database_file(study)), study.folder / "logs"
    if logs.exists():
        make_folder(logs)  # refuses it where it is a file
    for path in (study.folder, file.parent, file, logs):
        if path.exists() and not os.access(path, os.W_OK):
            raise StoreError(f"{path}: cannot be written to. Give yourself the right to write there.")


def _database_file(study: Study) -> str:
    """The study's SQLite file, or the address of its PostgreSQL."""
    return study.database.removeprefix("sqlite:///")


def _twin(study: Study, folder: Path) -> Study:
    """The same study in another folder: its files by links, what serving may write as a copy."""
    folder.mkdir()
    for path in study.folder.iterdir():
        if path == study.items_path:
            shutil.copy2(path, folder / path.name)
        else:
            (folder / path.name).symlink_to(path.resolve())
    return replace(study, folder=folder)
