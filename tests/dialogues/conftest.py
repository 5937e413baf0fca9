"""Files to read, a study to import into, and a dialogue to begin with."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from duologue.dialogues import Dialogue, Json, Speaker, Turn

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a file from bytes, text, or records as JSON lines."""

    def write(content: bytes | str | list[Json], name: str = "log.jsonl") -> Path:
        if isinstance(content, list):
            content = "".join(json.dumps(record) + "\n" for record in content)
        path = tmp_path / name
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A folder that is a study."""
    folder = tmp_path / "study"
    folder.mkdir()
    (folder / "study.toml").write_text("")
    return folder


@pytest.fixture
def tea() -> Dialogue:
    """A short live chat about tea."""
    return Dialogue(
        id="tea",
        bot="ada",
        kind="live-chat",
        judged="A",
        speakers=(Speaker("A", "ada"), Speaker("B")),
        turns=(Turn("B", "Tea or coffee?"), Turn("A", "Tea, please!")),
    )
