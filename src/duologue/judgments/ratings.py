"""Ratings as columns of numbers: what every analysis of points on a scale starts from."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.judgments.cells import (
    A_TIME,
    NO_TIME,
    TRUTHS,
    moment,
    one_of,
    read_number,
    revision_number,
    seconds_spent,
)
from duologue.judgments.columns import (
    UNKNOWN,
    Codes,
    Columns,
    NameColumn,
    encode_chunks,
    exclusion_rules,
    unused_note,
)
from duologue.judgments.controls import SIDES, Side, ranked_on_a_side, screen_controls
from duologue.judgments.convai2 import SCORE, convai2_as_ratings, is_convai2_logs
from duologue.judgments.shapes import unknown_table
from duologue.judgments.table import (
    NO_MAP,
    Chunk,
    ColumnMap,
    Row,
    chunks_of_rows,
    read_chunks,
    table_columns,
)

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

RATING = "rating"
"""The column of the only question, or what the columns of several begin with: ``rating_fluency``."""

_ALIASES = {"worker": "annotator", "model": "bot", "system": "bot"}

_COLUMNS = (
    *("bot", "persona_right", "annotator", "annotator_kind", "dialogue", "item", "arm", "source"),
    *("excluded", "is_onboarding", "reason", "revision", "seconds", "at", "gold"),
)

_NOT_NEEDED = ("judgment", "seconds_kind", "exchanges", "flags")
"""Columns of our own exports that say nothing new, and the one that reports count for themselves."""


FURTHEST_POINT = 1_000_000
"""No scale goes further from zero."""
A_POINT = f"a number from -{FURTHEST_POINT:,} to {FURTHEST_POINT:,}"


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Ratings as columns, one row for each judgment, in the order they came.

    ``points`` holds one column for each question, by its name; NaN where nothing was rated.
    """

    bot: NameColumn
    points: Mapping[str, Floats]
    scales: Mapping[str, tuple[int, int]]
    """The lowest and the highest point of a question, where the table says it."""
    texts: Mapping[str, str]
    """How a question was asked, where the table says it."""
    persona_right: Floats
    """1 when the partner's persona was told from another one, 0 when not, NaN when nobody asked."""
    annotator: NameColumn
    annotator_kind: NameColumn
    dialogue: NameColumn
    item: NameColumn
    arm: NameColumn
    source: NameColumn
    excluded: NameColumn
    """The rule that excluded a judgment; a code of -1 says that it counts."""
    is_onboarding: Flags
    has_reason: Flags
    revision: Codes
    seconds: Floats
    """NaN when not known."""
    at: NDArray[np.datetime64]
    """UTC to the second; NaT when not known."""
    notes: tuple[str, ...] = ()
    """What was done with the table that its reader must know: columns not used, control items."""

    def __len__(self) -> int:
        return len(self.bot.codes)

    @property
    def is_rated(self) -> Flags:
        """Which judgments hold a rating, or an answer about the persona: a broken-off chat has none."""
        answered: Flags = ~np.isnan(self.persona_right)
        for points in self.points.values():
            answered = answered | ~np.isnan(points)
        return answered

    @property
    def counts(self) -> Flags:
        """Which judgments count: rated, and neither onboarding nor excluded."""
        is_counted: Flags = ~self.is_onboarding & (self.excluded.codes == UNKNOWN) & self.is_rated
        return is_counted

    def select(self, rows: Flags | NDArray[np.intp]) -> Ratings:
        """Only these rows, with the same names and codes."""
        return Ratings(
            bot=self.bot.select(rows),
            points={name: points[rows] for name, points in self.points.items()},
            scales=self.scales,
            texts=self.texts,
            persona_right=self.persona_right[rows],
            annotator=self.annotator.select(rows),
            annotator_kind=self.annotator_kind.select(rows),
            dialogue=self.dialogue.select(rows),
            item=self.item.select(rows),
            arm=self.arm.select(rows),
            source=self.source.select(rows),
            excluded=self.excluded.select(rows),
            is_onboarding=self.is_onboarding[rows],
            has_reason=self.has_reason[rows],
            revision=self.revision[rows],
            seconds=self.seconds[rows],
            at=self.at[rows],
            notes=self.notes,
        )


