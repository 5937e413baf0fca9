"""``duologue dialogues self-chat`` as a user types it, interrupts it and types it again."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, finished

BOTS = """
[[bots]]
name = "mine"
kind = "python"
call = "mine:answer"
max_concurrent = 3

[[bots]]
name = "parrot"
kind = "builtin"

[[bots]]
name = "human"
"""
MINE = """
import os
from pathlib import Path
HERE = Path(__file__).parent

def take(name):
    try:
        (HERE / name).rename(HERE / "taken")
    except FileNotFoundError:
        return None
    return (HERE / "taken").read_text()

def answer(messages, seed):
    with (HERE / "asked").open("a") as file:
        file.write("x")
    if (HERE / "asked").stat().st_size >= 60 and (stop := take("stop")):
        os.kill(os.getpid(), int(stop))
    if (HERE / "failing").exists() and seed % 40 == 0:
        raise RuntimeError("out of order")
    return f"turn {len(messages)} of {seed}"
"""
TWENTY = ("dialogues", "self-chat", "--bot", "mine", "-n", "20", "--exchanges", "5", "--seed", "4")


def new_study(duologue: Run, folder: Path) -> Path:
    duologue("study", "new", folder.name)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(BOTS)
    (folder / "mine.py").write_text(MINE, encoding="utf-8")
    return folder


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_and_run_again_it_does_what_is_missing_and_leaves_the_same_files(
    duologue: Run, tmp_path: Path, how: signal.Signals
) -> None:
    whole = new_study(duologue, tmp_path / "whole")
    duologue(*TWENTY, "whole")
    study = new_study(duologue, tmp_path / "s")
    (study / "stop").write_text(str(int(how)))
    done = finished([*DUOLOGUE, *TWENTY, study])
    if how is signal.SIGINT:
        assert done.returncode == 130
        assert "run the same command to go on" in done.stderr
        assert "Traceback" not in done.stderr
    else:
        assert done.returncode == -signal.SIGKILL
    assert not (study / "dialogues" / "mine.jsonl").exists()
    assert not (study / "stop").exists()
    (found,) = json.loads(duologue(*TWENTY, "s", "--json").stdout)
    assert found["made"] + found["kept"] == 20
    assert found["kept"] >= 3
    asked = len((study / "asked").read_text())
    assert asked < 20 * 9 + 3 * 9
    expected = (whole / "dialogues" / "mine.jsonl").read_bytes()
    assert (study / "dialogues" / "mine.jsonl").read_bytes() == expected
    assert list((study / "self-chats").iterdir()) == []


def test_all_bots_that_answer_talk_unless_some_are_named(duologue: Run, tmp_path: Path) -> None:
    new_study(duologue, tmp_path / "s")
    said = duologue("dialogues", "self-chat", "s", "-n", "2").stdout
    assert said == "mine: 2 self-chats held\nparrot: 2 self-chats held\n"
    assert "2 there already" in duologue("dialogues", "self-chat", "s", "-n", "3").stdout


def test_failures_are_counted_by_cause_and_the_exit_code_says_so(duologue: Run, tmp_path: Path) -> None:
    study = new_study(duologue, tmp_path / "s")
    (study / "failing").touch()
    done = duologue(*TWENTY, "s", "--concurrency", "1", expect=1)
    assert "failed: mine: it raised RuntimeError: out of order" in done.stderr
    assert "wait in self-chats/ until all are there" in done.stderr
    assert not (study / "dialogues" / "mine.jsonl").exists()
    duologue(*TWENTY, "s", "--partial", expect=1)
    assert (study / "dialogues" / "mine.jsonl").exists()


def test_a_partner_and_briefings_are_taken(duologue: Run, tmp_path: Path) -> None:
    study = new_study(duologue, tmp_path / "s")
    (study / "b.jsonl").write_text('{"persona": "i ski.", "opener": "Hi!"}\n', encoding="utf-8")
    options = ("--bot", "mine", "--partner", "parrot", "--briefings", "s/b.jsonl", "--first", "balanced")
    duologue("dialogues", "self-chat", "s", "-n", "2", *options)
    shown = duologue("dialogues", "show", "s", "--limit", "2").stdout
    assert "  parrot: Hi!" in shown
    assert "▶ mine: Hi!" in shown


def test_an_opener_longer_than_a_turn_may_be_is_refused(duologue: Run, tmp_path: Path) -> None:
    study = new_study(duologue, tmp_path / "s")
    file = study / "study.toml"
    file.write_text(file.read_text().replace("[study]", "[study]\nmax_turn_chars = 9"))
    (study / "b.jsonl").write_text('{"opener": "Well, hello there!"}\n', encoding="utf-8")
    command = ("dialogues", "self-chat", "s", "-n", "2", "--briefings", "s/b.jsonl")
    assert "b.jsonl, line 1, opener: expected at most 9 characters" in duologue(*command, expect=1).stderr


@pytest.mark.parametrize(
    ("options", "why", "code"),
    [
        (("--bot", "nobody"), "there is no such bot", 1),
        (("--bot", "human"), "known by its logs only", 1),
        (("--partner", "nobody"), "there is no such bot", 1),
        (("--briefings", "none.jsonl"), "cannot be read", 1),
        (("--first", "last"), "--first", 2),
        (("--engine", "cloud"), "--engine", 2),
        (("--exchanges", "0"), "--exchanges", 2),
    ],
)
def test_a_wrong_option_is_a_clear_error(
    duologue: Run, tmp_path: Path, options: tuple[str, ...], why: str, code: int
) -> None:
    new_study(duologue, tmp_path / "s")
    assert why in duologue("dialogues", "self-chat", "s", "-n", "2", *options, expect=code).stderr
