"""Every protocol's report by the protocol's name: the one place that a further protocol adds itself to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duologue.errors import AnalysisError
from duologue.judgments import NO_MAP, ColumnMap, table_columns, unknown_table
from duologue.reports.acute import AcuteReport
from duologue.reports.base import Layout, ProtocolReport
from duologue.reports.likert import LikertReport

PROTOCOL_REPORTS: Mapping[str, ProtocolReport[Any, Any]] = {
    report.name: report for report in (AcuteReport(), LikertReport())
}
"""How each protocol is analysed and written up, by its name in study files."""


def report_of(protocol: str) -> ProtocolReport[Any, Any]:
    """How judgments of a protocol are analysed and written up.

    Raises:
        AnalysisError: They cannot be yet.
    """
    if protocol not in PROTOCOL_REPORTS:
        raise AnalysisError(f"the protocol {protocol!r} cannot be analysed yet.")
    return PROTOCOL_REPORTS[protocol]


def report_of_table(path: Path, layout: Layout, columns: ColumnMap = NO_MAP) -> ProtocolReport[Any, Any]:
    """The protocol that a table of judgments belongs to, by its layout or else by its columns.

    Raises:
        FormatError: The table has none of the shapes that are read.
        InputError: The file cannot be read.
    """
    reports = PROTOCOL_REPORTS.values()
    if layout != "auto":
        return next(report for report in reports if layout in report.layouts)
    found = table_columns(path, columns)
    report = next((report for report in reports if report.reads(found)), None)
    if report is None:
        raise unknown_table(path, found)
    return report