def is_rating_column(name: str) -> bool:
    """Whether a column of a table holds ratings; ConvAI2's evaluation logs call it ``eval_score``.

    Example:
        >>> is_rating_column("rating_fluency"), is_rating_column("rating"), is_rating_column("ratings")
        (True, True, False)
    """
    return name in (RATING, SCORE) or (name.startswith(f"{RATING}_") and len(name) > len(RATING) + 1)


def holds_ratings(path: Path, columns: ColumnMap = NO_MAP) -> bool:
    """Whether a table is one of ratings, by its columns.

    Raises:
        InputError: The file cannot be read, or is no table.
    """
    return any(is_rating_column(name) for name in table_columns(path, columns))


def read_ratings(path: Path, *, columns: ColumnMap = NO_MAP) -> Ratings:
    """Read a table of ratings: CSV, JSON lines, a JSON list, Parquet, or an Excel sheet.

    It needs the columns ``bot`` and ``rating`` (or several, ``rating_fluency``, …); all that ``duologue
    judgments export`` writes are used: ``scale_fluency`` is "1 to 5", ``question_fluency`` what was asked.
    A table with one row for each answer has a column ``question`` beside ``rating``. ``scale`` is that of
    ``rating``.

    Args:
        path: The file.
        columns: What the table calls columns of ours.

    Raises:
        FormatError: A cell is not what its column says; names line, column and what was expected.
        InputError: The file cannot be read.
    """
    return _ratings(list(read_chunks(path, columns)), path)


def rating_chunks(path: Path, *, columns: ColumnMap = NO_MAP) -> Iterator[Chunk]:
    """The rows of a table of ratings, under our own column names."""
    return map(_renamed, read_chunks(path, columns))


def ratings_from_rows(rows: Iterable[Row]) -> Ratings:
    """Ratings from rows that are in memory or come from a study's database.

    Example:
        >>> ratings = ratings_from_rows([{"bot": "A", "rating": 3}, {"bot": "B", "rating": 1}])
        >>> ratings.bot.names, ratings.points["rating"].tolist()
        (('A', 'B'), [3.0, 1.0])
    """
    return _ratings(list(chunks_of_rows(rows)), None)


def _ratings(chunks: list[Chunk], source: Path | None) -> Ratings:
    chunks = [_renamed(chunk) for chunk in chunks]
    found = dict.fromkeys(name for chunk in chunks for name in chunk.columns)
    questions = [name for name in found if is_rating_column(name)]
    if chunks and (not questions or "bot" not in found):
        raise unknown_table(source or "judgments", tuple(found))
    if questions == [RATING] and "question" not in found and f"scale_{RATING}" not in found:
        chunks = [_with_scale_of_rating(chunk) for chunk in chunks]
    is_long = questions == [RATING] and "question" in found
    long = ("question", "scale") if is_long else ()
    wanted = (*_COLUMNS, *questions, *_about(questions), *long)
    return _from_columns(encode_chunks(chunks, wanted, source=source), questions, is_long=is_long)


def _with_scale_of_rating(chunk: Chunk) -> Chunk:
    """A table with one question and a column ``scale``, which is that of its ratings."""
    columns = {f"scale_{RATING}" if name == "scale" else name: cells for name, cells in chunk.columns.items()}
    return replace(chunk, columns=columns)


def ratings_from_columns(columns: Columns) -> Ratings:
    """Ratings from the columns of a study, the questions in the order in which they came."""
    questions = [name for name in columns.typed if is_rating_column(name)]
    return _from_columns(columns.completed((*_COLUMNS, *_about(questions))), questions, is_long=False)


def _about(questions: Iterable[str]) -> list[str]:
    """The columns that may say something of questions."""
    names = [_name_of(column) for column in questions]
    return [f"{kind}_{name}" for name in names for kind in ("scale", "question", "gold")]


def _name_of(column: str) -> str:
    return column.removeprefix(f"{RATING}_")


