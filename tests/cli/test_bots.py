"""``duologue bots`` as a user types it."""

import json
import re
import sys
from pathlib import Path

import httpx2
import pytest

from tests.cli.conftest import Run
from tests.processes import DUOLOGUE, finished, printed_until, running
from tests.waiting import PATIENCE

BOTS = """
[[bots]]
name = "companion"
kind = "builtin"

[[bots]]
name = "echo"
kind = "python"
call = "my_bot:answer"

[[bots]]
name = "human"

[[bots]]
name = "broken"
kind = "command"
command = "./nothing-here"
"""


@pytest.fixture
def study(duologue: Run, tmp_path: Path) -> Path:
    duologue("study", "new", "s")
    folder = tmp_path / "s"
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(BOTS)
    (folder / "my_bot.py").write_text(
        'def answer(messages):\n    return "\\x1b[31m" + " | ".join(m["content"] for m in messages)\n'
    )
    return folder


def test_a_hello_shows_reply_and_time(duologue: Run, study: Path) -> None:
    said = duologue("bots", "check", "s", "companion").stdout
    assert said.startswith("companion (builtin): ")
    assert " s for the reply\n" in said


def test_all_bots_that_answer_are_tried_and_a_failure_is_the_exit_code(duologue: Run, study: Path) -> None:
    done = duologue("bots", "check", "s", "--json", "--say", "Hi!", expect=1)
    companion, echo, broken = json.loads(done.stdout)
    assert (companion["bot"], echo["text"]) == ("companion", "\x1b[31mHi!")
    assert "'./nothing-here' cannot be started" in broken["failure"]


def test_the_terminal_is_not_given_orders_by_a_bot(duologue: Run, study: Path) -> None:
    assert "\x1b" not in duologue("bots", "check", "s", "echo").stdout


@pytest.mark.parametrize(
    ("name", "why"), [("nobody", "there is no such bot in [[bots]]"), ("human", "known by its logs only")]
)
def test_a_bot_that_cannot_be_asked_is_one_line(duologue: Run, study: Path, name: str, why: str) -> None:
    done = duologue("bots", "check", "s", name, expect=1)
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_study_without_bots_says_where_to_read_on(duologue: Run) -> None:
    duologue("study", "new", "s")
    assert "docs/bots.md" in duologue("bots", "check", "s", expect=1).stderr


def test_a_chat_goes_turn_by_turn_and_remembers(study: Path) -> None:
    (study / "b.jsonl").write_text('{"persona": "i ski.", "partner_persona": "i sing.", "topic": "rain"}\n')
    command = [*DUOLOGUE, "bots", "chat", study, "echo", "--briefings", study / "b.jsonl"]
    done = finished(command, text="Hi!\nAnd?\n")
    assert done.returncode == 0, done.stderr
    assert "(your persona: i sing.)" in done.stdout
    assert "your persona: i ski.\ntopic: rain | Hi!" in done.stdout
    assert done.stdout.count("| And?") == 1
    assert done.stdout.endswith("you: \n")


def test_a_failure_in_a_chat_does_not_end_it(study: Path) -> None:
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[bots]]\nname = "dies"\nkind = "command"\ncommand = ["false"]\nretries = 0\n')
    done = finished([*DUOLOGUE, "bots", "chat", study, "dies"], text="Hi!\nAgain!\n")
    assert done.returncode == 0
    assert done.stderr.count("its process ended with exit code 1") == 2


