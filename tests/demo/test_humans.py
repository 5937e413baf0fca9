from __future__ import annotations

from duologue.demo import human_dialogues


def test_there_are_at_least_twelve_dialogues_and_each_is_its_own() -> None:
    dialogues = human_dialogues()
    assert len(dialogues) >= 12
    assert len({dialogue.id for dialogue in dialogues}) == len(dialogues)
    texts = [turn.text for dialogue in dialogues for turn in dialogue.turns]
    assert len(set(texts)) == len(texts)


def test_the_judged_speaker_says_every_second_turn() -> None:
    for dialogue in human_dialogues():
        assert [turn.speaker == dialogue.judged for turn in dialogue.turns] == [False, True] * 6


def test_nobody_is_called_a_bot() -> None:
    said = " ".join(turn.text for dialogue in human_dialogues() for turn in dialogue.turns).lower()
    assert not any(word in said.split() for word in ("human", "parrot", "companion", "bot"))
