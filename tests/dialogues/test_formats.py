import json

import pytest

from duologue.dialogues import FORMATS, Dialogue, Json, detect_format, dialogue_record, read_dialogues
from duologue.errors import FormatError, UnknownFormat
from tests.dialogues.conftest import Written

BEGINNINGS: dict[str, list[Json] | str] = {
    "acute": [{"speakers_to_eval": [], "dialogue_dicts": []}],
    "parlai": [{"dialog": []}],
    "convai2-logs": [{"dialog": [], "eval_score": 4}],
    "openai": [{"messages": []}],
    "sharegpt": [{"conversations": []}],
    "turns": [{"dialogue": "d1", "turn": 1, "candidates": []}],
    "duologue": [{"format": "duologue.dialogue/7"}],
    "convai2": "1 your persona: i like tea.\n",
    "parlai-text": "text:hi\tlabels:hello\n",
    "topical-chat": [{"t_1": {"content": [], "config": "A"}}],
    "transcript": "Ann: Hi!\nMint: Hello.\nAnn: Tea?\n",
}


def test_every_format_has_a_beginning_here() -> None:
    assert set(BEGINNINGS) == set(FORMATS)


@pytest.mark.parametrize("name", BEGINNINGS)
def test_a_format_is_recognised_by_what_stands_in_the_file(written: Written, name: str) -> None:
    assert detect_format(written(BEGINNINGS[name], "file")) == name


@pytest.mark.parametrize("name", BEGINNINGS.keys() - {"topical-chat"})  # whose file is one object
def test_a_format_is_recognised_after_a_bad_line_and_a_byte_order_mark(written: Written, name: str) -> None:
    content = BEGINNINGS[name]
    text = content if isinstance(content, str) else "".join(json.dumps(record) + "\n" for record in content)
    assert detect_format(written(b"\xef\xbb\xbf\xff\n" + text.encode())) == name


@pytest.mark.parametrize("name", ["sharegpt", "openai", "acute"])
def test_a_format_is_recognised_in_a_list_of_one_long_line(written: Written, name: str) -> None:
    content = BEGINNINGS[name]
    assert isinstance(content, list)
    filler = [{**dict(content[0]), "filler": "x" * 3_000_000}]  # type: ignore[call-overload]
    assert detect_format(written(json.dumps(filler))) == name


@pytest.mark.parametrize("content", ["hello\n", '{"a": 1}\n', "[]", "id,text\n1,hi\n"])
def test_what_nobody_knows_is_refused_with_the_names_of_the_known(written: Written, content: str) -> None:
    with pytest.raises(UnknownFormat, match="none of duologue, acute, convai2-logs, parlai"):
        detect_format(written(content))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "an empty file"),
        (b"\xef\xbb\xbf \n\n", "an empty file"),
        (b'{"format": "duologue.dia', "cut off"),
        (b"\xff\xfe{\0", "UTF-16"),
        (b"7\n[1]\n", "expected a JSON object and found a number"),
    ],
)
def test_a_file_that_is_broken_from_the_beginning_says_how(
    written: Written, content: bytes, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        detect_format(written(content))


def test_the_format_can_be_forced(written: Written) -> None:
    with pytest.raises(FormatError, match="conversations: expected a list and found no such field"):
        list(read_dialogues(written([{"messages": []}]), format="sharegpt", bot="ada"))


def test_a_forced_format_must_be_known(written: Written, tea: Dialogue) -> None:
    with pytest.raises(UnknownFormat, match="There is no format 'csv'"):
        read_dialogues(written([dialogue_record(tea)]), format="csv")


def test_an_empty_file_is_refused_whatever_the_format(written: Written) -> None:
    with pytest.raises(FormatError, match="an empty file"):
        read_dialogues(written("\n"), format="openai")
