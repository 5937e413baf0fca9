"""A ranking of three is three rows, whether a table has it whole or pair by pair."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from duologue.errors import FormatError
from duologue.judgments import Row, Votes, read_votes, votes_from_rows, write_csv

BOTS = ("a", "b", "c", "d")


def whole(first: str, middle: str, last: str, positions: str = "", **more: object) -> Row:
    row = {"winner": first, "middle": middle, "loser": last, "positions": positions}
    return {**row, "winner_dialogue": f"{first}-1", "middle_dialogue": f"{middle}-1", **more}


def pairs(order: tuple[str, ...], ranking: str, positions: tuple[int, ...] = (), **more: object) -> list[Row]:
    shown = positions or ("", "", "")
    return [
        {
            "winner": order[one], "loser": order[other], "ranking": ranking, "winner_position": shown[one],
            "loser_position": shown[other], **more,
        }
        for one, other in ((0, 1), (0, 2), (1, 2))
    ]  # fmt: skip


def said(votes: Votes) -> list[tuple[str, str, int]]:
    return [
        (votes.bots[won], votes.bots[lost], side)
        for won, lost, side in zip(
            votes.winner.tolist(), votes.loser.tolist(), votes.winner_side.tolist(), strict=True
        )
    ]


def test_a_whole_ranking_becomes_its_pairs_where_it_stands() -> None:
    votes = votes_from_rows(
        [
            {"winner": "d", "loser": "a", "winner_side": 2, "seconds": 1},
            whole("c", "a", "b", "213", seconds=2),
            {"winner": "a", "loser": "d", "seconds": 3},
        ]
    )
    assert said(votes) == [("d", "a", 2), ("c", "a", 2), ("c", "b", 1), ("a", "b", 1), ("a", "d", 0)]
    assert votes.seconds.tolist() == [1, 2, 2, 2, 3]
    assert votes.ranked is not None
    assert votes.ranked.codes.tolist() == [-1, 1, 1, 1, -1]
    assert votes.ranked.winner_position.tolist() == [0, 2, 2, 1, 0]
    assert votes.ranked.loser_position.tolist() == [0, 1, 3, 3, 0]
    assert votes.once_each.seconds.tolist() == [1, 2, 3]
    dialogues = [votes.dialogues[code] if code >= 0 else "" for code in votes.winner_dialogue.tolist()]
    assert dialogues == ["", "c-1", "c-1", "a-1", ""]


def test_a_bot_that_is_only_ever_in_the_middle_is_known() -> None:
    votes = votes_from_rows([whole("a", "x", "b")])
    assert said(votes) == [("a", "x", 0), ("a", "b", 0), ("x", "b", 0)]


@given(st.lists(st.tuples(st.permutations(BOTS), st.sampled_from(list(permutations((1, 2, 3))))), max_size=5))
def test_pairs_and_whole_rankings_say_the_same(rankings: list[tuple[list[str], tuple[int, ...]]]) -> None:
    one = votes_from_rows(
        [
            whole(order[0], order[1], order[2], "".join(map(str, shown)), annotator="p")
            for order, shown in rankings
        ]
        + [{"winner": "a", "loser": "b", "annotator": "q"}]
    )
    other = votes_from_rows(
        [
            {**row, "winner_side": 1 if row["winner_position"] < row["loser_position"] else 2}  # type: ignore[operator]
            for number, (order, shown) in enumerate(rankings)
            for row in pairs(tuple(order[:3]), str(number), shown, annotator="p")
        ]
        + [{"winner": "a", "loser": "b", "annotator": "q"}]
    )
    assert said(one) == said(other)
    if not rankings:
        assert one.ranked is None
        return
    assert one.ranked is not None
    assert other.ranked is not None
    for name in ("codes", "winner_position", "loser_position"):
        assert np.array_equal(getattr(one.ranked, name), getattr(other.ranked, name))


def test_rankings_are_read_back_from_a_file(tmp_path: Path) -> None:
    rows = pairs(("a", "b", "c"), "r1", (2, 1, 3), annotator="p") + pairs(
        ("b", "a", "c"), "r2", annotator="q"
    )
    with (tmp_path / "rows.csv").open("w", encoding="utf-8") as file:
        write_csv(rows, file)
    votes = read_votes(tmp_path / "rows.csv")
    assert votes.ranked is not None
    assert votes.ranked.codes.tolist() == [0, 0, 0, 1, 1, 1]
    assert votes.ranked.winner_position.tolist() == [2, 2, 1, 0, 0, 0]
    assert votes.notes == ()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([*pairs(("a", "b", "c"), "r", annotator="p")[:2],
          *pairs(("a", "b", "c"), "r", annotator="q")[2:]], "one annotator in all its rows"),
        (pairs(("a", "b", "c"), "r") + pairs(("a", "b", "d"), "r"), "three rows of a ranking"),
        (pairs(("a", "b", "c"), "r", (1, 2, 4)), "1, 2 or 3"),
        ([whole("a", "b", "c", "112")], "an order such as 213"),
    ],
)  # fmt: skip
def test_rows_that_are_no_ranking_are_refused(rows: list[Row], expected: str) -> None:
    with pytest.raises(FormatError, match=expected):
        votes_from_rows(rows)


def test_pairings_of_rankings_are_told_apart_by_their_two_bots() -> None:
    rows = pairs(("a", "b", "c"), "r1", pairing="p") + pairs(("c", "b", "a"), "r2", pairing="p")
    votes = votes_from_rows(
        [*rows, {"winner": "a", "loser": "b"}, {"winner": "a", "loser": "b", "pairing": "q"}]
    )
    codes = votes.pairing_clusters.tolist()
    assert codes[:3] == codes[5:2:-1]
    assert len(set(codes[:3])) == 3
    assert codes[6] == -1
    assert codes[7] not in codes[:7]
    plain = votes_from_rows([{"winner": "a", "loser": "b", "pairing": "q"}])
    assert plain.pairing_clusters.tolist() == plain.pairing.tolist()
    assert plain.once_each is plain


def test_control_items_may_be_rankings() -> None:
    rows = [whole("a", "b", "c", annotator="p", gold="a"), whole("c", "b", "a", annotator="q", gold="a")]
    votes = votes_from_rows([*rows, {"winner": "a", "loser": "b", "annotator": "q"}])
    assert votes.is_onboarding.tolist() == [True] * 6 + [False]
    assert votes.counts.tolist() == [False] * 7
