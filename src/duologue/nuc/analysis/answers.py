"""What people chose: the best and the second-best candidate of each item, as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from duologue.dialogues import NextTurnItem, read_next_turns
from duologue.errors import FormatError
from duologue.judgments import Row, is_whole, read_number, table_rows

COLUMNS = ("item", "annotator", "best")


@dataclass(frozen=True, slots=True)
class ChosenReplies:
    """The best and the second-best candidate of an item, by their places in the items' file."""

    item: str
    corpus: str
    annotator: str
    cohort: str
    best: int
    second: int | None
    truth: int
    candidates: int
    """How many there were to choose from."""
    seconds: float | None = None

    def recall(self, k: int) -> bool:
        """Whether the true reply is the best one (k = 1), or one of both (k = 2)."""
        return self.truth == self.best or (k > 1 and self.truth == self.second)


def readable_items(path: Path) -> Iterator[NextTurnItem]:
    """The items of a file that people can be shown.

    Raises:
        FormatError: An item has no list of candidates of its own.
    """
    for item in read_next_turns(path):
        if item.pool:
            raise FormatError(
                path,
                field=item.id,
                expected="candidates that can be shown",
                got="every reply of the corpus",
                hint="Make the items with --false uniform or confusing.",
            )
        yield item


def items_by_id(path: Path) -> Mapping[str, NextTurnItem]:
    """The items of a file that people can be shown, by their ids.

    Raises:
        FormatError: An item has no list of candidates of its own.
    """
    return {item.id: item for item in readable_items(path)}


def read_chosen(path: Path, items: Mapping[str, NextTurnItem]) -> Iterator[ChosenReplies]:
    """The answers in a table with the columns item, annotator, best, and where they are known second, cohort
    and seconds. Places of candidates count from 0, as ``truth`` does in the items. Rows that the column
    ``excluded`` of an export says something of do not count.

    Raises:
        FormatError: A column is missing, or a row names an item or a candidate that there is not.
    """
    for number, row in enumerate(table_rows(path), 2):
        if number == 2 and (missing := [name for name in COLUMNS if name not in row]):
            raise FormatError(path, line=1, expected=f"a column {missing[0]}", got=", ".join(row))
        if row.get("excluded"):
            continue
        item = items.get(str(row["item"]))
        if item is None:
            raise FormatError(
                path, line=number, field="item", expected="an item of the file", got=str(row["item"])
            )
        best = _place(path, number, row, "best", len(item.candidates))
        second = _place(path, number, row, "second", len(item.candidates)) if row.get("second") else None
        if second == best:
            raise FormatError(path, line=number, field="second", expected="another candidate than the best")
        yield ChosenReplies(
            item.id,
            item.corpus,
            str(row["annotator"]) or f"row {number}",
            str(row.get("cohort") or ""),
            best,
            second,
            item.truth,
            len(item.candidates),
            _seconds(path, number, row),
        )


def _place(path: Path, number: int, row: Row, name: str, candidates: int) -> int:
    text = str(row[name])
    if not is_whole(text) or int(text) >= candidates:
        expected = f"the place of a candidate, 0 to {candidates - 1}"
        raise FormatError(path, line=number, field=name, expected=expected, got=text or "nothing")
    return int(text)


def _seconds(path: Path, number: int, row: Row) -> float | None:
    text = str(row.get("seconds") or "")
    try:
        value = read_number(text) if text else None
    except ValueError:
        value = math.nan
    if value is not None and not 0 <= value < math.inf:
        raise FormatError(path, line=number, field="seconds", expected="a number of seconds", got=text)
    return value
