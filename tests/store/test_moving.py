"""Moving a study to another database and back: every row or none, and nobody judges in the old one."""

import shutil
import signal
from collections.abc import Callable, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import Table, select, text

from duologue.clock import utc_now
from duologue.errors import StoreElsewhere, StoreError, StoreMoved, StoreServed, StoreTaken
from duologue.store import (
    ItemStation,
    fetch_annotators,
    fetch_judgments,
    invite_annotators,
    look_at,
    move_study,
    not_served,
    note_fact,
    open_store,
    open_study,
    resume_sitting,
    serving,
)
from duologue.store.database import moving
from duologue.store.database.engine import Database, Row, Transaction
from duologue.store.database.places import address_of, remember_place
from duologue.store.database.schema import metadata
from duologue.studies import Study, load_study, new_study
from tests.processes import PYTHON, finished
from tests.store.filled_study import fill
from tests.store.small_study import SCREENED, answer

pytestmark = pytest.mark.postgres
_places = count()
Rows = dict[str, list[str]]


@pytest.fixture
def folder(quick_disk: Path) -> Path:
    return quick_disk / f"moving-{next(_places)}" / "study"


@pytest.fixture
def elsewhere(request: pytest.FixtureRequest) -> Callable[[str], str]:
    """An empty place of each kind, as study.toml names it."""

    def make(kind: str) -> str:
        if kind == "file":
            return f"other-{next(_places)}.db"
        return f"{request.getfixturevalue('postgresql')}&study=moved_{next(_places)}"

    return make


@pytest.fixture(params=[("file", "postgresql"), ("postgresql", "file")], ids="-to-".join)
def way(
    request: pytest.FixtureRequest, folder: Path, elsewhere: Callable[[str], str], whole: Path
) -> tuple[Study, str]:
    """A study with rows in every table, and where it is to be moved."""
    here, there = request.param
    return filled(folder, elsewhere(here), whole), elsewhere(there)


IN_DETAIL = pytest.mark.parametrize(
    "way",
    [("file", "postgresql"), pytest.param(("postgresql", "file"), marks=pytest.mark.slow)],
    ids="-to-".join,
    indirect=True,
)
"""For what costs time: the other way round in the slow tests."""


@pytest.fixture(scope="session")
def whole(quick_disk: Path) -> Path:
    """An SQLite database with rows in every table, made once."""
    path = quick_disk / "whole.db"
    fill(f"sqlite:///{path}")
    return path


def filled(folder: Path, database: str, whole: Path) -> Study:
    made = new_study(folder, seed=7)
    toml = folder / "study.toml"
    toml.write_text(toml.read_text().replace("[study]", f'[study]  # ours\ndatabase = "{database}" # here'))
    study = load_study(made.folder)
    if database.startswith("postgresql"):
        fill(study.database)
    else:
        shutil.copyfile(whole, folder / database)
    with open_study(study) as store:
        store.run(note_fact("base-url", "http://there"))
    return study


