"""What ratings are compared with, read from files: ratings of the same dialogues, and automatic metrics."""

from __future__ import annotations

import math
from itertools import chain
from pathlib import Path

from duologue.errors import AnalysisError, FormatError
from duologue.judgments import Ratings, is_rating_column, ratings_from_rows, read_ratings, table_rows
from duologue.reports.base import Compared


def read_compared(first_party: Path | None, metrics: Path | None) -> Compared:
    """Read what ratings are compared with.

    Args:
        first_party: The study in which annotators had the chats and rated them, or its exported judgments.
        metrics: A table with the column ``bot`` and one column of numbers for each metric.

    Raises:
        InputError: A file cannot be used; says which line and why.
        AnalysisError: The study is none of ratings.
    """
    return Compared(
        first_party=None if first_party is None else _ratings(first_party),
        metrics={} if metrics is None else read_metrics(metrics),
    )


def _ratings(source: Path) -> Ratings:
    if not source.is_dir():
        return read_ratings(source)
    from duologue.store import judgment_rows, open_study
    from duologue.studies import load_study

    study = load_study(source)
    with open_study(study) as store:
        rows = judgment_rows(study, store)
        first = next(rows, {})
        if not any(map(is_rating_column, first)):
            raise AnalysisError(f"{source}: no judgment of the study holds ratings.")
        return ratings_from_rows(chain([first], rows))


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
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise FormatError(path, field=f"row {row}, {metric}", expected="a number", got=repr(cell))
    return value
