"""Tables of judgments: read in any format, every bad line named, written whole or not at all."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from duologue.errors import ExportError, FormatError, InputError, MissingExtra, UnknownFormat
from duologue.judgments import table_rows, write_table
from duologue.judgments.table import CHUNK_ROWS, chunks_of_rows, line_of_row, read_chunks, table_format

ROWS: list[dict[str, object]] = [
    {
        "winner": "A",
        "loser": "B",
        "reason": 'it said "hi",\nthen left',
        "is_onboarding": False,
        "seconds": 1.5,
    },
    {"winner": "B", "loser": "A", "reason": "", "is_onboarding": True, "seconds": None},
]


def columns_of(path: Path) -> dict[str, list[str]]:
    (chunk,) = read_chunks(path)
    return {name: list(cells) for name, cells in chunk.columns.items()}


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "parquet"])
def test_a_table_reads_back_as_it_was_written(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"judgments.{ending}"
    assert write_table(ROWS, path) == 2
    assert table_format(path) == ending
    assert columns_of(path) == {
        "winner": ["A", "B"],
        "loser": ["B", "A"],
        "reason": ['it said "hi",\nthen left', ""],
        "is_onboarding": ["false", "true"],
        "seconds": ["1.5", ""],
    }


def test_a_table_of_many_chunks_keeps_every_row_in_order(tmp_path: Path) -> None:
    path = tmp_path / "many.csv"
    count = 2 * CHUNK_ROWS + 3
    write_table(({"winner": f"w{i}", "loser": "x"} for i in range(count)), path)
    chunks = list(read_chunks(path))
    assert [chunk.first for chunk in chunks] == [0, CHUNK_ROWS, 2 * CHUNK_ROWS]
    assert [cell for chunk in chunks for cell in chunk.columns["winner"]] == [f"w{i}" for i in range(count)]


def test_a_failed_write_leaves_the_old_file_and_no_litter(tmp_path: Path) -> None:
    path = tmp_path / "judgments.csv"
    write_table(ROWS, path)
    before = path.read_bytes()

    def breaking() -> Iterator[dict[str, object]]:
        yield ROWS[0]
        raise RuntimeError("the database went away")

    with pytest.raises(RuntimeError):
        write_table(breaking(), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_unknown_ending_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UnknownFormat, match=r"csv, jsonl, json, parquet\. Give the file the ending of one"):
        write_table(ROWS, tmp_path / "judgments.xls")


def test_a_table_written_from_no_rows_is_empty(tmp_path: Path) -> None:
    path = tmp_path / "none.csv"
    assert write_table([], path) == 0
    with pytest.raises(FormatError, match="an empty file"):
        table_format(path)


def test_semicolons_tabs_and_a_byte_order_mark_are_understood(tmp_path: Path) -> None:
    for number, delimiter in enumerate(";\t"):
        path = tmp_path / f"{number}.csv"
        path.write_text(f"winner{delimiter}loser\nA{delimiter}B, the second\n", encoding="utf-8-sig")
        assert columns_of(path) == {"winner": ["A"], "loser": ["B, the second"]}


def test_json_rows_may_leave_columns_out(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    path.write_text('{"winner": "A"}\n\n{"loser": ["x"], "seconds": 2}\n')
    assert columns_of(path) == {"winner": ["A", ""], "loser": ["", '["x"]'], "seconds": ["", "2"]}


def test_a_csv_file_with_only_a_header_has_its_columns_and_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "header.csv"
    path.write_text("winner,loser\n")
    assert columns_of(path) == {"winner": [], "loser": []}


def test_a_ragged_line_is_named_even_after_cells_with_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "ragged.csv"
    path.write_text('winner,loser\nA,"B\nb"\n\nA,B,C\n')
    with pytest.raises(FormatError, match=r"line 5: expected 2 cells, as the header has and found 3"):
        list(read_chunks(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('winner,loser\n"A,B\n', "a row of CSV"),
        ('winner,loser\n"A"x,B\n', "a row of CSV"),
        ("winner,winner\nA,B\n", "'winner' more than once"),
        (
            '{"a": 1}\n{"a": 1, "b": 2, "a": 5}',
            "line 2, a: expected each field once in an object and found it more",
        ),
        ('[{"a": 1},\n {"b": [{"a": 1, "a": 5}]}]', "row 2, a: expected each field once"),
        (
            '{"a": 1}\n{"rating": NaN}',
            "line 2, rating: expected JSON, which has no such number and found NaN",
        ),
        ('{"a": {"b": [1, -Infinity]}}', "number and found -Infinity. Write null where there is no number"),
        ('[{"a": 1}, NaN]', "row 2: expected JSON, which has no such number and found NaN"),
        (",".join(f"c{n}" for n in range(50_000)), "line 1: expected at most 5,000 columns and found 50,000"),
        (json.dumps({f"c{n}": n for n in range(50_000)}), "expected at most 5,000 columns and found 50,000"),
        ('{"winner": "A"}\nnot json\n', "line 2: expected a JSON object"),
        ('{"winner": "A"}\n[1]\n', "line 2: expected a JSON object and found a list"),
        ('["A"]', "row 1: expected a JSON object and found a str"),
        ("[{", "expected a JSON list of objects"),
    ],
)
def test_a_broken_file_says_where_it_is_broken(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken"
    path.write_text(text)
    with pytest.raises(FormatError) as caught:
        list(read_chunks(path))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_bytes_that_are_no_text_are_named_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.csv"
    path.write_bytes("winner,loser\nA,B\nÄ,B\n".encode("latin-1"))
    with pytest.raises(FormatError, match=r"line 3: expected UTF-8 text .* Save it as UTF-8"):
        list(read_chunks(path))


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "damaged.parquet"
    path.write_bytes(b"PAR1" + b"x" * 100)
    with pytest.raises(FormatError, match="a Parquet file"):
        list(read_chunks(path))


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        table_format(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="cannot be read"):
        table_format(tmp_path)


def test_lines_are_counted_in_files_made_of_lines_only(tmp_path: Path) -> None:
    lines, whole = tmp_path / "a.jsonl", tmp_path / "a.json"
    lines.write_text('{"a": 1}\n\n{"a": 2}\n')
    whole.write_text(json.dumps([{"a": 1}]))
    assert line_of_row(lines, 1) == 3
    assert line_of_row(whole, 0) is None


def test_rows_in_memory_come_in_chunks_too() -> None:
    chunks = list(chunks_of_rows({"n": i} for i in range(CHUNK_ROWS + 1)))
    assert [chunk.rows for chunk in chunks] == [CHUNK_ROWS, 1]


def test_a_row_that_is_not_there_has_no_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("winner,loser\nA,B\n")
    assert line_of_row(path, 5) is None


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[parquet\]'"):
        list(read_chunks(path))
    with pytest.raises(MissingExtra, match=r"pip install 'duologue\[parquet\]'"):
        write_table(ROWS, tmp_path / "b.parquet")


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_half_a_surrogate_pair_is_refused_with_its_field(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    row = '{"winner": "A", "reason": "half of it: \\ud83d"}'
    path.write_text(f"[{row}]" if ending == "json" else f'{{"winner": "\\u00e9"}}\n{row}\n')
    with pytest.raises(FormatError, match=r"reason: expected whole characters and found half of a surrogate"):
        list(read_chunks(path))


def test_a_json_list_with_escapes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    path.write_text('[{"winner": "\\u00e9 \\ud83d\\ude00"}]')
    assert columns_of(path) == {"winner": ["é 😀"]}


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_a_number_of_5000_digits_is_refused(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"t.{ending}"
    row = '{"seconds": ' + "9" * 5000 + "}"
    path.write_text(f"[{row}]" if ending == "json" else f"{row}\n")
    with pytest.raises(FormatError, match=r"a JSON .*and found a number of more than 4300 digits"):
        list(read_chunks(path))


@pytest.mark.parametrize("where", ["missing/t.csv", "file/t.csv", "folder.csv"])
def test_a_table_that_cannot_be_written_there_is_an_error_of_ours(tmp_path: Path, where: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(ExportError, match=where):
        write_table(ROWS, tmp_path / where)


def test_a_json_table_that_ends_half_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text("[1, 2", encoding="utf-8")
    with pytest.raises(FormatError, match="Expecting"):
        list(table_rows(path))


def test_a_json_table_that_is_nested_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(FormatError, match="nested too deeply"):
        list(table_rows(path))
