"""Numbers of bots, read from tables: automatic metrics, scores of other people's studies."""

from __future__ import annotations

import math
from pathlib import Path

from duologue.errors import FormatError
from duologue.judgments import read_number, table_rows


def read_metrics(path: Path) -> dict[str, dict[str, float]]:
    """Read automatic metrics: by name, the number of each bot. An empty cell says that a bot has none.

    Raises:
        FormatError: A cell is no number, or the table has no column ``bot``; says where.
    """
    found: dict[str, dict[str, float]] = {}
    for number, row in enumerate(table_rows(path), 1):
        bot = str(row.get("bot", ""))
        if not bot:
            raise FormatError(path, field=f"row {number}, bot", expected="the name of a bot")
        for metric, cell in row.items():
            if metric == "bot" or cell == "":
                continue
            of = found.setdefault(metric, {})
            if bot in of:
                raise FormatError(path, field=f"row {number}, bot", expected="each bot once", got=repr(bot))
            of[bot] = number_in(path, number, metric, str(cell))
    return found


def number_in(path: Path, row: int, metric: str, cell: str) -> float:
    """The number in a cell of a table.

    Raises:
        FormatError: It is none; says where.
    """
    try:
        value = read_number(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(path, field=f"row {row}, {metric}", expected="a number", got=repr(cell))
    return value
