import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import (
    Dialogue,
    Json,
    PairingLine,
    Speaker,
    Turn,
    read_dialogues,
    read_pairing_lines,
    write_pairing_lines,
)
from duologue.errors import ExportError, FormatError
from tests.dialogues.conftest import Written
from tests.strategies import TINY_IMAGE, pairing_lines, with_files


def said(*turns: tuple[str, str]) -> list[dict[str, Json]]:
    return [{"id": speaker, "text": text} for speaker, text in turns]


LINE: dict[str, Any] = {
    "is_onboarding": False,
    "speakers_to_eval": ["ada", "bob"],
    "dialogue_ids": [3, "x"],
    "dialogue_dicts": [
        {"speakers": ["ada", "human"], "dialogue": said(("human", "Hi!"), ("ada", "Tea?"))},
        {"speakers": ["human", "bob"], "dialogue": said(("bob", "Hello."), ("human", "Milk?"))},
    ],
}
ONBOARDING = {key: value for key, value in LINE.items() if key != "dialogue_ids"} | {
    "is_onboarding": True,
    "correct_answer": "bob",
}


def changed(*path: str | int, to: Json, line: dict[str, Any] = LINE) -> dict[str, Any]:
    """The line with one place in it set to something else."""
    record = deepcopy(line)
    place: Any = record
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return record


def test_a_line_is_two_dialogues_with_a_judged_speaker_each(written: Written) -> None:
    (line,) = read_pairing_lines(written([LINE]))
    first, second = line.dialogues
    assert first.turns == (Turn("human", "Hi!"), Turn("ada", "Tea?"))
    assert first.speakers == (Speaker("ada", "ada"), Speaker("human"))
    assert (first.id, first.bot, first.judged, first.kind) == ("ada:3", "ada", "ada", "live-chat")
    assert (second.id, second.judged) == ("bob:x", "bob")
    assert (line.judged, line.is_onboarding, line.correct) == (("ada", "bob"), False, None)
    assert (line.dialogue_ids, line.line) == ((3, "x"), 1)


def test_the_right_answer_of_an_onboarding_line_is_a_side(written: Written) -> None:
    (line,) = read_pairing_lines(written([ONBOARDING]))
    assert (line.is_onboarding, line.correct, line.dialogue_ids) == (True, 1, None)


def test_an_onboarding_file_may_be_one_object_over_many_lines(written: Written) -> None:
    (line,) = read_pairing_lines(written(json.dumps(ONBOARDING, indent=2), "onboarding.json"))
    assert line.correct == 1


def test_a_dialogue_in_two_lines_is_one_dialogue(written: Written) -> None:
    first, second = read_pairing_lines(written([ONBOARDING, ONBOARDING]))
    assert first.dialogues == second.dialogues
    assert first.dialogues[0].id.startswith("ada:")


def test_a_dialogue_with_an_id_of_its_own_keeps_it(written: Written) -> None:
    (line,) = read_pairing_lines(written([changed("dialogue_dicts", 0, "id", to="ABC", line=ONBOARDING)]))
    assert line.dialogues[0].id == "ada:ABC"


@given(lines=st.lists(pairing_lines(), min_size=1, max_size=2))
@with_files
def test_what_is_written_is_read_again(tmp_path: Path, lines: list[PairingLine]) -> None:
    path = tmp_path / "pairings.jsonl"
    assert write_pairing_lines(lines, path) == len(lines)
    read = list(read_pairing_lines(path))
    assert [_without_ids(line) for line in read] == [_without_ids(line) for line in lines]


def _without_ids(line: PairingLine) -> PairingLine:
    first, second = (
        replace(dialogue, id="", extras={}, turns=tuple(replace(turn, extras={}) for turn in dialogue.turns))
        for dialogue in line.dialogues
    )
    return replace(line, dialogues=(first, second), line=None)


def test_unknown_fields_survive_at_every_level(written: Written, tmp_path: Path) -> None:
    record = deepcopy(LINE) | {"tags": ["t"], "n": 10**40, "half": "\ud800"}
    record["dialogue_dicts"][0] |= {"id": "A", "oz_id_hashed": None, "context": []}
    record["dialogue_dicts"][1] |= {"context": [{"id": "context", "text": "tea"}], "extras": {"a": 1}}
    record["dialogue_dicts"][0]["dialogue"][0] |= {"time": 1.5, "image_src": None}
    record["dialogue_dicts"][0]["dialogue"][1] |= {"image_src": TINY_IMAGE}
    texts = changed("dialogue_dicts", 0, "context", to=["tea", "milk"])
    records = [record, texts, ONBOARDING | {"dialogue_ids": [None, {}]}]
    lines = list(read_pairing_lines(written(records)))
    assert lines[1].dialogues[0].context == ("tea", "milk")
    assert lines[0].dialogues[1].context == ("tea",)
    assert lines[0].dialogues[0].turns[1].image == TINY_IMAGE
    write_pairing_lines(lines, tmp_path / "again.jsonl")
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert again == records


A_DIALOGUE = ("dialogue_dicts", 0, "dialogue")


