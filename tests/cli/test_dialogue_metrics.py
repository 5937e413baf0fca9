"""``duologue dialogues check``: repetition, lengths, memorisation and failed self-chats."""

import json
from pathlib import Path

import pytest

from duologue.dialogues import write_dialogues
from tests.cli.conftest import Run
from tests.metrics.dialogues import live_chat, self_chat

LOOP = self_chat(
    "hi", "i cook. and you?", "i drive. and you?", "i cook. and you?", "i drive. and you?", key="loop"
)


def test_loops_and_repetition_are_said_by_bot(duologue: Run, tmp_path: Path) -> None:
    write_dialogues([LOOP, live_chat("a", "b", bot="bob", key="d2")], tmp_path / "logs.jsonl")
    said = duologue("dialogues", "check", "logs.jsonl").stdout
    assert "repetition of ada: 40.0 % of turns repeated, 0.0 % of turns nearly repeated" in said
    assert "warning: ada: 1 of 1 dialogues loop, such as loop" in said
    assert "repetition of bob: 0.0 % of turns repeated" in said
    assert "memorisation" not in said


def test_training_data_are_looked_through(duologue: Run, tmp_path: Path) -> None:
    write_dialogues([LOOP], tmp_path / "logs.jsonl")
    (tmp_path / "train.tsv").write_text("Hi!\tI cook, and you?\n", encoding="utf-8")
    said = duologue("dialogues", "check", "logs.jsonl", "--training", "train.tsv").stdout
    assert "memorisation of ada: 25.0 % (1 of 4 pairs of call and response" in said
    facts = json.loads(
        duologue("dialogues", "check", "logs.jsonl", "--training", "train.tsv", "--json").stdout
    )
    assert facts["memorisation"]["ada"]["share"] == pytest.approx(0.25)
    assert facts["degeneration"]["ada"]["looping"] == 1
    assert facts["turn_words"]["ada"]["most"] == 4


def test_training_data_that_are_not_there_are_one_line(duologue: Run, tmp_path: Path) -> None:
    write_dialogues([LOOP], tmp_path / "logs.jsonl")
    done = duologue("dialogues", "check", "logs.jsonl", "--training", "none.tsv", expect=1)
    assert "none.tsv: cannot be read" in done.stderr


def test_failed_self_chats_are_counted(duologue: Run, tmp_path: Path) -> None:
    duologue("study", "new", "s")
    with (tmp_path / "s" / "study.toml").open("a", encoding="utf-8") as file:
        file.write('\n[[bots]]\nname = "bad"\nkind = "python"\ncall = "json:loads"\n')
    duologue("dialogues", "self-chat", "s", "-n", "2", expect=1)
    assert "warning: 2 self-chats failed" in duologue("dialogues", "check", "s").stdout
