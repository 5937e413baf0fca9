"""Arena-style votes become judgments."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError
from duologue.judgments import Votes, read_votes

SHARED = Path(__file__).parents[3] / "shared" / "data"


def votes_of(path: Path, text: str) -> Votes:
    path.write_text(text)
    return read_votes(path)


def test_csv_votes_are_understood(tmp_path: Path) -> None:
    votes = votes_of(
        tmp_path / "v.csv", "model_a,model_b,winner\nX,Y,model_a\nX,Y,model_b\nX,Y,tie\nX,Y,tie (bothbad)\n"
    )
    assert [votes.bots[code] for code in votes.winner] == ["X", "Y", "X", "X"]
    assert votes.winner_side.tolist() == [1, 2, 1, 1]
    assert votes.is_tie.tolist() == [False, False, True, True]


def test_json_votes_bring_voter_time_and_question(tmp_path: Path) -> None:
    def vote(first: str, second: str, winner: str, judge: str, tstamp: float | None, turn: int) -> object:
        bots = {"model_a": first, "model_b": second, "winner": winner}
        return {"question_id": 5, **bots, "judge": judge, "tstamp": tstamp, "turn": turn}

    rows = [
        vote("X", "Y", "model_a", "j1", 0, 1),
        vote("Y", "X", "model_a", "j2", 60.5, 1),
        vote("X", "Y", "tie", "j1", None, 2),
    ]
    votes = votes_of(tmp_path / "v.json", json.dumps(rows))
    assert votes.annotator.names == ("j1", "j2")
    assert votes.pairing.tolist() == [0, 0, 1]
    assert votes.at[1] == np.datetime64("1970-01-01T00:01:00")
    assert np.isnat(votes.at[2])


def test_left_and_right_are_understood(tmp_path: Path) -> None:
    votes = votes_of(tmp_path / "v.csv", "id,left,right,winner,worker\n1,X,Y,right,w\n")
    assert votes.bots[votes.winner[0]] == "Y"
    assert votes.annotator.names == ("w",)


def test_the_winner_may_be_named(tmp_path: Path) -> None:
    votes = votes_of(tmp_path / "v.csv", "model_a,model_b,winner\nX,Y,Y\nY,X,Y\nX,Y,tie\nX,Y,X\n")
    assert [votes.bots[code] for code in votes.winner] == ["Y", "Y", "X", "X"]
    assert votes.winner_side.tolist() == [2, 1, 1, 1]
    assert votes.is_tie.tolist() == [False, False, True, False]
    assert not votes.is_graded


def test_a_bot_called_as_a_side_is_that_bot(tmp_path: Path) -> None:
    votes = votes_of(tmp_path / "v.csv", "model_a,model_b,winner\nB,A,B\nBot A,Bot B,Bot B\nB,A,A\n")
    assert [votes.bots[code] for code in votes.winner] == ["B", "Bot B", "A"]


def test_a_winner_beside_a_preference_is_said_not_to_count(tmp_path: Path) -> None:
    rows = "left,right,winner,preference\nX,Y,left,A>>B\nX,Y,right,A>B\nX,Y,Y,B>A\nX,Y,tie,A=B\n"
    votes = votes_of(tmp_path / "v.csv", rows)
    assert [votes.bots[code] for code in votes.winner] == ["X", "X", "Y", "X"]
    assert votes.notes == ("The column winner is not used: preference says who won. They differ in 1 row.",)


@pytest.mark.parametrize(
    ("numbers", "note"),
    [
        (
            "-2 0 1",
            ("In the column preference negative numbers are taken to prefer left, positive ones right.",),
        ),
        ("1 2", ("In the column preference 1 is taken for left and 2 for right.",)),
        ("A>>B B>A", ()),
    ],
)
def test_it_is_said_how_numbers_are_read(tmp_path: Path, numbers: str, note: tuple[str, ...]) -> None:
    rows = "".join(f"X,Y,{number}\n" for number in numbers.split())
    assert votes_of(tmp_path / "v.csv", f"left,right,preference\n{rows}").notes == note


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model_a,model_b,winner\nX,Y,model_a\nX,Y,Z\n", "line 3, winner: expected model_a, model_b"),
        ("model_a,model_b,winner,tstamp\nX,Y,model_a,now\n", "line 2, tstamp: expected seconds since 1970"),
    ],
)
def test_a_bad_vote_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        votes_of(tmp_path / "v.csv", text)
    assert message in str(caught.value)


def test_judgments_are_not_read_as_arena_votes_by_force(tmp_path: Path) -> None:
    path = tmp_path / "v.csv"
    path.write_text("winner,loser\nA,B\n")
    with pytest.raises(FormatError, match="the columns model_a, model_b and winner"):
        read_votes(path, layout="arena")


@pytest.mark.skipif(not (SHARED / "llmfao").is_dir(), reason="the shared data are not here")
def test_the_crowd_votes_of_llmfao_are_all_read() -> None:
    votes = read_votes(SHARED / "llmfao" / "crowd-comparisons.csv")
    assert len(votes) == 8_931
    assert len(votes.bots) == 59
    assert len(votes.annotator.names) == 124
    assert int(votes.is_tie.sum()) == 3_471
    assert int(((votes.winner_side == 1) & ~votes.is_tie).sum()) == 2_911
    assert int((votes.winner_side == 2).sum()) == 2_549
    assert len(set(votes.pairing.tolist())) == 2_139
