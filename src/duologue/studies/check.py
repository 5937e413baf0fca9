"""Looking a study over before anybody is paid: what is wrong, and what is only odd."""

from __future__ import annotations

from pathlib import Path

from duologue.errors import DuologueError
from duologue.studies.design import StudyCheck, design_of
from duologue.studies.load import read_study


def check_study(folder: Path | str) -> StudyCheck:
    """Everything that is wrong or odd about a study: its file, its dialogues, its items.

    Raises:
        StudyNotFound: There is no study.toml.
    """
    study, problems = read_study(folder)
    if study is None:
        return StudyCheck(tuple(str(problem) for problem in problems))
    try:
        return design_of(study).check(study)
    except DuologueError as error:
        return StudyCheck((str(error),))