@pytest.mark.parametrize(
    ("record", "field", "message"),
    [
        (changed("speakers_to_eval", to=["ada"]), "speakers_to_eval", "two names"),
        (changed("speakers_to_eval", to=["eve", "bob"]), "dialogue_dicts[0].speakers", "in the order"),
        (changed("speakers_to_eval", to=["bob", "ada"]), "dialogue_dicts[0].speakers", "in the order"),
        (changed("dialogue_dicts", to=[{}]), "dialogue_dicts", "two dialogues"),
        (changed("dialogue_dicts", 1, to=7), "dialogue_dicts[1]", "an object"),
        (changed("dialogue_ids", to=[1]), "dialogue_ids", "two ids"),
        (changed("is_onboarding", to="no"), "is_onboarding", "true or false"),
        (
            changed("dialogue_dicts", 0, "speakers", to=["ada", "b", "c"]),
            "dialogue_dicts[0].speakers",
            "found 3",
        ),
        (changed("dialogue_dicts", 0, "speakers", to="ada"), "dialogue_dicts[0].speakers", "a list of names"),
        (changed(*A_DIALOGUE, to=[]), "turns", "at least one turn"),
        (changed(*A_DIALOGUE, 1, "text", to=""), "dialogue_dicts[0].dialogue[1].text", "an empty text"),
        (changed(*A_DIALOGUE, 1, "id", to=7), "dialogue_dicts[0].dialogue[1].id", "a text"),
        (
            changed(*A_DIALOGUE, 1, "id", to="human"),
            "dialogue_dicts[0].dialogue[1].id",
            "turns that alternate and found a second turn in a row by 'human' (turn 2)",
        ),
        (
            changed(*A_DIALOGUE, 1, "id", to="model1"),
            "dialogue_dicts[0].dialogue[1].id",
            "--speaker 'model1=<judged>'",
        ),
        (changed("correct_answer", to="eve", line=ONBOARDING), "correct_answer", "(ada, bob)"),
        (
            {key: value for key, value in ONBOARDING.items() if key != "correct_answer"},
            "correct_answer",
            "no such field",
        ),
    ],
)
def test_a_line_that_breaks_a_rule_is_left_out(
    written: Written, record: dict[str, Any], field: str, message: str
) -> None:
    bad: list[FormatError] = []
    lines = list(read_pairing_lines(written([LINE, record, LINE]), on_bad=bad.append))
    assert [line.line for line in lines] == [1, 3]
    assert [(error.line, error.field) for error in bad] == [(2, field)]
    assert message in str(bad[0])


def test_a_right_answer_that_names_both_sides_is_refused(written: Written) -> None:
    side = LINE["dialogue_dicts"][0]
    record = {
        "is_onboarding": True,
        "speakers_to_eval": ["ada", "ada"],
        "correct_answer": "ada",
        "dialogue_dicts": [side, side],
    }
    with pytest.raises(FormatError, match="a name that only one side has"):
        list(read_pairing_lines(written([record])))


def test_a_bot_may_meet_itself(written: Written, tmp_path: Path) -> None:
    side = LINE["dialogue_dicts"][0]
    record = LINE | {
        "speakers_to_eval": ["ada", "ada"],
        "dialogue_dicts": [side, side],
        "dialogue_ids": [1, 2],
    }
    lines = list(read_pairing_lines(written([record])))
    assert lines[0].judged == ("ada", "ada")
    assert [dialogue.id for dialogue in lines[0].dialogues] == ["ada:1", "ada:2"]
    write_pairing_lines(lines, tmp_path / "again.jsonl")
    assert json.loads((tmp_path / "again.jsonl").read_text()) == record


def test_the_published_template_is_read_with_a_speaker_map(written: Written) -> None:
    """The template calls the judged speaker ``model1`` on both sides, whatever the bots' names are."""
    talk = said(("model1", "Hi"), ("other_speaker", "Hi back"))
    record = LINE | {
        "dialogue_dicts": [
            {"speakers": ["ada", "other_speaker"], "dialogue": talk},
            {"speakers": ["other_speaker", "bob"], "dialogue": talk},
        ]
    }
    (line,) = read_pairing_lines(written([record]), speaker_map={"model1": "<judged>"})
    assert [dialogue.turns[0].speaker for dialogue in line.dialogues] == ["ada", "bob"]


def test_a_speaker_map_may_name_speakers_and_the_partner(written: Written) -> None:
    side = {"speakers": ["ada", "human"], "dialogue": said(("u", "Hi"), ("b", "Hi back"))}
    record = LINE | {"speakers_to_eval": ["ada", "ada"], "dialogue_dicts": [side, side]}
    (line,) = read_pairing_lines(written([record]), speaker_map={"u": "<partner>", "b": "ada"})
    assert [turn.speaker for turn in line.dialogues[0].turns] == ["human", "ada"]


SAME_NAME = LINE | {
    "dialogue_dicts": [
        {"speakers": ["ada", "ada"], "dialogue": said(("ada", "Hi!"), ("ada", "Tea?"), ("ada", "Yes."))},
        {"speakers": ["bob"], "dialogue": said(("bob", "Hello."), ("bob", "Milk?"))},
    ]
}


