import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import (
    Dialogue,
    Turn,
    dialogue_record,
    dump_dialogue,
    read_dialogues,
    write_dialogues,
)
from duologue.errors import FormatError, NewerFormat
from tests.dialogues.conftest import Written
from tests.strategies import FAULTS, bad_lines, dialogues, with_files, without_deadline


@given(records=st.lists(dialogues(), min_size=1, max_size=4))
@with_files
def test_what_is_written_is_read_again(tmp_path: Path, records: list[Dialogue]) -> None:
    assert write_dialogues(records, tmp_path / "d.jsonl") == len(records)
    assert list(read_dialogues(tmp_path / "d.jsonl", format="duologue")) == records


@given(dialogue=dialogues())
@without_deadline
def test_a_line_is_the_json_of_the_record(dialogue: Dialogue) -> None:
    line, plain = dump_dialogue(dialogue), json.dumps(dialogue_record(dialogue), ensure_ascii=False)
    assert line == plain or "\\ud800" in line
    assert json.loads(line) == json.loads(plain)


@given(bad=bad_lines())
@with_files
def test_a_bad_line_is_refused_with_its_file_line_and_field(written: Written, bad: tuple[str, str]) -> None:
    line, field = bad
    path = written(line + "\n")
    with pytest.raises(FormatError) as caught:
        list(read_dialogues(path, format="duologue"))
    assert (caught.value.path, caught.value.line, caught.value.field) == (path, 1, field)


@pytest.mark.parametrize("fault", FAULTS)
def test_every_kind_of_bad_line_is_left_out_and_the_next_one_read(
    written: Written, tea: Dialogue, fault: str
) -> None:
    record = json.loads(dump_dialogue(tea))
    spoil, field = FAULTS[fault]
    spoil(record)
    path = written([record, dialogue_record(tea)])
    bad: list[FormatError] = []
    assert list(read_dialogues(path, on_bad=bad.append)) == [tea]
    assert [(error.line, error.field) for error in bad] == [(1, field)]


def test_a_later_version_is_refused_by_name(written: Written, tea: Dialogue) -> None:
    path = written([{**dialogue_record(tea), "format": "duologue.dialogue/2"}])
    with pytest.raises(NewerFormat, match=r"duologue\.dialogue/2; this Duologue reads up to"):
        list(read_dialogues(path, on_bad=lambda error: None))


def test_fields_nobody_knows_are_kept(written: Written, tea: Dialogue) -> None:
    record = {**dialogue_record(tea), "topic": ["tea"]}
    (read,) = read_dialogues(written([record]))
    assert read == replace(tea, extras={"topic": ["tea"]})


def test_a_field_in_two_places_is_refused(written: Written, tea: Dialogue) -> None:
    record = {**dialogue_record(tea), "topic": 1, "extras": {"topic": 2}}
    with pytest.raises(FormatError, match="each field once"):
        list(read_dialogues(written([record])))


def test_extras_of_a_turn_stand_beside_its_text(tea: Dialogue) -> None:
    turns = (Turn("A", "Hi!", extras={"mood": "good"}),)
    record = json.loads(dump_dialogue(replace(tea, turns=turns)))
    assert record["turns"] == [{"speaker": "A", "text": "Hi!", "mood": "good"}]


def test_half_a_surrogate_pair_in_extras_survives(tmp_path: Path, tea: Dialogue) -> None:
    odd = replace(tea, extras={"raw": "\ud800é"})
    write_dialogues([odd], tmp_path / "d.jsonl")
    assert list(read_dialogues(tmp_path / "d.jsonl")) == [odd]


def test_the_judged_speaker_cannot_be_said_otherwise_by_number(written: Written, tea: Dialogue) -> None:
    path = written([dialogue_record(tea)])
    assert list(read_dialogues(path, speaker_index=0)) == [tea]
    for index in (1, 2):
        with pytest.raises(FormatError, match="leave --speaker-index out"):
            list(read_dialogues(path, speaker_index=index))


def test_only_acute_pairings_have_a_use_for_a_speaker_map(written: Written, tea: Dialogue) -> None:
    with pytest.raises(FormatError, match="expected ACUTE pairings"):
        read_dialogues(written([dialogue_record(tea)]), speaker_map={"B": "A"})


@pytest.mark.parametrize(("field", "value"), [("bot", "bob"), ("kind", "self-chat"), ("judged", "B")])
def test_what_the_file_says_itself_cannot_be_said_otherwise(
    written: Written, tea: Dialogue, field: str, value: str
) -> None:
    with pytest.raises(FormatError, match=f"leave --{field} out"):
        list(read_dialogues(written([dialogue_record(tea)]), **{field: value}))  # type: ignore[arg-type]
