"""Real files of other people, where they are at hand: counts as their own descriptions give them."""

import json
from collections import Counter
from pathlib import Path

import pytest

from duologue.dialogues import (
    detect_format,
    import_dialogues,
    index_dialogues,
    read_dialogues,
    read_pairing_lines,
    write_dialogues,
    write_pairing_lines,
)

DATA = Path(__file__).parents[3] / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the shared data are not here")


@pytest.mark.parametrize("name", ["both_original", "both_revised", "self_original"])
def test_convai2_has_a_thousand_dialogues_and_7801_replies(name: str) -> None:
    path = DATA / "convai2_valid" / f"valid_{name}_no_cands.txt"
    assert detect_format(path) == "convai2"
    dialogues = list(read_dialogues(path, bot="human"))
    assert len(dialogues) == 1000
    assert sum(turn.speaker == "you" for one in dialogues for turn in one.turns) == 7801
    own = sum(line.startswith("your persona:") for one in dialogues for line in one.context)
    assert own == 4483


def test_sharegpt_has_500_conversations_and_is_written_again_as_it_was(tmp_path: Path) -> None:
    path = DATA / "chat_formats" / "sharegpt_dummy_conversation.json"
    assert detect_format(path) == "sharegpt"
    dialogues = list(read_dialogues(path, bot="vicuna"))
    assert len(dialogues) == 500
    write_dialogues(dialogues, tmp_path / "again.json", format="sharegpt")
    assert json.loads((tmp_path / "again.json").read_text()) == json.loads(path.read_text())


def test_openai_has_five_conversations_and_is_written_again_as_it_was(tmp_path: Path) -> None:
    path = DATA / "chat_formats" / "openai_toy_chat_fine_tuning.jsonl"
    assert detect_format(path) == "openai"
    dialogues = list(read_dialogues(path, bot="happy"))
    assert len(dialogues) == 5
    write_dialogues(dialogues, tmp_path / "again.jsonl", format="openai")
    lines = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert [line["messages"] for line in lines] == [
        json.loads(line)["messages"] for line in path.read_text().splitlines()
    ]


@pytest.mark.parametrize("name", ["pairings.jsonl", "onboarding.json"])
def test_acute_pairings_are_written_again_as_they_were(tmp_path: Path, name: str) -> None:
    path = DATA / "parlai_fixtures" / "acute_eval" / name
    assert detect_format(path) == "acute"
    write_pairing_lines(read_pairing_lines(path), tmp_path / "again.jsonl")
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert again == [json.loads(line) for line in path.read_text().splitlines()]


def test_topical_chat_has_539_conversations_and_the_ratings_of_its_description() -> None:
    path = DATA / "topical_chat" / "valid_freq.json"
    assert detect_format(path) == "topical-chat"
    dialogues = list(read_dialogues(path, bot="people"))
    rated = Counter(turn.extras["turn_rating"] for one in dialogues for turn in one.turns)
    counts = {"Excellent": 5557, "Good": 5201, "Passable": 735, "Not Good": 108, "Poor": 51, "": 29}
    assert (len(dialogues), rated) == (539, counts)


def test_parlai_self_chats_of_two_bots_go_into_a_study(study: Path) -> None:
    for bot in ("model1", "model2"):
        path = DATA / "parlai_fixtures" / "acute_eval" / "self_chats" / f"{bot}.blended_skill_talk.jsonl"
        assert detect_format(path) == "parlai"
        import_dialogues([path], study, bot=bot)
    rows = index_dialogues(study)
    assert [(row.bot, row.kind, row.judged) for row in rows] == [
        (bot, "self-chat", "TransformerGenerator_1") for bot in ("model1", "model2") for _ in range(5)
    ]


def test_parlai_self_chats_are_written_again_as_they_were(tmp_path: Path) -> None:
    path = DATA / "parlai_fixtures" / "acute_eval" / "self_chats" / "model1.blended_skill_talk.jsonl"
    chats = list(read_dialogues(path, bot="m"))
    write_dialogues(chats, tmp_path / "again.jsonl", format="parlai")
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert [record.pop("id") for record in again] == [chat.id for chat in chats]
    before = [json.loads(line) for line in path.read_text().splitlines()]
    assert again == [
        {key: value for key, value in record.items() if key != "metadata_path"} for record in before
    ]


def test_parlai_live_chats_are_read() -> None:
    folder = DATA / "parlai_fixtures"
    counts = {
        "turn_annotations_static/task_config/sample_conversations.jsonl": 6,
        "turn_annotations_static/task_config/sample_conversations_annotation_file.jsonl": 4,
    }
    for name, count in counts.items():
        chats = list(read_dialogues(folder / name, bot="sample"))
        assert len(chats) == count
        assert {(chat.kind, chat.judged) for chat in chats} == {("live-chat", "sample_model")}
    (chat,) = read_dialogues(
        folder / "model_chat/analysis_samples/basic/2020_12_29/20201229_173200_1_live.json"
    )
    assert (chat.bot, chat.judged) == ("blender_90M", "TransformerGenerator")
