import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from duologue.dialogues import Dialogue, Speaker, Turn, read_dialogues, write_dialogues
from duologue.errors import FormatError
from tests.dialogues.conftest import Written
from tests.strategies import dialogues, with_files

CHAT: list[dict[str, Any]] = [
    {"from": "system", "value": "Be brief."},
    {"from": "human", "value": "Tea?"},
    {"from": "gpt", "value": "Yes.", "score": 3},
]


@pytest.mark.parametrize("indent", [None, 2])
def test_a_list_of_conversations_is_read(written: Written, indent: int | None) -> None:
    records = [{"id": f"c{number}", "conversations": CHAT} for number in range(3)]
    chats = list(read_dialogues(written(json.dumps(records, indent=indent)), bot="ada"))
    assert [chat.id for chat in chats] == ["ada:c0", "ada:c1", "ada:c2"]
    assert chats[0].turns == (Turn("human", "Tea?"), Turn("gpt", "Yes.", extras={"score": 3}))
    assert chats[0].speakers == (Speaker("human"), Speaker("gpt", "ada"))
    assert (chats[0].judged, chats[0].context, chats[0].extras) == ("gpt", ("Be brief.",), {"id": "c0"})


def test_json_lines_are_read_too(written: Written) -> None:
    chats = list(read_dialogues(written([{"conversations": CHAT}, {"conversations": CHAT[1:]}]), bot="ada"))
    assert len(chats) == 2


def test_the_file_is_written_again_as_it_was(written: Written, tmp_path: Path) -> None:
    records = [
        {"id": 7, "conversations": CHAT, "model": "x"},
        {
            "id": "b",
            "conversations": [{"from": "user", "value": "Hi"}, {"from": "chatgpt", "value": "Hello"}],
        },
        {"id": "c", "conversations": [{"from": "system", "value": "S", "v": 1}, *CHAT[1:]]},
    ]
    chats = list(read_dialogues(written(json.dumps(records)), bot="ada"))
    write_dialogues(chats, tmp_path / "out.json", format="sharegpt")
    assert json.loads((tmp_path / "out.json").read_text()) == records


def test_no_dialogues_are_an_empty_list(tmp_path: Path) -> None:
    assert write_dialogues([], tmp_path / "out.json", format="sharegpt") == 0
    assert json.loads((tmp_path / "out.json").read_text()) == []


@pytest.mark.parametrize(
    ("entry", "field", "message"),
    [
        ({"from": "tool", "value": "42"}, "conversations[3].from", "one of human, user, gpt"),
        ({"from": "gpt", "value": " "}, "conversations[3].value", "an empty text"),
        ({"from": "gpt"}, "conversations[3].value", "no such field"),
        ({"value": "Hm."}, "conversations[3].from", "no such field"),
        ({"from": "bard", "value": "Me too."}, None, None),
    ],
)
def test_a_bad_entry_of_the_list_is_left_out(
    written: Written, entry: dict[str, str], field: str | None, message: str | None
) -> None:
    records = [{"conversations": CHAT}, {"conversations": [*CHAT, entry]}, {"conversations": CHAT}]
    bad: list[FormatError] = []
    chats = list(read_dialogues(written(json.dumps(records, indent=0)), bot="ada", on_bad=bad.append))
    assert len(chats) == 3 - len(bad)
    assert [error.field for error in bad] == ([field] if field else [])
    assert all(message and message in str(error) for error in bad)


@given(dialogue=dialogues(max_speakers=2))
@with_files
def test_nothing_that_was_said_is_altered_by_writing_and_reading(tmp_path: Path, dialogue: Dialogue) -> None:
    write_dialogues([dialogue], tmp_path / "out.json", format="sharegpt")
    (read,) = read_dialogues(tmp_path / "out.json", format="sharegpt", bot=dialogue.bot)
    said = [(turn.speaker == dialogue.judged, turn.text, turn.image) for turn in dialogue.turns]
    assert [(turn.speaker == read.judged, turn.text, turn.image) for turn in read.turns] == said
    assert read.context == dialogue.context
