from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from duologue.bots import AnsweringBot, CommandBot, Message, Reply, open_bot
from duologue.errors import BotError, BotUnavailable
from tests.waiting import wait_until

SAID = (Message("user", "Hi there!"),)
PATIENT_SECONDS = (1, 5, 25, 125)
"""How long a bot may take that is to be late: a longer time is tried where a busy machine started it late."""
LOOP = """
import json, os, sys, time
for number, line in enumerate(sys.stdin, 1):
    asked = json.loads(line)
    heard, seed = asked["messages"][-1]["content"], asked["seed"]
    {body}
"""
ECHO = 'print(json.dumps({"text": f"{heard} ({seed}, line {number}, process {os.getpid()})"}), flush=True)'


def bot(folder: Path, body: str, **settings: object) -> AnsweringBot:
    """A bot that is a small Python program."""
    (folder / "bot.py").write_text(LOOP.replace("{body}", body.replace("\n", "\n    ")), encoding="utf-8")
    table = {"name": "ada", "command": [sys.executable, "bot.py"], "retries": 0, **settings}
    return open_bot(CommandBot.model_validate(table), folder=folder)


def ask(folder: Path, body: str, times: int = 1, **settings: object) -> list[Reply]:
    async def run() -> list[Reply]:
        async with bot(folder, body, **settings) as opened:
            return [await opened.reply(SAID, seed=5) for _ in range(times)]

    return asyncio.run(run())


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # it ended before, or while it was read
        return False


def test_one_process_answers_line_after_line(tmp_path: Path) -> None:
    texts = [reply.text for reply in ask(tmp_path, ECHO, times=3)]
    assert [text.split(", process")[0] for text in texts] == [f"Hi there! (5, line {n}" for n in (1, 2, 3)]


def test_a_command_may_be_one_text(tmp_path: Path) -> None:
    assert CommandBot(name="ada", command="./bot --say 'good day'").command == ("./bot", "--say", "good day")  # type: ignore[arg-type]


def test_a_process_that_died_is_replaced(tmp_path: Path) -> None:
    dies = f"{ECHO}\nif number == 2: sys.exit(3)"
    texts = [reply.text for reply in ask(tmp_path, dies, times=3, retries=1)]
    assert [text.split(", process")[0][-6:] for text in texts] == ["line 1", "line 2", "line 1"]


def test_a_death_is_explained_by_its_last_words(tmp_path: Path) -> None:
    dies = 'print("my weights are gone", file=sys.stderr, flush=True)\nsys.exit(3)'
    with pytest.raises(BotUnavailable, match=r"ended with exit code 3\. On stderr: my weights are gone\."):
        ask(tmp_path, dies)


def test_an_exception_in_the_process_is_shown(tmp_path: Path) -> None:
    with pytest.raises(BotUnavailable, match="ZeroDivisionError: division by zero"):
        ask(tmp_path, "1 / 0")


def test_a_late_process_is_killed_with_all_it_started(tmp_path: Path) -> None:
    late = (
        "import subprocess\n"
        "child = subprocess.Popen(['sleep', '3600'])\n"
        "open('pids', 'w').write(f'{os.getpid()} {child.pid}')\n"
        "time.sleep(3600)"
    )
    for seconds in PATIENT_SECONDS:
        with pytest.raises(BotUnavailable, match=f"no reply within {seconds} s"):
            ask(tmp_path, late, timeout_seconds=seconds)
        if (tmp_path / "pids").exists() and len((tmp_path / "pids").read_text().split()) == 2:
            break
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert len(pids) == 2
    wait_until(lambda: not any(map(is_running, pids)), "both processes ended")  # of the second nobody waits


