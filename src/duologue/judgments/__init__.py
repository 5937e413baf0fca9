"""Judgments: what annotators decided, what was set aside, and tables of them."""

from __future__ import annotations

from duologue.judgments.columns import UNKNOWN, Coded
from duologue.judgments.ratings import (
    RATING,
    Ratings,
    holds_ratings,
    is_rating_column,
    ratings_from_rows,
    read_ratings,
)
from duologue.judgments.records import Exclusion, ExclusionAction, Judgment, SecondsKind
from duologue.judgments.table import (
    TABLE_FORMATS,
    Chunk,
    Row,
    TableFormat,
    as_text,
    table_columns,
    table_rows,
    write_csv,
    write_jsonl,
    write_table,
)
from duologue.judgments.votes import (
    Votes,
    VotesFormat,
    judgment_chunks,
    read_votes,
    votes_from_rows,
)

__all__ = [
    "RATING",
    "TABLE_FORMATS",
    "UNKNOWN",
    "Chunk",
    "Coded",
    "Exclusion",
    "ExclusionAction",
    "Judgment",
    "Ratings",
    "Row",
    "SecondsKind",
    "TableFormat",
    "Votes",
    "VotesFormat",
    "as_text",
    "holds_ratings",
    "is_rating_column",
    "judgment_chunks",
    "ratings_from_rows",
    "read_ratings",
    "read_votes",
    "table_columns",
    "table_rows",
    "votes_from_rows",
    "write_csv",
    "write_jsonl",
    "write_table",
]