def test_sides_of_a_self_chat_under_one_name_are_told_apart_by_their_place(written: Written) -> None:
    (line,) = read_pairing_lines(written([SAME_NAME]), kind="self-chat")
    first = line.dialogues[0]
    assert [turn.speaker for turn in first.turns] == ["ada", "ada_partner", "ada"]
    assert first.speakers == (Speaker("ada", "ada"), Speaker("ada_partner", "ada"))
    (other,) = read_pairing_lines(written([SAME_NAME]), kind="self-chat", speaker_index=1)
    assert [turn.speaker for turn in other.dialogues[1].turns] == ["bob_partner", "bob"]


def test_without_being_said_so_one_name_for_both_sides_is_refused(written: Written) -> None:
    with pytest.raises(FormatError, match=r"dialogue\[1\]\.id: .*say --kind self-chat"):
        list(read_pairing_lines(written([SAME_NAME])))


def test_logs_leave_out_onboarding_lines(written: Written) -> None:
    dialogues = list(read_dialogues(written([ONBOARDING, LINE])))
    assert [dialogue.id for dialogue in dialogues] == ["ada:3", "bob:x"]


@pytest.mark.parametrize("field", ["bot", "judged"])
def test_names_that_the_file_says_itself_cannot_be_said_otherwise(written: Written, field: str) -> None:
    path = written([LINE])
    with pytest.raises(FormatError, match=f"line 1, {field}: expected 'ada' and found 'bob'"):
        list(read_dialogues(path, **{field: "ada"}))  # type: ignore[arg-type]


def a_line(dialogue: Dialogue) -> PairingLine:
    return PairingLine((dialogue, dialogue), (dialogue.bot, dialogue.bot))


def test_the_judged_speaker_is_written_under_the_bots_name(tmp_path: Path, tea: Dialogue) -> None:
    write_pairing_lines([a_line(replace(tea, bot="B"))], tmp_path / "out.jsonl")
    side = json.loads((tmp_path / "out.jsonl").read_text())["dialogue_dicts"][0]
    assert side["speakers"] == ["B", "other_speaker"]
    assert [turn["id"] for turn in side["dialogue"]] == ["other_speaker", "B"]


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        ({"turns": (Turn("A", "Hi!"), Turn("A", "Hello?"))}, "turn 2 is by the speaker of the turn before"),
        ({"speakers": (Speaker("A"), Speaker("B"), Speaker("C"))}, "has 3 speakers"),
    ],
)
def test_what_the_format_cannot_hold_is_not_written(
    tmp_path: Path, tea: Dialogue, spoilt: dict[str, Any], message: str
) -> None:
    with pytest.raises(ExportError, match=message):
        write_pairing_lines([a_line(tea), a_line(replace(tea, **spoilt))], tmp_path / "out.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_judged_names_must_be_the_bots(tmp_path: Path, tea: Dialogue) -> None:
    with pytest.raises(ExportError, match="is not the bot"):
        write_pairing_lines([PairingLine((tea, tea), ("A", "A"))], tmp_path / "out.jsonl")


def test_a_right_answer_of_a_bot_against_itself_is_not_written(tmp_path: Path, tea: Dialogue) -> None:
    line = replace(a_line(tea), is_onboarding=True, correct=0)
    with pytest.raises(ExportError, match="from itself"):
        write_pairing_lines([line], tmp_path / "out.jsonl")


THREE = {
    **changed("speakers_to_eval", to=["ada", "bob", "bob"]),
    "dialogue_dicts": [*LINE["dialogue_dicts"], deepcopy(LINE["dialogue_dicts"][1])],
    "dialogue_ids": [3, "x", "y"],
}
THREE_KNOWN = {**THREE, "is_onboarding": True, "last_answer": 1}


def test_a_line_may_have_three_dialogues_to_rank(written: Written, tmp_path: Path) -> None:
    three, known = read_pairing_lines(written([THREE, THREE_KNOWN]))
    assert [dialogue.bot for dialogue in three.dialogues] == ["ada", "bob", "bob"]
    assert (three.judged, three.dialogue_ids, three.last) == (("ada", "bob", "bob"), (3, "x", "y"), None)
    assert (known.last, known.correct, known.is_onboarding) == (1, None, True)
    write_pairing_lines([three, known], tmp_path / "out.jsonl")
    again = list(read_pairing_lines(tmp_path / "out.jsonl"))
    assert [(line.judged, line.last) for line in again] == [
        (line.judged, line.last) for line in (three, known)
    ]


@pytest.mark.parametrize("last", [None, 3, -1, "bob", True])
def test_a_known_ranking_says_which_dialogue_is_the_last(written: Written, last: Json) -> None:
    line = {**THREE_KNOWN, "last_answer": last} if last is not None else {**THREE, "is_onboarding": True}
    with pytest.raises(FormatError, match=r"last_answer.*from 0 to 2"):
        list(read_pairing_lines(written([line])))


def test_three_names_need_three_dialogues(written: Written) -> None:
    with pytest.raises(FormatError, match="three dialogues"):
        list(read_pairing_lines(written([changed("speakers_to_eval", to=["ada", "bob", "cy"])])))
