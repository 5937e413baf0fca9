from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from duologue.bots import Message, PythonBot, Reply, open_bot
from duologue.errors import BotError, BotUnavailable

SAID = (Message("user", "Hi there!"), Message("assistant", "Yes?"), Message("user", "Nothing."))
WRITTEN = """
import asyncio

def last(messages):
    return "You said: " + messages[-1]["content"]

def roles(messages):
    return " ".join(message["role"] for message in messages)

def seeded(messages, seed):
    return f"seed {seed}"

def keywords(messages, **more):
    return f"given {sorted(more)}"

async def patient(messages):
    await asyncio.sleep(0)
    return "async"

class Counter:
    def __init__(self):
        self.count = 0
    def __call__(self, messages):
        self.count += 1
        return f"call {self.count}"

class Patient:
    async def __call__(self, messages):
        return "async object"

def broken(messages):
    return messages[17]["content"]

def number(messages):
    return 42

def stops(messages):
    return next(iter([]))

NOTHING = "not a function"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(WRITTEN, encoding="utf-8")
    return tmp_path


def ask(folder: Path, call: str, times: int = 1, **settings: object) -> Reply:
    async def run() -> Reply:
        table = {"name": "ada", "call": call, **settings}
        async with open_bot(PythonBot.model_validate(table), folder=folder) as bot:
            return [await bot.reply(SAID, seed=5) for _ in range(times)][-1]

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("call", "text"),
    [
        ("mine:last", "You said: Nothing."),
        ("mine.py:last", "You said: Nothing."),
        ("mine:roles", "user assistant user"),
        ("mine:seeded", "seed 5"),
        ("mine:keywords", "given ['seed']"),
        ("mine:patient", "async"),
        ("mine:Patient", "async object"),
    ],
)
def test_a_function_answers(folder: Path, call: str, text: str) -> None:
    assert ask(folder, call).text == text


def test_an_object_is_made_once(folder: Path) -> None:
    assert ask(folder, "mine:Counter", times=3).text == "call 3"


def test_an_installed_module_answers_too(tmp_path: Path) -> None:
    with pytest.raises(BotUnavailable, match="TypeError"):
        ask(tmp_path, "json:loads")


def test_a_system_prompt_comes_first(folder: Path) -> None:
    assert ask(folder, "mine:roles", system_prompt="Be kind.").text == "system user assistant user"


def test_an_exception_is_a_failure_with_its_cause(folder: Path) -> None:
    with pytest.raises(BotUnavailable, match="it raised IndexError: list index out of range"):
        ask(folder, "mine:broken")


def test_a_stop_iteration_is_a_failure_like_any_other(folder: Path) -> None:
    with pytest.raises(BotUnavailable, match="StopIteration"):
        ask(folder, "mine:stops")


def test_what_is_no_text_is_refused(folder: Path) -> None:
    with pytest.raises(BotError, match="should return a text and returned int"):
        ask(folder, "mine:number")


@pytest.mark.parametrize(
    ("call", "why"),
    [
        ("nowhere_at_all:last", "ModuleNotFoundError"),
        ("mine:missing", "AttributeError"),
        ("mine:NOTHING", "is no function but str"),
        ("spoilt:f", "SyntaxError"),
    ],
)
def test_what_cannot_be_loaded_is_said_before_anybody_asks(folder: Path, call: str, why: str) -> None:
    (folder / "spoilt.py").write_text("def f(:", encoding="utf-8")
    with pytest.raises(BotError, match=why):
        open_bot(PythonBot(name="ada", call=call), folder=folder)


def test_a_function_that_never_returns_is_given_up(folder: Path) -> None:
    (folder / "slow.py").write_text("from threading import Event\ndef f(messages): Event().wait()\n")
    with pytest.raises(BotUnavailable, match=r"no reply within 0\.05 s"):
        ask(folder, "slow:f", timeout_seconds=0.05)


def test_plain_functions_answer_side_by_side(folder: Path) -> None:
    """Each waits for the other: one after the other they would never return."""
    (folder / "pair.py").write_text(
        "from threading import Barrier\nboth = Barrier(2)\n"
        "def f(messages):\n    both.wait(240)\n    return 'together'\n"
    )

    async def run() -> list[Reply]:
        bot = open_bot(PythonBot(name="ada", call="pair:f"), folder=folder)
        return list(await asyncio.gather(*(bot.reply(SAID, seed=1) for _ in range(2))))

    assert [reply.text for reply in asyncio.run(run())] == ["together", "together"]
