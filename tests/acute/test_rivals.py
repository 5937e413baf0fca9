"""Who meets whom in a matchup, and who won a judgment of it."""

from __future__ import annotations

import pytest

from duologue.acute import AcuteProtocol, AcuteSettings
from duologue.protocols import Win

ACUTE = AcuteProtocol(AcuteSettings())


@pytest.mark.parametrize(
    ("group", "rivals"),
    [
        ("ann__vs__bob", ("ann", "bob")),
        ("ann__vs__ann", ("ann", "ann")),
        ("a__vs__a__vs__b", ("a", "a__vs__b")),
    ],
)
def test_a_matchup_has_two_rivals(group: str, rivals: tuple[str, str]) -> None:
    assert ACUTE.rivals(group) == rivals


def row(winner: str, loser: str, *, outcome: str = "win", side: int = 1) -> dict[str, str | int]:
    return {
        "arm": "main",
        "matchup": f"{winner}__vs__{loser}",
        "outcome": outcome,
        "winner": winner,
        "loser": loser,
        "winner_side": side,
    }


def test_a_judgment_has_a_winner_or_is_a_tie() -> None:
    assert ACUTE.win(row("ann", "bob")) == Win("main", "ann__vs__bob", "ann", "bob")
    tie = ACUTE.win(row("ann", "bob", outcome="tie"))
    assert tie is not None
    assert tie.is_tie


@pytest.mark.parametrize(("side", "winner"), [(1, "ann, shown first"), (2, "ann, shown second")])
def test_a_bot_that_meets_itself_is_told_apart_by_where_it_was_shown(side: int, winner: str) -> None:
    won = ACUTE.win(row("ann", "ann", side=side))
    assert won is not None
    assert won.winner == winner
    assert {won.winner, won.loser} == {"ann, shown first", "ann, shown second"}
