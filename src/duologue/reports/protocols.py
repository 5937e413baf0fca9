"""The report of a protocol: a part of its package, found by the protocol's name or by the look of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duologue.judgments import NO_MAP, ColumnMap, table_columns, unknown_table
from duologue.protocols import protocol_named, protocol_names
from duologue.reports.base import Layout, ProtocolReport

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
    return ("auto", *(layout for report in _reports() for layout in report.layouts))


def _reports() -> Iterator[Report]:
    """Those of all protocols that have one, each loaded when its turn comes."""
    return (report_of(name) for name in protocol_names() if ProtocolReport.part in protocol_named(name).parts)


def report_of_table(path: Path, layout: Layout, columns: ColumnMap = NO_MAP) -> Report:
    """The protocol that a table of judgments belongs to, by its layout or else by its columns.

    Raises:
        FormatError: The table has none of the shapes that are read.
        InputError: The file cannot be read.
    """
    if layout != "auto":
        return next(report for report in _reports() if layout in report.layouts)
    found = table_columns(path, columns)
    report = next((report for report in _reports() if report.reads(found)), None)
    if report is None:
        raise unknown_table(path, found, more=[shape for report in _reports() for shape in report.shapes])
    return report
