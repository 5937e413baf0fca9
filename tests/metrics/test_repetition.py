from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.metrics import degeneration, find_loop, repetition_in
from tests.metrics.dialogues import live_chat, self_chat


def test_the_same_words_of_the_same_speaker_are_repeated_whatever_the_signs() -> None:
    found = degeneration([self_chat("Hi!", "I ski.", "Oh.", "i SKI  !", "Oh?", "Well.")])["ada"]
    assert (found.turns, found.repeated) == (6, 2)


def test_what_the_other_speaker_said_is_an_echo_and_no_repetition() -> None:
    found = degeneration([self_chat("Hello there.", "Hello there!")])["ada"]
    assert (found.repeated, found.echoed) == (0, 1)


def test_only_the_bot_is_counted_in_a_live_chat() -> None:
    found = degeneration([live_chat("Hi.", "A.", "Hi.", "B.", "Hi.", "C.")])["ada"]
    assert (found.turns, found.repeated) == (3, 0)


@pytest.mark.parametrize(
    ("again", "is_near"),
    [
        ("I work in a warehouse near the harbour now.", True),
        ("Well, I work in a warehouse near the harbour.", True),
        ("The harbour is near a warehouse I work in.", False),
        ("I like dogs and long walks on the beach.", False),
    ],
)
def test_nearly_the_same_is_most_of_the_neighbouring_words(again: str, is_near: bool) -> None:
    first = "I work in a warehouse near the harbour."
    found = degeneration([self_chat("Hi.", first, "Oh.", again)])["ada"]
    assert (found.repeated, found.nearly_repeated) == (0, int(is_near))


def test_short_turns_are_not_compared_nearly() -> None:
    assert (
        degeneration([self_chat("Hi.", "how are you", "Oh.", "how are you now")])["ada"].nearly_repeated == 0
    )


def test_two_sides_that_tell_each_other_the_same_are_a_loop() -> None:
    said = (
        "hi",
        "i am fine",
        "i cook. and you?",
        "i drive. and you?",
        "i cook. and you?",
        "i drive. and you?",
    )
    found = degeneration([self_chat(*said, key="loop"), self_chat("a", "b", "c", "d", key="none")])["ada"]
    assert (found.dialogues, found.looping, found.examples) == (2, 1, ("loop",))


def test_one_side_that_says_one_thing_only_is_a_loop() -> None:
    assert degeneration([live_chat("a", "No.", "b", "No.", "c", "No.")])["ada"].looping == 1
    assert degeneration([live_chat("a", "No.", "b", "No.", "c", "Yes.")])["ada"].looping == 0


def test_a_farewell_is_no_loop() -> None:
    assert degeneration([self_chat("Hi.", "So long.", "Bye.", "Bye.")])["ada"].looping == 0


def test_bots_are_counted_apart() -> None:
    found = degeneration([self_chat("a", "b", bot="ada"), self_chat("c", "d", "e", bot="bob")])
    assert {bot: one.turns for bot, one in found.items()} == {"ada": 2, "bob": 3}


@given(st.lists(st.sampled_from("abc"), max_size=12))
def test_a_loop_is_a_block_said_again_at_once(texts: list[str]) -> None:
    """The plain twin: try every block of every length."""
    loops = [
        length
        for length in range(1, 5)
        for start in range(len(texts))
        if (block := texts[start : start + length]) * (3 if length == 1 else 2)
        == texts[start : start + length * (3 if length == 1 else 2)]
        and (length == 1 or len(set(block)) > 1)
    ]
    assert find_loop(texts) == (min(loops) if loops else None)


@given(st.lists(st.text("ab ", max_size=8), max_size=12))
def test_every_turn_is_counted_once_at_most(texts: list[str]) -> None:
    found = degeneration([self_chat(*texts)])["ada"]
    assert found.repeated + found.nearly_repeated <= found.turns == len(texts)
    assert found.echoed <= max(0, found.turns - 1)


def test_a_turn_that_repeats_itself_is_counted() -> None:
    again = "I am so happy to hear that. I am so happy to hear that. I am so happy to hear that."
    plain = "I baked bread yesterday, and my neighbour came over to have some of it with me."
    found = degeneration([live_chat("Hi.", again, "Really?", plain, "Oh.", "No. No. No.")])["ada"]
    assert (found.turns, found.self_repeating) == (3, 1)


@given(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=30))
def test_repetition_inside_a_turn_is_a_share_and_not_of_short_turns(words: list[str]) -> None:
    share = repetition_in(" ".join(words))
    assert 0 <= share < 1
    assert share == 0 or len(words) >= 8
    if len(words) >= 8:
        assert repetition_in(" ".join(words * 3)) >= share
