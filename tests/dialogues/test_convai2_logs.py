"""Logs of the human evaluation of ConvAI2: who said what, with which personas, and the score beside it."""

import pytest

from duologue.dialogues import Json, read_dialogues
from duologue.errors import FormatError, MissingDetail
from tests.dialogues.conftest import Written


def log(**fields: Json) -> dict[str, Json]:
    turns = [
        {"id": 0, "sender": "participant2", "sender_class": "Bot", "text": "Hi!", "mood": "good"},
        {"id": 1, "sender": "participant1", "sender_class": "Human", "text": "Bye"},
        {"id": 2, "sender": "participant1", "sender_class": "Human", "text": "Bye"},
    ]
    return {"dialog_id": "0x7", "dialog": turns, "eval_score": 5, "profile_match": "", **fields}


def test_the_bot_is_judged_and_the_score_kept(written: Written) -> None:
    path = written([log(bot_profile=["i like tea."], user_profile=[["i ski."], ["i nap."]])])
    (dialogue,) = read_dialogues(path)
    assert (dialogue.id, dialogue.bot, dialogue.judged) == ("bot:0x7", "bot", "participant2")
    assert dialogue.kind == "live-chat"
    assert [turn.text for turn in dialogue.turns] == ["Hi!", "Bye", "Bye"]
    assert dialogue.turns[0].extras == {"mood": "good"}
    assert dialogue.extras["eval_score"] == 5
    assert dialogue.extras["briefing"] == {
        "persona": ["i like tea."],
        "partner_persona": ["i ski.", "i nap."],
    }


def test_a_bot_may_be_named_in_the_file_or_by_the_reader(written: Written) -> None:
    path = written([log(participant2_id={"class": "Bot", "user_id": "ada"}, bot_profile="i like tea.")])
    assert [dialogue.bot for dialogue in read_dialogues(path)] == ["ada"]
    assert [dialogue.bot for dialogue in read_dialogues(path, bot="bea")] == ["bea"]


def test_no_persona_is_no_briefing(written: Written) -> None:
    (dialogue,) = read_dialogues(written([log(bot_profile=" ")]))
    assert "briefing" not in dialogue.extras


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        ([{"sender": "p", "sender_class": "Cat", "text": "Miaow"}], "Human or Bot"),
        ([{"sender": "p", "sender_class": "Human", "text": "Hi"}], "turns of one bot"),
        ([{"sender": "p", "sender_class": "Bot"}], "a text"),
        ([{"sender_class": "Bot", "text": "Hi"}], "a text"),
    ],
)
def test_what_is_no_chat_with_a_bot_is_refused(written: Written, turns: list[Json], message: str) -> None:
    path = written([log(dialog=turns)])
    with pytest.raises(FormatError, match=message):
        list(read_dialogues(path, format="convai2-logs"))
    left_out: list[FormatError] = []
    assert list(read_dialogues(written([log(dialog=turns), log()]), on_bad=left_out.append))
    assert len(left_out) == 1


def test_exports_without_sender_classes_need_to_be_told_who_is_judged(written: Written) -> None:
    turns: list[Json] = [{"sender": f"participant{number}", "text": "Hi"} for number in (1, 2)]
    path = written([log(dialog=turns)])
    with pytest.raises(MissingDetail, match="which of its speakers is judged"):
        list(read_dialogues(path))
    (dialogue,) = read_dialogues(path, judged="participant2")
    assert (dialogue.bot, dialogue.judged) == ("bot", "participant2")


def test_participants_say_who_is_the_bot_where_the_turns_do_not(written: Written) -> None:
    turns: list[Json] = [{"sender": f"participant{number}", "text": "Hi"} for number in (1, 2)]
    named: dict[str, Json] = {"participant1_id": {"class": "User"}}
    named["participant2_id"] = {"class": "Bot", "user_id": "ada"}
    (dialogue,) = read_dialogues(written([log(dialog=turns, **named)]))
    assert (dialogue.bot, dialogue.judged) == ("ada", "participant2")
