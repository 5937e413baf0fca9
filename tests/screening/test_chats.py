"""Chats that somebody should look at are flagged, and good ones are not."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import FormatError, UnreadableFile
from duologue.screening import CHAT_FLAGS, flag_chat, read_words

GOOD = (
    "Hey!",
    "Fine, thanks. I spent the weekend on my uncle's boat.",
    "A small one, he repairs it himself. Do you like the sea?",
    "Too bad. What do you do when it rains?",
)
SPAM = ("Okay. Ciao", "Ciao", "Ciao", "Hey", "Ciao", "Ciao", "Ciao")
"""After the left example of Table 4, in other words: a farewell again and again, and the highest score."""


def rules(*turns: str, **options: object) -> list[str]:
    return [flag.rule for flag in flag_chat(turns, **options)]  # type: ignore[arg-type]


def test_a_good_chat_has_no_flags() -> None:
    assert rules(*GOOD, min_words=10, persona=["i live by the sea.", "i like rain."]) == []


def test_spam_with_the_highest_score_is_flagged() -> None:
    flags = flag_chat(SPAM, min_words=10, points={"enjoyment": 5})
    assert [flag.rule for flag in flags] == ["few-words", "repeated-messages", "greeting-only"]
    assert flags[1].detail == "'ciao' 5 times in 7 messages (rated enjoyment 5)"


def test_every_flag_can_be_raised_and_has_an_explanation() -> None:
    raised = {
        *rules("HELLO HELLO", "HELLO", "HELLO HELLO HELLO", min_words=9),
        *rules("i have three cats", "i have three cats", "i have three cats", persona=["I have three cats."]),
        *rules("you fool", offensive_words=["fool"]),
    }
    assert raised == set(CHAT_FLAGS)
    assert all(CHAT_FLAGS.values())


@pytest.mark.parametrize(
    ("turns", "is_flagged"),
    [
        (("OK", "LOL"), False),
        (("I AM SHOUTING ALL DAY",), True),
        (("I said NO to him, and he said YES",), False),
        (("你好，你今天过得怎么样",), False),
    ],
)
def test_capitals_are_a_habit_and_not_a_word(turns: tuple[str, ...], is_flagged: bool) -> None:
    assert ("all-caps" in rules(*turns)) is is_flagged


@pytest.mark.parametrize(
    ("turns", "is_flagged"),
    [
        (("yes", "yes"), False),
        (("yes", "yes", "and what then?", "I see"), False),
        (("yes", "Yes!", "YES", "why?", "no way", "really?"), True),
        (("yes", "yes", "no", "no"), True),
        (("?", "?", "?"), True),
        (("?", "!", "…"), False),
    ],
)
def test_messages_are_repeated_when_they_say_the_same(turns: tuple[str, ...], is_flagged: bool) -> None:
    assert ("repeated-messages" in rules(*turns)) is is_flagged


def test_a_persona_is_copied_word_for_word_and_not_by_a_common_phrase() -> None:
    persona = ["I've two big dogs.", "i ski."]
    assert rules("well, i've two big dogs, you know", persona=persona) == ["copied-persona"]
    assert rules("i ski. my dogs are big, i have two", persona=persona) == []
    assert rules("two big dogs", persona=persona) == []


def test_words_in_other_words_are_not_offensive() -> None:
    assert rules("the classic", offensive_words=["ass", "  ", "shut up"]) == []
    found = flag_chat(["oh, Shut  UP!", "ass"], offensive_words=["ass", "shut up"])
    assert [flag.detail for flag in found] == ["wrote ass, shut up"]


def test_saying_nothing_is_too_few_words() -> None:
    assert rules(min_words=1) == ["few-words"]
    assert rules() == []


def test_a_list_of_words_is_read(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("\ufefffool\n\n  shut up  \n", encoding="utf-8")
    assert read_words(path) == {"fool", "shut up"}


def test_a_list_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    with pytest.raises(UnreadableFile):
        read_words(path)
    path.write_bytes(b"\n \n")
    with pytest.raises(FormatError, match="no words"):
        read_words(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="UTF-8"):
        read_words(path)


@given(st.lists(st.text(max_size=30), max_size=8), st.lists(st.text(max_size=20), max_size=4))
def test_flags_of_any_chat_are_known_and_in_order(turns: list[str], persona: list[str]) -> None:
    found = rules(*turns, persona=persona, min_words=5)
    assert set(found) <= set(CHAT_FLAGS)
    assert found == sorted(found, key=list(CHAT_FLAGS).index)
