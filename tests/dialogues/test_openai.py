import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Dialogue, Speaker, Turn, read_dialogues, write_dialogues
from duologue.errors import FormatError, MissingDetail
from tests.dialogues.conftest import Written
from tests.strategies import TINY_IMAGE, dialogues, with_files

IMAGE = {"type": "image_url", "image_url": {"url": TINY_IMAGE}}
CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "user", "content": "Tea?"},
    {"role": "assistant", "content": "Yes.", "name": "ada"},
    {"role": "assistant", "content": "Please."},
]


def test_the_assistant_is_judged_and_the_system_message_is_context(written: Written) -> None:
    (chat,) = read_dialogues(written([{"messages": CHAT, "temperature": 1}]), bot="ada")
    assert chat.turns == (
        Turn("user", "Tea?"),
        Turn("assistant", "Yes.", extras={"name": "ada"}),
        Turn("assistant", "Please."),
    )
    assert (chat.bot, chat.kind, chat.judged, chat.context) == (
        "ada",
        "live-chat",
        "assistant",
        ("Be brief.",),
    )
    assert chat.speakers == (Speaker("user"), Speaker("assistant", "ada"))
    assert chat.extras == {"temperature": 1}


def test_without_a_bot_the_file_cannot_be_used(written: Written) -> None:
    with pytest.raises(MissingDetail, match="--bot"):
        list(read_dialogues(written([{"messages": CHAT}])))


def test_the_file_is_written_again_as_it_was(written: Written, tmp_path: Path) -> None:
    record = {"id": "c1", "messages": CHAT, "tools": [], "n": 10**30}
    chats = list(read_dialogues(written([record]), bot="ada"))
    write_dialogues(chats, tmp_path / "out.jsonl", format="openai")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == record


@pytest.mark.parametrize(
    "content",
    [
        [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": TINY_IMAGE}}],
        [{"type": "image_url", "image_url": {"url": TINY_IMAGE, "detail": "low"}}],
        [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
        [{"type": "text", "text": "one", "cache": True}],
    ],
)
def test_parts_are_written_again_as_they_were(written: Written, tmp_path: Path, content: list[Any]) -> None:
    record = {"id": "c1", "messages": [{"role": "assistant", "content": content}]}
    chats = list(read_dialogues(written([record]), bot="ada"))
    write_dialogues(chats, tmp_path / "out.jsonl", format="openai")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == record


def test_parts_become_a_text_and_an_image(written: Written) -> None:
    parts = [
        {"type": "text", "text": "one"},
        {"type": "image_url", "image_url": {"url": TINY_IMAGE}},
        {"type": "text", "text": "two"},
    ]
    (chat,) = read_dialogues(written([{"messages": [{"role": "assistant", "content": parts}]}]), bot="ada")
    assert (chat.turns[0].text, chat.turns[0].image) == ("one\ntwo", TINY_IMAGE)


def test_a_developer_message_is_written_again(written: Written, tmp_path: Path) -> None:
    record = {"id": 5, "messages": [{"role": "developer", "content": "Be brief."}, CHAT[2]]}
    chats = list(read_dialogues(written([record]), bot="ada"))
    assert chats[0].context == ("Be brief.",)
    write_dialogues(chats, tmp_path / "out.jsonl", format="openai")
    assert json.loads((tmp_path / "out.jsonl").read_text()) == record


@pytest.mark.parametrize(
    ("messages", "field", "message"),
    [
        ([*CHAT, {"role": "tool", "content": "42"}], "messages[4].role", "remove the messages of tools"),
        ([*CHAT, {"role": "system", "content": "!"}], "messages[4].role", "move it to the front"),
        ([*CHAT, {"role": "assistant", "content": None}], "messages[4].content", "found null"),
        ([*CHAT, {"role": "assistant"}], "messages[4].content", "no such field"),
        ([*CHAT, {"role": "assistant", "content": ""}], "messages[4].content", "an empty text"),
        ([*CHAT, {"content": "Hm."}], "messages[4].role", "no such field"),
        ([*CHAT, "Hm."], "messages[4]", "an object"),
        ([{"role": "user", "content": "Tea?"}], "judged", "at least one turn by the judged speaker"),
        (
            [*CHAT, {"role": "user", "content": [{"type": "input_audio"}]}],
            "messages[4].content[0]",
            "input_audio",
        ),
        (
            [*CHAT, {"role": "user", "content": [IMAGE, IMAGE]}],
            "messages[4].content",
            "at most one image a turn",
        ),
        ([*CHAT, {"role": "user", "content": ["Hm."]}], "messages[4].content[0]", "type text or image_url"),
        ([], "turns", "at least one turn"),
    ],
)
def test_a_bad_conversation_is_left_out(
    written: Written, messages: list[Any], field: str, message: str
) -> None:
    path = written([{"messages": CHAT}, {"messages": messages}, {"messages": CHAT}])
    bad: list[FormatError] = []
    assert len(list(read_dialogues(path, bot="ada", on_bad=bad.append))) == 2
    assert [(error.line, error.field) for error in bad] == [(2, field)]
    assert message in str(bad[0])


def test_the_user_can_be_judged_instead(written: Written) -> None:
    (by_name,) = read_dialogues(written([{"messages": CHAT}]), bot="human", judged="user")
    (by_number,) = read_dialogues(written([{"messages": CHAT}]), bot="human", speaker_index=0)
    assert by_name == by_number
    assert by_name.speakers == (Speaker("user", "human"), Speaker("assistant"))


@given(dialogue=dialogues(max_speakers=2))
@with_files
def test_nothing_that_was_said_is_altered_by_writing_and_reading(tmp_path: Path, dialogue: Dialogue) -> None:
    write_dialogues([dialogue], tmp_path / "out.jsonl", format="openai")
    (read,) = read_dialogues(tmp_path / "out.jsonl", format="openai", bot=dialogue.bot)
    said = [(turn.speaker == dialogue.judged, turn.text, turn.image) for turn in dialogue.turns]
    assert [(turn.speaker == read.judged, turn.text, turn.image) for turn in read.turns] == said
    assert read.context == dialogue.context


@given(texts=st.lists(st.sampled_from(["Yes.", "No."]), min_size=1, max_size=6))
@with_files
def test_ids_are_made_from_content_and_repeats_are_numbered(written: Written, texts: list[str]) -> None:
    path = written([{"messages": [{"role": "assistant", "content": text}]} for text in texts])
    first, again = ([chat.id for chat in read_dialogues(path, bot="ada")] for _ in range(2))
    assert first == again
    assert len(set(first)) == len(texts)
    assert all(key.startswith("ada:") for key in first)
