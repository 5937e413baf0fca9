"""Topical-Chat as published: one object, every conversation under its id, ratings kept with what was said."""

import json
from pathlib import Path

import pytest

from duologue.dialogues import (
    Json,
    detect_format,
    import_dialogues,
    index_dialogues,
    json_values,
    read_corpus,
    read_dialogues,
)
from duologue.errors import FormatError
from tests.dialogues.conftest import Written


def turn(agent: int, message: str, rating: str = "Good") -> dict[str, Json]:
    about = {"sentiment": "Neutral", "knowledge_source": ["FS1"], "turn_rating": rating}
    return {"message": message, "agent": f"agent_{agent}", **about}


def conversation(*content: dict[str, Json]) -> dict[str, Json]:
    turns = content or (turn(1, "Tea?", "Poor"), turn(2, " Yes.\n", ""), turn(1, "Good."))
    ratings = {"agent_1": "Good", "agent_2": "Not Good"}
    return {"article_url": "https://x", "config": "B", "content": [*turns], "conversation_rating": ratings}


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("chunk", [1, 2**16])
def test_conversations_are_read_as_they_stand_with_their_ratings(
    written: Written, monkeypatch: pytest.MonkeyPatch, indent: int | None, chunk: int
) -> None:
    monkeypatch.setattr(json_values, "_CHUNK", chunk)
    path = written(json.dumps({"t_1": conversation(), "t_2": conversation()}, indent=indent), "valid.json")
    assert detect_format(path) == "topical-chat"
    first, second = read_dialogues(path, bot="people")
    assert (first.id, second.id) == ("people:t_1", "people:t_2")
    assert (first.kind, first.judged) == ("human-human", "agent_2")
    assert [(one.speaker, one.text) for one in first.turns] == [
        ("agent_1", "Tea?"),
        ("agent_2", " Yes.\n"),
        ("agent_1", "Good."),
    ]
    assert [one.extras["turn_rating"] for one in first.turns] == ["Poor", "", "Good"]
    assert first.turns[0].extras["knowledge_source"] == ["FS1"]
    assert first.extras == {key: value for key, value in conversation().items() if key != "content"}


def test_a_file_is_recognised_without_being_read_whole(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_values, "MAX_RECORD_BYTES", 200_000)
    many = {f"t_{number}": conversation() for number in range(2_000)}
    path = written(json.dumps(many))
    assert path.stat().st_size > 400_000
    assert detect_format(path) == "topical-chat"
    assert sum(1 for _ in read_corpus(path)) == 2_000


def test_the_other_speaker_can_be_judged(written: Written) -> None:
    path = written(json.dumps({"t_1": conversation()}))
    (dialogue,) = read_dialogues(path, bot="people", judged="agent_1")
    assert [(one.name, one.bot) for one in dialogue.speakers] == [("agent_1", "people"), ("agent_2", None)]


def test_they_go_into_a_study_once(written: Written, study: Path) -> None:
    path = written(json.dumps({"t_1": conversation(), "t_2": conversation(turn(1, "Rain?"), turn(2, "No."))}))
    assert import_dialogues([path], study, bot="people").added == 2
    assert import_dialogues([path], study, bot="people").already_there == 2
    assert [row.id for row in index_dialogues(study)] == ["people:t_1", "people:t_2"]
    (kept, _) = read_dialogues(study / "dialogues" / "people.jsonl")
    assert kept.turns[0].extras["turn_rating"] == "Poor"


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        ("soon", r"conversation t_2: expected a JSON object"),
        ({"config": "A", "content": {}}, r"conversation t_2, content: expected a list and found an object"),
        ({"config": "A", "content": [7]}, r"conversation t_2, content\[0\]: expected an object"),
        (
            conversation(turn(1, "Hi"), {"agent": "agent_2"}),
            r"conversation t_2, content\[1\].message: expected a text and found no such field",
        ),
        (conversation(turn(3, "Hi")), r"content\[0\].agent: expected agent_1 or agent_2 and found the text"),
        (conversation(turn(1, "Hi"), turn(2, " ")), r"conversation t_2, content\[1\].message: expected"),
    ],
)
def test_a_broken_conversation_is_named_with_its_file_and_field(
    written: Written, broken: Json, message: str
) -> None:
    path = written(json.dumps({"t_1": conversation(), "t_2": broken, "t_3": conversation()}), "valid.json")
    with pytest.raises(FormatError, match=rf"valid\.json.*{message}"):
        list(read_dialogues(path, bot="people"))
    left_out: list[FormatError] = []
    read = read_dialogues(path, bot="people", on_bad=left_out.append)
    assert [dialogue.id for dialogue in read] == ["people:t_1", "people:t_3"]
    assert len(left_out) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"t_1": ONE, "t_1": ONE}', "t_1: expected each field once"),
        ('{"t_1": ONE "t_2": ONE}', "a comma or the end of the object"),
        ('{"t_1": ONE, 2: ONE}', "a name in quotation marks"),
        ('{"t_1": ONE, "t_2" ONE}', "a colon after the name"),
        ('{"t_1": ONE, "t_2": {"content": [', "cut off"),
        ('{"t_1": ONE} {}', "the end of the file after the object"),
        ('[{"t_1": ONE}]', "a JSON object"),
    ],
)
def test_a_mistake_in_the_syntax_says_where_and_that_the_rest_is_lost(
    written: Written, text: str, message: str
) -> None:
    path = written(text.replace("ONE", json.dumps(conversation())))
    with pytest.raises(FormatError, match=rf"{message}.*Nothing after this place"):
        list(read_dialogues(path, bot="people", format="topical-chat"))
