"""Whatever a file holds, reading it gives what it says or one of our errors, never a traceback."""

from __future__ import annotations

import zlib
from pathlib import Path
from random import Random

import pytest

from duologue.errors import DuologueError
from tests.fuzz.mutations import mutated
from tests.fuzz.targets import Target, Use, targets

SLOW_INPUTS = 1_200
"""For each reader."""
QUICK_INPUTS = 20
NAMES = [
    *(f"dialogues-{name}" for name in ("duologue", "acute", "parlai", "parlai-text", "openai", "sharegpt")),
    *(
        "dialogues-convai2-logs",
        "dialogues-turns",
        "dialogues-convai2",
        "dialogues-topical-chat",
        "dialogues-transcript",
        "dialogues-unknown",
        "parlai-metadata",
        "pairings",
    ),
    *("onboarding", "judgments-csv", "judgments-jsonl", "arena-csv", "arena-json", "ratings-csv"),
    *(
        "ratings-jsonl",
        "ratings-convai2",
        "turns",
        "judgments-xlsx",
        "ratings-xlsx",
        "metrics",
        "briefings",
        "training",
        "training-pairs",
        "words",
        "items",
    ),
    *("study-acute", "study-likert"),
]


@pytest.mark.parametrize("name", NAMES)
def test_a_bad_file_is_refused_in_our_own_words(name: str, tmp_path: Path) -> None:
    _feed(name, tmp_path, first=0, count=QUICK_INPUTS)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_many_bad_files_are_refused_in_our_own_words(name: str, tmp_path: Path) -> None:
    _feed(name, tmp_path, first=QUICK_INPUTS, count=SLOW_INPUTS)


def test_every_reader_has_good_files_that_it_reads(tmp_path: Path) -> None:
    found = targets(tmp_path / "scratch")
    assert [target.name for target in found] == NAMES
    for target in found:
        for number, content in enumerate(target.seeds):
            path = _placed(tmp_path / f"{target.name}-{number}", target, content)
            target.read(path)
            if target.read_slowly is not None and (target.name, number) not in _NOT_SERVED:
                target.read_slowly(path)


_NOT_SERVED = {("items", 1)}
"""Live chats, in a study of comparisons."""


def _feed(name: str, folder: Path, *, first: int, count: int) -> None:
    target = next(one for one in targets(folder / "scratch") if one.name == name)
    path = _placed(folder / "input", target, b"")
    for number in range(first, first + count):
        rng = Random(zlib.crc32(name.encode()) + number)
        content = mutated(rng.choice(target.seeds), rng, kind=target.kind)
        path.write_bytes(content)
        is_slow = (number + 1) % target.slowly_every == 0
        for read in (target.read, target.read_slowly if is_slow else None):
            if read is not None:
                said = _said(read, path, f"input {number} of {name}: {content[:2000]!r}")
                assert said.encode("utf-8").splitlines() == [said.encode("utf-8")][: len(said)]


def _said(read: Use, path: Path, about: str) -> str:
    """What a reader says against a file; nothing when it takes it."""
    try:
        read(path)
    except DuologueError as error:
        return str(error)
    except Exception as error:
        error.add_note(about)
        raise
    return ""


def _placed(folder: Path, target: Target, content: bytes) -> Path:
    folder.mkdir(parents=True)
    path = folder / target.file
    path.write_bytes(content)
    return path
