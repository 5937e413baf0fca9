"""Where something cannot be written, every command says so in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

VOTES = "winner,loser,annotator\n" + "mint,sage,a\nsage,mint,b\nmint,sage,c\n" * 4
FILE_COMMANDS = {
    "judgments import": ("judgments", "import", "votes.csv", "--out", "{}.csv"),
    "judgments export": ("judgments", "export", "study", "--out", "{}.jsonl"),
    "dialogues export": ("dialogues", "export", "study", "--out", "{}.jsonl", "--bot", "mint"),
    "pairings export": ("pairings", "export", "study", "--out", "{}.jsonl"),
    "study plan": ("study", "plan", "--gap", "0.2", "--figure", "{}.svg"),
}
FOLDER_COMMANDS = {
    "analyse": ("analyse", "votes.csv", "--out", "{}"),
    "report": ("report", "votes.csv", "--out", "{}"),
    "study new": ("study", "new", "{}"),
}


@pytest.fixture
def place(tmp_path: Path, duologue: Run) -> Path:
    (tmp_path / "votes.csv").write_text(VOTES)
    (tmp_path / "a file").write_text("mine")
    duologue("study", "new", "study")
    log = tmp_path / "log.jsonl"
    for bot in ("mint", "sage"):
        turns = [{"role": "user", "content": "Tea?"}, {"role": "assistant", "content": bot}]
        log.write_text(json.dumps({"messages": turns}) + "\n")
        duologue("dialogues", "import", "study", log, "--bot", bot)
    duologue("pairings", "make", "study", "-n", "1")
    return tmp_path


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    (line,) = done.stderr.splitlines()
    assert line.startswith("duologue: ")
    assert "cannot be written: " in line
    return line


@pytest.mark.parametrize("command", FILE_COMMANDS)
def test_a_file_that_cannot_be_written_is_named_in_one_line(duologue: Run, place: Path, command: str) -> None:
    def asked(where: str) -> list[str]:
        return [part.format(where) for part in FILE_COMMANDS[command]]

    assert "its folder is not there" in one_line(duologue(*asked("missing/x"), expect=1))
    assert "is a file, not a folder" in one_line(duologue(*asked("a file/x"), expect=1))
    ending = next(part for part in FILE_COMMANDS[command] if part.startswith("{}")).format("")
    (place / f"folder{ending}").mkdir()
    assert "it is a folder" in one_line(duologue(*asked("folder"), expect=1))
    assert (place / "a file").read_text() == "mine"


@pytest.mark.parametrize("command", FOLDER_COMMANDS)
def test_a_folder_that_cannot_be_made_is_named_in_one_line(duologue: Run, place: Path, command: str) -> None:
    def asked(where: str) -> list[str]:
        return [part.format(where) for part in FOLDER_COMMANDS[command]]

    for where in ("a file", "a file/x"):
        assert "file" in one_line(duologue(*asked(where), expect=1)).partition("cannot be written")[2]
    duologue(*asked("missing/x"))
    assert (place / "missing" / "x").is_dir()
    assert (place / "a file").read_text() == "mine"


def test_a_folder_that_may_not_be_written_to_is_named_in_one_line(place: Path) -> None:
    """As somebody who is not root: root may write everywhere."""
    locked = place / "locked"
    locked.mkdir()
    locked.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        python = Path(sys.executable).resolve()
        if not _may_run(python) or not _may_run(Path(__file__)):
            pytest.skip("root's files are nobody else's to run here")
        for path in (*reversed(place.parents), place):
            if path.stat().st_uid == 0 and path.is_relative_to("/tmp"):
                path.chmod(path.stat().st_mode | 0o055)
    command = [sys.executable, "-m", "duologue", "judgments", "import", "votes.csv", "--out", "locked/x.csv"]
    done = subprocess.run(
        command,
        cwd=place,
        capture_output=True,
        text=True,
        user=65534 if is_root else None,
        env={**os.environ, "HOME": str(place), "MPLCONFIGDIR": str(place)},
    )
    locked.chmod(0o755)
    shutil.rmtree(locked)
    assert done.returncode == 1, done.stderr
    assert "may not be written to" in one_line(done)


def _may_run(path: Path) -> bool:
    """Whether somebody who is not root may go to a file and read it."""
    return all(part.stat().st_mode & 0o005 for part in (path, *path.parents))


def test_a_server_whose_log_cannot_be_written_says_so(duologue: Run, place: Path) -> None:
    done = duologue("serve", "study", "--port", "0", "--log", "a file/x.jsonl", expect=1)
    assert "cannot be written: " in done.stderr.splitlines()[-1]
