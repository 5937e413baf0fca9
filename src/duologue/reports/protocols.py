"""Every protocol's report by the protocol's name: the one place that a further protocol adds itself to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duologue.errors import AnalysisError
from duologue.judgments import table_columns
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


def report_of_table(path: Path, layout: Layout) -> ProtocolReport[Any, Any]:
    """The protocol that a table of judgments belongs to, by its layout or else by its columns.

    A table that none of them knows is left to ACUTE, which says what is missing.

    Raises:
        InputError: The file cannot be read.
    """
    reports = PROTOCOL_REPORTS.values()
    if layout != "auto":
        return next(report for report in reports if layout in report.layouts)
    columns = table_columns(path)
    return next((report for report in reports if report.reads(columns)), PROTOCOL_REPORTS["acute"])
