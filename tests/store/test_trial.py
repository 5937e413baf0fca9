"""A trial on a copy leaves the study's own database as it is."""

from pathlib import Path

import pytest

from duologue.errors import StoreError
from duologue.store import fetch_annotators, invite_annotators, open_store, trial_store


def test_a_copy_can_be_written_to_and_the_original_does_not_change(database: str, tmp_path: Path) -> None:
    with open_store(database) as store:
        store.run(invite_annotators(2))
        with trial_store(database, tmp_path / "copy.db") as trial:
            assert len(trial.run(fetch_annotators())) in (0, 2)  # of PostgreSQL nothing is copied
            trial.run(invite_annotators(3))
        assert len(store.run(fetch_annotators())) == 2


def test_all_of_an_sqlite_file_is_copied_also_what_is_in_its_log(sqlite_file: Path, tmp_path: Path) -> None:
    with open_store(f"sqlite:///{sqlite_file}") as store:
        store.run(invite_annotators(2))
        with trial_store(f"sqlite:///{sqlite_file}", tmp_path / "copy.db") as trial:
            assert len(trial.run(fetch_annotators())) == 2


def test_where_there_is_no_database_none_is_made(tmp_path: Path) -> None:
    with trial_store(f"sqlite:///{tmp_path / 'study.db'}", tmp_path / "copy.db") as trial:
        assert trial.run(fetch_annotators()) == ()
    assert not (tmp_path / "study.db").exists()


def test_what_is_no_database_is_refused_by_its_own_name(tmp_path: Path) -> None:
    file = tmp_path / "study.db"
    file.write_text("no database, however long one looks at it" * 100)
    with (
        pytest.raises(StoreError, match=str(file)),
        trial_store(f"sqlite:///{file}", tmp_path / "copy.db"),
    ):
        pass
