import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import (
    MAX_TURN_CHARS,
    Dialogue,
    DialogueIndex,
    Turn,
    dialogue_record,
    index_dialogues,
    study_dialogues,
    turn_limit,
    write_dialogues,
)
from duologue.errors import FormatError, UnreadableFile
from tests.strategies import dialogues, with_files


def test_a_study_without_dialogues_has_none(study: Path) -> None:
    assert list(study_dialogues(study)) == []
    assert index_dialogues(study) == ()


@given(records=st.lists(dialogues(), max_size=5))
@with_files
def test_the_index_says_what_the_dialogues_say(study: Path, records: list[Dialogue]) -> None:
    (study / "dialogues").mkdir(exist_ok=True)
    write_dialogues(records, study / "dialogues" / "all.jsonl")
    expected = [DialogueIndex(one.id, one.bot, one.kind, one.judged) for one in study_dialogues(study)]
    assert list(index_dialogues(study)) == expected


def put(study: Path, text: str) -> None:
    (study / "dialogues").mkdir()
    (study / "dialogues" / "ada.jsonl").write_text(text)


def test_lines_written_by_hand_are_indexed_too(study: Path, tea: Dialogue) -> None:
    record = dialogue_record(tea)
    put(study, json.dumps(dict(reversed(record.items()))) + "\n\n" + json.dumps(record | {"id": "2"}))
    assert [row.id for row in index_dialogues(study)] == ["tea", "2"]


@pytest.mark.parametrize("read", [index_dialogues, lambda study: list(study_dialogues(study))])
@pytest.mark.parametrize(
    "spoil",
    [lambda text: text[:-20], lambda text: text.replace("live-chat", "chat"), lambda text: "x" + text],
)
def test_a_file_that_somebody_spoilt_is_named(
    study: Path, tea: Dialogue, read: object, spoil: object
) -> None:
    assert callable(read)
    assert callable(spoil)
    put(
        study,
        json.dumps(dialogue_record(replace(tea, id="1"))) + "\n" + spoil(json.dumps(dialogue_record(tea))),
    )
    with pytest.raises(FormatError, match=r"ada\.jsonl, line 2"):
        read(study)


def test_a_name_that_is_not_text_is_named(study: Path, tea: Dialogue) -> None:
    put(study, "")
    line = json.dumps(dialogue_record(tea)).encode()
    (study / "dialogues" / "ada.jsonl").write_bytes(line.replace(b'"tea"', b'"t\xff"') + b"\n")
    with pytest.raises(FormatError, match=r"ada\.jsonl, line 1: expected text in UTF-8"):
        index_dialogues(study)


def test_a_file_that_cannot_be_read_is_named(study: Path) -> None:
    (study / "dialogues" / "ada.jsonl").mkdir(parents=True)
    with pytest.raises(UnreadableFile, match=r"ada\.jsonl"):
        index_dialogues(study)


def test_a_long_turn_that_was_allowed_in_is_read(study: Path, tea: Dialogue) -> None:
    put(study, json.dumps(dialogue_record(replace(tea, turns=(Turn("A", "x" * 200_000),)))) + "\n")
    assert len(list(study_dialogues(study))) == 1


def test_hidden_files_are_no_dialogues(study: Path) -> None:
    put(study, "")
    (study / "dialogues" / ".ada.jsonl.part").write_text("half")
    (study / "dialogues" / ".swp.jsonl").write_text("half")
    assert list(study_dialogues(study)) == []


@pytest.mark.parametrize(
    ("file", "limit"),
    [
        ("[study]\nmax_turn_chars = 7\n", 7),
        ("[study]\n", MAX_TURN_CHARS),
        ("[study]\nmax_turn_chars = 0\n", MAX_TURN_CHARS),
        ("study = 3\n", MAX_TURN_CHARS),
        ("nonsense", MAX_TURN_CHARS),
    ],
)
def test_the_study_file_says_how_long_a_turn_may_be(tmp_path: Path, file: str, limit: int) -> None:
    (tmp_path / "study.toml").write_text(file)
    assert turn_limit(tmp_path) == limit
    assert turn_limit(tmp_path / "nowhere") == MAX_TURN_CHARS
