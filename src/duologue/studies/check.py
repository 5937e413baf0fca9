"""Looking a study over before anybody is paid: what is wrong, and what is only odd."""

from __future__ import annotations

from pathlib import Path

from duologue.errors import DuologueError
from duologue.studies.design import StudyCheck, design_of
from duologue.studies.drawing import planned_items
from duologue.studies.load import read_study
from duologue.studies.model import Study


def check_study(folder: Path | str) -> StudyCheck:
    """Everything that is wrong or odd about a study: its file, its dialogues, its items.

    Raises:
        StudyNotFound: There is no study.toml.
    """
    study, problems = read_study(folder)
    if study is None:
        return StudyCheck(tuple(str(problem) for problem in problems))
    try:
        found = design_of(study).check(study)
        return StudyCheck(found.problems, (*found.warnings, *_attention(study)))
    except DuologueError as error:
        return StudyCheck((str(error),))


def _attention(study: Study) -> list[str]:
    """What is odd about the attention checks of a study."""
    if not study.caps.attention.is_on:
        return []
    if any(item.role == "attention" for item in planned_items(study)):
        return []
    return [
        "[attention] asks for attention checks, and no item has the role attention: there will be none. "
        "docs/attention.md says how to make some."
    ]