SLOW_TO_OPEN = """
import time
time.sleep(0.3)
def answer(messages):
    return "Here I am."
"""
CUT = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"text": "And then I", "finish": "length"}), flush=True)
"""


def test_the_whole_call_is_timed_and_a_cut_reply_said(duologue: Run, study: Path) -> None:
    (study / "slow.py").write_text(SLOW_TO_OPEN)
    (study / "cut.py").write_text(CUT)
    with (study / "study.toml").open("a", encoding="utf-8") as file:
        file.write('[[bots]]\nname = "slow"\nkind = "python"\ncall = "slow:answer"\n')
        file.write(f'[[bots]]\nname = "cut"\nkind = "command"\ncommand = ["{sys.executable}", "cut.py"]\n')
    done = duologue("bots", "check", "s", "slow", "cut", "--json")
    slow, cut = json.loads(done.stdout)
    assert slow["seconds"] - slow["reply_seconds"] > 0.298  # both are rounded to milliseconds
    assert (slow["is_cut"], cut["is_cut"]) == (False, True)
    assert "cut at the bot's limit of tokens" in duologue("bots", "check", "s", "cut").stdout


MOVER = """
import os
os.chdir("/")

class Mover:
    def __call__(self, messages):
        return "I went to " + os.getcwd()

    def score(self, messages, candidates):
        return [len(text) for text in candidates]
"""
LINES = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"text": "hello"}), flush=True)
"""


@pytest.fixture
def moving(duologue: Run, tmp_path: Path) -> Path:
    """A study with a bot that goes to another folder, and takes the whole process with it."""
    duologue("study", "new", "s", "--protocol", "likert")
    folder = tmp_path / "s"
    (folder / "mover.py").write_text(MOVER)
    (folder / "lines.py").write_text(LINES)
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[bots]]\nname = "mover"\nkind = "python"\ncall = "mover:Mover"\n')
        file.write(
            f'\n[[bots]]\nname = "lines"\nkind = "command"\ncommand = [{sys.executable!r}, "lines.py"]\n'
        )
    return folder


def test_bots_and_self_chats_of_a_study_are_found_wherever_a_bot_goes(duologue: Run, moving: Path) -> None:
    duologue("bots", "check", "s", "mover", "lines")
    said = duologue("dialogues", "self-chat", "s", "-n", "2", "--bot", "mover", "--bot", "lines").stdout
    assert said.count(": 2 self-chats held") == 2
    assert "I went to /" in (moving / "dialogues" / "mover.jsonl").read_text()


def test_what_a_bot_that_goes_elsewhere_predicted_is_written_where_it_was_wanted(
    duologue: Run, moving: Path, tmp_path: Path
) -> None:
    turns = "1 hello there\tgood day\t\tgood day|bad day\n2 how are you\tfine\t\tfine|wrong\n"
    (tmp_path / "test.txt").write_text(turns * 2)
    asked = ("metrics", "run", "s", "--bot", "mover", "--test", "test.txt", "--draws", "100")
    duologue(*asked, "--out", "results.json", "--per-example", "scores.jsonl")
    assert (tmp_path / "results.json").exists()
    assert (tmp_path / "scores.jsonl").exists()


def test_candidates_scored_by_a_bot_that_goes_elsewhere_are_written_where_they_were_wanted(
    duologue: Run, moving: Path, tmp_path: Path
) -> None:
    corpus = "".join(f"1 hello {n}\tyes {n}\n2 and {n}\tno {n}\n" for n in range(200))
    (tmp_path / "corpus.txt").write_text(corpus)
    duologue("nuc", "build", "corpus.txt", "--out", "task")
    duologue(
        "nuc", "score", "s", "task/test.jsonl", "--bot", "mover", "--out", "scores.jsonl", "--ranks", "r.csv"
    )
    assert (tmp_path / "scores.jsonl").exists()
    assert (tmp_path / "r.csv").exists()


def test_a_study_is_served_from_its_own_folder_wherever_a_bot_goes(moving: Path) -> None:
    with running([*DUOLOGUE, "serve", "s", "--port", "0"], folder=moving.parent) as process:
        told = printed_until(process, "to stop")
        link = re.findall(r"annotator +(http\S+)$", told, re.MULTILINE)[0]
        assert httpx2.get(link, timeout=PATIENCE).status_code == 200
        assert re.findall(r"^  (?:data|log) +(\S+)$", told, re.MULTILINE) == [
            str(moving / "study.db"),
            str(moving / "logs" / "server.jsonl"),
        ]
