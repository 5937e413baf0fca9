"""Judgments: what annotators decided, what was excluded, and tables of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.fronts import lazy_front

if TYPE_CHECKING:
    from duologue.judgments.cells import is_whole, read_number
    from duologue.judgments.columns import UNKNOWN, Column, Columns, ColumnsBuilder, NameColumn
    from duologue.judgments.controls import CONTROL_RULE, exclude_failed
    from duologue.judgments.judged_by import JUDGED_BY, PEOPLE, JudgedBy, RowsJudgedBy
    from duologue.judgments.kinds_of_judges import who_judged
    from duologue.judgments.rankings import RankedPairs
    from duologue.judgments.ratings import (
        RATING,
        Ratings,
        holds_ratings,
        is_rating_column,
        rating_chunks,
        ratings_from_columns,
        ratings_from_rows,
        read_ratings,
    )
    from duologue.judgments.records import (
        ChosenTurn,
        Exclusion,
        ExclusionAction,
        Judgment,
        OfferedReply,
        Role,
        SecondsKind,
    )
    from duologue.judgments.scoring import composite_ratings, standardise_ratings
    from duologue.judgments.shapes import unknown_table
    from duologue.judgments.table import (
        NO_MAP,
        TABLE_FORMATS,
        Chunk,
        ColumnMap,
        Row,
        TableFormat,
        as_text,
        count_rows,
        rows_of_chunks,
        table_columns,
        table_rows,
    )
    from duologue.judgments.table_writing import write_csv, write_jsonl, write_table
    from duologue.judgments.votes import (
        AskedPhrasing,
        DialogueCovariates,
        Votes,
        VotesFormat,
        judgment_chunks,
        read_votes,
        votes_from_rows,
        votes_from_study,
    )

__all__ = [
    "CONTROL_RULE",
    "JUDGED_BY",
    "NO_MAP",
    "PEOPLE",
    "RATING",
    "TABLE_FORMATS",
    "UNKNOWN",
    "AskedPhrasing",
    "ChosenTurn",
    "Chunk",
    "Column",
    "ColumnMap",
    "Columns",
    "ColumnsBuilder",
    "DialogueCovariates",
    "Exclusion",
    "ExclusionAction",
    "JudgedBy",
    "Judgment",
    "NameColumn",
    "OfferedReply",
    "RankedPairs",
    "Ratings",
    "Role",
    "Row",
    "RowsJudgedBy",
    "SecondsKind",
    "TableFormat",
    "Votes",
    "VotesFormat",
    "as_text",
    "composite_ratings",
    "count_rows",
    "exclude_failed",
    "holds_ratings",
    "is_rating_column",
    "is_whole",
    "judgment_chunks",
    "rating_chunks",
    "ratings_from_columns",
    "ratings_from_rows",
    "read_number",
    "read_ratings",
    "read_votes",
    "rows_of_chunks",
    "standardise_ratings",
    "table_columns",
    "table_rows",
    "unknown_table",
    "votes_from_rows",
    "votes_from_study",
    "who_judged",
    "write_csv",
    "write_jsonl",
    "write_table",
]

__getattr__ = lazy_front(__name__)
