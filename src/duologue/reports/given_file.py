"""A table of judgments analysed; no study and no database is needed for it."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from duologue import __version__
from duologue.clock import Clock, utc_now
from duologue.judgments import (
    NO_MAP,
    ColumnMap,
    JudgedBy,
    Row,
    RowsJudgedBy,
    count_rows,
    table_columns,
    who_judged,
)
from duologue.protocols import Provenance, say_who_judged, told_of_judges
from duologue.reports.base import DEFAULT_ALPHA, DEFAULT_GAP, Analysis, AnalysisRequest, Layout
from duologue.reports.methods import packages
from duologue.reports.protocols import refuse_half, report_of_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from duologue.protocols import AnalysisOptions, Half


def analyse_file(
    path: Path | str,
    *,
    layout: Layout = "auto",
    alpha: float = DEFAULT_ALPHA,
    gap: float | None = None,
    seed: int = 0,
    with_sequential: bool = False,
    columns: ColumnMap = NO_MAP,
    primary: str | None = None,
    half: Half | None = None,
    options: AnalysisOptions | None = None,
    clock: Clock = utc_now,
) -> Analysis:
    """Analyse a table of judgments, Arena-style votes, ratings or turns; its columns say which it is.

    Args:
        path: The table.
        layout: Which of them it is, where its columns do not tell.
        alpha: The error rate that the matchups share.
        gap: The gap between two bots that is worth finding: of win rates (0.2 when not given), or in points
            of ratings (none when not given).
        seed: Where random choices come from.
        with_sequential: Say stop or go on.
        columns: What the table calls columns of ours.
        primary: The arm, or question of ratings, that decides by itself; all share alpha without one.
        half: Analyse only this half of the annotators.
        options: What only the analysis of its protocol can be asked for.
        clock: Tells the times in the provenance.

    Raises:
        InputError: The file cannot be used; says which line and why.
        DesignError: The table has no such arm or question, or its protocol no such options.
    """
    path, began = Path(path), clock()
    judged_by = who_judged(path, columns, said=None if options is None else options.judged_by)
    columns = _rows_by(path, columns, judged_by)
    asked = AnalysisRequest(
        alpha=alpha,
        gap=DEFAULT_GAP if gap is None else gap,
        points=gap,
        seed=seed,
        with_sequential=with_sequential,
        columns=columns,
        primary=primary,
        half=half,
        judged_by=judged_by,
        options=options,
    )
    report = report_of_table(path, layout, columns)
    refuse_half(report, asked)
    found = report.analyse_table(path, asked, layout=layout)
    results = found.results.with_provenance(
        _provenance(path, found.span, options=options, judged_by=judged_by, began=began, ended=clock())
    )
    if judged_by == "judge":
        results = told_of_judges(results)
    return replace(found, results=results.with_warnings(say_who_judged(judged_by)))


def _rows_by(path: Path, columns: ColumnMap, judged_by: JudgedBy) -> ColumnMap:
    """The map of columns under which only the rows of these judges are read."""
    return RowsJudgedBy(columns, judged_by) if "judged_by" in table_columns(path, columns) else columns


def _provenance(
    path: Path,
    span: tuple[str, str],
    *,
    options: AnalysisOptions | None,
    judged_by: str,
    began: datetime,
    ended: datetime,
) -> Provenance:
    """From which bytes the results come, those of tables that options name among them, and when."""
    beside = [value for _, value in options or () if isinstance(value, Path) and value.is_file()]
    return Provenance(
        duologue=__version__,
        packages=packages(),
        data={path.name: _digest(path), **{str(one): _digest(one) for one in beside}},
        rows={path.name: count_rows(path)},
        first_judgment=span[0],
        last_judgment=span[1],
        judged_by=judged_by,
        began=began.isoformat(timespec="seconds"),
        ended=ended.isoformat(timespec="seconds"),
    )


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_file(path: Path, *, layout: Layout = "auto", columns: ColumnMap = NO_MAP) -> str:
    """What a table of judgments holds, in a few words and with what is not used, every cell of it checked.

    Raises:
        InputError: The file cannot be used; says which line and why.
    """
    return report_of_table(path, layout, columns).checked(path, layout=layout, columns=columns)


def file_rows(
    path: Path, *, layout: Layout = "auto", columns: ColumnMap = NO_MAP, judged_by: JudgedBy | None = None
) -> Iterator[Row]:
    """The rows of a table of judgments, under our own column names; those by one kind of judges only."""
    columns = columns if judged_by is None else _rows_by(path, columns, judged_by)
    return report_of_table(path, layout, columns).table_rows(path, layout=layout, columns=columns)
