"""Who judged: people, those who had the chats, or models; and the rows of a table by one kind of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Literal, get_args

from duologue.errors import AnalysisError

if TYPE_CHECKING:
    from pathlib import Path

    from duologue.judgments.table import Chunk

JudgedBy = Literal["people", "first-party", "judge"]
JUDGED_BY: tuple[JudgedBy, ...] = get_args(JudgedBy)
PEOPLE: JudgedBy = "people"
JUDGED_BY_COLUMN = "judged_by"


class RowsJudgedBy(dict[str, str]):
    """A map of columns under which only the rows of one kind of judges are read."""

    def __init__(self, columns: Mapping[str, str], kind: JudgedBy) -> None:
        super().__init__(columns)
        self.kind = kind

    def chosen(self, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        """The stretches of rows by these judges; every row keeps its number."""
        for chunk in chunks:
            wanted = [(cell or PEOPLE) == self.kind for cell in chunk.column(JUDGED_BY_COLUMN)]
            for is_wanted, places in groupby(range(chunk.rows), wanted.__getitem__):
                rows = list(places)
                if is_wanted:
                    yield _rows_of(chunk, rows[0], rows[-1] + 1)


def _rows_of(chunk: Chunk, begin: int, end: int) -> Chunk:
    columns = {name: cells[begin:end] for name, cells in chunk.columns.items()}
    return replace(chunk, first=chunk.first + begin, rows=end - begin, columns=columns)


def refuse_mixed(counts: Mapping[str, int], source: Path | None) -> None:
    """Refuse judgments by several kinds of judges, which are never pooled.

    Raises:
        AnalysisError: There are several.
    """
    if len(counts) > 1:
        held = " and ".join(f"{count:,} by {kind}" for kind, count in counts.items())
        raise AnalysisError(
            f"{source or 'judgments'}: {held} are never pooled. Say which to analyse: --judged-by "
            f"{next(iter(counts))}."
        )
