"""What `study check` says and what `serve` does are the same."""

import os
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.errors import DuologueError
from duologue.server import check_serving, prepare_study, serve_study
from duologue.store import fetch_annotators, give_consent, invite_annotators, open_store, open_study
from duologue.studies import Study, load_study
from tests.server.chat_studies import make_chat_study
from tests.server.conftest import prepared_store
from tests.server.studies import make_study


def append(path: Path, text: str) -> None:
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def without_pairings(folder: Path) -> Study:
    study = make_study(folder)
    study.items_path.unlink()
    return study


def with_a_broken_pairing(folder: Path) -> Study:
    study = make_study(folder)
    append(study.items_path, "{}\n")
    return study


def with_a_changed_dialogue(folder: Path) -> Study:
    """Which an annotator has seen."""
    study = make_study(folder)
    with prepared_store(study) as store:
        store.run(give_consent(store.run(invite_annotators(1))[0].token, study.caps))
    path = folder / "dialogues" / "ann.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace("hello there", "good evening"), encoding="utf-8")
    return study


def with_a_database_of_something_else(folder: Path) -> Study:
    study = make_study(folder)
    with sqlite3.connect(folder / "study.db") as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    other.close()
    return study


def with_a_damaged_database(folder: Path) -> Study:
    study = make_study(folder)
    (folder / "study.db").write_bytes(b"this is no database, but long enough to look at" * 100)
    return study


def with_a_database_that_is_gone(folder: Path) -> Study:
    study = make_study(folder)
    with open_study(study):
        pass
    (folder / "study.db").unlink()
    return study


def with_a_database_in_no_folder(folder: Path) -> Study:
    return make_study(folder, study='database = "no/folder/study.db"')


def with_a_bot_that_is_not_there(folder: Path) -> Study:
    return make_chat_study(folder, bots=(("ann", "nobody"),))


def with_words_that_are_not_there(folder: Path) -> Study:
    return make_chat_study(folder, rest='[screening]\noffensive_words = "words.txt"\n')


def with_a_broken_drawn_file(folder: Path) -> Study:
    study = make_chat_study(folder)
    prepared_store(study).close()
    append(study.items_path, "{}\n")
    return study


@pytest.mark.parametrize(
    "make",
    [
        without_pairings,
        with_a_broken_pairing,
        with_a_changed_dialogue,
        with_a_database_of_something_else,
        with_a_damaged_database,
        with_a_database_that_is_gone,
        with_a_database_in_no_folder,
        with_a_bot_that_is_not_there,
        with_words_that_are_not_there,
        with_a_broken_drawn_file,
    ],
)
def test_whatever_serve_refuses_the_check_says_before(tmp_path: Path, make: Callable[[Path], Study]) -> None:
    study = make(tmp_path / "study")
    before = contents(study.folder)
    (problem,) = check_serving(study.folder).problems
    assert contents(study.folder) == before
    assert "duologue-check" not in problem
    told: list[object] = []
    with pytest.raises(DuologueError) as refused:
        serve_study(study, port=0, announce=told.append)
    assert told == []
    assert problem == str(refused.value) or "no pairings yet" in problem


def test_a_file_where_the_log_should_be_is_a_problem(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    (study.folder / "logs").touch()
    (problem,) = check_serving(study.folder).problems
    refused = CliRunner().invoke(app, ["serve", str(study.folder), "--port", "0"])
    assert problem == str(refused.exception)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {
        str(path.relative_to(folder)): path.read_bytes() for path in files if "__pycache__" not in str(path)
    }


def test_every_bot_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    study = make_chat_study(tmp_path / "study", bots=(("ann", "nobody"), ("bob", "echo"), ("cleo", "no_one")))
    first, second = check_serving(study.folder).problems
    assert "'ann'" in first
    assert "'cleo'" in second


@pytest.mark.parametrize("make", [make_study, make_chat_study])
def test_a_study_that_can_be_served_is_left_as_it_is(tmp_path: Path, make: Callable[[Path], Study]) -> None:
    study = make(tmp_path / "study")
    before = contents(study.folder)
    assert check_serving(study.folder).problems == ()
    assert contents(study.folder) == before
    with open_store(study.database) as store:
        prepare_study(study, store)
        store.run(invite_annotators(2))
        assert check_serving(study.folder).problems == ()
        assert len(store.run(fetch_annotators())) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_a_problem(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study")
    study.folder.chmod(0o500)
    try:
        (problem,) = check_serving(study.folder).problems
    finally:
        study.folder.chmod(0o700)
    assert "cannot be written to" in problem


def test_a_database_that_does_not_answer_is_a_problem(tmp_path: Path) -> None:
    study = make_study(tmp_path / "study", study='database = "postgresql://nobody@127.0.0.1:1/none"')
    (problem,) = check_serving(study.folder).problems
    assert "127.0.0.1" in problem
    assert "cannot be reached, and nothing was changed" in problem
    assert "request" not in problem
    assert load_study(study.folder).database.startswith("postgresql")
