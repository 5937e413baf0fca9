import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from duologue.dialogues import Dialogue, Json, Speaker, read_dialogues, write_dialogues
from duologue.errors import FormatError, MissingDetail
from tests.dialogues.conftest import Written
from tests.strategies import dialogues, with_files


def act(speaker: str, text: str, **more: Json) -> dict[str, Json]:
    return {"id": speaker, "text": text, "episode_done": False, **more}


SELF_CHAT: dict[str, Any] = {
    "dialog": [
        [act("Gen_1", "hi .", beam_texts=[["hi .", -1.5]]), act("Gen_2", "hello .")],
        [act("Gen_1", "tea ?"), act("Gen_2", "yes .")],
    ],
    "context": [act("context", "your persona: i like tea."), act("context", "your persona: i am brief.")],
    "metadata_path": "/far/away/log.metadata",
}
LIVE_CHAT: dict[str, Any] = {
    "dialog": [
        [act("context", "your persona: i like tea."), act("context", "your persona: i like tea.")],
        [act("human_evaluator", "Hi!"), act("ada", "Hello!")],
    ]
}


def test_in_a_self_chat_the_first_side_is_judged(written: Written) -> None:
    (chat,) = read_dialogues(written([SELF_CHAT]), bot="gen")
    assert (chat.kind, chat.judged) == ("self-chat", "Gen_1")
    assert chat.speakers == (Speaker("Gen_1", "gen"), Speaker("Gen_2", "gen"))
    assert [turn.text for turn in chat.turns] == ["hi .", "hello .", "tea ?", "yes ."]
    assert chat.turns[0].extras == {"episode_done": False, "beam_texts": [["hi .", -1.5]]}
    assert chat.context == ("your persona: i like tea.", "your persona: i am brief.")


def test_the_other_side_is_judged_when_said(written: Written) -> None:
    (chat,) = read_dialogues(written([SELF_CHAT]), bot="gen", speaker_index=1)
    assert chat.judged == "Gen_2"


def test_a_side_that_is_not_there_is_refused(written: Written) -> None:
    with pytest.raises(FormatError, match=r"a speaker number 2, counted from 0 and found 2 speakers"):
        list(read_dialogues(written([SELF_CHAT]), bot="gen", speaker_index=2))


def test_in_a_live_chat_the_bot_is_judged_and_context_is_no_turn(written: Written) -> None:
    (chat,) = read_dialogues(written([LIVE_CHAT]), bot="ada")
    assert (chat.kind, chat.judged) == ("live-chat", "ada")
    assert chat.speakers == (Speaker("human_evaluator"), Speaker("ada", "ada"))
    assert [turn.text for turn in chat.turns] == ["Hi!", "Hello!"]
    assert chat.context == ("your persona: i like tea.",)


def test_two_strangers_leave_open_who_is_judged(written: Written) -> None:
    path = written([{"dialog": [[act("ada", "Hi!"), act("bob", "Hello!")]]}])
    with pytest.raises(MissingDetail, match=r"which of its speakers is judged \(ada, bob\)"):
        list(read_dialogues(path, bot="ada"))
    (chat,) = read_dialogues(path, bot="ada", judged="bob")
    assert chat.judged == "bob"


def test_an_unknown_judged_speaker_is_refused(written: Written) -> None:
    with pytest.raises(FormatError, match=r"line 1, judged: expected one of the speakers"):
        list(read_dialogues(written([LIVE_CHAT]), bot="ada", judged="eve"))


def test_metadata_beside_the_log_say_the_kind_and_the_order(written: Written) -> None:
    metadata = {"self_chat": True, "speakers": ["bob", "ada"], "version": "0.1", "date": "", "opt": {}}
    written(json.dumps(metadata), "log.metadata")
    (chat,) = read_dialogues(written([{"dialog": [[act("ada", "Hi!"), act("bob", "Hello!")]]}]), bot="x")
    assert (chat.kind, chat.judged) == ("self-chat", "bob")