def test_after_a_late_answer_the_next_question_gets_its_own(tmp_path: Path) -> None:
    """The late line must not be taken for the answer to what was asked next."""
    late = "if heard == 'first': time.sleep(3600)\n" + ECHO

    async def run(seconds: int) -> str:
        async with bot(tmp_path, late, timeout_seconds=seconds) as opened:
            with pytest.raises(BotUnavailable):
                await opened.reply([Message("user", "first")], seed=1)
            try:
                return (await opened.reply([Message("user", "second")], seed=1)).text
            except BotUnavailable:
                return ""  # a busy machine could not even start the process in time

    answered = next(filter(None, (asyncio.run(run(seconds)) for seconds in PATIENT_SECONDS)))
    assert answered.startswith("second (1, line 1")


def test_the_processes_are_gone_when_the_bot_is_closed(tmp_path: Path) -> None:
    (reply,) = ask(tmp_path, ECHO)
    assert not is_running(int(reply.text.rstrip(")").split()[-1]))


def test_an_error_the_process_reports_is_a_failure_and_it_goes_on(tmp_path: Path) -> None:
    reports = 'if number == 1: print(json.dumps({"error": "too warm"}), flush=True)\nelse: ' + ECHO
    assert ask(tmp_path, reports, retries=1)[0].text.startswith("Hi there! (5, line 2")
    with pytest.raises(BotUnavailable, match="it says: too warm"):
        ask(tmp_path, reports)


@pytest.mark.parametrize(
    "line",
    ['"Loading…"', "'[1]'", '\'{"reply": "x"}\'', "'{\"text\": 5}'", 'b"\\xff\\xfe".decode("latin-1")'],
)
def test_a_line_that_is_no_answer_is_shown(tmp_path: Path, line: str) -> None:
    with pytest.raises(BotError, match=r'It should write \{"text": "…"\} on one line'):
        ask(tmp_path, f"print({line}, flush=True)")


def test_an_empty_text_is_a_failure(tmp_path: Path) -> None:
    with pytest.raises(BotUnavailable, match="empty reply"):
        ask(tmp_path, 'print(json.dumps({"text": ""}), flush=True)')


def test_much_on_stderr_does_not_block_the_process(tmp_path: Path) -> None:
    chatty = (
        'print("x" * 70 + "\\n" * 1, file=sys.stderr, end="")\nsys.stderr.write("y\\n" * 200_000)\n' + ECHO
    )
    assert ask(tmp_path, chatty)[0].text.startswith("Hi there!")


@pytest.mark.parametrize(
    ("program", "why"),
    [
        ("./nothing-here", "no such file or directory"),
        ("no-such-program-anywhere", "no such file or directory"),
        ("./notes.txt", "permission denied"),
    ],
)
def test_a_program_that_cannot_be_run_is_noticed_at_once(tmp_path: Path, program: str, why: str) -> None:
    (tmp_path / "notes.txt").write_text("not a program")
    with pytest.raises(BotError, match=rf"'{program}' cannot be started: {why}\."):
        open_bot(CommandBot(name="ada", command=(program,)), folder=tmp_path)


def test_a_program_beside_the_study_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    assert open_bot(CommandBot(name="ada", command=("./bot",)), folder=tmp_path).name == "ada"


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    settings = CommandBot(name="ada", command=("./nothing-here",))
    with pytest.raises(BotError, match=r"'\./nothing-here' cannot be started: no such file"):
        asyncio.run(open_bot(settings, folder=tmp_path).reply(SAID, seed=1))


def test_as_many_processes_run_as_are_allowed(tmp_path: Path) -> None:
    here = "sum(name.isdecimal() for name in os.listdir('.'))"
    meets = f"open(str(os.getpid()), 'w')\nwhile {here} < 2: time.sleep(0.01)\n"

    async def run() -> set[str]:
        async with bot(tmp_path, meets + ECHO, max_concurrent=2, timeout_seconds=20) as opened:
            replies = await asyncio.gather(*(opened.reply(SAID, seed=1) for _ in range(4)))
            return {reply.text.split("process ")[1] for reply in replies}

    assert len(asyncio.run(run())) == 2
