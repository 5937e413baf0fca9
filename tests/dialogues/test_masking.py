"""Names hidden in dialogues, and what was said kept beside."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import (
    Dialogue,
    Speaker,
    Turn,
    import_dialogues,
    mask_again,
    mask_dialogues,
    mask_names,
    masked_names,
    name_leaks,
    study_dialogues,
    unmasked,
    write_dialogues,
)
from duologue.errors import DesignError
from tests.strategies import dialogues

NAMED = Dialogue(
    "d1",
    "ada",
    "live-chat",
    "A",
    (Speaker("A", "ada"), Speaker("B")),
    (Turn("A", "I am Ada, ADA!", extras={"at": 3}), Turn("B", "Hello from Canada.")),
    context=("You are ada.",),
    extras={"source": "logs"},
)
PLAIN = replace(NAMED, id="d2", turns=(Turn("A", "Hello!"),), context=())


@pytest.fixture
def study(tmp_path: Path) -> Path:
    (tmp_path / "study.toml").touch()
    write_dialogues([NAMED, PLAIN], tmp_path / "log.jsonl")
    import_dialogues([tmp_path / "log.jsonl"], tmp_path)
    return tmp_path


def test_a_name_becomes_a_placeholder_and_the_text_is_kept() -> None:
    masked = mask_names(NAMED, ["ada"])
    assert [turn.text for turn in masked.turns] == [
        "I am [name hidden], [name hidden]!",
        "Hello from Canada.",
    ]
    assert masked.context == ("You are [name hidden].",)
    assert masked_names(masked) == {"ada": "[name hidden]"}
    assert name_leaks([masked]) == ()
    assert unmasked(masked) == NAMED


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpt-4", "I am GPT-4!"),
        ("gpt-4", "I am GPT4!"),
        ("gpt-4", "I am gpt 4!"),
        ("gpt-4", "I am gpt_4!"),
        ("gpt-4", "I am gpt\u20114!"),
        ("gpt4", "I am GPT-4!"),
        ("blender_bot-3", "I am BlenderBot 3!"),
        ("-", "I am -!"),
    ],
)
def test_a_name_is_found_however_its_parts_are_joined(name: str, text: str) -> None:
    said = Dialogue("d1", name, "live-chat", "A", (Speaker("A"),), (Turn("A", text),))
    assert mask_names(said, [name]).turns[0].text == "I am [name hidden]!"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("gpt-4", "gpt-40"),
        ("gpt-4", "egpt4"),
        ("gpt-4", "gpt, 4"),
        ("b2", "vitamin b 2"),
        ("mint", "minty"),
        ("ice", "\u6211xiaoice"),
    ],
)
def test_no_other_word_is_taken_for_a_name(name: str, text: str) -> None:
    said = Dialogue("d1", name, "live-chat", "A", (Speaker("A"),), (Turn("A", text),))
    assert mask_names(said, [name]) is said


@pytest.mark.parametrize(
    ("name", "text", "is_name"),
    [
        ("human", "They were non-human creatures.", False),
        ("human", "human-like, i would say", False),
        ("human", "a human-robot team", False),
        ("parrot", "parrot-like, i would say", False),
        ("parrot", "a self-parrot of sorts", False),
        ("xiaoice", "\u5fae\u4fe1\u53f7\uff1axiaoice-ms", True),
        ("xiaoice", "\u6211\u662fxiaoice\u5440", True),
        ("\u5c0f\u51b0", "\u6211\u53eb\u5c0f\u51b0\u3002", True),
        ("ada", "Write to Ada-2020.", True),
        ("human", "I am only human.", False),
        ("human", "the human said hi", False),
        ("human", "Human: hi there", True),
        ("human", "well ,\nhuman : hi there", True),
        ("human", "My name is Human.", True),
        ("parrot", "I have a parrot.", False),
        ("parrot", "Do you like parrot food?", False),
        ("parrot", "my parrot can talk", False),
        ("parrot", "do you like parrot ?", True),
        ("parrot", "Ask Parrot about it.", True),
        ("parrot", "I HAD A PARROT", False),
        ("parrot", "HELLO PARROT", True),
        ("meena", "hi , i ' m meena .", True),
        ("meena", "Hey meena, what is up?", True),
        ("meena", "People called meena are rare.", True),
        ("ada", "You are ada.", True),
        ("gpt-4", "A gpt-4-turbo model.", True),
        ("\u5c0f\u660e", "I like \u5c0f\u660e.", True),
    ],
)
def test_only_a_name_that_is_used_as_one_is_hidden(name: str, text: str, is_name: bool) -> None:
    said = Dialogue("d1", name, "live-chat", "A", (Speaker("A"),), (Turn("A", text),))
    assert ("[name hidden]" in mask_names(said, [name]).turns[0].text) == is_name
    assert bool(name_leaks([said])) == is_name
    assert "[name hidden]" in mask_names(said, [name], everywhere=True).turns[0].text


def test_what_would_be_hidden_is_shown_and_ordinary_words_are_counted(study: Path) -> None:
    human = replace(PLAIN, id="d3", bot="human", speakers=(Speaker("A"), Speaker("B")))
    long = f"{'so ' * 30}my name is human {'and so on ' * 20}"
    turns = (Turn("A", "I love non-human creatures."), Turn("B", "Are you human?"), Turn("A", long))
    write_dialogues([replace(human, turns=turns)], study / "human.jsonl")
    import_dialogues([study / "human.jsonl"], study)
    before = [*study_dialogues(study)]
    found = mask_dialogues(study, bots=["human"], only_look=True)
    assert [*study_dialogues(study)] == before
    assert found == mask_dialogues(study, bots=["human"])
    assert (found.dialogues, found.turns, found.ordinary) == (1, 1, 2)
    (example,) = found.examples
    assert "my name is [name hidden] and so on" in example
    assert example.startswith("\u2026")
    assert example.endswith("\u2026")
    assert found.ordinary_example == "I love non-human creatures."
    everywhere = mask_dialogues(study, names=["human"])
    assert (everywhere.turns, everywhere.ordinary) == (2, 0)
    assert everywhere.examples == ("I love non-[name hidden] creatures.", "Are you [name hidden]?")


def test_a_second_name_leaves_the_first_text() -> None:
    masked = mask_names(mask_names(NAMED, ["ada"]), ["Canada"])
    assert masked.turns[1].text == "Hello from [name hidden]."
    assert list(masked_names(masked)) == ["ada", "Canada"]
    assert unmasked(masked) == NAMED
    assert mask_names(masked, ["ada"]) is masked


def test_a_dialogue_that_has_grown_is_masked_as_before_and_in_what_came_since() -> None:
    speaker = Speaker("A")
    said = Dialogue("d", "ada", "live-chat", "A", (speaker,), (Turn("A", "I am ada, of course."),))
    masked = mask_names(mask_names(said, ["ada"]), ["course"], placeholder="[x]", everywhere=True)
    assert mask_again(said, masked) == masked
    grown = replace(said, turns=(*said.turns, Turn("A", "Ada, I said."), Turn("A", "Of course.")))
    again = mask_again(grown, masked)
    assert [turn.text for turn in again.turns] == [
        "I am [name hidden], of [x].",
        "[name hidden], I said.",
        "Of course.",
    ]
    assert unmasked(again) == grown


@given(dialogues(), st.text(min_size=1, max_size=3))
def test_whatever_is_masked_can_be_read_as_it_was(dialogue: Dialogue, name: str) -> None:
    masked = mask_names(dialogue, [name, dialogue.bot], placeholder="\u2588\u2588")
    assert unmasked(masked) == dialogue


def test_names_in_a_study_are_masked_and_the_check_passes(study: Path) -> None:
    masked = mask_dialogues(study)
    assert (masked.dialogues, masked.turns, masked.by_bot, masked.shown) == (1, 1, {"ada": 1}, ())
    first, second = study_dialogues(study)
    assert first == mask_names(NAMED, ["ada"])
    assert second == PLAIN
    assert name_leaks(study_dialogues(study)) == ()
    assert mask_dialogues(study).dialogues == 0


def test_an_import_knows_a_masked_dialogue_again(study: Path) -> None:
    mask_dialogues(study)
    again = import_dialogues([study / "log.jsonl"], study)
    assert (again.added, again.already_there) == (0, 2)
    write_dialogues(study_dialogues(study), study / "ours.jsonl")
    assert import_dialogues([study / "ours.jsonl"], study).already_there == 2


def test_dialogues_that_annotators_have_seen_are_left_and_listed(study: Path) -> None:
    masked = mask_dialogues(study, shown=["d1", "d2"])
    assert (masked.dialogues, masked.shown) == (0, ("d1",))
    assert list(study_dialogues(study)) == [NAMED, PLAIN]


def test_only_chosen_dialogues_bots_and_names_are_masked(study: Path) -> None:
    assert mask_dialogues(study, ids=["d2"]).dialogues == 0
    assert mask_dialogues(study, bots=["bob"]).dialogues == 0
    assert mask_dialogues(study, names=["Hello"], placeholder="[x]").dialogues == 2


@pytest.mark.parametrize(("placeholder", "problem"), [("my ADA", "holds the name 'ada'"), (" ", "is empty")])
def test_a_placeholder_that_hides_nothing_is_refused(study: Path, placeholder: str, problem: str) -> None:
    with pytest.raises(DesignError, match=problem):
        mask_dialogues(study, placeholder=placeholder)
    assert list(study_dialogues(study)) == [NAMED, PLAIN]