def test_the_metadata_path_in_the_log_is_never_followed(written: Written, tmp_path: Path) -> None:
    trap = written("not metadata", "trap.metadata")
    (chat,) = read_dialogues(written([LIVE_CHAT | {"metadata_path": str(trap)}]), bot="ada")
    assert chat.kind == "live-chat"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"self_chat": 1}', '{"speakers": "ada"}', "\xff"])
def test_broken_metadata_are_named(written: Written, content: str) -> None:
    path = written(content.encode("latin-1"), "log.metadata")
    with pytest.raises(FormatError, match=str(path)):
        list(read_dialogues(written([LIVE_CHAT]), bot="ada", on_bad=lambda error: None))


def test_model_chat_files_name_the_bot_and_list_acts_one_by_one(written: Written) -> None:
    record = {
        "dialog": [act("Worker", "Hi!", fake_start=True), act("Generator", "Hello!")],
        "task_description": {"model_nickname": "blend"},
    }
    (chat,) = read_dialogues(written(json.dumps(record, indent=2)))
    assert (chat.bot, chat.judged) == ("blend", "Generator")


@pytest.mark.parametrize(
    ("dialog", "field"),
    [
        ([[act("a", "Hi!"), act("human", "")]], "dialog[0][1].text"),
        ([[act("a", "Hi!"), {"id": "human"}]], "dialog[0][1].text"),
        ([[act("a", "Hi!"), {"text": "Hi!"}]], "dialog[0][1].id"),
        ([[act("a", "Hi!"), "Hi!"]], "dialog[0][1]"),
        ([act("a", "Hi!"), 7], "dialog[1]"),
        ([[act("a", "Hi!", image_src=7)]], "dialog[0][0].image_src"),
    ],
)
def test_a_bad_act_is_named(written: Written, dialog: list[Any], field: str) -> None:
    bad: list[FormatError] = []
    path = written([LIVE_CHAT, {"dialog": dialog}, LIVE_CHAT])
    assert len(list(read_dialogues(path, bot="ada", on_bad=bad.append))) == 2
    assert [(error.line, error.field) for error in bad] == [(2, field)]


def test_a_log_is_written_again_as_it_was(written: Written, tmp_path: Path) -> None:
    chats = list(read_dialogues(written([SELF_CHAT]), bot="gen"))
    clock = lambda: datetime(2020, 12, 4, tzinfo=UTC)  # noqa: E731
    write_dialogues(chats, tmp_path / "out.jsonl", format="parlai", clock=clock)
    record = json.loads((tmp_path / "out.jsonl").read_text())
    assert record.pop("id") == chats[0].id
    assert record == {key: value for key, value in SELF_CHAT.items() if key != "metadata_path"}
    assert json.loads((tmp_path / "out.metadata").read_text()) == {
        "date": "2020-12-04 00:00:00+00:00",
        "opt": {},
        "self_chat": True,
        "speakers": ["Gen_1", "Gen_2"],
        "version": "0.1",
    }


@given(dialogue=dialogues())
@with_files
def test_nothing_that_was_said_is_altered_by_writing_and_reading(tmp_path: Path, dialogue: Dialogue) -> None:
    path = tmp_path / "out.jsonl"
    write_dialogues([dialogue], path, format="parlai")
    (read,) = read_dialogues(
        path, format="parlai", bot=dialogue.bot, kind=dialogue.kind, judged=dialogue.judged
    )
    said = [(turn.speaker, turn.text, turn.image) for turn in dialogue.turns]
    assert [(turn.speaker, turn.text, turn.image) for turn in read.turns] == said
    assert read.context == tuple(dict.fromkeys(dialogue.context))


def test_a_log_without_exchanges_is_named(written: Written) -> None:
    with pytest.raises(FormatError, match="line 1, dialog: expected a list of exchanges"):
        list(read_dialogues(written([{"text": "hi"}]), format="parlai", bot="ada"))
