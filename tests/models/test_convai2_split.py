"""The split of ConvAI2's validation set for the trained baselines: nothing of test is in train."""

from __future__ import annotations

import importlib
import random
import re
from pathlib import Path
from types import ModuleType

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
PERSONAS, DIALOGUES = 40, 300


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(SCRIPTS))
    return importlib.import_module("split_convai2")


@pytest.fixture
def parts(script: ModuleType, tmp_path: Path) -> dict[str, list[list[str]]]:
    """The dialogues of each part, from files in which every persona and turn has its number."""
    rng = random.Random(1)
    for name in ("original", "revised"):
        lines = []
        rng.seed(1)
        for number in range(DIALOGUES):
            own, partner = rng.sample(range(PERSONAS), 2)
            told = [f"your persona: {name} {own} {line}" for line in rng.sample(range(5), 4)]
            told += [f"partner's persona: {name} {partner} {line}" for line in rng.sample(range(5), 4)]
            told += [f"said {number} {turn}\tanswered {number} {turn}" for turn in range(3)]
            lines += [f"{place} {text}\n" for place, text in enumerate(told, 1)]
        (tmp_path / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    script.main(tmp_path / "original.txt", tmp_path / "revised.txt", tmp_path / "out")
    found = {}
    for path in (tmp_path / "out").glob("*.txt"):
        text = path.read_text(encoding="utf-8")
        found[path.stem] = [
            part.splitlines() for part in re.split(r"^(?=1 )", text, flags=re.MULTILINE) if part
        ]
    return found


def personas(dialogues: list[list[str]]) -> set[str]:
    return {
        match[1] for lines in dialogues for line in lines if (match := re.search(r"persona: \w+ (\d+)", line))
    }


def numbers(dialogues: list[list[str]]) -> list[str]:
    """Of each dialogue, whichever side it is from."""
    return [found[0] for lines in dialogues if (found := re.findall(r"answered (\d+)", " ".join(lines)))]


def test_no_dialogue_and_no_persona_that_is_asked_for_is_in_two_parts(
    parts: dict[str, list[list[str]]],
) -> None:
    assert set(parts) == {"train", "train-revised", "valid", "test"}
    for held in ("valid", "test"):
        assert personas(parts[held]).isdisjoint(personas(parts["train"]))
        assert set(numbers(parts[held])).isdisjoint(numbers(parts["train"]))
        assert len(set(numbers(parts[held]))) == len(parts[held]), "one side of a dialogue"
    assert personas(parts["test"]).isdisjoint(personas(parts["valid"]))
    assert (len(personas(parts["test"])), len(personas(parts["valid"]))) == (10, 5)
    assert {len(numbers(parts["train"]))} == {2 * len(set(numbers(parts["train"])))}, "both sides"


def test_revised_personas_stand_over_the_same_dialogues_in_train_only(
    parts: dict[str, list[list[str]]],
) -> None:
    assert numbers(parts["train"]) == numbers(parts["train-revised"])
    assert personas(parts["train"]) == personas(parts["train-revised"])
    words = {
        name: {word for lines in found for line in lines for word in line.split()}
        for name, found in parts.items()
    }
    assert [name for name, said in sorted(words.items()) if "revised" in said] == ["train-revised"]


def test_the_other_side_of_a_dialogue_begins_it(script: ModuleType) -> None:
    side = script.Side(("i ski",), ("i cook",), (("hi", "hello"), ("cold ?", "very")))
    turned = side.turned()
    assert turned.own == ("i cook",)
    assert turned.exchanges == (("__SILENCE__", "hi"), ("hello", "cold ?"))
