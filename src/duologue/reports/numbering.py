"""Annotators as numbers: ids of people, such as those of a crowd platform, are never published.

Annotators are numbered in the order of their first judgment. No number changes when more judgments come, and
a study and the table that was exported from it give everybody the same number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from duologue.judgments import UNKNOWN, NameColumn, Row
from duologue.protocols import Provenance

WHO = ("annotator", "participant")
"""The columns of a row that hold a person's id."""


def number_annotators(annotator: NameColumn) -> NameColumn:
    """The column with a number for each id.

    Example:
        >>> who = NameColumn(("bob", "ann"), np.array([1, -1, 0, 1], dtype=np.int32))
        >>> [number_annotators(who).name_of(code) for code in who.codes]
        ['annotator 1', '', 'annotator 2', 'annotator 1']
    """
    codes, first = np.unique(annotator.codes, return_index=True)
    named = codes[np.argsort(first)]
    named = named[named != UNKNOWN]
    numbers = dict(zip(named.tolist(), range(1, len(named) + 1), strict=True))
    return NameColumn(
        tuple(_called(numbers.get(code)) for code in range(len(annotator.names))), annotator.codes
    )


def published_rows(rows: Iterable[Row], made: Provenance | None) -> Iterator[Row]:
    """The rows with a number for each person's id; models that judged keep their names.

    Example:
        >>> rows = [{"annotator": "ann"}, {"annotator": ""}, {"annotator": "bob", "participant": "ann"}]
        >>> [list(row.values()) for row in published_rows(rows, None)]
        [['annotator 1'], [''], ['annotator 2', 'annotator 1']]
    """
    numbers: dict[object, int] = {}
    for row in rows:
        ids = {name: row[name] for name in WHO if row.get(name) not in (None, "")}
        if made is not None and made.judged_by == "judge":
            ids = {}
        yield {
            **row,
            **{name: _called(numbers.setdefault(who, len(numbers) + 1)) for name, who in ids.items()},
        }


def _called(number: int | None) -> str:
    return "" if number is None else f"annotator {number}"
