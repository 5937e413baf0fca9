"""Other people's tables lose nothing: columns kept, renamed, or named as unused."""

from __future__ import annotations

import json
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from duologue.errors import FormatError, MissingExtra
from duologue.judgments import (
    judgment_chunks,
    rating_chunks,
    ratings_from_rows,
    read_ratings,
    read_votes,
    rows_of_chunks,
    table_rows,
    votes_from_rows,
    write_table,
)
from duologue.judgments.sheets import LONGEST_TAG, MOST_UNPACKED, _counted, sheet_rows
from tests.sheets import write_sheet


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n")
    return path


def test_arena_votes_keep_all_that_we_know(tmp_path: Path) -> None:
    path = write(
        tmp_path / "v.csv",
        "model_a,model_b,winner,annotator,judge,excluded,is_onboarding,arm,pairing,seconds,question,at,",
        "X,Y,model_a,ann,gpt,late,false,long,p7,12,Who?,2026-05-04T12:30:00,en",
        "X,Y,tie,bob,gpt,,true,short,p8,13,Who?,,en",
    )
    votes = read_votes(path)
    assert votes.annotator.names == ("ann", "bob")
    assert [votes.excluded.name_of(code) for code in votes.excluded.codes] == ["late", ""]
    assert votes.is_onboarding.tolist() == [False, True]
    assert votes.arm.names == ("long", "short")
    assert votes.pairing.tolist() == [0, 1]
    assert votes.seconds.tolist() == [12, 13]
    assert votes.question.names == ("Who?",)
    assert str(votes.at[0]) == "2026-05-04T12:30:00"
    unused = "Columns that are not used: judge, one without a name"
    assert [note.partition(". ")[0] for note in votes.notes] == [unused]


def test_imported_arena_votes_are_read_the_same_again(tmp_path: Path) -> None:
    path = write(
        tmp_path / "v.csv",
        "model_a,model_b,winner,judge,excluded,seconds,question_id,mood",
        "X,Y,A>>B,ann,,12,1,good",
        "X,Y,B>A,ann,late,13,2,bad",
    )
    write_table(rows_of_chunks(judgment_chunks(path)), tmp_path / "ours.csv")
    before, after = read_votes(path), read_votes(tmp_path / "ours.csv")
    assert after.lead.tolist() == before.lead.tolist() == [1.0, 0.5]
    assert after.excluded.codes.tolist() == before.excluded.codes.tolist() == [-1, 0]
    assert after.pairing.tolist() == before.pairing.tolist() == [0, 1]
    assert [row["mood"] for row in table_rows(tmp_path / "ours.csv")] == ["good", "bad"]


def test_a_table_may_only_say_whether_a_row_is_excluded() -> None:
    votes = votes_from_rows(
        {"winner": "A", "loser": "B", "excluded": cell} for cell in ("no", "False", "1", "true", "late", "")
    )
    named = [votes.excluded.name_of(code) for code in votes.excluded.codes]
    assert named == ["", "", "excluded", "excluded", "late", ""]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_columns_are_renamed_and_others_of_that_name_left_out(tmp_path: Path, ending: str) -> None:
    rows = [{"better": "A", "worse": "B", "winner": "nobody", "question": "a prompt", "rater": "ann"}]
    write_table(rows * 600, tmp_path / f"t.{ending}")
    columns = {"winner": "better", "loser": "worse", "annotator": "rater", "question": ""}
    votes = read_votes(tmp_path / f"t.{ending}", columns=columns)
    assert (votes.bots, votes.annotator.names, votes.question.names) == (("A", "B"), ("ann",), ())
    assert votes.notes == ()


def test_the_fast_reader_renames_columns_too(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "better,worse,rater,extra", "A,B,ann,1", "B,A,bob,2")
    votes = read_votes(path, columns={"winner": "better", "loser": "worse", "annotator": "rater"})
    assert votes.annotator.names == ("ann", "bob")
    assert "not used: extra." in votes.notes[0]


