"""Who gave the judgments of a table, as its column ``judged_by`` or somebody says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import cast

from duologue.errors import AnalysisError
from duologue.judgments.judged_by import JUDGED_BY, JUDGED_BY_COLUMN, PEOPLE, JudgedBy, refuse_mixed
from duologue.judgments.table import NO_MAP, ColumnMap, read_chunks, table_columns


def who_judged(path: Path, columns: ColumnMap = NO_MAP, *, said: JudgedBy | None = None) -> JudgedBy:
    """Who gave the judgments of a table: what was said, or its column ``judged_by``, or else people.

    Raises:
        FormatError: A cell of the column is none of the kinds.
        AnalysisError: The table mixes them and nobody said which is meant, or has no row of those.
    """
    if JUDGED_BY_COLUMN not in table_columns(path, columns):
        return said or PEOPLE
    counts: Counter[str] = Counter()
    for chunk in read_chunks(path, columns):
        for row, cell in enumerate(chunk.column(JUDGED_BY_COLUMN)):
            if cell and cell not in JUDGED_BY:
                chunk.refuse(row, field=JUDGED_BY_COLUMN, expected=" or ".join(JUDGED_BY), got=cell)
            counts[cell or PEOPLE] += 1
    if said is None:
        refuse_mixed(counts, path)
        return cast("JudgedBy", next(iter(counts), PEOPLE))
    if not counts[said]:
        raise AnalysisError(
            f"{path}: no row is judged by {said}; its column judged_by has {', '.join(counts)}."
        )
    return said
