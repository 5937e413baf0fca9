from __future__ import annotations

from pathlib import Path

import pytest

from duologue.bots import Briefing, Message, read_briefings
from duologue.bots.briefing import prompted
from duologue.errors import FormatError, InputError

PERSONACHAT = """1 your persona: i like tea.
2 your persona: i have a dog.
3 partner's persona: i ski.
4 hello there\thi , how are you ?
5 fine\tgood
1 your persona: i sing.
2 good day\thello
"""


def read(path: Path, text: str) -> tuple[Briefing, ...]:
    path.write_text(text, encoding="utf-8")
    return read_briefings(path)


def test_json_lines_hold_personas_topic_and_opener(tmp_path: Path) -> None:
    lines = (
        '{"persona": ["i like tea.", "i ski."], "partner_persona": "i sing.", '
        '"topic": "rain", "opener": "Hi!"}\n\n{"topic": "snow"}\n'
    )
    assert read(tmp_path / "b.jsonl", lines) == (
        Briefing(("i like tea.", "i ski."), ("i sing.",), "rain", "Hi!"),
        Briefing(topic="snow"),
    )


def test_the_personachat_format_gives_both_personas_and_the_first_turn(tmp_path: Path) -> None:
    assert read(tmp_path / "valid.txt", PERSONACHAT) == (
        Briefing(("i like tea.", "i have a dog."), ("i ski.",), opener="hello there"),
        Briefing(("i sing.",), opener="good day"),
    )


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"persona": 5}', "persona"),
        ('{"persona": ["a", ""]}', "persona"),
        ('{"topic": ["rain"]}', "topic"),
        ('{"personna": "x"}', "personna"),
    ],
)
def test_a_bad_line_is_named_with_its_field(tmp_path: Path, line: str, field: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "b.jsonl", '{"topic": "x"}\n' + line + "\n")
    assert (caught.value.line, caught.value.field) == (2, field)


@pytest.mark.parametrize("text", ["", "\n", '{"topic": "x"}\n[1]\n', '{"topic": "x"}\n{', "just words\n"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(InputError, match=r"b\.jsonl"):
        read(tmp_path / "b.jsonl", text)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"opener": "short"}\n{"opener": "a bit longer"}\n', "line 2, opener"),
        (PERSONACHAT, "first turn of dialogue 1"),
    ],
)
def test_an_opener_is_no_longer_than_a_turn_may_be(tmp_path: Path, text: str, where: str) -> None:
    (tmp_path / "b.txt").write_text(text, encoding="utf-8")
    assert read_briefings(tmp_path / "b.txt", max_turn_chars=12)
    with pytest.raises(FormatError, match=rf"{where}: expected at most 10 char.* and found 1[12]\."):
        read_briefings(tmp_path / "b.txt", max_turn_chars=10)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_briefings(tmp_path / "none.jsonl")


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "b.jsonl").write_bytes(b'{"topic": "caf\xe9"}\n')
    with pytest.raises(FormatError, match="UTF-8"):
        read_briefings(tmp_path / "b.jsonl")


def test_each_speaker_is_told_their_own_persona() -> None:
    briefing = Briefing(("i like tea.",), ("i sing.",), topic="rain")
    assert briefing.lines() == ("your persona: i like tea.", "topic: rain")
    assert briefing.lines(is_judged=False) == ("your persona: i sing.", "topic: rain")


TOLD = tuple(Message("system", line) for line in Briefing(("a.", "b."), topic="rain").lines())
HI = Message("user", "Hi!")


@pytest.mark.parametrize(
    ("prompt", "text"),
    [
        ("", "your persona: a.\nyour persona: b.\ntopic: rain"),
        ("Be kind.", "Be kind.\nyour persona: a.\nyour persona: b.\ntopic: rain"),
        ("You are:\n{persona}", "You are:\na.\nb.\ntopic: rain"),
        ("{topic}! {persona} {braces}", "rain! a.\nb. {braces}"),
    ],
)
def test_a_prompt_takes_up_what_the_bot_is_told(prompt: str, text: str) -> None:
    assert prompted((*TOLD, HI), prompt) == (Message("system", text), HI)


def test_without_prompt_and_briefing_nothing_is_told() -> None:
    assert prompted((HI,), "") == (HI,)
