"""Items as a file: round trip, and clear errors."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from duologue.errors import FormatError, NewerFormat
from duologue.protocols import CHAT, ChatPlan, Item, drafting_items, item_text, read_items, write_items

names = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=8)
pairs = st.tuples(names, names)
items = (
    st.builds(
        Item,
        id=names,
        group=names,
        bots=pairs,
        dialogues=pairs,
        judged=pairs,
        extras=st.dictionaries(names, st.integers() | names, max_size=2),
    )
    | st.builds(
        Item,
        id=names,
        group=names,
        bots=pairs,
        dialogues=pairs,
        judged=pairs,
        role=st.sampled_from(("onboarding", "attention")),
        gold=st.recursive(
            st.none() | st.booleans() | st.integers(0, 3) | names,
            lambda inner: st.lists(inner, max_size=2) | st.dictionaries(names, inner, max_size=2),
            max_leaves=4,
        ),
        block=st.just("") | names,
    )
    | st.builds(
        Item,
        id=names,
        group=names,
        bots=st.just(()),
        dialogues=st.just(()),
        judged=st.just(()),
        cohorts=st.lists(st.just("") | names, max_size=2).map(tuple),
        slots=st.integers(1, 20),
        extras=st.dictionaries(names, st.integers() | names, max_size=2),
    )
)

HEADER = '{"format": "duologue.items/1"}\n'
GOOD = '{"id":"i","group":"g","bots":["a","b"],"dialogues":["x","y"],"judged":["p","q"]}'


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(items, max_size=4))
def test_items_come_back_as_they_were_written(tmp_path: Path, many: list[Item]) -> None:
    path = tmp_path / "pairings.jsonl"
    assert write_items(many, path) == len(many)
    assert list(read_items(path)) == many
    assert not list(tmp_path.glob("*.tmp"))


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "pairings.jsonl"
    write_items([], path)

    def broken() -> list[Item]:
        raise RuntimeError("half-way")

    with pytest.raises(RuntimeError):
        write_items((item for item in [*broken()]), path)
    assert list(read_items(path)) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", None),
        ("[1]\n", "line 1: expected a JSON object and found list"),
        ("nonsense\n", "line 1: expected a JSON object"),
        ('{"is_onboarding": false}\n', "a command of the protocol"),
        (HEADER + "3\n", "line 2: expected a JSON object and found int"),
        (HEADER + GOOD.replace('"i"', "7") + "\n", "line 2, id: expected a string"),
        (HEADER + GOOD.replace('["a","b"]', '["a",1]') + "\n", "line 2, bots: expected a list of strings"),
        (HEADER + GOOD.replace('["a","b"]', '"ab"') + "\n", "line 2, bots: expected a list of strings"),
        (HEADER + GOOD.replace('["a","b"]', '["a"]') + "\n", "as many bots as dialogues"),
        (HEADER + GOOD.replace("}", ',"block":2}') + "\n", "block: expected a string"),
        (HEADER + GOOD.replace("}", ',"factor":2}') + "\n", "factor: expected a string"),
        (HEADER + GOOD.replace("}", ',"cohorts":[2]}') + "\n", "cohorts: expected a list of strings"),
        (HEADER + GOOD.replace("}", ',"slots":true}') + "\n", "slots: expected a number of things"),
        (HEADER + GOOD.replace("}", ',"slots":-1}') + "\n", "slots: expected a number of things"),
        (HEADER + GOOD.replace("}", ',"slots":2}') + "\n", "as many bots as dialogues"),
        (HEADER + GOOD.replace("}", ',"role":"x"}') + "\n", "role: expected one of judged, onboarding"),
        (HEADER + GOOD.replace("}", ',"role":[]}') + "\n", "role: expected one of judged, onboarding"),
        (
            HEADER + GOOD.replace("}", ',"is_onboarding":true}') + "\n",
            'line 2, is_onboarding: expected "role": "onboarding" in its place',
        ),
        (HEADER + GOOD.replace("}", ',"extras":3}') + "\n", "extras: expected an object"),
    ],
)
def test_a_bad_file_says_where_and_what(tmp_path: Path, text: str, says: str | None) -> None:
    path = tmp_path / "pairings.jsonl"
    path.write_text(text, encoding="utf-8")
    if says is None:
        assert list(read_items(path)) == []
        return
    with pytest.raises(FormatError) as caught:
        list(read_items(path))
    assert says in str(caught.value)
    assert str(path) in str(caught.value)


def test_a_newer_file_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "pairings.jsonl"
    path.write_text('{"format": "duologue.items/9"}\n', encoding="utf-8")
    with pytest.raises(NewerFormat, match=r"duologue\.items/9"):
        list(read_items(path))


def test_a_file_whose_header_was_dropped_says_what_to_write_above_its_items(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(item_text(Item("p", "g", ("a",), ("d",), ("A",))) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=r"is an item already: write .* on a line of its own above it"):
        list(read_items(path))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="expected a file of items"):
        list(read_items(tmp_path / "pairings.jsonl"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"\xff", "UTF-8"),
        (b"[" * 5000, "nested too deeply"),
        (b'{"id": "\\ud800", "group": "g", "bots": ["a"], "dialogues": ["d"], "judged": ["A"]}', "half"),
        (
            b'{"id": "i", "group": "g", "bots": ["\\u0000"], "dialogues": ["d"], "judged": ["A"]}',
            "without NUL",
        ),
        (b'{"id": ' + b"9" * 5000 + b"}", "a JSON object"),
    ],
)
def test_a_line_that_no_database_can_hold_is_refused(tmp_path: Path, line: bytes, said: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(b'{"format": "duologue.items/1"}\n' + line + b"\n")
    with pytest.raises(FormatError, match=rf"line 2.*{said}"):
        list(read_items(path))


def test_items_take_their_place_when_the_block_ends_well(tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    item = Item("i", "g", ("a",), ("d",), ("A",))
    with pytest.raises(RuntimeError), drafting_items([item], path):
        raise RuntimeError
    assert not list(tmp_path.iterdir())
    with drafting_items([item], path) as count:
        assert (count, path.exists()) == (1, False)
    assert list(read_items(path)) == [item]


@pytest.mark.parametrize(
    ("said", "role"),
    [
        ("", "judged"),
        (',"role":"judged"', "judged"),
        (',"role":"onboarding"', "onboarding"),
        (',"role":"attention"', "attention"),
    ],
)
def test_the_role_of_an_item_is_read(tmp_path: Path, said: str, role: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(HEADER + GOOD.replace("}", said + "}") + "\n", encoding="utf-8")
    (item,) = read_items(path)
    assert (item.role, item.is_judged, item.is_onboarding) == (role, role == "judged", role == "onboarding")


def test_a_live_chat_that_cannot_be_held_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    plan = ChatPlan(choose="one", histories="own")
    write_items([Item("i", "g", ("ada", "bea"), (), (), extras={CHAT: plan.record()})], path)
    with pytest.raises(FormatError, match=r"line 2.*no reply in common"):
        list(read_items(path))


def test_the_line_of_an_item_is_what_would_be_written_and_a_copy_writes_its_own(tmp_path: Path) -> None:
    made = Item("p1", "ada__vs__bea", ("ada", "bea"), ("d1", "d2"), ("A", "B"))
    write_items([made], tmp_path / "items.jsonl")
    (read,) = read_items(tmp_path / "items.jsonl")
    assert read == made
    assert read.line == item_text(read) == item_text(made)
    assert item_text(replace(read, id="p2")) == item_text(replace(made, id="p2"))
