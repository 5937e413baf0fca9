"""Items from the seed are written once, again when the design changes, never over a file made by hand."""

import json
from pathlib import Path

import pytest

from duologue.errors import BotError, DesignError, ExportError, FormatError, UnreadableFile
from duologue.protocols import Item, chat_plan, read_items, write_items
from duologue.studies import Study, draw_items, load_study, new_study
from tests.studies.conftest import edit, write_dialogues


@pytest.fixture
def likert(tmp_path: Path) -> Study:
    return new_study(tmp_path / "s", protocol="likert", seed=3)


def test_a_new_study_can_be_drawn_as_it_is(likert: Study) -> None:
    drawn = draw_items(likert)
    assert drawn.was_drawn
    assert drawn.path == likert.folder / "chats.jsonl"
    assert drawn.groups == {"parrot": 235, "small-talk": 235, "companion": 235}
    before = drawn.path.read_bytes()
    assert draw_items(likert).was_drawn is False
    assert draw_items(likert, redraw=True).was_drawn
    assert drawn.path.read_bytes() == before


def test_another_design_is_drawn_anew(likert: Study) -> None:
    draw_items(likert)
    smaller = edit(likert, "chats_per_bot = 235", "chats_per_bot = 4")
    assert draw_items(smaller).groups == {"parrot": 4, "small-talk": 4, "companion": 4}


def test_other_personas_are_drawn_anew(likert: Study) -> None:
    personas = likert.folder / "personas.jsonl"
    personas.write_text(json.dumps({"persona": "i like tea."}) + "\n", encoding="utf-8")
    study = edit(likert, "# personas =", "personas =")
    draw_items(study)
    first = chat_plan(next(read_items(study.items_path)))
    personas.write_text(json.dumps({"persona": "i like rain."}) + "\n", encoding="utf-8")
    assert draw_items(study).was_drawn
    second = chat_plan(next(read_items(study.items_path)))
    assert first is not None
    assert second is not None
    assert (first.persona, second.persona) == (("i like tea.",), ("i like rain.",))


def test_an_opener_longer_than_a_turn_may_be_is_refused(likert: Study) -> None:
    opener = json.dumps({"opener": "Well, hello there!"}) + "\n"
    (likert.folder / "personas.jsonl").write_text(opener, encoding="utf-8")
    study = edit(edit(likert, "# personas =", "personas ="), "[study]", "[study]\nmax_turn_chars = 9")
    with pytest.raises(FormatError, match=r"line 1, opener: expected at most 9 characters"):
        draw_items(study)


def test_a_file_made_by_hand_is_left_alone(likert: Study) -> None:
    mine = [Item("mine", "parrot", ("parrot",), (), (), extras={"chat": {"first": "partner"}})]
    write_items(mine, likert.items_path)
    assert draw_items(likert).was_drawn is False
    assert list(read_items(likert.items_path)) == mine


def test_a_file_that_holds_no_items_is_refused(likert: Study) -> None:
    likert.items_path.write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1"):
        draw_items(likert)


def test_pairings_are_made_by_their_own_command(tmp_path: Path) -> None:
    study = new_study(tmp_path / "s")
    assert draw_items(study).was_drawn is False
    assert not study.items_path.exists()


def test_people_are_a_bot_called_human(likert: Study) -> None:
    study = edit(likert, "human_partner = false", "human_partner = true")
    assert draw_items(study).groups["human"] == 235
    named = edit(
        study, 'name = "parrot"\nkind = "builtin"', 'name = "human"\nkind = "builtin"\nbuiltin = "parrot"'
    )
    with pytest.raises(DesignError, match="give the bot another name"):
        draw_items(named)


def test_only_some_bots_can_be_talked_to(likert: Study) -> None:
    study = edit(likert, '# bots = ["companion"]', 'bots = ["companion"]')
    assert draw_items(study).groups == {"companion": 235}
    with pytest.raises(BotError, match="no such bot"):
        draw_items(edit(study, 'bots = ["companion"]', 'bots = ["nobody"]'))


def test_finished_dialogues_are_drawn_and_new_ones_added(likert: Study) -> None:
    study = edit(likert, 'source = "live"', 'source = "dialogues"')
    with pytest.raises(DesignError, match="no dialogues to rate"):
        draw_items(study)
    assert not study.items_path.exists()
    write_dialogues(study.folder, "ann", 3)
    assert draw_items(study).groups == {"ann": 3}
    assert draw_items(study).was_drawn is False
    write_dialogues(study.folder, "bob", 2)
    assert draw_items(study).groups == {"ann": 3, "bob": 2}


def test_a_file_of_personas_that_is_not_there_is_named(likert: Study) -> None:
    with pytest.raises(UnreadableFile, match=r"personas\.jsonl"):
        draw_items(edit(likert, "# personas =", "personas ="))


def test_a_folder_that_cannot_be_written_to_is_named(likert: Study) -> None:
    study = edit(likert, 'source = "live"', 'source = "live"\nfile = "nowhere/chats.jsonl"')
    with pytest.raises(ExportError, match="nowhere"):
        draw_items(study)


def test_a_likert_study_has_words_of_its_own_and_those_of_the_file_win(likert: Study) -> None:
    assert "conversation" in likert.file.wording.instructions
    assert likert.file.wording.progress == "Conversation {number} of {total}"
    path = likert.folder / "study.toml"
    path.write_text(
        path.read_text(encoding="utf-8") + '\n[wording]\nprogress = "Chat {number}"\n', encoding="utf-8"
    )
    assert load_study(likert.folder).file.wording.progress == "Chat {number}"
    assert "two conversations at a time" in new_study(likert.folder / "a").file.wording.instructions
