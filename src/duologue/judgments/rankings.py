"""Rankings of three as their three pairs: every pair is a row, and rows of one ranking are known as such."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.cells import one_of
from duologue.judgments.columns import UNKNOWN, Codes, Columns

if TYPE_CHECKING:
    from duologue.judgments.votes import Votes

Flags = NDArray[np.bool_]
Positions = NDArray[np.int8]

PAIRS = ((0, 1), (0, 2), (1, 2))
"""Of the first, second and third: who comes before whom."""

_ORDERS = {"".join(map(str, order)): number for number, order in enumerate(permutations((1, 2, 3)))}
_SHOWN = np.array([*permutations((1, 2, 3)), (0, 0, 0)], dtype=np.int8)
_POSITIONS = {f"{number}{rest}": number for number in (1, 2, 3) for rest in ("", ".0")}


@dataclass(frozen=True, slots=True, eq=False)
class RankedPairs:
    """Which rows are the pairs of a ranking, and where the dialogues were shown."""

    codes: Codes
    """The number of the ranking; -1 for a row that is a judgment of its own."""
    winner_position: Positions
    """Where the winner was shown, from 1; 0 where not known."""
    loser_position: Positions

    def select(self, rows: Flags | NDArray[np.intp]) -> Self:
        """Only these rows."""
        return type(self)(self.codes[rows], self.winner_position[rows], self.loser_position[rows])

    @property
    def is_ranked(self) -> Flags:
        """Which rows are of a ranking."""
        found: Flags = self.codes != UNKNOWN
        return found

    @property
    def is_first_row(self) -> Flags:
        """One row of each judgment: the first one of a ranking, and every row that is none."""
        found: Flags = self.codes == UNKNOWN
        _, first = np.unique(self.codes, return_index=True)
        found[first] = True
        return found


def with_rankings(votes: Votes, columns: Columns) -> Votes:
    """The votes with rankings taken apart into pairs, and pairs of rankings marked.

    A row that names a bot in the ``middle`` is a whole ranking: ``winner`` is its first and ``loser`` its
    last. A row with a ``ranking`` is one pair of it already.

    Raises:
        FormatError: Rows of one ranking are of several annotators, or there are more than three.
    """
    if columns["middle"].names:
        return _taken_apart(votes, columns)
    return _marked(votes, columns) if columns["ranking"].names else votes


def _taken_apart(votes: Votes, columns: Columns) -> Votes:
    names = columns["middle"].names
    bots = (*votes.bots, *(name for name in names if name not in votes.bots))
    middle = _recoded(columns["middle"].codes, names, bots)
    told = columns["middle_dialogue"]
    dialogues = (*votes.dialogues, *(name for name in told.names if name not in set(votes.dialogues)))
    middle_dialogue = _recoded(told.codes, told.names, dialogues)
    shown = _SHOWN[columns.parsed("positions", one_of(_ORDERS), -1, expected="an order such as 213")]
    is_ranking = middle != UNKNOWN
    times = np.where(is_ranking, len(PAIRS), 1)
    rows = np.repeat(np.arange(len(votes)), times)
    first_of = np.repeat(np.cumsum(times) - times, times)
    pair = np.arange(len(rows)) - first_of
    one, other = np.array(PAIRS).T[:, pair]
    ranked = is_ranking[rows]
    placed = np.stack([votes.winner, middle, votes.loser], axis=1)[rows]
    read = np.stack([votes.winner_dialogue, middle_dialogue, votes.loser_dialogue], axis=1)[rows]
    at = np.arange(len(rows))
    position, behind = shown[rows][at, one], shown[rows][at, other]
    side = np.where(position < behind, 1, 2) * (position > 0)
    own = votes.select(rows)
    return replace(
        own,
        bots=bots,
        winner=np.where(ranked, placed[at, one], own.winner).astype(np.int32),
        loser=np.where(ranked, placed[at, other], own.loser).astype(np.int32),
        winner_side=np.where(ranked, side, own.winner_side).astype(np.int8),
        dialogues=dialogues,
        winner_dialogue=np.where(ranked, read[at, one], own.winner_dialogue).astype(np.int32),
        loser_dialogue=np.where(ranked, read[at, other], own.loser_dialogue).astype(np.int32),
        ranked=RankedPairs(
            np.where(ranked, rows, UNKNOWN).astype(np.int32),
            np.where(ranked, position, 0).astype(np.int8),
            np.where(ranked, behind, 0).astype(np.int8),
        ),
    )


def _recoded(codes: Codes, names: tuple[str, ...], among: tuple[str, ...]) -> Codes:
    place: Mapping[str, int] = {name: code for code, name in enumerate(among)}
    return np.array([*(place[name] for name in names), UNKNOWN], dtype=np.int32)[codes]


def _marked(votes: Votes, columns: Columns) -> Votes:
    codes = columns["ranking"].codes
    position, behind = (
        columns.parsed(name, one_of(_POSITIONS), 0, expected="1, 2 or 3").astype(np.int8)
        for name in ("winner_position", "loser_position")
    )
    rows = np.flatnonzero(codes != UNKNOWN)
    _, first, of_ranking, size = np.unique(
        codes[rows], return_index=True, return_inverse=True, return_counts=True
    )
    people = votes.annotator.codes[rows]
    _refuse_where(columns, rows, people != people[first][of_ranking], "one annotator in all its rows")
    _refuse_where(columns, rows, size[of_ranking] > len(PAIRS), "three rows of a ranking, a pair each")
    return replace(votes, ranked=RankedPairs(codes, position, behind))


def _refuse_where(columns: Columns, rows: NDArray[np.intp], is_wrong: Flags, expected: str) -> None:
    if is_wrong.any():
        row = int(rows[np.argmax(is_wrong)])
        columns.refuse("ranking", int(columns["ranking"].codes[row]), row=row, expected=expected)
