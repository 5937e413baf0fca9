"""Reports: a study or a file of judgments analysed, and written up as page, tables and figures."""

from __future__ import annotations

from duologue.reports.examples import Example, choose_examples
from duologue.reports.plan_figure import draw_peeking, draw_plan
from duologue.reports.report import report_page, write_report
from duologue.reports.study import (
    Analysed,
    Screening,
    analyse_file,
    analyse_study,
    file_rows,
    judgment_rows,
    screen_study,
)
from duologue.reports.tables import matchup_rows, write_results

__all__ = [
    "Analysed",
    "Example",
    "Screening",
    "analyse_file",
    "analyse_study",
    "choose_examples",
    "draw_peeking",
    "draw_plan",
    "file_rows",
    "judgment_rows",
    "matchup_rows",
    "report_page",
    "screen_study",
    "write_report",
    "write_results",
]
