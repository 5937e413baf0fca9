from __future__ import annotations

import pytest

from duologue.rehearsal.kinds import Kind, SimulatedAnnotator
from duologue.rehearsal.talk import GREETINGS, MESSAGES, next_message, wanted_exchanges
from duologue.screening import flag_chat


def said(kind: Kind, *, turns: int = 6, most_chars: int = 1_000, item: str = "chat-1") -> list[str]:
    annotator = SimulatedAnnotator(3, kind, has_script=True, seed=7)
    return [
        next_message(annotator, item, said=place, is_first=place == 0, most_chars=most_chars)
        for place in range(turns)
    ]


def test_nobody_but_a_spammer_says_the_same_thing_twice() -> None:
    assert len(set(said("careful", turns=20))) == 20
    assert set(said("spammer")) == {"Bye"}


def test_what_a_careful_annotator_says_is_not_flagged_and_what_a_spammer_says_is() -> None:
    for item in map(str, range(50)):
        assert flag_chat(said("careful", turns=4, item=item), persona=(), min_words=10) == ()
        assert flag_chat(said("spammer", turns=4, item=item), persona=(), min_words=10)


def test_who_begins_greets() -> None:
    assert said("careful")[0] in GREETINGS
    assert said("careful")[1] in MESSAGES


@pytest.mark.parametrize("most", [1, 2, 10])
def test_a_message_is_never_longer_than_it_may_be(most: int) -> None:
    assert all(1 <= len(text) <= most for text in said("careful", turns=24, most_chars=most))


def test_the_same_annotator_says_the_same_in_the_same_chat_and_something_else_in_another() -> None:
    assert said("careful") == said("careful")
    assert said("careful") != said("careful", item="chat-2")


def test_chats_have_every_length_between_the_least_and_the_most() -> None:
    annotator = SimulatedAnnotator(3, "careful", has_script=True, seed=7)
    lengths = {wanted_exchanges(annotator, str(item), least=4, most=6) for item in range(60)}
    assert lengths == {4, 5, 6}
