"""Where something cannot be written, every command says so in one line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.commands import Commands

VOTES = "winner,loser,annotator\n" + "mint,sage,a\nsage,mint,b\nmint,sage,c\nmint,sage,d\nsage,mint,e\n" * 4
FILE_COMMANDS = {
    "judgments import": ("judgments", "import", "votes.csv", "--out", "{}.csv"),
    "judgments export": ("judgments", "export", "study", "--out", "{}.jsonl"),
    "dialogues export": ("dialogues", "export", "study", "--out", "{}.jsonl", "--bot", "mint"),
    "pairings export": ("pairings", "export", "study", "--out", "{}.jsonl"),
    "forms export": ("forms", "export", "study", "--out", "{}.csv"),
    "annotators codes": ("annotators", "codes", "study", "--out", "{}.csv"),
    "metrics run": ("metrics", "run", "said.jsonl", "--out", "{}.json"),
    "nuc score": ("nuc", "score", "random", "task/test.jsonl", "--out", "{}.jsonl"),
}
BESIDE_OUT = {
    "metrics run --per-example": ("metrics", "run", "said.jsonl", "--per-example", "{}.jsonl"),
    "metrics logs --csv": ("metrics", "logs", "study", "--csv", "{}.csv"),
    "metrics correlate --csv": ("metrics", "correlate", "s.csv", "--human", "fun", "--csv", "{}.csv"),
    "nuc score --ranks": ("nuc", "score", "random", "task/test.jsonl", "--ranks", "{}.csv"),
}
"""Files by other options than ``--out``."""
FIGURE = {
    "study plan": ("study", "plan", "--gap", "0.2", "--figure", "{}.svg"),
    "study peeking": ("study", "peeking", "--judgments", "20", "--figure", "{}.svg"),
}
FOLDER_COMMANDS = {
    "analyse": ("analyse", "votes.csv", "--out", "{}"),
    "report": ("report", "votes.csv", "--out", "{}"),
    "compare": ("compare", "votes.csv", "votes.csv", "--out", "{}"),
    "effort": (
        "effort",
        "votes.csv",
        "votes.csv",
        "--bots",
        "mint",
        "sage",
        "--draws",
        "50",
        "--seconds",
        "votes=20",
        "--out",
        "{}",
    ),
    "leaderboard make": ("leaderboard", "make", "board.csv", "--out", "{}"),
    "metrics logs": ("metrics", "logs", "study", "--out", "{}"),
    "nuc build": (
        "nuc",
        "build",
        "corpus.jsonl",
        "--test",
        "1",
        "--train",
        "0",
        "--valid",
        "0",
        "--out",
        "{}",
    ),
    "nuc recall": ("nuc", "recall", "task/test.jsonl", "--scores", "scores.jsonl", "--out", "{}"),
    "study new": ("study", "new", "{}"),
}
TRAINING = {"models train", "nuc train"}
"""Their folder holds a model, and training goes on in it (tests/models)."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Path:
    """A study, and tables of all kinds."""
    folder = tmp_path_factory.mktemp("made")

    def run(*arguments: str) -> None:
        done = commands.finished(list(arguments), folder=folder)
        assert done.returncode == 0, done.stderr

    (folder / "votes.csv").write_text(VOTES)
    (folder / "a file").write_text("mine")
    (folder / "board.csv").write_text("team,f1\nmint,0.2\nsage,0.1\n")
    said = [{"id": str(n), "reference": "i like tea", "prediction": "tea"} for n in range(12)]
    (folder / "said.jsonl").write_text("\n".join(map(json.dumps, said)))
    scores = ["bot,dialogue,id,f1,fun", *(f"mint,{n},{n},{n % 3},{n % 4}" for n in range(12))]
    (folder / "s.csv").write_text("\n".join(scores) + "\n")
    corpus = [
        {"messages": [{"role": ("user", "assistant")[t], "content": f"{n} says {t}"} for t in (0, 1)]}
        for n in range(8)
    ]
    (folder / "corpus.jsonl").write_text("\n".join(map(json.dumps, corpus)))
    run("nuc", "build", "corpus.jsonl", "--train", "0", "--valid", "0", "--test", "1", "--out", "task")
    run("nuc", "score", "random", "task/test.jsonl", "--out", "scores.jsonl")
    run("study", "new", "study")
    for bot in ("mint", "sage"):
        turns = [{"role": "user", "content": "Tea?"}, {"role": "assistant", "content": bot}]
        (folder / "log.jsonl").write_text(json.dumps({"messages": turns}) + "\n")
        run("dialogues", "import", "study", "log.jsonl", "--bot", bot)
    run("pairings", "make", "study", "-n", "1")
    return folder


