"""Numbers of bots, read from tables: automatic metrics, scores of other people's studies."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from duologue.errors import FormatError
from duologue.judgments import Row, read_number, table_rows
from duologue.protocols import say_list


def read_metrics(path: Path) -> dict[str, dict[str, float]]:
    """Read automatic metrics: by name, the number of each bot. An empty cell says that a bot has none.

    A column without any number is no metric and is left out: `left_out` says so.

    Raises:
        FormatError: A cell is no number, or the table has no column ``bot``; says where.
    """
    found: dict[str, dict[str, float]] = {}
    rows = list(table_rows(path))
    aside = {"bot", *text_columns(rows)}
    for number, row in enumerate(rows, 1):
        bot = str(row.get("bot", ""))
        if not bot:
            raise FormatError(path, field=f"row {number}, bot", expected="the name of a bot")
        for metric, cell in row.items():
            if metric in aside or cell == "":
                continue
            of = found.setdefault(metric, {})
            if bot in of:
                raise FormatError(path, field=f"row {number}, bot", expected="each bot once", got=repr(bot))
            of[bot] = number_in(path, number, metric, str(cell))
    if rows and not found:
        raise FormatError(path, expected="a column of numbers", got="none")
    return found


def text_columns(rows: Sequence[Row], *, known: Collection[str] = ("bot",)) -> tuple[str, ...]:
    """The columns, beside the known ones, that hold something and no number."""
    given: dict[str, list[str]] = {}
    for row in rows:
        for name, cell in row.items():
            if name not in known and cell != "":
                given.setdefault(name, []).append(str(cell))
    return tuple(name for name, cells in given.items() if not any(map(_is_number, cells)))


def left_out(path: Path, *, known: Collection[str] = ("bot",)) -> Iterator[str]:
    """The sentence about the columns of text of a table, where it has some.

    Raises:
        InputError: The table cannot be read.
    """
    texts = text_columns(list(table_rows(path)), known=known)
    if texts:
        hold = "columns {} hold no numbers and are" if len(texts) > 1 else "column {} holds no numbers and is"
        yield f"{path}: the {hold.format(say_list(texts))} left out."


def _is_number(cell: str) -> bool:
    try:
        read_number(cell)
    except ValueError:
        return False
    return True


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