def _from_columns(columns: Columns, questions: Iterable[str], *, is_long: bool) -> Ratings:
    names = {column: _name_of(column) for column in questions}
    if not columns["bot"].is_known:
        columns.refuse("bot", UNKNOWN, expected="the name of a bot")
    points = {
        name: columns.parsed(column, _point, math.nan, expected=A_POINT).astype(np.float64)
        for column, name in names.items()
    }
    scales = {name: scale for name in names.values() if (scale := _scale(columns, f"scale_{name}"))}
    if is_long:
        points, scales = _by_question(columns, points[RATING])
    ratings = Ratings(
        bot=columns["bot"],
        points=points,
        scales=scales,
        texts={
            name: text for name in names.values() if (text := " / ".join(columns[f"question_{name}"].names))
        },
        persona_right=columns.parsed(
            "persona_right", one_of(TRUTHS), math.nan, expected="true or false"
        ).astype(np.float64),
        annotator=columns["annotator"],
        annotator_kind=columns["annotator_kind"],
        dialogue=columns["dialogue"],
        item=columns["item"],
        arm=columns["arm"],
        source=columns["source"],
        excluded=exclusion_rules(columns["excluded"]),
        is_onboarding=columns.parsed("is_onboarding", one_of(TRUTHS), False, expected="true or false").astype(
            np.bool_
        ),
        has_reason=columns["reason"].codes != UNKNOWN,
        revision=columns.parsed("revision", revision_number, 1, expected="a whole number from 1 up").astype(
            np.int32
        ),
        seconds=columns.parsed("seconds", seconds_spent, math.nan, expected="a number from 0 up").astype(
            np.float64
        ),
        at=columns.parsed("at", moment, NO_TIME, expected=A_TIME).astype(np.int64).view("datetime64[s]"),
        notes=unused_note(columns, _NOT_NEEDED),
    )
    return _screened(ratings, columns)


def _by_question(columns: Columns, given: Floats) -> tuple[dict[str, Floats], dict[str, tuple[int, int]]]:
    """The points and the scale of each question, of a table with one row for each answer."""
    asked = columns["question"]
    names = {**dict(enumerate(asked.names)), UNKNOWN: RATING}
    if asked.is_known:
        del names[UNKNOWN]
    points = {name: np.where(asked.codes == code, given, math.nan) for code, name in names.items()}
    scales = {
        name: scale
        for code, name in names.items()
        if (scale := _scale(columns, "scale", rows=asked.codes == code))
    }
    return points, scales


def _screened(ratings: Ratings, columns: Columns) -> Ratings:
    """The ratings with control items marked as onboarding, and those who fail them excluded.

    ``gold`` says of every rating in its row what it should be, ``gold_fluency`` of one: a point or "1 to 2".
    ``below`` and ``above`` are about the mean of the row, beside the mean that the annotator gives to all
    that is no control item; ``ranked below`` and ``ranked above`` about all ratings of the annotator that
    have such a cell, beside their ratings of the same questions elsewhere (`ranked_on_a_side`).
    """
    asked = [
        (columns[f"gold_{name}"], f"gold_{name}", [points])
        for name, points in ratings.points.items()
        if f"gold_{name}" in columns.coded
    ]
    asked.append((columns["gold"], "gold", list(ratings.points.values())))
    if not any(gold.names for gold, _, _ in asked):
        return ratings
    is_control = np.logical_or.reduce([gold.codes != UNKNOWN for gold, _, _ in asked])
    is_right = np.ones(len(ratings), dtype=np.bool_)
    for gold, column, of in asked:
        lows = columns.parsed(column, _wanted_from, -math.inf, expected=_A_GOLD)
        highs = columns.parsed(column, _wanted_to, math.inf, expected=_A_GOLD)
        for points in of:
            is_right &= np.isnan(points) | ((lows <= points) & (points <= highs))
        mean = _mean_of(of)
        usual = _usual(mean, ratings.annotator, is_control)
        is_unrated = np.isnan(mean)
        is_right &= ~np.isin(gold.codes, _codes_of(gold, "below")) | is_unrated | (mean < usual)
        is_right &= ~np.isin(gold.codes, _codes_of(gold, "above")) | is_unrated | (mean > usual)
    for side in SIDES:
        is_right &= _ranked(ratings, asked, is_control, side)
    found = screen_controls(ratings.annotator, ratings.excluded, is_control, is_right)
    return replace(
        ratings,
        excluded=found.excluded,
        is_onboarding=ratings.is_onboarding | is_control,
        notes=(*ratings.notes, found.note),
    )


