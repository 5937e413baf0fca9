"""Ratings as columns of numbers: what every analysis of points on a scale starts from."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from duologue.errors import FormatError
from duologue.judgments.cells import A_TIME, NO_TIME, TRUTHS, moment, one_of, revision_number, seconds_spent
from duologue.judgments.columns import UNKNOWN, Coded, Codes, Columns, encode_chunks
from duologue.judgments.convai2 import SCORE, convai2_as_ratings, is_convai2_logs
from duologue.judgments.table import Chunk, Row, chunks_of_rows, read_chunks, table_columns

Flags = NDArray[np.bool_]
Floats = NDArray[np.float64]

RATING = "rating"
"""The column of the only question, or what the columns of several begin with: ``rating_fluency``."""

_ALIASES = {"worker": "annotator", "model": "bot", "system": "bot"}

_COLUMNS = (
    *("bot", "persona_right", "annotator", "annotator_kind", "dialogue", "item", "arm", "source"),
    *("excluded", "is_onboarding", "reason", "revision", "seconds", "at"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Ratings as columns, one row for each judgment, in the order they came.

    ``points`` holds one column for each question, by its name; NaN where nothing was rated.
    """

    bot: Coded
    points: Mapping[str, Floats]
    scales: Mapping[str, tuple[int, int]]
    """The lowest and the highest point of a question, where the table says it."""
    texts: Mapping[str, str]
    """How a question was asked, where the table says it."""
    persona_right: Floats
    """1 when the partner's persona was told from another one, 0 when not, NaN when nobody asked."""
    annotator: Coded
    annotator_kind: Coded
    dialogue: Coded
    item: Coded
    arm: Coded
    source: Coded
    excluded: Coded
    """The rule that set a judgment aside; a code of -1 says that it counts."""
    is_onboarding: Flags
    has_reason: Flags
    revision: Codes
    seconds: Floats
    """NaN when not known."""
    at: NDArray[np.datetime64]
    """UTC to the second; NaT when not known."""

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
        )


def is_rating_column(name: str) -> bool:
    """Whether a column of a table holds ratings; ConvAI2's evaluation logs call it ``eval_score``.

    Example:
        >>> is_rating_column("rating_fluency"), is_rating_column("rating"), is_rating_column("ratings")
        (True, True, False)
    """
    return name in (RATING, SCORE) or (name.startswith(f"{RATING}_") and len(name) > len(RATING) + 1)


def holds_ratings(path: Path) -> bool:
    """Whether a table is one of ratings, by its columns.

    Raises:
        InputError: The file cannot be read, or is no table.
    """
    return any(is_rating_column(name) for name in table_columns(path))


def read_ratings(path: Path) -> Ratings:
    """Read a table of ratings: CSV, JSON lines, a JSON list, or Parquet.

    It needs the columns ``bot`` and ``rating`` (or several, ``rating_fluency``, …); all that ``duologue
    judgments export`` writes are used: ``scale_fluency`` is "1 to 5", ``question_fluency`` what was asked.

    Raises:
        FormatError: A cell is not what its column says; names line, column and what was expected.
        InputError: The file cannot be read.
    """
    return _ratings(list(read_chunks(path)), path)


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
        raise FormatError(
            source or "judgments",
            expected="the columns bot and rating (or rating_… for each of several questions)",
            got=", ".join(found) or "none",
        )
    names = {column: column.removeprefix(f"{RATING}_") for column in questions}
    about = [f"{kind}_{name}" for name in names.values() for kind in ("scale", "question")]
    columns = encode_chunks(chunks, (*_COLUMNS, *questions, *about), source=source)
    if not columns["bot"].is_known:
        columns.refuse("bot", UNKNOWN, expected="the name of a bot")
    return Ratings(
        bot=columns["bot"],
        points={
            name: columns.parsed(column, _point, math.nan, expected="a finite number").astype(np.float64)
            for column, name in names.items()
        },
        scales={name: scale for name in names.values() if (scale := _scale(columns, f"scale_{name}"))},
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
        excluded=columns["excluded"],
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
    )


def _renamed(chunk: Chunk) -> Chunk:
    """The chunk under our own names of columns, where it has others that mean the same."""
    if is_convai2_logs(chunk):
        chunk = convai2_as_ratings(chunk)
    names = {name: _ALIASES.get(name, name) for name in chunk.columns}
    named = {names[name]: cells for name, cells in chunk.columns.items() if names[name] != name}
    return replace(chunk, columns=named | {n: c for n, c in chunk.columns.items() if names[n] == n})


def _scale(columns: Columns, name: str) -> tuple[int, int] | None:
    """The widest scale that a column tells of; None when it is empty."""
    lows = columns.parsed(name, lambda cell: _ends(cell)[0], math.inf, expected='a scale such as "1 to 5"')
    highs = columns.parsed(name, lambda cell: _ends(cell)[1], -math.inf, expected='a scale such as "1 to 5"')
    told = columns[name].codes != UNKNOWN
    return (int(lows[told].min()), int(highs[told].max())) if told.any() else None


def _ends(cell: str) -> tuple[int, int]:
    low, _, high = cell.partition(" to ")
    if int(low) >= int(high):
        raise ValueError(cell)
    return int(low), int(high)


def _point(cell: str) -> float:
    number = float(cell)
    if not math.isfinite(number):
        raise ValueError(cell)
    return number
