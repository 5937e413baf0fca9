"""Words of any script."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.screening import count_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        (" :-) …", 0),
        ("hi", 1),
        ("Don't you like well-known tea?", 5),
        ("Ça va très bien, merci", 5),
        ("Привет, как дела?", 3),
        ("नमस्ते दुनिया", 2),
        ("مرحبا بالعالم", 2),
        ("안녕하세요 여러분", 2),
        ("你好", 1),
        ("私はお茶が好きです", 5),
        ("ฉันชอบดื่มชาเขียว", 4),
        ("I like 茶 and 咖啡", 5),
        ("e\u0301te\u0301", 1),
    ],
)
def test_words_are_counted_in_any_script(text: str, words: int) -> None:
    assert count_words(text) == words


@given(st.text(max_size=40), st.text(max_size=40))
def test_texts_apart_have_as_many_words_together(first: str, second: str) -> None:
    assert count_words(f"{first} . {second}") == count_words(first) + count_words(second)
