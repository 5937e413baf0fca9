"""Commands that are printed can be pasted: what a user named is quoted where it holds a blank."""

import re
from pathlib import Path

import pytest

from duologue.errors import StudyNotFound
from duologue.studies import check_study, load_study, new_study, next_steps

SOURCE = Path(__file__).parent.parent / "src" / "duologue"
COMMAND = re.compile(r'duologue [a-z-]+(?: [a-z-]+)?(?:[^`"{\n]|"\s*f")*\{([^}]*)\}(?:[^`"{\n]*\{([^}]*)\})?')
QUOTED = re.compile(r"quote\(.*|.*\.quoted|study|options|named")
"""``study`` is filled in by `next_steps`; ``options`` and ``named`` are quoted beside."""


def test_every_name_in_a_command_that_is_printed_is_quoted() -> None:
    found = [
        (str(path.relative_to(SOURCE)), name)
        for path in sorted(SOURCE.rglob("*.py"))
        for match in COMMAND.finditer(path.read_text(encoding="utf-8"))
        for name in match.groups()
        if name and not QUOTED.fullmatch(name)
    ]
    assert found == []


@pytest.mark.parametrize("protocol", ["acute", "likert", "per-turn", "nuc"])
def test_the_next_steps_of_a_study_whose_name_has_blanks_can_be_pasted(tmp_path: Path, protocol: str) -> None:
    study = new_study(tmp_path / "my study", protocol=protocol)
    steps = next_steps(study)
    assert steps
    for step in steps:
        assert "my study" not in step.replace(f"'{tmp_path}/my study", "")


def test_advice_for_a_study_whose_name_has_blanks_can_be_pasted(tmp_path: Path) -> None:
    folder = tmp_path / "my study"
    with pytest.raises(StudyNotFound, match=r"duologue study new '.*/my study'`"):
        load_study(folder)
    new_study(folder)
    assert f"`duologue pairings make '{folder}'`" in check_study(folder).problems[0]
