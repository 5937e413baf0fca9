"""A large file in stretches: together they are the file, dialogue by dialogue and line by line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.dialogues import Dialogue, split_file, write_dialogues
from duologue.dialogues.read import read_located
from duologue.dialogues.reading import LocatedDialogue, ReadingOptions
from duologue.dialogues.sources import Source, Stretch
from duologue.errors import FormatError
from tests.dialogues.conftest import Written
from tests.metrics.dialogues import live_chat

OPTIONS = ReadingOptions(bot="ada", speaker_index=1)


def _read(path: Path, stretch: Stretch | None = None) -> list[LocatedDialogue]:
    return list(read_located(Source(path, stretch=stretch or Stretch()), OPTIONS))


def _parts(path: Path, size: int) -> list[LocatedDialogue]:
    return [one for stretch in split_file(path, size=size) for one in _read(path, stretch)]


@given(
    st.lists(
        st.lists(st.sampled_from(["hi", "tea ?", "1 cup", "ß 茶 é"]), min_size=1, max_size=4), min_size=1
    ),
    st.integers(1, 300),
    st.booleans(),
)
def test_stretches_of_convai2_text_are_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, said: list[list[str]], size: int, has_blanks: bool
) -> None:
    path = tmp_path_factory.mktemp("split") / "log.txt"
    between = "\n" if has_blanks else ""
    path.write_text(
        between.join(
            "".join(f"{at} {text}\t{text} {number} !\n" for at, text in enumerate(texts, 1))
            for number, texts in enumerate(said)
        ),
        encoding="utf-8",
    )
    assert _parts(path, size) == _read(path)


@pytest.mark.parametrize("size", [1, 200, 1000])
def test_stretches_of_lines_are_the_whole_file(tmp_path: Path, size: int) -> None:
    logs = [live_chat("hi 茶", f"number {n}", key=f"d{n}") for n in range(9)]
    write_dialogues(logs, tmp_path / "log.jsonl", format="duologue")
    assert len(split_file(tmp_path / "log.jsonl", size=size)) > 1
    assert _parts(tmp_path / "log.jsonl", size) == _read(tmp_path / "log.jsonl")


def test_a_bad_line_keeps_its_number(written: Written, tea: Dialogue, tmp_path: Path) -> None:
    write_dialogues([tea] * 6, tmp_path / "log.jsonl", format="duologue")
    good = (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    path = written("".join([*good[:4], "{oops\n", *good[4:]]))
    stretches = [one for one in split_file(path, size=len(good[0].encode()) + 1) if one]
    (bad,) = (one for one in stretches if one.line in (4, 5))
    with pytest.raises(FormatError) as raised:
        list(read_located(Source(path, stretch=bad), ReadingOptions()))
    assert (len(stretches) > 2, raised.value.line) == (True, 5)


def test_what_cannot_be_split_is_one_piece(written: Written) -> None:
    record = {"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}]}
    assert split_file(written([record] * 3)) == (None,)
    assert split_file(written(json.dumps([record] * 3)), size=10) == (None,)
    assert split_file(written("text:hi\tlabels:ho\tepisode_done:True\n\n" * 5, "log.txt"), size=10) == (None,)
