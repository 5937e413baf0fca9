"""The shapes of tables that are read, for whoever has another one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
    error.add_note("Columns with other names: --columns winner=better,loser=worse.")
    error.add_note("Ratings by several questions: --columns bot=model,rating_fun=fun,rating_fluency=fluency.")
    return error
