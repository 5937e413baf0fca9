"""STUDY comes first, files after it, --out says what is written."""

from pathlib import Path

from tests.cli.conftest import Run


def test_a_study_and_log_files_are_not_checked_together(duologue: Run, tmp_path: Path) -> None:
    (tmp_path / "d.jsonl").write_text("")
    done = duologue("dialogues", "check", tmp_path, tmp_path / "d.jsonl", expect=2)
    assert "either one study or log files" in done.stderr
