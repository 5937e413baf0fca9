"""The fast reader of CSV files agrees with the plain one, or leaves the file to it."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from duologue.judgments.arrow_csv import LONGEST_HEADER, WORTHWHILE, read_csv
from duologue.judgments.columns import Columns, NameColumn, encode_chunks
from duologue.judgments.table import read_chunks

NAMES = ("winner", "loser", "annotator", "reason", "seconds")

cells = st.one_of(
    st.sampled_from(
        ["", "A", "B", "bot one", 'the "best"', "x,y", "two\nlines", "é", "12345678", "123456789"]
    ),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20),
)
tables = st.lists(st.tuples(cells, cells, cells, cells), max_size=30)


def scanned(path: Path) -> Columns | None:
    return read_csv(path, NAMES, needed={"winner", "loser"}, aliases={"worker": "annotator"}, at_least=1)


def plain(path: Path) -> Columns:
    return encode_chunks(read_chunks(path), NAMES, source=path)


def texts(column: NameColumn) -> list[str]:
    return [column.name_of(code) for code in column.codes.tolist()]


def written(path: Path, rows: Sequence[tuple[str, ...]], *, end: str = "\n") -> Path:
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator=end)
    writer.writerow(["winner", "loser", "annotator", "reason"])
    writer.writerows(rows)
    path.write_bytes(buffer.getvalue().encode())
    return path


@settings(deadline=None)
@given(rows=tables, end=st.sampled_from(["\n", "\r\n"]))
def test_both_readers_find_the_same_cells(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, ...]], end: str
) -> None:
    path = written(tmp_path_factory.mktemp("scan") / "t.csv", rows, end=end)
    fast = scanned(path)
    if fast is not None:
        slow = plain(path)
        for name in NAMES:
            assert texts(fast[name]) == texts(slow[name]), name


@settings(deadline=None)
@given(body=st.text(st.sampled_from("A,\"\n\r '=\té"), max_size=40))
def test_what_is_read_fast_is_no_fault_to_the_plain_reader(
    tmp_path_factory: pytest.TempPathFactory, body: str
) -> None:
    path = tmp_path_factory.mktemp("scan") / "t.csv"
    path.write_bytes(f"winner,loser,reason\n{body}".encode())
    fast = scanned(path)
    if fast is not None:
        slow = plain(path)
        for name in NAMES:
            assert texts(fast[name]) == texts(slow[name]), name


@pytest.mark.parametrize("body", ['A,B,"', 'A,B,""=', 'A,"B"C,x', 'A,5" tall,x', 'A,B,"x\n'])
def test_quotes_that_stand_oddly_are_left_to_the_plain_reader(tmp_path: Path, body: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"winner,loser,reason\n{body}")
    assert scanned(path) is None


def test_a_well_formed_table_is_read_fast(tmp_path: Path) -> None:
    rows = [("A", "B", f"annotator {i % 7}", 'said "hi", twice' if i % 2 else "") for i in range(5000)]
    fast = scanned(written(tmp_path / "t.csv", rows))
    assert fast is not None
    assert texts(fast["annotator"]) == [row[2] for row in rows]
    assert texts(fast["reason"]) == ["given" if row[3] else "" for row in rows]
    assert fast["annotator"].names == tuple(f"annotator {i}" for i in range(7))
    assert texts(fast["seconds"]) == [""] * 5000


def test_quoted_and_plain_spellings_of_a_name_are_one_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('winner,loser\n"A",B\nA,B')
    fast = scanned(path)
    assert fast is not None
    assert fast["winner"].names == ("A",)


@pytest.mark.parametrize(
    "text",
    [
        "winner,loser\nA,B,C\n",
        "winner,loser\nA\n",
        'winner,loser\n5" tall,B\n',
        'winner,loser\n"A,B\n',
        "winner,loser\nA\rB,C\n",
        "winner,loser\n A,B\n",
        "winner;loser\nA;B\n",
        "model_a,model_b,winner\nA,B,model_a\n",
        "winner,winner\nA,B\n",
        "winner,loser\nA\0,B\n",
        '"winner","loser"\nA,B\n',
        "",
    ],
)
def test_whatever_is_in_doubt_is_left_to_the_plain_reader(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text)
    assert scanned(path) is None


def test_bytes_that_are_no_text_are_left_to_the_plain_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"winner,loser,reason\nA,\xff,x\n")
    assert scanned(path) is None
    path.write_bytes(b"winner,loser,reason\nA,B,\xff\n")
    assert scanned(path) is None


def test_a_byte_order_mark_is_not_part_of_the_first_name(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("winner,loser\nA,B\n", encoding="utf-8-sig")
    fast = scanned(path)
    assert fast is not None
    assert texts(fast["winner"]) == ["A"]


def test_rows_that_are_too_long_and_too_short_by_turns_are_left_to_the_plain_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("winner,loser\nA,B,C\nD\n")
    assert scanned(path) is None


def test_an_endless_header_is_left_to_the_plain_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"winner,loser,{'c' * LONGEST_HEADER}\nA,B,C\n")
    assert scanned(path) is None


def test_small_files_are_left_to_the_plain_reader(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", [("A", "B", "x", "")])
    assert path.stat().st_size < WORTHWHILE
    assert read_csv(path, NAMES, needed={"winner", "loser"}, aliases={}) is None


def test_without_arrow_every_file_is_left_to_the_plain_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "t.csv", [("A", "B", "x", "")])
    assert scanned(path) is not None
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert scanned(path) is None


def test_blank_lines_are_no_rows_for_either_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("winner,loser\n\nA,B\n\n")
    fast = scanned(path)
    assert fast is not None
    assert texts(fast["winner"]) == texts(plain(path)["winner"]) == ["A"]


@pytest.mark.parametrize(
    ("cell", "is_given"), [('""', False), ('"  "', False), ('"x"', True), ('" x"', True), ('"""x"""', True)]
)
def test_a_quoted_reason_is_one_when_there_is_something_in_it(
    tmp_path: Path, cell: str, is_given: bool
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"winner,loser,reason\nA,B,{cell}\n")
    fast = scanned(path)
    assert fast is not None
    assert texts(fast["reason"]) == texts(plain(path)["reason"]) == ["given" if is_given else ""]
