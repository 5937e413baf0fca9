"""Control items: who fails them is excluded, with the rule, and everybody else stays."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from duologue.errors import FormatError
from duologue.judgments import Ratings, Votes, ratings_from_rows, read_votes, votes_from_rows
from duologue.judgments.columns import NameColumn
from duologue.judgments.controls import ranked_on_a_side

DATA = Path(__file__).parents[3] / "shared" / "data" / "ji2022_run1"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the data of Ji et al. 2022 is not here")


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


def ranked(annotator: str, controls: list[float], others: list[float], side: str) -> list[dict[str, object]]:
    gold = [rating(annotator, points, gold=f"ranked {side}") for points in controls]
    return [*gold, *(rating(annotator, points) for points in others)]


def test_the_published_rule_ranks_all_ratings_of_the_control_items() -> None:
    """The mean of the one below is lower by a hair; its ranks are not."""
    attentive = ranked("ann", [5, 10, 20, 15], [50, 60, 70, 80, 40, 90], "below")
    careless = ranked("bob", [50, 60, 10, 61], [55, 65, 45, 62, 50, 70], "below")
    alike = ranked("cat", [50, 50, 50, 50], [50, 50, 50, 50, 50, 50], "below")
    found = ratings_from_rows(
        [*attentive, *careless, *alike, *ranked("dan", [90, 95, 99, 98], [1, 2, 3, 4], "above")]
    )
    lost = {row for row, rule in zip(found.annotator.codes.tolist(), rules(found), strict=True) if rule}
    assert [found.annotator.names[code] for code in sorted(lost)] == ["bob", "cat"]


def test_the_published_rule_pools_the_questions_that_ask_for_it() -> None:
    """One control dialogue has three ratings; the question without the rule, rated high, is left out."""
    control = {"gold_a": "ranked below", "gold_b": "ranked below", "gold_c": "ranked below"}
    names = [f"rating_{name}" for name in "abcd"]
    rows: list[dict[str, object]] = [
        {"bot": "Q", "annotator": "ann", **control, **dict(zip(names, (3, 2, 1, 100), strict=True))},
        *(
            {"bot": "A", "annotator": "ann", **dict(zip(names, (50, 60, 70, 1), strict=True))}
            for _ in range(3)
        ),
    ]
    assert rules(ratings_from_rows(rows)) == [""] * 4
    assert set(rules(ratings_from_rows([{**row, "rating_a": 90, "rating_b": 95} if "gold_a" in row else row
                                        for row in rows]))) == {"control-items"}  # fmt: skip


@needs_data
def test_the_published_rule_excludes_whom_ji_et_al_excluded() -> None:
    """Run 1 of Ji et al. 2022: 173 workers pass and 75 fail; five dimensions are pooled."""
    pooled = ("interesting", "fun", "consistent", "fluent", "topic")
    with (DATA / "ratings.csv").open(encoding="utf-8", newline="") as file:
        given = list(csv.DictReader(file))
    rows: list[dict[str, object]] = []
    for row in given:
        cells: dict[str, object] = {
            f"rating_{name}": row[name] for name in (*pooled, "robotic", "repetitive")
        }
        if row["model"] == "QualityControl":
            cells |= {f"gold_{name}": "ranked below" for name in pooled}
        rows.append({"bot": row["model"], "annotator": row["worker"], **cells})
    found = ratings_from_rows(rows)
    excluded = {
        found.annotator.names[code]
        for code, rule in zip(found.annotator.codes.tolist(), rules(found), strict=True)
        if rule
    }
    assert excluded == {row["worker"] for row in given if row["published_qc"] == "fail"}
    assert (len(excluded), len(found.annotator.names)) == (75, 248)


@pytest.mark.parametrize(("others", "is_asked"), [(18, False), (20, True)])
def test_one_control_beside_few_ratings_excludes_nobody(others: int, is_asked: bool) -> None:
    """The smallest p-value of one beside eighteen is 1/19: who rates it highest passes as everybody does."""
    who = NameColumn(("ann",), np.zeros(others + 1, dtype=np.int32))
    points, rule = np.arange(others + 1.0)[::-1], np.arange(others + 1) < 1
    assert ranked_on_a_side(who, [points], [rule], rule, "below").all() == (not is_asked)