def test_a_column_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "bot,score", "A,1")
    message = r"expected a column 'points', as --columns says of rating and found bot, score"
    with pytest.raises(FormatError, match=message):
        read_ratings(path, columns={"rating": "points"})
    with pytest.raises(FormatError, match="a column 'x', as --columns says of winner"):
        read_votes(path, columns={"winner": "x"})
    assert read_ratings(path, columns={"rating": "score"}).points["rating"].tolist() == [1.0]


def test_many_unused_columns_are_not_all_named(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(25)]
    votes = read_votes(write(tmp_path / "t.csv", ",".join(["winner", "loser", *names]), "A,B" + "," * 25))
    assert "c19 and 5 more." in votes.notes[0]


def test_an_alias_does_not_hide_the_column_it_stands_for() -> None:
    votes = votes_from_rows([{"winner": "A", "loser": "B", "worker": "w", "annotator": "ann"}])
    assert votes.annotator.names == ("ann",)
    ratings = ratings_from_rows([{"bot": "A", "model": "M", "rating": 1}])
    assert ratings.bot.names == ("A",)
    assert "not used: model." in ratings.notes[0]


def test_an_excel_sheet_is_read(tmp_path: Path) -> None:
    header = ["bot", "rating", "annotator", None]
    path = write_sheet(tmp_path / "t.xlsx", [header, ["A", 4, 12, None], [None], ["B", 2.5, "ann"], ["B", 1]])
    ratings = read_ratings(path)
    assert ratings.bot.names == ("A", "B")
    assert ratings.points["rating"].tolist() == [4, 2.5, 1]
    assert ratings.annotator.names == ("12", "ann")
    votes = read_votes(write_sheet(tmp_path / "v.xlsx", [["winner", "loser"], ["A", "B"], ["B", "A"]]))
    assert votes.winner.tolist() == [0, 1]
    assert list(table_rows(write_sheet(tmp_path / "e.xlsx", [["winner", "loser"]]))) == []


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [["bot", "rating"], ["A", 1], [], ["A", "much"]],
            "line 4, rating: expected a number from -1,000,000",
        ),
        ([["bot", "rating"], ["A", 1, "more"]], "line 2, row: expected no cell beyond the header's"),
        ([["bot", "bot"], ["A", 1]], "line 1: expected each column once and found 'bot' more than once"),
    ],
)
def test_a_bad_row_of_a_sheet_is_named(tmp_path: Path, rows: list[list[object]], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_ratings(write_sheet(tmp_path / "t.xlsx", rows))
    assert message in str(caught.value)


def test_a_sheet_without_the_reader_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(MissingExtra, match=r"duologue\[xlsx\]"):
        read_ratings(write_sheet(tmp_path / "t.xlsx", [["bot", "rating"]]))


@pytest.mark.parametrize("place", ["XFD1048576", "xfd1048576", "A" * 40 + "1", "B" + "9" * 30])
def test_a_stray_cell_takes_no_room_for_all_that_lies_between(tmp_path: Path, place: str) -> None:
    path = write_sheet(tmp_path / "t.xlsx", [["bot", "rating"], ["A", 4], ["B", 2]], places={2: place})
    with pytest.raises(
        FormatError, match=r"cells scattered over .* rows and .* columns\. Delete what stands far"
    ):
        read_ratings(path)


def test_a_long_sheet_that_is_filled_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duologue.judgments.sheets.FREE_PLACES", 10)
    rows: list[list[object]] = [["bot", "rating"]]
    rows += ([name, 1 + n % 4] for n in range(40_000) for name in ("A", "B"))
    places = {number: f"A{number + 1}" for number in range(len(rows))}
    ratings = read_ratings(write_sheet(tmp_path / "t.xlsx", rows, places=places))
    assert len(ratings.points["rating"]) == 80_000


def test_an_archive_that_is_no_sheet_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as file:
        file.writestr("hello.txt", "hello")
    with pytest.raises(FormatError, match=r"expected an Excel file \(.xlsx\)"):
        read_ratings(tmp_path / "t.xlsx")


def test_a_sheet_that_is_too_large_unpacked_is_refused_before_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A megabyte of zip can hold a gigabyte of blanks."""
    assert MOST_UNPACKED == 1 << 30
    monkeypatch.setattr("duologue.judgments.sheets.MOST_UNPACKED", 1 << 20)
    path = write_sheet(tmp_path / "t.xlsx", [["bot", "rating"], ["A", 4]])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as file:
        file.writestr("xl/sharedStrings.xml", bytes(5 << 20))
    with pytest.raises(FormatError, match=r"expected at most 1 MB when it is unpacked.*5 MB"):
        read_ratings(path)


def test_a_part_without_tags_is_read_in_one_pass() -> None:
    """What could still become a tag is carried on; were it all, time would be quadratic."""
    carried = []

    class Part(BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            carried.append(sys._getframe(1).f_locals["left"])
            return super().read(size)

    assert _counted(Part(b"<c " + b"x" * (5 << 20) + b"<c r='B7'/></row>")) == (1, 7, 2)
    assert max(map(len, carried)) <= LONGEST_TAG


def test_an_unknown_table_is_shown_the_shapes_that_are_read(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "prompt,answer", "a,b")
    with pytest.raises(FormatError) as caught:
        read_votes(path)
    lines = "\n".join(caught.value.__notes__)
    for example in ("winner,loser", "mint,sage,ann", "model_a,model_b,winner", "bot,rating", "mint,4,ann"):
        assert example in lines


def test_one_object_over_many_lines_is_no_table(tmp_path: Path) -> None:
    path = write(tmp_path / "t.json", json.dumps({"d1": {"content": []}}, indent=1))
    with pytest.raises(FormatError, match="One object over many lines is no table"):
        read_ratings(path)


def test_null_and_not_applicable_are_no_rating_and_nan_is_no_json(tmp_path: Path) -> None:
    rows = '[{"bot": "A", "rating": null}, {"bot": "A", "rating": "N/A"}, {"bot": "A", "rating": 1}]'
    assert read_ratings(write(tmp_path / "t.json", rows)).is_rated.tolist() == [False, False, True]
    with pytest.raises(FormatError, match=r"row 1, rating: .* found NaN. Write null"):
        read_ratings(write(tmp_path / "nan.json", rows.replace("null", "NaN")))


def test_one_row_an_answer_gives_each_question_its_own_scale() -> None:
    rows = [
        {"bot": "A", "question": "fun", "rating": 4, "scale": "1 to 5"},
        {"bot": "A", "question": "clear", "rating": 1, "scale": "0 to 1"},
        {"bot": "A", "question": "", "rating": 7},
    ]
    ratings = ratings_from_rows(rows)
    assert list(ratings.points) == ["fun", "clear", "rating"]
    assert ratings.scales == {"fun": (1, 5), "clear": (0, 1)}
    assert ratings.points["clear"][1] == 1
    assert list(ratings_from_rows(rows[:2]).points) == ["fun", "clear"]


TURNS = [{"sender": "participant1", "text": "Hi"}]
BOT = {"class": "Bot", "user_id": "Bot 6"}


def test_the_rated_bot_of_convai2_logs_is_the_one_the_record_names(tmp_path: Path) -> None:
    logs = [
        {
            "dialog": TURNS,
            "eval_score": 1,
            "participant2_id": BOT,
            "participant1_id": {"class": "User", "user_id": "u"},
        },
        {
            "dialog": [{"sender": "participant1", "sender_class": "Human"}],
            "eval_score": 2,
            "participant2_id": BOT,
        },
        {"dialog": TURNS, "eval_score": 3},
    ]
    path = tmp_path / "logs.json"
    path.write_text(json.dumps(logs))
    ratings = read_ratings(path)
    assert [ratings.bot.names[code] for code in ratings.bot.codes] == ["Bot 6", "Bot 6", "bot"]
    assert [ratings.annotator.name_of(code) for code in ratings.annotator.codes] == ["u", "", ""]


def test_convai2_logs_are_imported_in_our_columns_with_their_times(tmp_path: Path) -> None:
    log = {"dialog_id": "7", "dialog": TURNS, "eval_score": 4, "profile_match": 1, "participant2_id": BOT}
    log |= {"start_time": "2018-10-29 09:08:40", "end_time": "2018-10-29 09:12:32.5", "mood": "good"}
    path = tmp_path / "logs.json"
    path.write_text(json.dumps([log, log | {"end_time": "later"}, log | {"end_time": "2018-10-29 09:00:00"}]))
    first, *others = rows_of_chunks(rating_chunks(path))
    assert first == {
        "bot": "Bot 6",
        "annotator": "",
        "rating": "4",
        "persona_right": "true",
        "dialogue": "Bot 6:7",
        "source": "live",
        "seconds": "232.5",
        "at": "2018-10-29T09:12:32.500000",
        "mood": "good",
    }
    assert [row["seconds"] for row in others] == ["", ""]


def test_many_questions_may_be_prompts() -> None:
    rows = [{"winner": "A", "loser": "B", "question": f"q{number}"} for number in range(21)]
    (note,) = votes_from_rows(rows).notes
    assert "The column question has 21 different texts" in note
    assert votes_from_rows(rows[:20]).notes == ()


@pytest.mark.parametrize(
    "name", ["percent_wins", "Win rate", "winrate", "%", "wins", "share_of_wins", "count"]
)
def test_a_table_of_shares_is_not_read_as_one_judgment_a_row(tmp_path: Path, name: str) -> None:
    path = write(tmp_path / "t.csv", f"loser,winner,{name}", "RC,KV,58", "KV,RC,42")
    with pytest.raises(FormatError) as refused:
        read_votes(path)
    assert str(refused.value) == (
        f"{path}: expected one row for each judgment and found a column {name!r}, as of several judgments in "
        "a row. Write a row with winner and loser for each judgment. If each row is one judgment, leave the "
        f"column out: --columns '{name}='."
    )
    assert len(read_votes(path, columns={name: ""})) == 2


def test_a_grid_of_win_rates_is_refused_with_what_to_do(tmp_path: Path) -> None:
    path = write(tmp_path / "grid.csv", ",loser,mint,sage", "0,mint,,0.5", "1,sage,0.5,")
    with pytest.raises(FormatError) as refused:
        read_votes(path)
    assert "A table of win rates holds no single judgments" in "".join(refused.value.__notes__)


def test_a_side_may_be_said_not_to_be_recorded(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "winner,loser,winner_side", "A,B,1", "B,A,not-recorded", "A,B,")
    assert read_votes(path).winner_side.tolist() == [1, 0, 0]
    wrong = write(tmp_path / "w.csv", "winner,loser,winner_side", "A,B,3")
    with pytest.raises(FormatError, match="winner_side: expected 1, 2 or not-recorded and found '3'"):
        read_votes(wrong)


def test_a_question_put_to_several_bots_is_one_pairing_with_a_dialogue_of_each(tmp_path: Path) -> None:
    path = write(
        tmp_path / "v.csv",
        "question_id,model_a,model_b,winner,judge",
        "81,X,Y,model_a,ann",
        "81,X,Z,model_a,ann",
        "82,Y,X,model_a,ann",
    )
    votes = read_votes(path)
    assert votes.pairing.tolist() == [0, 0, 1]
    assert votes.pairing_clusters.tolist() == [0, 1, 2]
    write_table(rows_of_chunks(judgment_chunks(path)), tmp_path / "ours.csv")
    assert read_votes(tmp_path / "ours.csv").pairing_clusters.tolist() == [0, 1, 2]


def test_a_damaged_sheet_that_is_packed_another_way_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "votes.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", "<row/>" * 2_000)
    damaged = bytearray(path.read_bytes())
    damaged[90:110] = bytes(byte ^ 255 for byte in damaged[90:110])
    path.write_bytes(damaged)
    with pytest.raises(FormatError, match=r"expected an Excel file \(.xlsx\) and found one with the fault"):
        list(sheet_rows(path))
