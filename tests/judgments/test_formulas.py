"""No cell of a CSV file begins a formula, and every text comes back as it was."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import duologue
from duologue.judgments import read_votes, write_csv, write_table
from duologue.judgments.arrow_csv import read_csv
from duologue.judgments.formulas import FORMULA_STARTS, guarded, unguarded
from duologue.judgments.table import table_rows

texts = st.text(st.sampled_from("=+-@＝＠\t\r\n' a\n,\"1é"), max_size=6) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=12
)


@given(text=texts)
def test_a_guarded_text_begins_no_formula_and_comes_back(text: str) -> None:
    assert not guarded(text).startswith(tuple(FORMULA_STARTS))
    assert unguarded(guarded(text)) == text


@settings(deadline=None)
@given(reason=texts, winner=texts)
@example(reason=" led by a space", winner="a\rb")
@example(reason="''=1", winner="'")
def test_text_from_strangers_is_written_safely_and_read_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, reason: str, winner: str
) -> None:
    path = tmp_path_factory.mktemp("formulas") / "t.csv"
    write_table([{"winner": winner, "reason": reason, "x": "x"}], path)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            assert not any(cell.startswith(tuple(FORMULA_STARTS)) for cell in row)
    assert list(table_rows(path)) == [{"winner": winner, "reason": reason, "x": "x"}]


def test_names_of_columns_are_guarded_as_well() -> None:
    file = io.StringIO(newline="")
    write_csv([{"loser": "a", "=cmd": 0.5}], file)
    assert file.getvalue() == "loser,'=cmd\na,0.5\n"


def test_numbers_of_ours_stay_numbers() -> None:
    file = io.StringIO(newline="")
    write_csv([{"leniency": -0.5, "correct": -1, "text": "-1"}], file)
    assert file.getvalue() == "leniency,correct,text\n-0.5,-1,'-1\n"


def test_both_readers_undo_the_guard(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    rows = [
        {"winner": "=A", "loser": "B", "reason": "\t"},
        {"winner": "B", "loser": "=A", "reason": "-- fine"},
        {"winner": "'=A", "loser": "B", "reason": "'quoted'"},
    ]
    write_table(rows, path)
    scanned = read_csv(path, ("winner", "loser", "reason"), needed={"winner"}, aliases={}, at_least=1)
    assert scanned is not None
    assert scanned["winner"].names == ("=A", "B", "'=A")
    assert scanned["reason"].codes.tolist() == [-1, 0, 0]
    assert set(read_votes(path).bots) == {"=A", "B", "'=A"}


def test_a_name_with_and_without_the_guard_is_one_name(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("winner,loser\n=A,B\n'=A,B\n")
    scanned = read_csv(path, ("winner", "loser"), needed={"winner"}, aliases={}, at_least=1)
    assert scanned is not None
    assert scanned["winner"].names == ("=A",)
    assert scanned["winner"].codes.tolist() == [0, 0]


def test_csv_is_written_in_one_place_only() -> None:
    source = Path(duologue.__file__).parent
    writing = [
        path.name
        for path in source.rglob("*.py")
        if re.search(r"csv\.(Dict)?[wW]riter|to_csv", path.read_text())
    ]
    assert writing == ["table_writing.py"]


@pytest.mark.parametrize("start", ["\n", "＝", "＋", "－", "＠"])
def test_line_feeds_and_full_width_signs_are_guarded_wherever_a_cell_is_written(start: str) -> None:
    risky = f"{start}HYPERLINK(1)"
    assert guarded(risky) == f"'{risky}"
    text = io.StringIO()
    write_csv([{"reason": risky, "name": "fine"}], text)
    assert f"'{risky}" in text.getvalue()
    assert unguarded(f"'{risky}") == risky
