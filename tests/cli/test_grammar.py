"""STUDY comes first, files after it, --out says what is written; whoever writes the old form is told."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    "old",
    [
        ("dialogues", "import", "logs.jsonl", "--study", "mine", "--bot", "ada"),
        ("dialogues", "export", "out.jsonl", "--study", "mine"),
        ("dialogues", "check", "--study", "mine"),
        ("dialogues", "show", "--study", "mine"),
        ("dialogues", "self-chat", "--study", "mine"),
        ("dialogues", "mask", "--study", "mine"),
        ("dialogues", "remove", "d1", "--study", "mine"),
        ("dialogues", "restore", "d1", "--study", "mine"),
        ("pairings", "import", "p.jsonl", "--study", "mine"),
        ("pairings", "export", "p.jsonl", "--study", "mine"),
        ("bots", "check", "--study", "mine"),
        ("bots", "chat", "ada", "--study", "mine"),
    ],
    ids=lambda old: " ".join(old[:2]),
)
def test_the_old_form_says_the_new_one(duologue: Run, old: tuple[str, ...]) -> None:
    said = " ".join(duologue(*old, expect=2).stderr.replace("│", " ").split())
    assert f"{old[0]} {old[1]} mine …`" in said


def test_a_study_and_log_files_are_not_checked_together(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text("")
    done = duologue("dialogues", "check", tmp_path, tmp_path / "d.jsonl", expect=2)
    assert "either one study or log files" in done.stderr
