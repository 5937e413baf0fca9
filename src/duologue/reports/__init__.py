"""Reports: a study or a file of judgments analysed, and written up as page, tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.reports.acute import Example, matchup_rows
    from duologue.reports.base import (
        DEFAULT_GAP,
        Analysed,
        AnalysisRequest,
        Compared,
        Layout,
        ProtocolReport,
        Results,
        Screening,
    )
    from duologue.reports.collecting import Collected, collect_chats
    from duologue.reports.comparing import read_compared, read_metrics
    from duologue.reports.conduct import conduct_lines, describe_conduct
    from duologue.reports.given_file import analyse_file, check_file, file_rows
    from duologue.reports.plan_figure import draw_peeking, draw_plan
    from duologue.reports.protocols import PROTOCOL_REPORTS, report_of
    from duologue.reports.replicating import replicate_results, said_of_replication
    from duologue.reports.report import report_page, write_report, write_results
    from duologue.reports.study import analyse_study, choose_examples, screen_study

__all__ = [
    "DEFAULT_GAP",
    "PROTOCOL_REPORTS",
    "Analysed",
    "AnalysisRequest",
    "Collected",
    "Compared",
    "Example",
    "Layout",
    "ProtocolReport",
    "Results",
    "Screening",
    "analyse_file",
    "analyse_study",
    "check_file",
    "choose_examples",
    "collect_chats",
    "conduct_lines",
    "describe_conduct",
    "draw_peeking",
    "draw_plan",
    "file_rows",
    "matchup_rows",
    "read_compared",
    "read_metrics",
    "replicate_results",
    "report_of",
    "report_page",
    "said_of_replication",
    "screen_study",
    "write_report",
    "write_results",
]

# A file is analysed without a database, and nothing is drawn for who only wants numbers.
__getattr__ = lazy_front(
    __name__,
    {
        "acute": (
            "Example",
            "matchup_rows",
        ),
        "base": (
            "DEFAULT_GAP",
            "Analysed",
            "AnalysisRequest",
            "Compared",
            "Layout",
            "ProtocolReport",
            "Results",
            "Screening",
        ),
        "collecting": (
            "Collected",
            "collect_chats",
        ),
        "comparing": (
            "read_compared",
            "read_metrics",
        ),
        "conduct": (
            "conduct_lines",
            "describe_conduct",
        ),
        "given_file": (
            "analyse_file",
            "check_file",
            "file_rows",
        ),
        "plan_figure": (
            "draw_peeking",
            "draw_plan",
        ),
        "protocols": (
            "PROTOCOL_REPORTS",
            "report_of",
        ),
        "replicating": (
            "replicate_results",
            "said_of_replication",
        ),
        "report": (
            "report_page",
            "write_report",
            "write_results",
        ),
        "study": (
            "analyse_study",
            "choose_examples",
            "screen_study",
        ),
    },
)
