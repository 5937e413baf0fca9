"""Plain transcripts: names in front of what is said, and who of them is which bot."""

from pathlib import Path

import pytest

from duologue.dialogues import Dialogue, detect_format, read_dialogues
from duologue.errors import FormatError, MissingDetail
from tests.dialogues.conftest import Written

SHARED = Path(__file__).parents[3] / "shared" / "data" / "meena_chats"

MARKED = """
Mint Conversation 1
Human: Hi!
Mint: Hello: tea?
more tea?

a second paragraph

Mint Conversation 2
Mint: Good day.
Human: http://tea.example is nice
"""
BLANK = "Ann: Hi!\nBob 2: Hello.\n\nAnn: Again?\nBob 2: Again.\n---\nAnn: Last?\nBob 2: Last.\n"


def said(dialogue: Dialogue) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in dialogue.turns]


def test_a_marker_before_each_dialogue_divides_them(written: Written) -> None:
    path = written(MARKED)
    assert detect_format(path) == "transcript"
    first, second = read_dialogues(path)
    assert said(first) == [("Human", "Hi!"), ("Mint", "Hello: tea?\nmore tea?\na second paragraph")]
    assert said(second) == [("Mint", "Good day."), ("Human", "http://tea.example is nice")]
    assert (first.bot, first.judged, first.kind) == ("Mint", "Mint", "live-chat")
    assert first.extras["title"] == "Mint Conversation 1"


def test_blank_lines_and_rules_divide_dialogues_without_markers(written: Written) -> None:
    dialogues = list(read_dialogues(written(BLANK), speaker_map={"Bob 2": "bob"}))
    assert [len(dialogue.turns) for dialogue in dialogues] == [2, 2, 2]
    assert {(dialogue.bot, dialogue.judged) for dialogue in dialogues} == {("bob", "Bob 2")}


def test_humans_are_mapped_to_a_bot_like_any_other(written: Written) -> None:
    path = written("Human 1: Hi!\nHuman 2: Hello.\nHuman 1: Tea?\n")
    (dialogue,) = read_dialogues(path, speaker_map={"Human 2": "human"})
    assert (dialogue.bot, dialogue.judged, dialogue.kind) == ("human", "Human 2", "human-human")
    with pytest.raises(MissingDetail, match="which bot its dialogues belong to"):
        list(read_dialogues(path))


def test_two_names_of_one_bot_are_a_self_chat(written: Written) -> None:
    path = written("B1: Hi there!\nB2: Hello.\nB1: Tea?\n")
    (dialogue,) = read_dialogues(path, speaker_map={"B1": "mint", "B2": "mint"})
    assert (dialogue.bot, dialogue.judged, dialogue.kind) == ("mint", "B1", "self-chat")
    (other,) = read_dialogues(path, speaker_map={"B1": "mint", "B2": "sage"}, judged="B2")
    assert (other.bot, other.judged) == ("sage", "B2")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ann: Hi!\nBob: Ho!\nNote: he left\n", "line 3: expected a turn by one of the speakers (Ann, Bob)"),
        ("Ann: Hi!\nBob: Ho!\n\nand then\nAnn: Hi!\n", "line 4: expected a name, a colon and what was said"),
        ("Ann: Hi!\nBob: \nAnn: Hi!\n", "turn of 'Bob' on line 2: expected what was said"),
        (
            "Cat: Hi!\nDan: Ho!\nCat: Hi!\n",
            "line 1: expected a speaker that --speaker names (Bob) and found Cat",
        ),
    ],
)
def test_a_bad_place_is_named(written: Written, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_dialogues(written(text), format="transcript", speaker_map={"Bob": "bob"}))
    assert message in str(caught.value)


def test_a_bad_dialogue_leaves_the_others(written: Written) -> None:
    bad: list[FormatError] = []
    text = "Ann: Hi!\nBob: Ho!\nNote: x\nNote: y\n\nAnn: Hi!\nBob: Ho!\n"
    assert len(list(read_dialogues(written(text), speaker_map={"Bob": "b"}, on_bad=bad.append))) == 1
    assert len(bad) == 1


def test_json_that_is_said_to_be_a_transcript_is_refused(written: Written) -> None:
    for text in ('[{"text": "hi"},\n{"text": "ho"}]\n', '{"a": "b: c"}\n{"a": "b: c"}\n', "\n[\n1]\n"):
        with pytest.raises(FormatError, match=r"expected a plain transcript \(Name: text\) and found JSON"):
            list(read_dialogues(written(text), format="transcript", speaker_map={"b": "b"}))


@pytest.mark.parametrize("first", ["[] Ann: hi", "{smiles} Ann: hi"])
def test_what_only_begins_like_json_is_read_where_it_is_said_to_be_a_transcript(
    written: Written, first: str
) -> None:
    path = written(f"{first}\nBob: hello\n{first}\nBob: yes\n")
    (found,) = read_dialogues(path, format="transcript", speaker_map={"Bob": "b"})
    assert [turn.text for turn in found.turns] == ["hi", "hello", "hi", "yes"]


@pytest.mark.parametrize("first", ["[10:02] hello", "[laughs]", "[1] A chat"])
def test_a_transcript_that_begins_with_a_bracket_is_no_json(written: Written, first: str) -> None:
    path = written(f"{first}\nAnn: Hi!\nBob: Ho!\nAnn: Tea?\nBob: Yes.\n")
    assert detect_format(path) == "transcript"
    (dialogue,) = read_dialogues(path, speaker_map={"Bob": "b"})
    assert [turn.text for turn in dialogue.turns] == ["Hi!", "Ho!", "Tea?", "Yes."]


def test_a_time_before_a_name_is_not_the_name(written: Written) -> None:
    path = written("[10:02] Ann: Hi!\n[10:03:07] Bob: Ho!\n[18.11.2026, 10:04] Ann: At 7:30?\n")
    assert detect_format(path) == "transcript"
    (dialogue,) = read_dialogues(path, speaker_map={"Bob": "b"})
    assert [turn.text for turn in dialogue.turns] == ["Hi!", "Ho!", "At 7:30?"]


def test_broken_bytes_leave_out_the_dialogue_they_are_in(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(b"Ann: Hi!\nBob: \xff\n\nAnn: Hi!\nBob: Ho!\n")
    bad: list[FormatError] = []
    found = list(read_dialogues(path, format="transcript", speaker_map={"Bob": "b"}, on_bad=bad.append))
    assert (len(found), [error.line for error in bad]) == (1, [2])


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared data are not here")
@pytest.mark.parametrize(
    ("file", "name", "dialogues"),
    [
        ("human", "Human 2", 95),
        ("meena", "Meena", 93),
        ("mitsuku", "Mitsuku", 100),
        ("xiaoice", "XiaoIce", 114),
    ],
)
def test_the_published_chats_are_read_as_they_are(file: str, name: str, dialogues: int) -> None:
    path = SHARED / f"{file}.txt"
    assert detect_format(path) == "transcript"
    assert len(list(read_dialogues(path, speaker_map={name: file}))) == dialogues
