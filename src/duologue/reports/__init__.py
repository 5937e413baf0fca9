"""Reports: a study or a file of judgments analysed, and written up as page, tables and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.reports.base import (
        DEFAULT_GAP,
        Analysis,
        AnalysisRequest,
        Layout,
        PaperTable,
        ProtocolReport,
        Results,
    )
    from duologue.reports.bot_numbers import left_out, number_in, read_metrics
    from duologue.reports.collecting import CollectedChats, collect_chats
    from duologue.reports.conduct import conduct_lines, describe_conduct
    from duologue.reports.conduct.reasons import find_reasons_of, reason_lines, search_reasons
    from duologue.reports.drawing import (
        FAINT,
        GREY,
        INK,
        LOSS,
        WIN,
        draw_progress,
        draw_steps,
        note_right,
        plain_axes,
        write_figures,
    )
    from duologue.reports.flow import (
        Curve,
        ExclusionStep,
        curve_over_time,
        excluded_sentence,
        flow_steps,
        say_collected,
        why_no_curve,
    )
    from duologue.reports.given_file import analyse_file, check_file, file_rows
    from duologue.reports.judged import read_judgments
    from duologue.reports.latex import escape_latex, latex_p, latex_table
    from duologue.reports.leaderboard.board import Leaderboard, make_leaderboard
    from duologue.reports.leaderboard.reading import read_material
    from duologue.reports.leaderboard.writing import leaderboard_json, write_leaderboard
    from duologue.reports.logs.meaning import open_meaning
    from duologue.reports.logs.tables import RatedLogs
    from duologue.reports.logs.writing import write_logs
    from duologue.reports.methods import (
        FROM_A_FILE,
        analysed_with,
        asked_besides,
        attention_checks,
        interim_looks,
        judged_material,
        planned_before,
        recruited,
        took_part,
        why_so_many,
    )
    from duologue.reports.names import file_endings, plain_names
    from duologue.reports.numbering import published_rows
    from duologue.reports.over_arms import own_warnings, shared_warnings
    from duologue.reports.plan_figure import draw_peeking, draw_plan
    from duologue.reports.protocols import layouts, protocol_of_table, report_of
    from duologue.reports.replicating import replicate_results, replication_in_words
    from duologue.reports.report import report_page, told_in_words, write_report, write_results
    from duologue.reports.scores import human_scores
    from duologue.reports.shown_dialogues import ExampleDialogue, shown_dialogue
    from duologue.reports.study import analyse_study, choose_examples

__all__ = [
    "DEFAULT_GAP",
    "FAINT",
    "FROM_A_FILE",
    "GREY",
    "INK",
    "LOSS",
    "WIN",
    "Analysis",
    "AnalysisRequest",
    "CollectedChats",
    "Curve",
    "ExampleDialogue",
    "ExclusionStep",
    "Layout",
    "Leaderboard",
    "PaperTable",
    "ProtocolReport",
    "RatedLogs",
    "Results",
    "analyse_file",
    "analyse_study",
    "analysed_with",
    "asked_besides",
    "attention_checks",
    "check_file",
    "choose_examples",
    "collect_chats",
    "conduct_lines",
    "curve_over_time",
    "describe_conduct",
    "draw_peeking",
    "draw_plan",
    "draw_progress",
    "draw_steps",
    "escape_latex",
    "excluded_sentence",
    "file_endings",
    "file_rows",
    "find_reasons_of",
    "flow_steps",
    "human_scores",
    "interim_looks",
    "judged_material",
    "latex_p",
    "latex_table",
    "layouts",
    "leaderboard_json",
    "left_out",
    "make_leaderboard",
    "note_right",
    "number_in",
    "open_meaning",
    "own_warnings",
    "plain_axes",
    "plain_names",
    "planned_before",
    "protocol_of_table",
    "published_rows",
    "read_judgments",
    "read_material",
    "read_metrics",
    "reason_lines",
    "recruited",
    "replicate_results",
    "replication_in_words",
    "report_of",
    "report_page",
    "say_collected",
    "search_reasons",
    "shared_warnings",
    "shown_dialogue",
    "told_in_words",
    "took_part",
    "why_no_curve",
    "why_so_many",
    "write_figures",
    "write_leaderboard",
    "write_logs",
    "write_report",
    "write_results",
]

__getattr__ = lazy_front(__name__)
