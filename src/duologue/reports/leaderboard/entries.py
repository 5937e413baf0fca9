"""What stands on a leaderboard: entries of teams with what they declared, from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from duologue.errors import FormatError
from duologue.judgments import table_rows
from duologue.metrics import MetricsResults, is_lower_better
from duologue.reports.bot_numbers import number_in, text_columns

DECLARED = ("team", "bot", "submitted", "sources", "ensemble", "published_rank")
"""Columns of a table of entries that are no metrics."""


@dataclass(frozen=True, slots=True)
class Value:
    """One metric of one entry, with its interval and what exactly was computed where the results say so."""

    value: float
    low: float | None = None
    high: float | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One submission of a team: its numbers, on which test set, and what was declared with it."""

    team: str
    values: Mapping[str, Value]
    lower: frozenset[str] = frozenset()
    test_set: str | None = None
    submitted: date | None = None
    sources: tuple[str, ...] = ()
    ensemble: bool | None = None
    warnings: tuple[str, ...] = ()


def entries_of_table(path: Path) -> tuple[Entry, ...]:
    """The entries of a table: a column ``team`` (or ``bot``), one column of numbers for each metric.

    The columns ``submitted``, ``sources`` (split at semicolons) and ``ensemble`` are declarations. An empty
    cell says that a team did not enter a metric. A column without any number is left out.

    Raises:
        FormatError: A cell is not what its column says; says where.
    """
    found = []
    rows = list(table_rows(path))
    aside = {*DECLARED, *text_columns(rows, known=DECLARED)}
    for number, row in enumerate(rows, 1):
        team = str(row.get("team") or row.get("bot") or "")
        if not team:
            raise FormatError(path, field=f"row {number}, team", expected="the name of a team")
        values = {
            metric: Value(number_in(path, number, metric, str(cell)))
            for metric, cell in row.items()
            if metric not in aside and cell != ""
        }
        found.append(
            Entry(
                team,
                values,
                frozenset(filter(is_lower_better, values)),
                submitted=_day(path, number, str(row.get("submitted", ""))),
                sources=tuple(filter(None, map(str.strip, str(row.get("sources", "")).split(";")))),
                ensemble=_yes(path, number, str(row.get("ensemble", ""))),
            )
        )
    if not found:
        raise FormatError(path, expected="at least one entry", got="none")
    if not any(one.values for one in found):
        raise FormatError(path, expected="a column of numbers", got="none")
    return tuple(found)


def entry_of_results(path: Path, *, team: str | None = None) -> Entry:
    """The entry that a file of ``metrics run --out`` holds; the team is called as its bot, or as given.

    Raises:
        InputError: It is no such file.
    """
    results = MetricsResults.read(path)
    ranked = [one for one in results.metrics if one.better != "neither"]
    warnings = () if results.failed == 0 else (f"{results.failed:,} examples were not answered.",)
    return Entry(
        team or results.bot,
        {one.metric: Value(one.value, one.low, one.high, one.label) for one in ranked},
        frozenset(one.metric for one in ranked if one.better == "lower"),
        test_set=results.test_set.sha256,
        warnings=(*results.warnings, *warnings),
    )


def _day(path: Path, row: int, cell: str) -> date | None:
    try:
        return date.fromisoformat(cell) if cell else None
    except ValueError:
        raise FormatError(
            path, field=f"row {row}, submitted", expected="a day such as 2018-09-30", got=repr(cell)
        ) from None


def _yes(path: Path, row: int, cell: str) -> bool | None:
    known = {"": None, "true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if cell.lower() not in known:
        raise FormatError(path, field=f"row {row}, ensemble", expected="yes or no", got=repr(cell))
    return known[cell.lower()]


def latest_of_each(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """The last entry of every team by the day it was submitted; in the order given where no day is known."""
    latest: dict[str, Entry] = {}
    for entry in entries:
        before = latest.get(entry.team)
        if before is None or (entry.submitted or date.min) >= (before.submitted or date.min):
            latest[entry.team] = entry
    return tuple(latest.values())


def within_limit(
    entries: Iterable[Entry], *, per_period: int, days: int
) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """The entries that count, and about each of the others a sentence; one without a day always counts.

    Args:
        entries: All of them.
        per_period: How many entries of a team count in ``days`` days in a row.
        days: The length of a period.

    Example:
        >>> twice = [Entry("a", {}, submitted=date(2018, 9, day)) for day in (1, 3)]
        >>> within_limit(twice, per_period=1, days=7)[1]
        ('a: the entry of 2018-09-03 does not count: it came within 7 days of that of 2018-09-01.',)
    """
    counted: list[Entry] = []
    said = []
    days_of: dict[str, list[date]] = {}
    for entry in sorted(entries, key=lambda one: one.submitted or date.min):
        before = days_of.setdefault(entry.team, [])
        if entry.submitted is not None:
            first = before[-per_period] if len(before) >= per_period else None
            if first is not None and (entry.submitted - first).days < days:
                said.append(
                    f"{entry.team}: the entry of {entry.submitted} does not count: it came within {days} "
                    f"days of that of {first}."
                )
                continue
            before.append(entry.submitted)
        counted.append(entry)
    return tuple(counted), tuple(said)
