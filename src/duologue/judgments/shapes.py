"""The shapes of tables that are read, for whoever has another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from duologue.errors import FormatError

SHAPES = """\
  judgments   winner,loser,annotator
              mint,sage,ann
  votes       model_a,model_b,winner
              mint,sage,model_a
  ratings     bot,rating,annotator
              mint,4,ann"""


def unknown_table(path: Path | str, columns: Sequence[str], *, more: Sequence[str] = ()) -> FormatError:
    """Say that a table has none of the shapes that are read, and show them.

    Args:
        path: The table.
        columns: What it has.
        more: Shapes that protocols read besides votes and ratings, each a name and two lines as `SHAPES`.
    """
    error = FormatError(
        path,
        expected="a table of judgments, votes or ratings",
        got=f"the columns {', '.join(columns)}" if columns else "no columns",
        hint="These shapes are read, with more columns if there are any:",
    )
    for line in "\n".join((SHAPES, *more)).splitlines():  # a message is one line; notes are lines below it
        error.add_note(line)
    if _holds_shares(columns):
        error.add_note(f"A table of win rates holds no single judgments. {_REMEDY}")
    error.add_note("Columns with other names: --columns winner=better,loser=worse.")
    error.add_note("Ratings by several questions: --columns bot=model,rating_fun=fun,rating_fluency=fluency.")
    return error


_REMEDY: Final = "Write a row with winner and loser for each judgment."
_SHARES = re.compile(r".*percent.*|%|.*win_?rates?\d*|(num_?)?(wins|judgments|ratings)\d*|share.*|counts?")
"""Columns of what several judgments came to."""


def _holds_shares(columns: Sequence[str]) -> bool:
    """Whether a table has one of ``winner`` and ``loser`` and bots across, or columns of shares or counts."""
    return len({"winner", "loser"} & set(columns)) == 1 or any(map(_is_of_shares, columns))


def _is_of_shares(column: str) -> bool:
    return _SHARES.fullmatch(re.sub(r"[\s-]+", "_", column.strip().lower())) is not None


def refuse_shares(path: Path, columns: Sequence[str]) -> None:
    """Refuse a table of which a row holds what several judgments came to, such as a percentage of wins.

    Args:
        path: The table.
        columns: Those that it has beside ours.

    Raises:
        FormatError: One of them is a percentage, a rate or a count.
    """
    name = next(filter(_is_of_shares, columns), None)
    if name is not None:
        raise FormatError(
            path,
            expected="one row for each judgment",
            got=f"a column {name!r}, as of several judgments in a row",
            hint=f"{_REMEDY} If each row is one judgment, leave the column out: --columns '{name}='.",
        )
