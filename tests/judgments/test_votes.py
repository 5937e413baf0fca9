"""Votes: what a table of judgments says, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError
from duologue.judgments import UNKNOWN, Votes, read_votes, votes_from_rows
from duologue.judgments.arrow_csv import WORTHWHILE

HEADER = "winner,loser,outcome,winner_side,annotator,seconds,at,revision,is_onboarding,excluded,reason"


def votes_of(tmp_path: Path, *lines: str, header: str = HEADER) -> Votes:
    path = tmp_path / "judgments.csv"
    path.write_text("\n".join((header, *lines)) + "\n")
    return read_votes(path)


def test_winner_and_loser_are_all_that_is_needed(tmp_path: Path) -> None:
    votes = votes_of(tmp_path, "A,B", "B,A", "C,A", header="winner,loser")
    assert [votes.bots[code] for code in votes.winner] == ["A", "B", "C"]
    assert [votes.bots[code] for code in votes.loser] == ["B", "A", "A"]
    assert not votes.is_tie.any()
    assert votes.counts.all()
    assert (votes.annotator.codes == UNKNOWN).all()
    assert np.isnan(votes.seconds).all()
    assert np.isnat(votes.at).all()
    assert votes.revision.tolist() == [1, 1, 1]


def test_a_large_table_is_read_as_a_small_one(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    rows = ["ada,bea,ann,so", "bea,ada,bob,"] * (WORTHWHILE // 24)
    small, large = tmp_path / "small.csv", tmp_path / "large.csv"
    small.write_text("winner,loser,annotator,reason\n" + "\n".join(rows[:2]) + "\n")
    large.write_text("winner,loser,annotator,reason\n" + "\n".join(rows) + "\n")
    seen: list[int] = []
    votes = read_votes(large, progress=seen.append)
    assert seen == [len(rows)]  # all at once: by the fast reader
    few = read_votes(small)
    assert votes.bots == few.bots
    assert np.array_equal(votes.winner[:2], few.winner)
    assert np.array_equal(votes.annotator.codes[-2:], few.annotator.codes)


def test_every_column_is_understood(tmp_path: Path) -> None:
    votes = votes_of(
        tmp_path,
        "A,B,win,2,ann,12.5,2026-05-04T12:30:00+00:00,2,false,,fun",
        "A,B,tie,1,ben,,2026-05-04T14:30:00+02:00,2,true,late, ",
    )
    assert votes.is_tie.tolist() == [False, True]
    assert votes.winner_side.tolist() == [2, 1]
    assert votes.annotator.names == ("ann", "ben")
    assert votes.seconds[0] == 12.5
    assert np.isnan(votes.seconds[1])
    assert votes.at[0] == votes.at[1] == np.datetime64("2026-05-04T12:30:00")
    assert votes.revision.tolist() == [2, 2]
    assert votes.is_onboarding.tolist() == [False, True]
    assert votes.excluded.name_of(int(votes.excluded.codes[1])) == "late"
    assert votes.has_reason.tolist() == [True, False]
    assert votes.counts.tolist() == [True, False]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (",B,win,1,a,1,,1,,,", "line 3, winner: expected the name of a bot and found nothing"),
        ("A,,win,1,a,1,,1,,,", "line 3, loser: expected the name of a bot and found nothing"),
        ("A,B,lost,1,a,1,,1,,,", "line 3, outcome: expected win or tie and found 'lost'"),
        ("A,B,win,3,a,1,,1,,,", "line 3, winner_side: expected 1, 2 or not-recorded and found '3'"),
        ("A,B,win,1,a,-1,,1,,,", "line 3, seconds: expected a number from 0 up and found '-1'"),
        ("A,B,win,1,a,nan,,1,,,", "line 3, seconds: expected a number from 0 up and found 'nan'"),
        ("A,B,win,1,a,1,soon,1,,,", "line 3, at: expected a time such as"),
        ("A,B,win,1,a,1,,0,,,", "line 3, revision: expected a whole number from 1 up and found '0'"),
        ("A,B,win,1,a,1,,1.5,,,", "line 3, revision: expected a whole number from 1 up"),
        ("A,B,win,1,a,1,,1,maybe,,", "line 3, is_onboarding: expected true or false and found 'maybe'"),
    ],
)
def test_a_bad_cell_is_named_by_line_column_and_what_was_expected(
    tmp_path: Path, line: str, message: str
) -> None:
    with pytest.raises(FormatError) as caught:
        votes_of(tmp_path, "A,B,win,1,a,1,,1,,,", line)
    assert message in str(caught.value)


def test_a_bad_row_of_a_list_is_named_by_its_number(tmp_path: Path) -> None:
    path = tmp_path / "judgments.json"
    path.write_text('[{"winner": "A", "loser": "B"}, {"winner": "A", "loser": "B", "outcome": "draw"}]')
    with pytest.raises(FormatError, match="row 2, outcome: expected win or tie"):
        read_votes(path)


def test_a_table_without_winner_and_loser_says_which_columns_it_has(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"judgments, votes or ratings and found the columns first, second"):
        votes_of(tmp_path, "A,B", header="first,second")


def test_columns_of_a_parlai_table_are_known_by_their_names_there(tmp_path: Path) -> None:
    votes = votes_of(tmp_path, "A,B,w1,7", header="winner,loser,worker,pairing_id")
    assert votes.annotator.names == ("w1",)
    assert votes.pairing.tolist() == [0]


def test_no_rows_are_no_votes() -> None:
    votes = votes_from_rows([])
    assert len(votes) == 0
    assert votes.bots == ()


def test_progress_is_told_while_reading(tmp_path: Path) -> None:
    path = tmp_path / "judgments.jsonl"
    path.write_text('{"winner": "A", "loser": "B"}\n' * 3)
    seen: list[int] = []
    read_votes(path, progress=seen.append)
    assert seen == [3]


def test_selecting_rows_keeps_names_and_columns_together() -> None:
    votes = votes_from_rows({"winner": w, "loser": "C", "annotator": w} for w in "ABA")
    chosen = votes.select(votes.winner == 0)
    assert len(chosen) == 2
    assert [chosen.annotator.name_of(code) for code in chosen.annotator.codes.tolist()] == ["A", "A"]


@pytest.mark.parametrize("cell", [["a"], {"x": 1}])
@pytest.mark.parametrize("column", ["winner", "annotator"])
def test_a_list_or_an_object_is_no_name(tmp_path: Path, column: str, cell: object) -> None:
    path = tmp_path / "votes.jsonl"
    row: dict[str, object] = {"winner": "a", "loser": "b", "annotator": "ann"}
    path.write_text("\n".join(map(json.dumps, [row, row | {column: cell}])))
    with pytest.raises(FormatError, match=rf"line 2, {column}: expected a text or a number, no list"):
        read_votes(path)


def test_what_is_a_list_elsewhere_in_a_row_is_no_concern(tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_text('{"winner": "a", "loser": "b", "turns": [{"text": "hi"}]}\n')
    assert read_votes(path).bots == ("a", "b")


@pytest.mark.parametrize("rows", [1, WORTHWHILE // 4])
@pytest.mark.parametrize("name", ["a\0b", "\x1b[31mred", "bell\x07", "gone\x7f"])
def test_a_name_with_control_characters_is_refused(tmp_path: Path, name: str, rows: int) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("winner,loser\n" + "a,b\n" * rows + f"{name},b\n", newline="")
    with pytest.raises(FormatError, match=rf"line {rows + 2}, winner: expected a text without control"):
        read_votes(path)


def test_a_tab_and_the_end_of_a_line_are_parts_of_a_text(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text('winner,loser\n"a\tb","two\nlines"\n', newline="")
    assert read_votes(path).bots == ("a\tb", "two\nlines")
