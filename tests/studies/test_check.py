"""A study is looked over before anybody is paid."""

from pathlib import Path

import pytest

from duologue.errors import StudyNotFound
from duologue.studies import Study, check_study


def test_a_folder_without_a_study_cannot_be_checked(tmp_path: Path) -> None:
    with pytest.raises(StudyNotFound):
        check_study(tmp_path)


def test_problems_of_the_file_are_listed(study: Study) -> None:
    path = study.folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("seed = 3", "seed = -3"), encoding="utf-8")
    found = check_study(study.folder)
    assert not found.is_sound
    assert "[study] seed" in found.problems[0]
