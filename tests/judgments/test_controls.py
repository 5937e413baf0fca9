"""Control items: who fails them is excluded, with the rule, and everybody else stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from duologue.errors import FormatError
from duologue.judgments import Ratings, Votes, ratings_from_rows, read_votes, votes_from_rows


def rules(table: Votes | Ratings) -> list[str]:
    return [table.excluded.name_of(code) for code in table.excluded.codes.tolist()]


def vote(annotator: str, winner: str, gold: str = "", **more: str) -> dict[str, str]:
    loser = "B" if winner == "A" else "A"
    return {"winner": winner, "loser": loser, "annotator": annotator, "gold": gold, **more}


def test_annotators_who_fail_control_items_are_excluded_from_votes() -> None:
    votes = votes_from_rows(
        [vote("ann", "A"), vote("ann", "A", gold="A"), vote("bob", "A"), vote("bob", "A", gold="B")]
    )
    assert rules(votes) == ["", "", "control-items", "control-items"]
    assert votes.is_onboarding.tolist() == [False, True, False, True]
    assert votes.counts.tolist() == [True, False, False, False]
    assert votes.notes == (
        "Control items: 2 annotators answered 2 of them; 1 answered fewer than 75 % right and is excluded "
        "(1 judgment).",
    )


def test_where_everybody_paid_attention_nobody_is_said_to_be_excluded() -> None:
    votes = votes_from_rows([vote("ann", "A"), vote("ann", "A", gold="A")])
    assert votes.notes == (
        "Control items: 1 annotator answered 1 of them; nobody answered fewer than 75 % right.",
    )


def test_three_of_four_right_is_enough_and_a_tie_can_be_right() -> None:
    right = [vote("ann", "A", gold="tie", outcome="tie"), *(vote("ann", bot, gold=bot) for bot in "AB")]
    votes = votes_from_rows([*right, vote("ann", "A", gold="tie"), vote("ann", "B"), vote("", "A", gold="B")])
    assert rules(votes) == [""] * 6
    assert votes.counts.sum() == 1


def test_other_exclusions_keep_their_rule() -> None:
    votes = votes_from_rows([vote("bob", "A", gold="B"), vote("bob", "A", excluded="late")])
    assert rules(votes) == ["control-items", "late"]


def test_control_items_of_arena_votes_may_name_the_side(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text(
        "model_a,model_b,winner,judge,gold\nX,Y,model_a,ann,model_a\nX,Y,tie,bob,Y\nX,Y,tie,cat,tie\nX,Y,tie,bob,\n"
    )
    votes = read_votes(path)
    assert rules(votes) == ["", "control-items", "", "control-items"]


def test_a_control_item_must_be_about_its_two_bots() -> None:
    with pytest.raises(FormatError, match="row 2, gold: expected one of the two bots, or tie and found 'C'"):
        votes_from_rows([vote("ann", "A", gold="A"), vote("ann", "A", gold="C")])


def rating(annotator: str, points: float, gold: str = "", **more: object) -> dict[str, object]:
    return {"bot": "A", "rating": points, "annotator": annotator, "gold": gold, **more}


def test_annotators_who_fail_control_items_are_excluded_from_ratings() -> None:
    ratings = ratings_from_rows(
        [
            *(rating("ann", 1, gold="1 to 2"), rating("ann", 4)),
            *(rating("bob", 4, gold="1 to 2"), rating("bob", 4)),
            *(rating("cat", 3, gold="3"), rating("cat", 5), rating("dan", 2, gold="3"), rating("dan", 5)),
        ]
    )
    assert rules(ratings) == [
        "",
        "",
        "control-items",
        "control-items",
        "",
        "",
        "control-items",
        "control-items",
    ]
    assert ratings.counts.tolist() == [False, True, False, False, False, True, False, False]


def test_a_degraded_bot_must_be_rated_below_the_annotators_own_mean() -> None:
    ratings = ratings_from_rows(
        [
            *(rating("ann", 10, gold="below"), rating("ann", 60), rating("ann", 80)),
            *(rating("bob", 90, gold="below"), rating("bob", 60), rating("bob", 80)),
            *(rating("cat", 90, gold="above"), rating("cat", 60), rating("", 3)),
        ]
    )
    assert rules(ratings) == ["", "", "", "control-items", "control-items", "control-items", "", "", ""]


def test_a_control_item_can_be_about_one_question() -> None:
    row = {"bot": "A", "annotator": "ann", "rating_fun": 5, "rating_sense": 1}
    kept = ratings_from_rows([{**row, "gold_fun": "4 to 5"}, row])
    assert rules(kept) == ["", ""]
    lost = ratings_from_rows([{**row, "gold_sense": "4 to 5"}, row])
    assert rules(lost) == ["control-items", "control-items"]


def test_a_control_item_that_says_nothing_is_named() -> None:
    with pytest.raises(FormatError, match="row 1, gold: expected a point such as 2"):
        ratings_from_rows([rating("ann", 1, gold="good")])


def test_a_degraded_bot_is_compared_by_the_mean_over_all_questions() -> None:
    def row(fun: int, sense: int | None, gold: str = "") -> dict[str, object]:
        return {"bot": "A", "annotator": "ann", "rating_fun": fun, "rating_sense": sense, "gold": gold}

    assert rules(ratings_from_rows([row(6, 1, "below"), row(5, 5), row(5, None)])) == ["", "", ""]
    assert rules(ratings_from_rows([row(6, 5, "below"), row(5, 5)])) == ["control-items", "control-items"]
