"""A small study with dialogues of two bots and of people."""

import json
from pathlib import Path

import pytest

from duologue.studies import Study, load_study, new_study


def write_dialogues(
    folder: Path, bot: str, count: int, *, kind: str = "self-chat", text: str = "hello"
) -> None:
    speakers = [f"{bot}_1", f"{bot}_2"]
    with (folder / "dialogues" / f"{bot}.jsonl").open("w", encoding="utf-8") as file:
        for number in range(count):
            record = {
                "format": "duologue.dialogue/1",
                "id": f"{bot}-{number}",
                "bot": bot,
                "kind": kind,
                "judged": speakers[0],
                "speakers": [{"name": name, "bot": bot} for name in speakers],
                "turns": [
                    {"speaker": speakers[turn % 2], "text": f"{text} {number} {turn}"} for turn in range(4)
                ],
            }
            file.write(json.dumps(record) + "\n")


def edit(study: Study, old: str, new: str) -> Study:
    path = study.folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return load_study(study.folder)


@pytest.fixture
def study(tmp_path: Path) -> Study:
    made = new_study(tmp_path / "s", seed=3)
    write_dialogues(made.folder, "ann", 6)
    write_dialogues(made.folder, "bob", 5)
    write_dialogues(made.folder, "human", 4, kind="human-human")
    return made
