"""``[[bots]]`` of a study file: the settings of each kind, and mistakes named by line."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.bots import CommandBot, LogsBot
from duologue.errors import StudyFileError
from duologue.studies import load_study, new_study


def with_bots(folder: Path, text: str) -> Path:
    new_study(folder, seed=1)
    path = folder / "study.toml"
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")
    return folder


def test_bots_of_several_kinds_stand_side_by_side(tmp_path: Path) -> None:
    text = '\n[[bots]]\nname = "ada"\n\n[[bots]]\nname = "bob"\nkind = "command"\ncommand = "./bob --fast"\n'
    study = load_study(with_bots(tmp_path / "s", text))
    assert study.file.bots == (LogsBot(name="ada"), CommandBot(name="bob", command=("./bob", "--fast")))


@pytest.mark.parametrize(
    ("settings", "key", "why"),
    [
        ('kind = "opena"', "kind", 'Did you mean "openai"'),
        ('kind = "builtin"\nretry = 3', "retry", 'Did you mean "retries"'),
        ('kind = "logs"\nmodle = "m"', "modle", "no such setting. docs/"),
        ('kind = "oracle"', "kind", "the kinds of bots are: builtin, command"),
        ('kind = "openai"\nmodel = "m"\nbase_url = "localhost"', "base_url", "begins with http"),
        ('kind = "openai"\nbase_url = "http://h/v1"', "model", "is missing"),
        ('kind = "command"\ncommand = []', "command", "not empty"),
        ('kind = "builtin"\nmodel = "m"', "model", "no such setting"),
    ],
)
def test_a_mistake_is_named_with_its_key_and_line(tmp_path: Path, settings: str, key: str, why: str) -> None:
    folder = with_bots(tmp_path / "s", f'\n[[bots]]\nname = "ada"\n{settings}\n')
    lines = (folder / "study.toml").read_text(encoding="utf-8").splitlines()
    with pytest.raises(StudyFileError, match=why) as caught:
        load_study(folder)
    assert (caught.value.table, caught.value.key) == ("bots", key)
    assert caught.value.line is not None
    assert lines[caught.value.line - 1].startswith((f"{key} =", "[[bots]]"))


def test_a_change_of_a_bot_is_a_change_of_the_design(tmp_path: Path) -> None:
    table = '\n[[bots]]\nname = "ada"\nkind = "builtin"\nbuiltin = "{}"\n'
    studies = [load_study(with_bots(tmp_path / name, table.format(name))) for name in ("parrot", "companion")]
    assert studies[0].design_hash != studies[1].design_hash


def test_two_bots_of_the_same_name_are_refused(tmp_path: Path) -> None:
    folder = with_bots(tmp_path / "s", '\n[[bots]]\nname = "ada"\n\n[[bots]]\nname = "ada"\n')
    with pytest.raises(StudyFileError, match="two bots are called 'ada'"):
        load_study(folder)
