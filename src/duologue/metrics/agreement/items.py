"""Items that have both automatic and human scores, read from tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from duologue.errors import FormatError
from duologue.judgments import read_number, table_rows

KEYS = ("bot", "dialogue", "id")
"""Columns that say what a row is about; every other column with numbers only is a score."""


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """One reply or dialogue of a bot, and its scores by name; a key is empty where no table says it."""

    bot: str
    dialogue: str
    id: str
    scores: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class ScoredRows:
    """All of them; ``unmatched`` counts those that no human rating was found for."""

    items: tuple[ScoredRow, ...]
    unmatched: int = 0

    @property
    def names(self) -> tuple[str, ...]:
        """Every score that some item has."""
        return tuple(dict.fromkeys(name for one in self.items for name in one.scores))


def read_scored_rows(paths: Sequence[Path], *, ratings: Path | None = None) -> ScoredRows:
    """Read items with their scores.

    Args:
        paths: Tables (CSV, JSON lines, Parquet), a row for each item: what ``metrics run --per-example``
            wrote, or any other with the columns ``bot``, ``dialogue`` and ``id``, those that there are.
        ratings: A table of human scores. It is joined by those of the three columns that both have; several
            rows about one item are averaged.

    Raises:
        InputError: A table cannot be used; says why.
    """
    items = tuple(item for path in paths for item in _items(path))
    return ScoredRows(items) if ratings is None else _joined(items, ratings)


def _items(path: Path) -> list[ScoredRow]:
    rows = list(table_rows(path))
    texts: dict[str, tuple[int, str]] = {}
    found = []
    for number, row in enumerate(rows, 1):
        scores = {}
        for name, cell in row.items():
            if name in KEYS or cell == "":
                continue
            value = _number(str(cell))
            if value is None:
                texts.setdefault(name, (number, str(cell)))
            else:
                scores[name] = value
        bot, dialogue, key = (str(row.get(one, "")) for one in KEYS)
        found.append(ScoredRow(bot, dialogue, key, scores))
    for name, (number, cell) in texts.items():
        if any(name in one.scores for one in found):
            raise FormatError(path, field=f"row {number}, {name}", expected="a number", got=repr(cell))
    return found


def _number(cell: str) -> float | None:
    try:
        value = read_number(cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _joined(items: Sequence[ScoredRow], path: Path) -> ScoredRows:
    rated = _items(path)
    shared = [
        key
        for key in KEYS
        if any(getattr(one, key) for one in items) and any(getattr(one, key) for one in rated)
    ]
    if not shared:
        raise FormatError(path, expected=f"a column that the scores have too: {', '.join(KEYS)}", got="none")
    gathered: dict[tuple[str, ...], dict[str, list[float]]] = {}
    for one in rated:
        of = gathered.setdefault(tuple(getattr(one, key) for key in shared), {})
        for name, value in one.scores.items():
            of.setdefault(name, []).append(value)
    made, unmatched = [], 0
    for one in items:
        ratings = gathered.get(tuple(getattr(one, key) for key in shared))
        if ratings is None:
            unmatched += 1
            continue
        if twice := sorted(ratings.keys() & one.scores.keys()):
            raise FormatError(path, field=twice[0], expected="a column that the scores do not have")
        means = {name: sum(values) / len(values) for name, values in ratings.items()}
        made.append(ScoredRow(one.bot, one.dialogue, one.id, {**one.scores, **means}))
    if not made:
        raise FormatError(
            path, expected=f"items of the scores, by {' and '.join(shared)}", got="none of them"
        )
    return ScoredRows(tuple(made), unmatched)