def rows_of(address: str) -> Rows:
    opened = Database(address, clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        return {
            table.name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
            for table in metadata.sorted_tables
        }


def test_every_row_is_moved_and_the_study_goes_on(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    assert all(before.values()), "a table is empty, so nothing is known about it"
    steps: list[tuple[int, int]] = []
    moved = move_study(study, to, on_rows=lambda done, total: steps.append((done, total)))
    after = load_study(study.folder)
    assert after.file.study.database == to
    assert rows_of(after.database) == before
    assert {table.name: table.rows for table in moved.tables} == {k: len(v) for k, v in before.items()}
    assert steps[-1] == (2 * sum(map(len, before.values())),) * 2
    assert moved.is_named
    assert (moved.judgments, moved.annotators) == (len(before["judgments"]), len(before["annotators"]))
    with open_study(after) as store:
        (waiting,) = [one for one in store.run(fetch_annotators()) if one.label == "Waiting"]
        station = store.run(resume_sitting(waiting.token, SCREENED))
        assert isinstance(station, ItemStation)
        answer(store, waiting.token, station, SCREENED)
        store.run(invite_annotators(3))
        assert len(list(store.stream(fetch_judgments()))) == len(before["judgments"]) + 1


def test_a_study_moves_there_and_back_to_the_same_name(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    text_before = (study.folder / "study.toml").read_text()
    move_study(study, to)
    move_study(load_study(study.folder), study.file.study.database)
    assert rows_of(study.database) == before
    assert (study.folder / "study.toml").read_text() == text_before


def test_the_old_database_is_kept_and_takes_nothing_any_more(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    with open_store(study.database) as running:  # a server that holds no lock, of an older version say
        moved = move_study(study, to)
        with pytest.raises(StoreError):
            running.run(invite_annotators(1))
    if moved.kept_as.startswith("schema "):
        kept = f"{study.database.split('&study=')[0]}&study={moved.kept_as.removeprefix('schema ')}"
    else:
        kept = f"sqlite:///{moved.kept_as}"
    with pytest.raises(StoreMoved, match="was moved to"):
        open_store(kept)
    there = rows_of(kept)
    marks = set(there.pop("facts")) - set(before.pop("facts"))
    assert there == before
    assert len(marks) == 1
    assert not look_at(study.database).is_study


STAGES = ["_compare", "_set_sequences", "_mark_moved", "_arrive", "name_database", "_put_away"]


@IN_DETAIL
@pytest.mark.parametrize("stage", STAGES)
def test_a_move_that_was_interrupted_is_finished_by_the_next(
    way: tuple[Study, str], stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    study, to = way
    if stage == "_set_sequences" and not to.startswith("postgresql"):
        return
    before = rows_of(study.database)

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(moving, stage, interrupt)
        with pytest.raises(KeyboardInterrupt):
            move_study(study, to)
    if stage in ("_compare", "_set_sequences"):
        assert rows_of(study.database) == before
        assert not look_at(address_of(study, to)).is_study
    elif stage == "_mark_moved":
        assert rows_of(study.database) == before
        with pytest.raises(StoreError, match="the move was not finished"):
            open_store(address_of(study, to))
        open_study(study).close()
    elif stage in ("_arrive", "name_database"):
        with pytest.raises(StoreMoved):
            open_study(study)
    if stage != "_put_away":
        move_study(load_study(study.folder), to)
    after = load_study(study.folder)
    assert after.file.study.database == to
    assert rows_of(after.database) == before
    open_study(after).close()


@IN_DETAIL
def test_a_killed_move_leaves_the_study_where_it_was(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    code = (
        "import os, signal, sys\n"
        "from duologue.store import move_study\n"
        "from duologue.studies import load_study\n"
        "def half_way(done, total):\n"
        "    if done > float(sys.argv[3]) * total: os.kill(os.getpid(), signal.SIGKILL)\n"
        "move_study(load_study(sys.argv[1]), sys.argv[2], on_rows=half_way)\n"
    )
    for share in ("0.7",):
        done = finished([*PYTHON, "-c", code, study.folder, to, share])
        assert done.returncode == -signal.SIGKILL
        assert rows_of(study.database) == before
        assert not look_at(address_of(study, to)).is_study
        assert load_study(study.folder).file.study.database == study.file.study.database
    move_study(study, to)
    assert rows_of(load_study(study.folder).database) == before
    assert not list(study.folder.glob("*.moving*"))


KILLED_AT = """
import os, signal, sys
from duologue.store.database import moving
from duologue.studies import load_study

folder, to, stage, moment = sys.argv[1:]
whole = getattr(moving, stage)

def kill(*arguments, **options):
    if moment == "after":
        whole(*arguments, **options)
    os.kill(os.getpid(), signal.SIGKILL)

setattr(moving, stage, kill)
moving.move_study(load_study(folder), to)
"""


@IN_DETAIL
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("stage", [*STAGES, "remember_place"])
def test_a_move_killed_at_any_stage_is_finished_by_the_same_command(
    way: tuple[Study, str], stage: str, moment: str
) -> None:
    study, to = way
    if stage == "_set_sequences" and not to.startswith("postgresql"):
        return
    before = rows_of(study.database)
    killed = finished([*PYTHON, "-c", KILLED_AT, study.folder, to, stage, moment])
    assert killed.returncode == -signal.SIGKILL
    again = finished([*PYTHON, "-m", "duologue", "study", "move", study.folder, "--to", to])
    is_done = stage == "remember_place" or (stage, moment) == ("_put_away", "after")
    assert (again.returncode, "is there already" in again.stderr) == (int(is_done), is_done)
    after = load_study(study.folder)
    assert after.file.study.database == to
    assert rows_of(after.database) == before
    open_study(after).close()
    old = look_at(study.database)
    assert not old.is_study  # it has its other name, and the place is free
    assert not old.moved_to


def test_a_place_that_is_taken_is_refused(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    with open_store(address_of(study, to)) as other:
        other.run(invite_annotators(2))
    with pytest.raises(StoreTaken, match=r"holds a study \(2 links, 0 judgments\)"):
        move_study(study, to)
    assert rows_of(study.database) == before
    open_study(study).close()


@IN_DETAIL
def test_a_place_with_something_else_is_refused(way: tuple[Study, str]) -> None:
    study, to = way
    opened = Database(address_of(study, to), clock=utc_now)
    with closing(opened), opened.engine.connect() as connection:
        if not opened.is_sqlite:
            connection.execute(text(f"CREATE SCHEMA {opened.schema_name}"))
        connection.execute(text("CREATE TABLE recipes (name TEXT)"))
        connection.commit()
    with pytest.raises(StoreTaken, match=r"something else \(recipes\)"):
        move_study(study, to)


def test_a_study_that_is_being_served_is_not_moved(way: tuple[Study, str]) -> None:
    study, to = way
    with (
        serving(study.database),
        serving(study.database),
        pytest.raises(StoreServed, match="a server is running"),
    ):
        move_study(study, to)
    with (
        not_served(study.database),
        pytest.raises(StoreServed, match="being moved"),
        serving(study.database),
    ):
        pass  # a server does not start meanwhile
    move_study(study, to)


@IN_DETAIL
def test_a_copy_that_differs_is_not_kept(way: tuple[Study, str], monkeypatch: pytest.MonkeyPatch) -> None:
    study, to = way
    before = rows_of(study.database)
    add = Transaction.add_many

    def lose_one(self: Transaction, table: Table, names: tuple[str, ...], rows: Sequence[Row]) -> None:
        add(self, table, names, rows[1:] if table.name == "reasons" else rows)

    monkeypatch.setattr(Transaction, "add_many", lose_one)
    with pytest.raises(StoreError, match="the table reasons is not the same"):
        move_study(study, to)
    assert rows_of(study.database) == before
    assert not look_at(address_of(study, to)).is_study


def with_database(study: Study, database: str) -> Study:
    toml = study.folder / "study.toml"
    toml.write_text(toml.read_text().replace(study.file.study.database, database))
    return load_study(study.folder)


def test_another_database_in_the_study_file_is_refused_and_can_be_moved_to(way: tuple[Study, str]) -> None:
    study, to = way
    before = rows_of(study.database)
    changed = with_database(study, to)
    with pytest.raises(StoreElsewhere, match="7 links, 11 judgments") as refused:
        open_study(changed)
    assert f"`duologue study move {study.folder}`" in str(refused.value)
    assert "--new-database" in str(refused.value)
    assert not look_at(changed.database).is_study, "looking has made something there"
    move_study(changed)
    assert rows_of(changed.database) == before
    open_study(changed).close()


@IN_DETAIL
def test_with_a_word_of_consent_a_study_begins_again_at_zero(way: tuple[Study, str]) -> None:
    study, to = way
    changed = with_database(study, to)
    with open_study(changed, new_database=True) as store:
        assert store.run(fetch_annotators()) == ()
        store.run(invite_annotators(1))
    open_study(changed).close()
    back = with_database(changed, study.file.study.database)
    with pytest.raises(StoreElsewhere, match="holds another study"):
        open_study(back)


def test_a_database_under_another_address_is_recognised(folder: Path, whole: Path) -> None:
    study = filled(folder, "first.db", whole)
    (folder / "first.db").rename(folder / "second.db")
    changed = with_database(study, "second.db")
    with open_study(changed) as store:
        assert store.run(fetch_annotators())


def test_passwords_are_not_written_down(folder: Path, whole: Path) -> None:
    study = filled(folder, "first.db", whole)
    remember_place(study, identity="x", database="postgresql://ada:secret@host/db")
    assert "secret" not in (folder / ".database.json").read_text()


def test_what_stands_in_the_study_file_is_kept_but_for_the_database(folder: Path, whole: Path) -> None:
    study = filled(folder, "first.db", whole)
    assert 'database = "first.db" # here' in (folder / "study.toml").read_text()
    move_study(study, "second.db")
    assert 'database = "second.db" # here' in (folder / "study.toml").read_text()
    assert load_study(folder).design_hash == study.design_hash


def test_a_study_file_that_cannot_be_changed_is_left_to_its_owner(folder: Path, whole: Path) -> None:
    filled(folder, "first.db", whole)
    toml = folder / "study.toml"
    odd = toml.read_text().replace('database = "first.db"', 'database = """first.db"""')
    toml.write_text(odd)
    moved = move_study(load_study(folder), "second.db")
    assert not moved.is_named
    assert toml.read_text() == odd
    with pytest.raises(StoreElsewhere, match=r"second\.db"):
        open_study(load_study(folder))
