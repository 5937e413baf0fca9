"""Rows of turns: read strictly, written back as they were."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Source, read_dialogues
from duologue.errors import FormatError, NewerFormat
from duologue.per_turn import TurnRow, read_turns, turn_of, turn_record, unused_fields, write_turns
from tests.per_turn.chats import MadeUp, made_up, row


def good(**fields: Any) -> dict[str, Any]:
    return {
        "format": "duologue.turns/1",
        "dialogue": "d1",
        "turn": 1,
        "annotator": "ann",
        "mechanism": "pairwise",
        "setting": "sata-user",
        "message": "Tea?",
        "candidates": [
            {"bot": "mint", "text": "Yes.", "position": 2, "selected": True, "seconds": 0.4, "failed": False},
            {"bot": "sage", "text": "No.", "position": 1, "selected": False, "seconds": 2, "failed": False},
        ],
        "continuation": {"text": "Yes.", "by": "selected", "bot": "mint"},
        **fields,
    }


def candidates(*changes: dict[str, Any]) -> list[dict[str, Any]]:
    return [{**one, **change} for one, change in zip(good()["candidates"], changes, strict=True)]


def written(tmp_path: Path, *records: object) -> Path:
    path = tmp_path / "turns.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_row_is_read_with_all_its_candidates(tmp_path: Path) -> None:
    (found,) = read_turns(written(tmp_path, good()))
    assert found.bots == ("mint", "sage")
    assert found.selected() == {"mint": True, "sage": False}
    assert found.is_complete
    assert not found.is_third_party
    assert found.continuation is not None
    assert found.continuation.bot == "mint"


@given(seed=st.integers(0, 10**6), setting=st.sampled_from(["soba", "sata-random"]), bots=st.integers(1, 4))
def test_what_is_written_is_read_back(seed: int, setting: Any, bots: int, tmp_path_factory: Any) -> None:
    names = "abcd"[:bots]
    study = MadeUp(dict.fromkeys(names, 0.5), setting=setting if bots > 1 else None, annotators=2, turns=3)
    rows = made_up(study, seed, arm="x", pay=1.5)
    path = tmp_path_factory.mktemp("turns") / "t.jsonl"
    assert write_turns(rows, path) == 6
    assert read_turns(path) == rows


def test_a_written_row_names_its_format_and_says_every_candidate_in_full() -> None:
    record = turn_record(row({"a": True, "b": False}))
    assert record["format"] == "duologue.turns/1"
    shown = record["candidates"]
    assert isinstance(shown, list)
    assert set(shown[0]) == {"bot", "text", "position", "selected", "seconds", "failed"}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (good(turn=0), r"line 1, turn: expected a number of at least 1 and found a number"),
        (good(turn="1"), r"turn: expected a whole number and found the text \"1\""),
        ({k: v for k, v in good().items() if k != "message"}, r"message: expected a value and found no such"),
        (good(candidates=[]), "candidates: expected a list that is not empty"),
        (good(candidates="none"), "candidates: expected a list and found"),
        (good(dialogue=""), "dialogue: expected a text that is not empty"),
        (good(mechanism="both"), 'mechanism: expected one of "single", "pairwise", "multi"'),
        (good(mechanism="multi"), r"candidates: expected three or more of them \(multi\) and found 2"),
        (good(setting=None), "setting: expected soba, sata-random or sata-user and found null"),
        (good(candidates=[]), "candidates"),
        (good(candidates=candidates({"bot": "x"}, {"bot": "x"})), "each bot once"),
        (
            good(candidates=candidates({"selected": 1}, {})),
            r"candidates\[0\].selected: expected true or false",
        ),
        (
            good(candidates=candidates({"position": None}, {})),
            r"candidates\[0\].position: expected a position",
        ),
        (good(candidates=candidates({}, {"failed": True})), "null for a bot that failed"),
        (good(candidates=candidates({"position": 3}, {})), "positions 1, 2, … without a gap and found 1, 3"),
        (good(candidates=candidates({"position": 1}, {})), "one reply at each position"),
        (good(candidates=candidates({"text": "No. "}, {})), "bots with the same reply at one position"),
        (
            good(candidates=candidates({"text": "No. ", "position": 1}, {})),
            "bots at one position selected alike",
        ),
        (
            good(candidates=candidates({"position": None, "failed": True}, {})),
            r"candidates\[0\].selected: expected false for a bot that failed",
        ),
        (good(candidates=candidates({"dimensions": {"fun": True}}, {})), "the same dimensions for every bot"),
        (
            good(setting="soba", candidates=candidates({"selected": False}, {})),
            r"one selected reply \(soba\)",
        ),
        (good(continuation={"text": "Hm", "by": "annotator"}), "annotator only where sata-user selects none"),
        (good(continuation={"text": "Yes.", "by": "selected", "bot": "rue"}), "a bot of this turn"),
        (good(continuation={"text": "Yes!", "by": "selected", "bot": "mint"}), "the reply of mint"),
        (good(continuation={"text": "No.", "by": "random", "bot": "sage"}), "a bot that was selected"),
        (
            good(
                candidates=candidates({"selected": False}, {}),
                continuation={"text": "Hm", "by": "annotator", "bot": "mint"},
            ),
            "null for a written reply",
        ),
        (good(at="2026-03-01T10:00:00"), "at: expected"),
        (good(format="duologue.dialogue/1"), "format: expected 'duologue.turns/1'"),
        ("hm", "a JSON object and found the text"),
    ],
)
def test_a_row_that_is_not_what_the_format_says_is_refused_with_line_and_field(
    record: object, message: str, tmp_path: Path
) -> None:
    with pytest.raises(FormatError, match=message):
        read_turns(written(tmp_path, record))


def test_a_single_bot_has_no_setting(tmp_path: Path) -> None:
    one = good(mechanism="single", candidates=good()["candidates"][1:])
    one["candidates"][0]["position"] = 1
    one["continuation"] = {"text": "No.", "by": "selected", "bot": "sage"}
    with pytest.raises(FormatError, match=r"setting: expected null \(a single bot\) and found sata-user"):
        read_turns(written(tmp_path, one))
    (found,) = read_turns(written(tmp_path, {**one, "setting": None}))
    assert found.selected() == {"sage": False}


def test_a_turn_without_a_reply_of_every_bot_is_incomplete(tmp_path: Path) -> None:
    changed = candidates({"position": 1}, {"text": "", "position": None, "failed": True})
    (found,) = read_turns(written(tmp_path, good(candidates=changed, setting="soba")))
    assert not found.is_complete


def test_further_dimensions_are_read_by_name(tmp_path: Path) -> None:
    changed = candidates({"dimensions": {"fun": False}}, {"dimensions": {"fun": True}})
    (found,) = read_turns(written(tmp_path, good(candidates=changed)))
    assert found.dimensions == ("fun",)
    assert found.selected("fun") == {"mint": False, "sage": True}


def test_one_annotator_judges_a_turn_once(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"line 2, turn: .* the same as line 1"):
        read_turns(written(tmp_path, good(), good()))
    other = good(annotator="bea", participant="ann")
    assert [one.is_third_party for one in read_turns(written(tmp_path, good(), other))] == [False, True]


@pytest.mark.parametrize("change", [{"arm": "x"}, {"setting": "sata-random"}, {"revision": 2}])
def test_a_dialogue_belongs_to_one_condition(change: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=rf"line 2, {next(iter(change))}: expected the same in all rows"):
        read_turns(written(tmp_path, good(), good(turn=2, **change)))


def test_newer_and_empty_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NewerFormat, match="upgrade"):
        read_turns(written(tmp_path, good(format="duologue.turns/2")))
    with pytest.raises(FormatError, match="rows of turns and found none"):
        read_turns(written(tmp_path))


def test_fields_of_others_are_named(tmp_path: Path) -> None:
    path = written(tmp_path, good(mood="good"), good(turn=2, weather=1))
    assert unused_fields(path) == ("mood", "weather")
    assert len(read_turns(path)) == 2


def test_rows_need_no_file() -> None:
    assert isinstance(turn_of(good(), Source(Path("study"))), TurnRow)


def test_a_file_of_turns_is_read_as_the_chats_as_they_went(tmp_path: Path) -> None:
    none = candidates({"selected": False}, {})
    path = written(
        tmp_path,
        good(turn=2, message="And?", candidates=none, continuation={"text": "Hm, I see.", "by": "annotator"}),
        good(turn=1, annotator="bea", participant="ann", continuation=None),
        good(arm="pm"),
        good(turn=3, message="Bye", continuation=None),
        good(dialogue="d2"),
    )
    first, second = read_dialogues(path)
    assert (first.id, first.bot, first.judged, first.kind) == (
        "mint+sage:d1",
        "mint+sage",
        "bot",
        "live-chat",
    )
    said = [(turn.speaker, turn.text) for turn in first.turns]
    assert said == [
        ("annotator", "Tea?"),
        ("bot", "Yes."),
        ("annotator", "And?"),
        ("bot", "Hm, I see."),
        ("annotator", "Bye"),
    ]
    assert first.turns[1].extras == {"bot": "mint", "by": "selected"}
    assert first.turns[3].extras == {"by": "annotator"}
    assert first.extras == {"arm": "pm", "mechanism": "pairwise", "setting": "sata-user"}
    assert second.id == "mint+sage:d2"


@pytest.mark.parametrize(
    ("record", "message"),
    [
        (good(turn=0), "turn: expected a number from 1 and found a number"),
        (good(dialogue=3), "dialogue: expected a text"),
        (good(message=None), "message: expected a text"),
        (good(candidates=[{"text": "Hi"}]), r"candidates\[0\].bot: expected a text and found no such field"),
        (good(continuation="Yes."), "continuation: expected an object or null"),
        (good(continuation={"by": "random"}), "continuation.text: expected a text"),
    ],
)
def test_bad_rows_are_left_out_of_the_dialogues_or_refused(
    record: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = written(tmp_path, record, good(dialogue="d2"))
    with pytest.raises(FormatError, match=message):
        list(read_dialogues(path))
    bad: list[FormatError] = []
    assert [one.id for one in read_dialogues(path, on_bad=bad.append)] == ["mint+sage:d2"]
    assert len(bad) == 1


def test_dialogues_of_a_newer_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NewerFormat):
        list(read_dialogues(written(tmp_path, good(format="duologue.turns/2"))))
