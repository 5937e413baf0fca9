"""The report of a protocol: a part of its package, found by the protocol's name or by the look of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duologue.errors import AnalysisError, InputError
from duologue.judgments import NO_MAP, ColumnMap, table_columns, unknown_table
from duologue.protocols import protocol_named, protocol_names
from duologue.reports.base import AnalysisRequest, Layout, ProtocolReport

if TYPE_CHECKING:
    from collections.abc import Iterator
from pathlib import Path

Report = ProtocolReport[Any, Any]


def report_of(protocol: str) -> Report:
    """How judgments of a protocol are analysed and written up.

    Raises:
        ProtocolError: It is not installed, or has no report.
    """
    return protocol_named(protocol).part(ProtocolReport)  # type: ignore[type-abstract]


def layouts() -> tuple[Layout, ...]:
    """The layouts of tables that some protocol reads."""
    return ("auto", *(layout for _, report in _reports() for layout in report.layouts))


def _reports() -> Iterator[tuple[str, Report]]:
    """Those of all protocols that have one, by their names, each loaded when its turn comes."""
    for name in protocol_names():
        if ProtocolReport.part in protocol_named(name).parts:
            yield name, report_of(name)


def report_of_table(path: Path, layout: Layout, columns: ColumnMap = NO_MAP) -> Report:
    """The report of the protocol that a table of judgments belongs to.

    Raises:
        FormatError: The table has none of the shapes that are read.
        InputError: No protocol reads the layout, or the file cannot be read.
    """
    return report_of(protocol_of_table(path, layout, columns))


def protocol_of_table(path: Path, layout: Layout = "auto", columns: ColumnMap = NO_MAP) -> str:
    """The protocol that a table of judgments belongs to, by its layout or else by its columns.

    Raises:
        FormatError: The table has none of the shapes that are read.
        InputError: No protocol reads the layout.
    """
    if layout != "auto":
        named = next((name for name, report in _reports() if layout in report.layouts), None)
        if named is None:
            raise InputError(
                f"--format {layout}: there is no such layout of tables. There are: {', '.join(layouts())}."
            )
        return named
    found = table_columns(path, columns)
    protocol = next((name for name, report in _reports() if report.reads(found)), None)
    if protocol is None:
        raise unknown_table(path, found, more=[shape for _, report in _reports() for shape in report.shapes])
    return protocol


def refuse_half(report: Report, asked: AnalysisRequest) -> None:
    """Refuse half of the annotators where the analysis would not keep to it.

    Raises:
        AnalysisError: It would not.
    """
    if asked.half is not None and not report.splits:
        raise AnalysisError(
            f"{type(report).__name__} cannot analyse one half of the annotators. Leave out --split."
        )
