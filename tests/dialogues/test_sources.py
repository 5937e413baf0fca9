import codecs
from pathlib import Path

import pytest

from duologue.dialogues import sources
from duologue.dialogues.sources import Source
from duologue.errors import FormatError, UnreadableFile
from tests.dialogues.conftest import Written


def test_only_line_feeds_end_a_line(written: Written) -> None:
    path = written("a\u2028b\x85c\x0bd\r\ne\rf\n\ng")
    assert list(Source(path).lines()) == [(1, "a\u2028b\x85c\x0bd"), (2, "e\rf"), (3, ""), (4, "g")]


def test_byte_order_mark_is_no_text(written: Written) -> None:
    assert list(Source(written(codecs.BOM_UTF8 + b"hi\n")).lines()) == [(1, "hi")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"fine\nb\xc3\x28d\n", "line 2: expected text in UTF-8 and found byte 0xc3 at byte 2"),
        (b"fine\na\0b\n", "line 2: expected text and found a NUL byte"),
        (b"\x1f\x8b\x08", "gzip"),
        ("hi".encode("utf-16"), "UTF-16"),
    ],
)
def test_a_line_that_is_not_text_is_described(written: Written, content: bytes, message: str) -> None:
    *_, (_, found) = Source(written(content)).lines()
    assert isinstance(found, FormatError)
    assert message in str(found)


def test_lines_after_a_broken_one_are_still_read(written: Written) -> None:
    lines = list(Source(written(b"one\n\xff\nthree\n")).lines())
    assert [line for line in lines if isinstance(line[1], str)] == [(1, "one"), (3, "three")]


def test_a_line_too_long_for_memory_is_described_and_passed_over(
    written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "MAX_RECORD_BYTES", 10)
    first, second = Source(written("x" * 35 + "\nfine\n")).lines()
    assert "a line of at most 10 bytes" in str(first[1])
    assert second == (2, "fine")


@pytest.mark.parametrize("what", ["missing", "a folder"])
def test_what_cannot_be_opened_is_said(tmp_path: Path, what: str) -> None:
    path = tmp_path if what == "a folder" else tmp_path / "missing.jsonl"
    with pytest.raises(UnreadableFile, match=str(path)):
        list(Source(path).lines())


def test_progress_goes_up_to_the_size_of_the_file(written: Written) -> None:
    told: list[tuple[int, int]] = []
    path = written("x" * 700_000 + "\n" + "y" * 700_000 + "\n" + "z\n")
    list(Source(path, on_progress=lambda read, total: told.append((read, total))).lines())
    size = path.stat().st_size
    assert told[-1] == (size, size)
    assert len(told) == 2
    assert all(total == size for _, total in told)


def test_an_error_that_is_kept_holds_no_frames(written: Written) -> None:
    kept: list[FormatError] = []
    source = Source(written("x\n"), on_bad=kept.append)
    try:
        try:
            int("x")
        except ValueError as error:
            raise source.error(1, expected="a number") from error
    except FormatError as error:
        source.leave_out(error)
    assert (kept[0].__traceback__, kept[0].__context__, kept[0].__cause__) == (None, None, None)