def _ranked(
    ratings: Ratings, asked: Iterable[tuple[NameColumn, str, list[Floats]]], is_control: Flags, side: Side
) -> Flags:
    """Whether each row is right by the rule that ranks all ratings of its annotator, where it has to be."""
    rules = [(np.isin(gold.codes, _codes_of(gold, f"ranked {side}")), of) for gold, _, of in asked]
    rules = [(rows, of) for rows, of in rules if rows.any()]
    if not rules:
        return np.ones(len(ratings), dtype=np.bool_)
    of_each = [
        np.logical_or.reduce(
            [np.zeros_like(is_control), *(rows for rows, of in rules if any(one is points for one in of))]
        )
        for points in ratings.points.values()
    ]
    held = ranked_on_a_side(ratings.annotator, list(ratings.points.values()), of_each, is_control, side)
    is_right: Flags = held | ~np.logical_or.reduce(of_each)
    return is_right


_A_GOLD = 'a point such as 2, a span such as "1 to 2", below, above, ranked below or ranked above'
_RELATIVE = ("below", "above", *(f"ranked {side}" for side in SIDES))


def _codes_of(column: NameColumn, name: str) -> list[int]:
    return [code for code, found in enumerate(column.names) if found == name]


def _wanted_from(cell: str) -> float:
    return -math.inf if cell in _RELATIVE else _span_of(cell)[0]


def _wanted_to(cell: str) -> float:
    return math.inf if cell in _RELATIVE else _span_of(cell)[1]


def _span_of(cell: str) -> tuple[float, float]:
    low, is_span, high = cell.partition(" to ")
    return read_number(low), read_number(high if is_span else low)


def _mean_of(several: list[Floats]) -> Floats:
    """The mean of each row over the questions that it answers; NaN where it answers none."""
    together = np.stack(several)
    given = (~np.isnan(together)).sum(axis=0)
    means = np.full(len(given), math.nan)
    np.divide(np.nansum(together, axis=0), given, out=means, where=given > 0)
    return means


def _usual(points: Floats, annotator: NameColumn, is_control: Flags) -> Floats:
    """For each row the mean that its annotator gave to what is no control item; NaN where there is none."""
    rows = ~is_control & ~np.isnan(points) & (annotator.codes != UNKNOWN)
    people = len(annotator.names)
    given = np.bincount(annotator.codes[rows], minlength=people)
    total = np.bincount(annotator.codes[rows], weights=points[rows], minlength=people)
    means = np.divide(total, given, out=np.full(people, math.nan), where=given > 0)
    return np.append(means, math.nan)[annotator.codes]


def _renamed(chunk: Chunk) -> Chunk:
    """The chunk under our own names of columns, where it has others that mean the same."""
    if is_convai2_logs(chunk):
        chunk = convai2_as_ratings(chunk)
    ours = {name: _ALIASES.get(name, name) for name in chunk.columns}
    names = {name: name if ours[name] in chunk.columns else ours[name] for name in ours}
    return replace(chunk, columns={names[name]: cells for name, cells in chunk.columns.items()})


def _scale(columns: Columns, name: str, *, rows: Flags | None = None) -> tuple[int, int] | None:
    """The widest scale that a column tells of (in these rows); None when it is empty."""
    lows = columns.parsed(name, lambda cell: _ends(cell)[0], math.inf, expected='a scale such as "1 to 5"')
    highs = columns.parsed(name, lambda cell: _ends(cell)[1], -math.inf, expected='a scale such as "1 to 5"')
    told = columns[name].codes != UNKNOWN
    told = told if rows is None else told & rows
    return (int(lows[told].min()), int(highs[told].max())) if told.any() else None


_SCALE = re.compile(r"\s*(-?[0-9]+)\s*(?:to|-|–)\s*(-?[0-9]+)\s*")


def _ends(cell: str) -> tuple[int, int]:
    found = _SCALE.fullmatch(cell)
    ends = (int(found[1]), int(found[2])) if found else (0, 0)
    if not -FURTHEST_POINT <= ends[0] < ends[1] <= FURTHEST_POINT:
        raise ValueError(cell)
    return ends


_NO_POINT = ("N/A", "n/a", "NA")
"""How tables say that a question does not apply."""


def _point(cell: str) -> float:
    if cell in _NO_POINT:
        return math.nan
    number = read_number(cell)
    if not abs(number) <= FURTHEST_POINT:
        raise ValueError(cell)
    return number
