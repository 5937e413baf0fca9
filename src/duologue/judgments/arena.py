"""Arena-style votes: two bots, and which of them the voter chose, if any, and perhaps how clearly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from duologue.errors import FormatError
from duologue.judgments.preferences import EXPECTED_NUMBERS, EXPECTED_WORDS, Preference
from duologue.judgments.table import Chunk

_BOTS = (("model_a", "model_b"), ("bot_a", "bot_b"), ("left", "right"))
"""The columns that name the bots shown first and second, in the spellings that are about."""

_ANNOTATOR = ("judge", "annotator", "worker", "user")
_PAIRING = ("question_id", "id")

PREFERENCE = "preference"
"""The column of graded answers; without one, the column ``winner`` may hold them."""

PLAIN_VOTES: Mapping[str, Preference] = {
    "model_a": Preference(1, 1.0),
    "model_b": Preference(2, 1.0),
    "left": Preference(1, 1.0),
    "right": Preference(2, 1.0),
    "tie": Preference(0, 0.0),
    "tie (bothbad)": Preference(0, 0.0),
    "both_bad": Preference(0, 0.0),
}
"""What votes say that are not graded, whatever else stands in the table."""


def is_arena(chunk: Chunk) -> bool:
    """Whether the columns are those of Arena-style votes, and not those of judgments."""
    names = chunk.columns
    has_vote = "winner" in names or PREFERENCE in names
    return "loser" not in names and has_vote and any(a in names and b in names for a, b in _BOTS)


def vote_column(chunk: Chunk) -> str:
    """The column that says who was preferred."""
    return PREFERENCE if PREFERENCE in chunk.columns else "winner"


def arena_as_judgments(chunk: Chunk, votes: Mapping[str, Preference] = PLAIN_VOTES) -> Chunk:
    """The same votes under the columns of our own tables.

    The bot named first was shown on side 1. Every kind of tie is a tie. A voter (``judge``, ``worker``) is
    the annotator; a question (``question_id``, ``id``) put to the same two bots is a pairing.

    Args:
        chunk: Some votes.
        votes: What each vote of the table means.

    Raises:
        FormatError: A column is missing, or a vote is none of the known ones.

    Example:
        >>> votes = Chunk(0, 1, {"model_a": ["X"], "model_b": ["Y"], "winner": ["model_b"]})
        >>> {name: cells[0] for name, cells in arena_as_judgments(votes).columns.items() if cells[0]}
        {'winner': 'Y', 'loser': 'X', 'outcome': 'win', 'winner_side': '2', 'lead': '1'}
    """
    first, second = (chunk.column(name) for name in _bot_columns(chunk))
    name = vote_column(chunk)
    cells = chunk.column(name)
    try:
        given = [votes[cell] for cell in cells]
    except KeyError:
        row = next(row for row, cell in enumerate(cells) if cell not in votes)
        expected = EXPECTED_NUMBERS if name == PREFERENCE else EXPECTED_WORDS
        chunk.refuse(row, field=name, expected=expected, got=cells[row])
    sides = [vote.side for vote in given]
    return replace(
        chunk,
        columns={
            "winner": [b if side == 2 else a for a, b, side in zip(first, second, sides, strict=True)],
            "loser": [a if side == 2 else b for a, b, side in zip(first, second, sides, strict=True)],
            "outcome": ["win" if side else "tie" for side in sides],
            "winner_side": ["2" if side == 2 else "1" for side in sides],
            "lead": [f"{vote.lead:g}" for vote in given],
            "annotator": _first_there(chunk, _ANNOTATOR),
            "pairing": _pairings(chunk, first, second),
            "at": _times(chunk),
        },
    )


def _bot_columns(chunk: Chunk) -> tuple[str, str]:
    for pair in _BOTS:
        if vote_column(chunk) in chunk.columns and all(name in chunk.columns for name in pair):
            return pair
    raise FormatError(
        chunk.source or "votes",
        expected="the columns model_a, model_b and winner",
        got=", ".join(chunk.columns) or "none",
    )


def _first_there(chunk: Chunk, names: Sequence[str]) -> Sequence[str]:
    return next((chunk.columns[name] for name in names if name in chunk.columns), chunk.column(names[0]))


def _pairings(chunk: Chunk, first: Sequence[str], second: Sequence[str]) -> Sequence[str]:
    questions = _first_there(chunk, _PAIRING)
    return [
        "|".join((question, *sorted((a, b)), turn)) if question else ""
        for question, a, b, turn in zip(questions, first, second, chunk.column("turn"), strict=True)
    ]


def _times(chunk: Chunk) -> Sequence[str]:
    def moment(row: int, cell: str) -> str:
        try:
            return datetime.fromtimestamp(float(cell), tz=UTC).isoformat() if cell else ""
        except (ValueError, OverflowError, OSError):
            chunk.refuse(row, field="tstamp", expected="seconds since 1970", got=cell)

    return [moment(row, cell) for row, cell in enumerate(chunk.column("tstamp"))]
