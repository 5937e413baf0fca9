"""Graded preferences: who was preferred, and how clearly."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import FormatError
from duologue.judgments import Votes, read_votes
from duologue.judgments.preferences import Preference, read_preferences


def table(tmp_path: Path, *lines: str) -> Votes:
    path = tmp_path / "preferences.csv"
    path.write_text("\n".join(lines) + "\n")
    return read_votes(path)


@pytest.mark.parametrize(
    ("cell", "side", "lead"),
    [
        ("A much better", 1, 1.0),
        ("A is slightly better than B", 1, 0.5),
        ("b slightly", 2, 0.5),
        ("B a bit better", 2, 0.5),
        ("Model A is a lot better", 1, 1.0),
        ("model_b_slightly_better", 2, 0.5),
        ("strongly prefer left", 1, 1.0),
        ("Response 2 is slightly better", 2, 0.5),
        ("about the same", 0, 0.0),
        ("No preference", 0, 0.0),
        ("tie (bothbad)", 0, 0.0),
        ("[[A>>B]]", 1, 1.0),
        ("B >> A", 2, 1.0),
        ("A<<B", 2, 1.0),
        ("A=B", 0, 0.0),
    ],
)
def test_an_answer_in_words_or_signs_is_understood(cell: str, side: int, lead: float) -> None:
    assert read_preferences([cell]) == {cell: Preference(side, lead)}


@pytest.mark.parametrize(
    "cell", ["", "X", "A or B", "slightly", "A=A", "slightly much A", "4", "0.5", "nan", "A beats B"]
)
def test_an_answer_that_is_not_understood_is_left_out(cell: str) -> None:
    assert read_preferences([cell]) == {}


def test_better_is_the_weaker_answer_only_beside_much_better() -> None:
    five = read_preferences(["A much better", "A better", "same", "B better", "B much better"])
    assert [one.lead for one in five.values()] == [1.0, 0.5, 0.0, 0.5, 1.0]
    seven = read_preferences(["A much better", "A better", "A slightly better"])
    assert [one.lead for one in seven.values()] == [1.0, 1.0, 0.5]
    three = read_preferences(["A better", "tie", "B better"])
    assert [one.lead for one in three.values()] == [1.0, 0.0, 1.0]


def test_signs_and_numbers_follow_the_same_rule() -> None:
    assert [one.lead for one in read_preferences(["A>B", "B>>A"]).values()] == [0.5, 1.0]
    assert [one.lead for one in read_preferences(["A>B", "A=B"]).values()] == [1.0, 0.0]
    assert [one.lead for one in read_preferences(["-1", "0", "1.0"]).values()] == [1.0, 0.0, 1.0]
    graded = read_preferences(["−2", "-1.0", "0", "1", "2"])
    assert [(one.side, one.lead) for one in graded.values()] == [
        *((1, 1.0), (1, 0.5), (0, 0.0), (2, 0.5), (2, 1.0)),
    ]
    assert [one.lead for one in read_preferences(["-3", "2", "1"]).values()] == [1.0, 1.0, 0.5]


def test_a_column_of_numbers_gives_side_and_lead(tmp_path: Path) -> None:
    votes = table(tmp_path, "model_a,model_b,preference", "X,Y,-2", "X,Y,-1", "X,Y,0", "X,Y,1", "X,Y,2")
    assert [votes.bots[code] for code in votes.winner] == ["X", "X", "X", "Y", "Y"]
    assert votes.is_tie.tolist() == [False, False, True, False, False]
    assert votes.lead.tolist() == [1.0, 0.5, 0.0, 0.5, 1.0]
    assert votes.is_graded
    assert votes.select(votes.lead == 1.0).lead.tolist() == [1.0, 1.0]


def test_the_winner_column_of_arena_votes_may_be_graded(tmp_path: Path) -> None:
    lines = ["X,Y,model_a"] * 600  # the first chunk of the table has plain votes only
    votes = table(tmp_path, "model_a,model_b,winner", *lines, "X,Y,A>B", "X,Y,B>>A", "X,Y,tie")
    assert votes.lead.tolist() == [1.0] * 600 + [0.5, 1.0, 0.0]
    assert votes.winner_side[-2] == 2


def test_plain_votes_are_plain_wins(tmp_path: Path) -> None:
    votes = table(tmp_path, "winner,loser,outcome", "A,B,win", "A,B,tie", "A,B,")
    assert votes.lead.tolist() == [1.0, 0.0, 1.0]
    assert not votes.is_graded


def test_the_lead_of_our_own_table_is_read(tmp_path: Path) -> None:
    votes = table(tmp_path, "winner,loser,outcome,lead", "A,B,win,0.5", "A,B,win,", "A,B,,0", "A,B,tie,")
    assert votes.lead.tolist() == [0.5, 1.0, 0.0, 0.0]
    assert votes.is_tie.tolist() == [False, False, True, True]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["winner,loser,lead", "A,B,1", "A,B,0.7"], "line 3, lead: expected 1, 0.5 or 0 and found '0.7'"),
        (
            ["winner,loser,outcome,lead", "A,B,tie,0", "A,B,win,0"],
            "line 3, lead: expected 0 on a tie, and more than 0 on a win and found '0'",
        ),
        (["winner,loser,outcome,lead", "A,B,tie,1"], "line 2, lead: expected 0 on a tie"),
        (["model_a,model_b,preference", "X,Y,1", "X,Y,5"], "line 3, preference: expected a number from -2"),
        (["model_a,model_b,preference", "X,Y,"], "line 2, preference: expected a number from -2"),
        (["model_a,model_b,winner", "X,Y,0"], "line 2, winner: expected model_a, model_b, tie, the name"),
    ],
)
def test_a_grade_that_makes_no_sense_is_named(tmp_path: Path, lines: list[str], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        table(tmp_path, *lines)
    assert message in str(caught.value)


def test_one_and_two_alone_are_the_first_and_the_second_bot() -> None:
    assert [one.side for one in read_preferences(["1", "2"]).values()] == [1, 2]
    assert "3" not in read_preferences(["1", "2", "3"])  # of a scale whose middle nobody told us
    assert [one.side for one in read_preferences(["1", "2", "0"]).values()] == [2, 2, 0]
    assert [one.side for one in read_preferences(["1", "2", "-1"]).values()] == [2, 2, 1]
