import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Json, json_values, read_dialogues
from duologue.dialogues.json_values import dump_json
from duologue.dialogues.sources import Source
from duologue.errors import FormatError
from tests import strategies
from tests.dialogues.conftest import Written
from tests.strategies import with_files, without_deadline

objects = st.dictionaries(st.text(max_size=3), strategies.json_values, max_size=3)


def values(path: Path) -> list[Json | FormatError]:
    return [value for _, value in json_values.json_values(Source(path))]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("chunk", [1, 7, 2**16])
@given(records=st.lists(objects | st.integers(), max_size=4))
@with_files
def test_a_list_gives_its_entries_however_it_is_cut(
    written: Written, records: list[Json], indent: int | None, chunk: int
) -> None:
    path = written(json.dumps(records, indent=indent, ensure_ascii=False))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_values, "_CHUNK", chunk)
        assert values(path) == records


@given(records=st.lists(objects, min_size=1, max_size=4))
@with_files
def test_json_lines_give_a_value_a_line(written: Written, records: list[Json]) -> None:
    path = written("\n\n".join(json.dumps(record) for record in records))
    found = list(json_values.json_values(Source(path)))
    assert found == [(2 * number + 1, record) for number, record in enumerate(records)]


def test_one_object_over_many_lines_is_one_value(written: Written) -> None:
    record = {"a": [1, {"b": "x"}], "c": None}
    assert values(written(json.dumps(record, indent=2))) == [record]


def test_objects_over_many_lines_may_follow_each_other(written: Written) -> None:
    first, second = {"a": [1]}, {"b": {"c": 2}}
    path = written(json.dumps(first, indent=1) + "\n" + json.dumps(second, indent=1))
    assert list(json_values.json_values(Source(path))) == [(1, first), (6, second)]


def test_a_list_on_a_line_among_others_is_a_value(written: Written) -> None:
    assert values(written('[1]\n{"a": 2}\n')) == [[1], {"a": 2}]


def test_entries_of_a_list_know_their_lines(written: Written) -> None:
    path = written(json.dumps([{"a": 1}, {"b": 2}], indent=1))
    assert [line for line, _ in json_values.json_values(Source(path))] == [2, 5]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('{"a": 1}\n{"a": \n{"a": 3}\n', 2, "cut off"),
        ('{"a": 1}\n{"a" 2}\n', 2, "column 6"),
        ('{"a": 1}\nnot json\n', 2, "expected JSON"),
        ('{"a": 1}\n{"a": "x\n', 2, "cut off"),
        ('{"a": 1}\n' + "[" * 100_000 + "\n", 2, "nested too deeply"),
        ('{"a": 1}\n{"n": ' + "9" * 5000 + "}\n", 2, "4300 digits"),
        ('{"a": 1}\n{"b": [{"a": 2, "a": 3}]}\n', 2, "a: expected each field once in an object"),
        ('[{"a": 1},\n{"b": 2, "b": 3}]', 2, "b: expected each field once in an object"),
        ('[{"a": 1},\n{"a": 2}', 2, "end of the file"),
        ('[{"a": 1}\n{"a": 2}]', 2, "a comma or the end of the list"),
        ('[{"a": 1},\n{"a": "x', 2, "cut off"),
        ('[{"a": 1},\n\n{"a" 2}]', 3, "Nothing after this place can be read"),
        ('[{"a": 1}\n]\n{"a": 2}', 3, "the end of the file after the list"),
        ('[{"a": 1},\n{"a": ' + "9" * 5000 + "}]", 2, "4300 digits"),
        ('[{"a": 1},\n' + "[" * 100_000 + "]", 2, "nested too deeply"),
        ('[{"a": 1},\n{"a": "x\0y"}]', 2, "a NUL byte"),
    ],
)
def test_broken_json_is_described_where_it_breaks(
    written: Written, text: str, line: int, message: str
) -> None:
    found = [value for value in values(written(text)) if isinstance(value, FormatError)]
    assert found[0].line == line
    assert message in str(found[0])
    assert values(written(text))[0] == {"a": 1}


def test_broken_utf8_in_a_list_names_the_line(written: Written) -> None:
    first, error = values(written(b'[{"a": 1},\n{"a": "\xff"}]'))
    assert first == {"a": 1}
    assert isinstance(error, FormatError)
    assert (error.line, error.got) == (2, "byte 0xff")


def test_an_entry_too_long_for_memory_is_refused(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "MAX_RECORD_BYTES", 100_000)
    (error,) = values(written('[{"a": "' + "x" * 500_000 + '"}]'))
    assert "entries of at most 100000 bytes" in str(error)


def test_the_first_line_of_json_lines_may_be_the_broken_one(written: Written) -> None:
    broken, whole = values(written('{"a": [1,\n{"a": 2}\n'))
    assert isinstance(broken, FormatError)
    assert whole == {"a": 2}


@given(value=strategies.json_values)
@without_deadline
def test_a_dumped_value_is_one_readable_line(value: Json) -> None:
    text = dump_json(value)
    assert json.loads(text) == value
    assert "\n" not in text


def test_half_a_surrogate_pair_is_escaped() -> None:
    assert dump_json(["é", "\ud800"]) == '["\\u00e9", "\\ud800"]'
    assert dump_json(["é"]) == '["é"]'


def test_a_bad_record_in_a_list_on_one_line_is_named_by_its_number(written: Written) -> None:
    good = {"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
    bad = {"messages": [{"role": "cook", "content": "Hi"}]}
    with pytest.raises(FormatError, match=r"line 1, record 3, messages\[0\]"):
        list(read_dialogues(written(json.dumps([good, good, bad]).encode()), bot="ada"))
    with pytest.raises(FormatError, match=r"line 3, messages\[0\]"):
        list(read_dialogues(written(f"[\n{json.dumps(good)},\n{json.dumps(bad)}]".encode()), bot="ada"))
