from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from duologue.demo import HUMAN, PREFERENCES, Demo, make_demo
from duologue.dialogues import index_dialogues, study_dialogues
from duologue.errors import ExportError, StudyError, StudyFileError
from duologue.protocols import read_items
from duologue.studies import check_study, load_study


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return make_demo(tmp_path_factory.mktemp("demo") / "duologue-demo")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_demo_can_be_served_without_a_warning(demo: Demo) -> None:
    check = check_study(demo.study.folder)
    assert (check.problems, check.warnings) == ((), ())


def test_three_bots_meet_each_other_and_people_only_in_onboarding(demo: Demo) -> None:
    items = list(read_items(demo.study.items_path))
    compared = Counter(item.group for item in items if not item.is_onboarding)
    assert set(compared) == {"companion__vs__parrot", "companion__vs__small-talk", "parrot__vs__small-talk"}
    assert len(set(compared.values())) == 1
    assert {item.group for item in items if item.is_onboarding} == {"human__vs__parrot"}


def test_people_are_the_expected_answer_to_onboarding(demo: Demo) -> None:
    onboarding = [item for item in read_items(demo.study.items_path) if item.is_onboarding]
    assert len(onboarding) >= 12
    assert {item.bots[int(str(item.gold))] for item in onboarding} == {HUMAN}


def test_each_dialogue_is_shown_once_in_a_matchup(demo: Demo) -> None:
    uses = Counter(
        (item.group, dialogue)
        for item in read_items(demo.study.items_path)
        if not item.is_onboarding
        for dialogue in item.dialogues
    )
    assert set(uses.values()) == {1}


def test_bots_start_from_the_same_first_turns(demo: Demo) -> None:
    begun: dict[str, list[str]] = {}
    for dialogue in study_dialogues(demo.study.folder):
        if dialogue.bot != HUMAN:
            begun.setdefault(dialogue.bot, []).append(dialogue.turns[0].text)
    assert begun["parrot"] == begun["small-talk"] == begun["companion"]


def test_the_stated_preferences_are_about_the_bots_of_the_demo(demo: Demo) -> None:
    bots = {head.bot for head in index_dialogues(demo.study.folder)} - {HUMAN}
    assert {bot for pair in PREFERENCES for bot in pair} == bots


def test_the_same_seed_makes_the_same_files(demo: Demo, tmp_path: Path) -> None:
    again = make_demo(tmp_path / "duologue-demo")
    assert files(again.study.folder) == files(demo.study.folder)


def test_an_earlier_demo_is_taken_up_as_it_is(tmp_path: Path) -> None:
    assert make_demo(tmp_path / "x").is_new
    study = load_study(tmp_path / "x")
    changed = study.text.replace('title = "Which', 'title = "My own: which')
    (study.folder / "study.toml").write_text(changed, encoding="utf-8")
    (study.folder / "study.db").write_bytes(b"judgments")
    before = files(study.folder)
    assert not make_demo(tmp_path / "x").is_new
    assert files(study.folder) == before


def test_what_an_interrupted_demo_left_undone_is_done(demo: Demo, tmp_path: Path) -> None:
    make_demo(tmp_path / "x")
    (tmp_path / "x" / "dialogues" / "small-talk.jsonl").unlink()
    (tmp_path / "x" / "pairings.jsonl").unlink()
    make_demo(tmp_path / "x")
    assert files(tmp_path / "x") == files(demo.study.folder)


@pytest.mark.parametrize("name", ["notes.txt", "study.toml"])
def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("something of mine\n", encoding="utf-8")
    with pytest.raises(StudyError, match="--folder"):
        make_demo(tmp_path)
    assert files(tmp_path) == {name: b"something of mine\n"}


def test_a_file_where_the_folder_should_be_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match="--folder"):
        make_demo(tmp_path / "x")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ExportError, match="cannot be written"):
        make_demo(tmp_path / "file" / "demo")


def test_a_demo_whose_study_file_was_spoilt_says_where(tmp_path: Path) -> None:
    make_demo(tmp_path / "x")
    path = tmp_path / "x" / "study.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("seed = 7", "seed = -7"), encoding="utf-8")
    with pytest.raises(StudyFileError, match="seed"):
        make_demo(tmp_path / "x")


def test_the_gap_of_the_demo_is_explained_as_it_is(demo: Demo) -> None:
    assert re.search(r"gap = 0\.5 +# worth finding: 75 % of the wins against 25 %", demo.study.text)
