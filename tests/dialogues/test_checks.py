from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from duologue.dialogues import Dialogue, Speaker, Turn
from duologue.dialogues.checks import check_dialogue
from duologue.dialogues.sources import Source
from duologue.errors import FormatError
from tests.strategies import TINY_IMAGE, dialogues, without_deadline

SOURCE = Source(Path("log.jsonl"))


@given(dialogue=dialogues())
@without_deadline
def test_a_sound_dialogue_comes_back_as_it_is(dialogue: Dialogue) -> None:
    assert check_dialogue(dialogue, SOURCE, 3) is dialogue


def refused(dialogue: Dialogue, *, max_turn_chars: int = 100_000) -> FormatError:
    with pytest.raises(FormatError) as caught:
        check_dialogue(dialogue, SOURCE, 3, max_turn_chars=max_turn_chars)
    assert caught.value.line == 3
    return caught.value


@pytest.mark.parametrize("text", ["", " ", "\n\t\u2003"])
def test_empty_text_is_refused(tea: Dialogue, text: str) -> None:
    error = refused(replace(tea, turns=(*tea.turns, Turn("A", text))))
    assert (error.field, error.got) == ("turns[2].text", "an empty text")


def test_an_image_needs_no_text(tea: Dialogue) -> None:
    assert check_dialogue(replace(tea, turns=(Turn("A", "", TINY_IMAGE),)), SOURCE, 1)


def test_a_turn_may_be_as_long_as_allowed_and_no_longer(tea: Dialogue) -> None:
    long = replace(tea, turns=(Turn("A", "x" * 101),))
    assert check_dialogue(long, SOURCE, 1, max_turn_chars=101)
    error = refused(long, max_turn_chars=100)
    assert "--max-turn-chars" in str(error)
    assert error.got == "one of 101"


def test_the_judged_speaker_must_speak(tea: Dialogue) -> None:
    assert refused(replace(tea, turns=(Turn("B", "Hello?"),))).field == "judged"


def test_the_judged_speaker_must_be_known(tea: Dialogue) -> None:
    assert str(refused(replace(tea, judged="C"))) == (
        "log.jsonl, line 3, judged: expected one of the speakers (A, B) and found 'C'."
    )


def test_the_judged_speaker_must_be_the_bot(tea: Dialogue) -> None:
    assert refused(replace(tea, speakers=(Speaker("A", "bob"), Speaker("B")))).got == "'bob'"


def test_two_speakers_of_one_name_cannot_be_told_apart(tea: Dialogue) -> None:
    assert refused(replace(tea, speakers=(Speaker("A"), Speaker("A"), Speaker("B")))).field == "speakers"


@pytest.mark.parametrize("character", ["\0", "\ud800"])
@pytest.mark.parametrize("field", ["id", "bot", "context[1]", "turns[1].text", "speakers"])
def test_what_cannot_be_stored_is_refused_wherever_it_is(tea: Dialogue, field: str, character: str) -> None:
    odd = f"é{character}"
    spoilt = {
        "id": replace(tea, id=odd),
        "bot": replace(tea, bot=odd, speakers=(Speaker("A"), Speaker("B"))),
        "context[1]": replace(tea, context=("fine", odd)),
        "turns[1].text": replace(tea, turns=(tea.turns[0], Turn("A", odd))),
        "speakers": replace(tea, speakers=(*tea.speakers, Speaker(odd))),
    }
    error = refused(spoilt[field])
    assert error.field == field
    assert "at character 2" in str(error)