@pytest.fixture
def place(tmp_path: Path, made: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    (line,) = done.stderr.splitlines()
    assert line.startswith("duologue: ")
    assert "cannot be written: " in line
    return line


@pytest.mark.parametrize("command", [*FILE_COMMANDS, *FIGURE])
def test_a_file_that_cannot_be_written_is_named_in_one_line(duologue: Run, place: Path, command: str) -> None:
    def asked(where: str) -> list[str]:
        return [part.format(where) for part in (FILE_COMMANDS | FIGURE)[command]]

    assert "its folder is not there" in one_line(duologue(*asked("missing/x"), expect=1))
    assert "is a file, not a folder" in one_line(duologue(*asked("a file/x"), expect=1))
    (folder,) = (part for part in asked("folder") if part.startswith("folder"))
    (place / folder).mkdir()
    assert "it is a folder" in one_line(duologue(*asked("folder"), expect=1))
    assert (place / "a file").read_text() == "mine"


@pytest.mark.parametrize("command", [*FILE_COMMANDS, *BESIDE_OUT, *FIGURE])
def test_a_file_that_is_there_is_replaced_only_when_that_is_said(
    duologue: Run, place: Path, command: str
) -> None:
    asked = [part.format("mine") for part in (FILE_COMMANDS | BESIDE_OUT | FIGURE)[command]]
    (file,) = (place / part for part in asked if part.startswith("mine."))
    file.write_text("mine")
    assert "say --overwrite to replace it" in one_line(duologue(*asked, expect=1))
    assert file.read_text() == "mine"
    duologue(*asked, "--overwrite")
    assert file.read_text() != "mine"


def test_every_command_that_writes_is_here() -> None:
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = {section.partition("\n")[0]: section for section in page.split("\n## duologue ")[1:]}
    with_out = {name for name, section in sections.items() if "| `--out " in section}
    assert with_out == (FILE_COMMANDS.keys() | FOLDER_COMMANDS.keys() | TRAINING) - {"study new"}


@pytest.mark.parametrize("command", FOLDER_COMMANDS)
def test_a_folder_that_cannot_be_made_is_named_in_one_line(duologue: Run, place: Path, command: str) -> None:
    def asked(where: str) -> list[str]:
        return [part.format(where) for part in FOLDER_COMMANDS[command]]

    for where in ("a file", "a file/x"):
        assert "file" in one_line(duologue(*asked(where), expect=1)).partition("cannot be written")[2]
    assert (place / "a file").read_text() == "mine"


@pytest.mark.parametrize("command", ["analyse", "nuc build", "study new"])
def test_folders_that_are_missing_are_made(duologue: Run, place: Path, command: str) -> None:
    duologue(*(part.format("missing/x") for part in FOLDER_COMMANDS[command]))
    assert (place / "missing" / "x").is_dir()


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
        temporary = Path(tempfile.gettempdir()).resolve()
        for path in (*reversed(place.parents), place):
            if path.stat().st_uid == 0 and path.is_relative_to(temporary):
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
    done = duologue("serve", "study", "--port", "0", "--log", "study", expect=1)
    assert "cannot be written: " in done.stderr.splitlines()[-1]
    refused = duologue("serve", "study", "--port", "0", "--log", "a file/x.jsonl", expect=2)
    assert "there is no folder a file; make it first" in refused.stderr
