"""Arena-style votes: two bots, and which of them the voter chose, if any, and perhaps how clearly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from duologue.errors import FormatError
from duologue.judgments.cells import read_number
from duologue.judgments.preferences import EXPECTED_NUMBERS, EXPECTED_WORDS, Preference
from duologue.judgments.table import Chunk

_BOTS = (("model_a", "model_b"), ("bot_a", "bot_b"), ("left", "right"))
"""The columns that name the bots shown first and second, in the spellings that are about."""

_ANNOTATOR = ("annotator", "judge", "worker", "user")
_PAIRING = ("question_id", "id")

PREFERENCE = "preference"
"""The column of graded answers; without one, the column ``winner`` may hold them."""

_FIRST, _SECOND = Preference(1, 1.0), Preference(2, 1.0)

PLAIN_VOTES: Mapping[str, Preference] = {
    "model_a": _FIRST,
    "model_b": _SECOND,
    "left": _FIRST,
    "right": _SECOND,
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
    the annotator; a question (``question_id``, ``id``), or a turn of it, is the pairing, which several bots
    may have answered. All other columns are kept as they are.

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
    first, second = (chunk.column(name) for name in bot_columns(chunk))
    name = vote_column(chunk)
    given = _given(chunk, first, second, votes)
    sides = [vote.side for vote in given]
    ours: dict[str, Sequence[str]] = {
        "winner": [b if side == 2 else a for a, b, side in zip(first, second, sides, strict=True)],
        "loser": [a if side == 2 else b for a, b, side in zip(first, second, sides, strict=True)],
        "outcome": ["win" if side else "tie" for side in sides],
        "winner_side": ["2" if side == 2 else "1" for side in sides],
        "lead": [f"{vote.lead:g}" for vote in given],
    }
    used = {*bot_columns(chunk), name}
    if "gold" in chunk.columns:
        ours["gold"] = [
            _gold(cell, bots, votes)
            for cell, bots in zip(chunk.column("gold"), zip(first, second, strict=True), strict=True)
        ]
    if (annotator := _first_there(chunk, _ANNOTATOR)) is not None:
        ours["annotator"] = chunk.column(annotator)
        used.add(annotator)
    question = _first_there(chunk, _PAIRING)
    if question is not None and "pairing" not in chunk.columns:
        ours["pairing"] = _pairings(chunk, question)
        used |= {question, "turn"}
    if "tstamp" in chunk.columns and "at" not in chunk.columns:
        ours["at"] = _times(chunk)
        used.add("tstamp")
    kept = {name: cells for name, cells in chunk.columns.items() if name not in used and name not in ours}
    return replace(chunk, columns=ours | kept)


def _given(
    chunk: Chunk, first: Sequence[str], second: Sequence[str], votes: Mapping[str, Preference]
) -> Sequence[Preference]:
    """What each row says. A winner who is named is that bot, also where a bot is called B, or left."""
    name = vote_column(chunk)
    cells = chunk.column(name)
    if votes is PLAIN_VOTES or name == PREFERENCE:
        named: Sequence[Preference | None] = [None] * len(cells)
    else:
        rows = zip(cells, first, second, strict=True)
        named = [_FIRST if cell == a else _SECOND if cell == b else None for cell, a, b in rows]
    try:
        return [own or votes[cell] for own, cell in zip(named, cells, strict=True)]
    except KeyError as unknown:
        row = cells.index(unknown.args[0])
        expected = EXPECTED_NUMBERS if name == PREFERENCE else EXPECTED_WORDS
        chunk.refuse(row, field=name, expected=expected, got=cells[row])


def rows_that_differ(chunk: Chunk, votes: Mapping[str, Preference]) -> int:
    """In how many rows of graded answers a column ``winner`` says something else than the answer."""
    first, second = (chunk.column(name) for name in bot_columns(chunk))
    rows = zip(chunk.column("winner"), chunk.column(PREFERENCE), first, second, strict=True)
    named = (
        (_FIRST if cell == a else _SECOND if cell == b else PLAIN_VOTES.get(cell), given)
        for cell, given, a, b in rows
    )
    return sum(vote is not None and vote.side != votes[given].side for vote, given in named)


def _gold(cell: str, bots: tuple[str, str], votes: Mapping[str, Preference]) -> str:
    """The bot that should have won, by its name, where the control item says it by side."""
    if cell in bots or cell not in votes:
        return cell
    side = votes[cell].side
    return bots[side - 1] if side else "tie"


def bot_columns(chunk: Chunk) -> tuple[str, str]:
    """The columns that name the two bots.

    Raises:
        FormatError: There are none.
    """
    for pair in _BOTS:
        if vote_column(chunk) in chunk.columns and all(name in chunk.columns for name in pair):
            return pair
    raise FormatError(
        chunk.source or "votes",
        expected="the columns model_a, model_b and winner",
        got=", ".join(chunk.columns) or "none",
    )


def _first_there(chunk: Chunk, names: Sequence[str]) -> str | None:
    return next((name for name in names if name in chunk.columns), None)


def _pairings(chunk: Chunk, question: str) -> Sequence[str]:
    turns = zip(chunk.column(question), chunk.column("turn"), strict=True)
    return [f"{question}|{turn}" if question and turn else question for question, turn in turns]


def _times(chunk: Chunk) -> Sequence[str]:
    def moment(row: int, cell: str) -> str:
        try:
            return datetime.fromtimestamp(read_number(cell), tz=UTC).isoformat() if cell else ""
        except (ValueError, OverflowError, OSError):
            chunk.refuse(row, field="tstamp", expected="seconds since 1970", got=cell)

    return [moment(row, cell) for row, cell in enumerate(chunk.column("tstamp"))]
