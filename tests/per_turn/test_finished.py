"""Finished chats for others to read: sampled from turns, shown turn by turn, and told as rows."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from typer.testing import CliRunner

from duologue.cli.main import app
from duologue.dialogues import Source
from duologue.errors import AnswerError, DesignError, StudyExists
from duologue.judgments import ChosenTurn
from duologue.per_turn import (
    Candidate,
    Continuation,
    PerTurnProtocol,
    PerTurnSettings,
    TurnRow,
    turn_of,
    write_turns,
)
from duologue.per_turn.design import PerTurnDesign
from duologue.per_turn.finished.chat import finished_chat
from duologue.per_turn.finished.drawing import SampledChats, draw_finished
from duologue.per_turn.finished.study import reread_study
from duologue.protocols import (
    TURN_BY_TURN,
    Answer,
    AskedItem,
    ChatSettings,
    FieldValue,
    FormValues,
    Item,
    Material,
    Selection,
    read_items,
)
from duologue.studies import check_study, describe_study, load_study, new_study
from tests.per_turn.chats import row
from tests.per_turn.test_protocol import judged

WRITTEN = Continuation(text="Let me tell you.", by="annotator")
CHAT = (
    row({"ada": True, "bea": False}, turn=1, setting="sata-user"),
    row({"ada": False, "bea": False}, turn=2, setting="sata-user", continuation=WRITTEN),
    row({"ada": True, "bea": True}, turn=3, setting="sata-user", texts={"ada": "Same.", "bea": "Same."}),
)


def failed(turn: int = 4) -> TurnRow:
    """A turn at which one bot gave no reply."""
    return row(
        {"ada": True, "bea": False},
        turn=turn,
        setting="sata-user",
        candidates=(
            Candidate(bot="ada", text="Hm.", position=1, selected=True),
            Candidate(bot="bea", failed=True),
        ),
        continuation=None,
    )


def reading(collect: str = "finished", **settings: Any) -> PerTurnProtocol:
    return PerTurnProtocol(PerTurnSettings.model_validate({"collect": collect, **settings}))


def read_item() -> Item:
    (item,) = draw_finished((*CHAT, failed()), SampledChats(7))
    return item


def test_a_chat_becomes_an_item_that_asks_about_its_complete_turns() -> None:
    item = read_item()
    chat = finished_chat(item)
    assert (item.id, item.group, item.bots, item.extras["setting"]) == (
        "read-d1",
        "main",
        ("ada", "bea"),
        "sata-user",
    )
    assert chat is not None
    assert (chat.dialogue, chat.participant, len(chat.turns)) == ("d1", "ann-d1", 4)
    assert [turn.turn for turn in chat.asked] == [1, 2, 3]
    assert chat.asked[0].selected == (True, False)
    said = chat.until(chat.asked[2])
    assert [text for _, text in said] == [
        "message 1 of d1",
        "ada says d1 1",
        "message 2 of d1",
        "Let me tell you.",
        "message 3 of d1",
    ]
    assert [is_bot for is_bot, _ in said] == [False, True, False, True, False]
    assert finished_chat(Item("x", "x", ("a",), (), ())) is None
    assert finished_chat(Item("x", "x", ("a",), (), (), extras={TURN_BY_TURN: {"turns": 3}})) is not None


def test_a_written_reply_becomes_one_more_candidate_of_its_turn() -> None:
    (item,) = draw_finished(CHAT, SampledChats(7, is_written=True))
    chat = finished_chat(item)
    assert chat is not None
    assert (item.id, item.bots, item.extras["setting"]) == (
        "written-d1-2",
        ("ada", "bea", "human"),
        "sata-random",
    )
    (asked,) = chat.asked
    assert (asked.turn, asked.texts[-1], asked.selected, asked.continuation) == (
        2,
        "Let me tell you.",
        (),
        "",
    )


def test_a_single_bots_chat_has_no_setting() -> None:
    (item,) = draw_finished([row({"ada": True})], SampledChats(7))
    assert (item.bots, "setting" in item.extras) == (("ada",), False)


def test_samples_are_of_every_arm_and_repeat_with_the_seed() -> None:
    rows = [row({"ada": True, "bea": False}, dialogue=f"d{n}", arm=f"arm{n % 2}") for n in range(20)]
    first, again, other = (draw_finished(rows, SampledChats(seed, 4)) for seed in (1, 1, 2))
    assert first == again != other
    assert Counter(item.group for item in first) == {"arm0": 4, "arm1": 4}
    assert len(draw_finished(rows, SampledChats(1))) == 20


def test_what_does_not_count_is_not_read() -> None:
    kept = row({"ada": True, "bea": False}, dialogue="d9")
    out = row({"ada": True, "bea": False}, dialogue="d8", excluded="too-fast-turn")
    third = row({"ada": True, "bea": False}, dialogue="d9", annotator="eve", participant="ann-d9")
    assert [item.id for item in draw_finished([kept, out, third], SampledChats(1))] == ["read-d9"]
    with pytest.raises(DesignError, match="no complete turn among these 2 turns"):
        draw_finished([out, failed()], SampledChats(1))
    with pytest.raises(DesignError, match="no turn that the annotator wrote"):
        draw_finished([kept], SampledChats(1, is_written=True))
    human = row({"human": False, "bea": False}, setting="sata-user", continuation=WRITTEN)
    with pytest.raises(DesignError, match="leave no place for it"):
        draw_finished([human], SampledChats(1, is_written=True))


def test_turns_are_shown_one_after_the_other_without_names_or_selections() -> None:
    study, asked = reading(dimensions=["human"]), AskedItem("main", read_item(), order=(1, 0))
    for done in range(3):
        view = study.show(asked)
        assert view.template == "finished.html"
        assert view.values["turn"] == done + 1
        assert "bea" not in str(view.values["question"])
        form = {"turn": str(done + 1), "chosen": "1", "also_human": "1"}
        given = study.read(asked, FormValues(form))
        assert isinstance(given, Selection)
        assert (given.turn, given.chosen, given.values) == (done + 1, (1,), {"human": [1]})
        asked = replace(asked, selections=(*asked.selections, given))
    assert [len(one.shown) for one in asked.selections] == [2, 2, 1]  # the same reply is one card
    assert study.show(asked).template == "whole.html"
    assert study.read(asked, FormValues({})) == Answer({"whole": {}})
    assert list(study.texts_shown(asked)) == []


def test_a_form_sent_twice_says_the_same_and_a_turn_cannot_be_left_out() -> None:
    study, asked = reading(), AskedItem("main", read_item(), order=(0, 1))
    form = FormValues({"turn": "1", "none": "1"})
    given = study.read(asked, form)
    assert isinstance(given, Selection)
    assert (given.chosen, given.written) == ((), "")
    assert study.read(replace(asked, selections=(given,)), form) == given
    bad_forms: list[dict[str, FieldValue]] = [
        {},
        {"turn": "4", "chosen": "1"},
        {"turn": "x", "chosen": "1"},
        {"turn": ["1", "2"], "chosen": "1"},
        {"turn": "1", "chosen": "3"},
        {"turn": "1", "none": "1", "written": "Nobody asked for this."},
    ]
    for bad in bad_forms:
        with pytest.raises(AnswerError):
            study.read(asked, FormValues(bad))


def test_one_best_reply_is_selected_where_the_chat_asked_for_one() -> None:
    (item,) = draw_finished([row({"ada": True, "bea": False}, setting="soba")], SampledChats(1))
    study, asked = reading(), AskedItem("main", item, order=(0, 1))
    assert study.show(asked).values["is_one"] is True
    for form in ({"turn": "1", "none": "1"}, {"turn": "1", "chosen": ["1", "2"]}):
        with pytest.raises(AnswerError, match="one of the replies"):
            study.read(asked, FormValues(form))


def test_orders_are_balanced_over_two_readers_and_vary_over_turns() -> None:
    rows = [row({"ada": True, "bea": False}, turn=turn) for turn in range(1, 21)]
    (item,) = draw_finished(rows, SampledChats(1))
    shown = []
    for order in ((0, 1), (1, 0)):
        asked, study = AskedItem("main", item, order=order), reading()
        given = [study.read(asked, FormValues({"turn": str(turn), "none": "1"})) for turn in range(1, 21)]
        shown.append([one.shown for one in given if isinstance(one, Selection)])
    assert all(one == two[::-1] for one, two in zip(*shown, strict=True))
    assert 4 <= sum(one == ((0,), (1,)) for one in shown[0]) <= 16


def chosen(turn: int, cards: tuple[int, ...], shown: tuple[tuple[int, ...], ...]) -> ChosenTurn:
    return ChosenTurn(turn, "", (), shown, cards, "", None, {}, 4.0, "2026-01-01T00:00:00+00:00")


def test_what_was_read_becomes_rows_beside_those_of_the_participant() -> None:
    item = read_item()
    turns = (chosen(1, (2,), ((1,), (0,))), chosen(2, (), ((0,), (1,))), chosen(3, (1,), ((0, 1),)))
    told = reading().as_row(item, judged(item, *turns))
    assert (told["dialogue"], told["seconds"]) == ("d1", 72.0)
    source = Source(Path("study"))
    records: list[Any] = [told["turns"], told["participant_turns"]]
    read, had = ([turn_of(record, source) for record in some] for some in records)
    assert [one.selected() for one in read] == [
        {"ada": True, "bea": False},
        {"ada": False, "bea": False},
        {"ada": True, "bea": True},
    ]
    assert all(
        one.is_third_party and one.participant == "ann-d1" and one.continuation is None for one in read
    )
    assert [one.selected() for one in had] == [one.selected() for one in CHAT]
    assert {one.annotator for one in had} == {"ann-d1"}


def test_studies_that_read_draw_nothing_themselves() -> None:
    study = reading(annotations_per_chat=3)
    chat = ChatSettings()
    assert study.draw(Material((), lambda: (), (), chat, 7)) is None
    assert (study.annotations_per_item(), study.max_per_group(chat)) == (3, None)
    for settings, message in (
        ({"collect": "finished", "arms": [{"name": "x", "bots": ["a"]}]}, "leave arms and primary out"),
        ({"annotations_per_chat": 2}, "a live chat is had once"),
    ):
        with pytest.raises(ValidationError, match=message):
            PerTurnSettings.model_validate(settings)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "turns.jsonl"
    write_turns(CHAT, path)
    return path


def test_a_file_of_turns_becomes_a_study_by_one_command(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    said = CliRunner().invoke(
        app, ["turns", "reread", str(folder), str(source), "--readers", "2", "--seed", "3"]
    )
    assert said.exit_code == 0
    assert said.output.startswith("1 chat\n")
    assert len(list(read_items(load_study(folder).items_path))) == 1
    found = check_study(folder)
    assert (found.problems, found.warnings) == ((), ())
    described = describe_study(load_study(folder))
    assert "1 finished chats with ada, bea; 3 turns are asked about" in described
    assert "Each is read by 2: 2 readings in all." in described
    with pytest.raises(StudyExists):
        reread_study(folder, source)


def test_written_replies_become_a_study_too(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "written"
    args = ["turns", "reread", str(folder), str(source), "--written", "--json"]
    made = json.loads(CliRunner().invoke(app, args).output)
    assert (made["items"], made["arms"]) == (1, {"main": 1})
    study = load_study(folder)
    assert study.settings.collect == "written"  # type: ignore[attr-defined]
    told = f"{study.file.wording.instructions} {study.heading.description}"
    assert "several replies that could come there" in told
    assert "every turn" not in told
    path = folder / "study.toml"
    question = '[[per-turn.questions]]\nname = "fun"\ntext = "Fun?"\nlabels = ["No", "Yes"]\n'
    path.write_text(path.read_text(encoding="utf-8") + question, encoding="utf-8")
    described = describe_study(load_study(folder))
    assert "1 written replies with ada, bea, human" in described
    assert "Asked at the end: Fun?" in described


def test_only_turns_can_be_read(tmp_path: Path) -> None:
    new_study(tmp_path / "acute", seed=1)
    with pytest.raises(DesignError, match="not of turns"):
        reread_study(tmp_path / "new", tmp_path / "acute")
    assert not (tmp_path / "new").exists()


def test_a_study_without_its_chats_is_told_how_to_get_them(source: Path, tmp_path: Path) -> None:
    folder = tmp_path / "again"
    reread_study(folder, source, seed=1)
    path = load_study(folder).items_path
    text = path.read_text(encoding="utf-8")
    path.write_text(text.splitlines()[0] + "\n", encoding="utf-8")
    design = PerTurnDesign()
    assert "duologue turns reread" in design.check(load_study(folder)).problems[0]
    path.write_text(text.replace('"texts"', '"texte"'), encoding="utf-8")
    assert "no finished chat with something to select" in design.check(load_study(folder)).problems[0]
