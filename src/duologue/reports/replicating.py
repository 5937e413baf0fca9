"""Verdicts of two studies or tables, or of two halves of one, compared with each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duologue.errors import AnalysisError
from duologue.protocols import Replication, replicate
from duologue.reports.base import Results
from duologue.reports.protocols import report_of

if TYPE_CHECKING:
    from rich.table import Table


def replicate_results(first: Results, second: Results, *, of: tuple[str, str]) -> Replication:
    """Hold the verdicts of two analyses of one protocol against each other.

    Args:
        first: What the first of them found.
        second: What the second one found.
        of: What was analysed, in words.

    Raises:
        AnalysisError: The two were not judged by the same protocol.
    """
    if first.protocol != second.protocol:
        raise AnalysisError(
            f"{of[0]} and {of[1]} cannot be compared: one is judged by {first.protocol}, the "
            f"other by {second.protocol}."
        )
    report = report_of(first.protocol)
    return replicate(
        tuple(report.outcomes(first)),
        tuple(report.outcomes(second)),
        of=of,
        protocol=first.protocol,
        estimate=report.estimate,
        provenance=(first.provenance, second.provenance),
    )


def replication_in_words(found: Replication) -> Iterator[object]:
    """What the command line prints: a table with a row for each pair, and what it comes to."""
    yield f"1: {found.of[0]}\n2: {found.of[1]}"
    if found.pairs:
        yield _table(found)
    yield found.sentence
    if found.largest_gap is not None:
        yield f"The two estimates ({found.estimate}) of a pair differ by {found.largest_gap:.2f} at most."
    for number, missing in ((1, found.only_in_first), (2, found.only_in_second)):
        if missing:
            named = "; ".join(missing[:10]) + (
                f" and {len(missing) - 10:,} more" if len(missing) > 10 else ""
            )
            yield f"Only in {number}: {named}."


def _table(found: Replication) -> Table:
    from rich.table import Table
    from rich.text import Text

    has_parts = any(pair.part for pair in found.pairs)
    table = Table(title=f"{found.estimate} of the first bot, and who is better", title_justify="left")
    for head in (
        *(("part",) if has_parts else ()),
        "pair",
        "1",
        "better in 1",
        "2",
        "better in 2",
        "verdicts",
    ):
        table.add_column(head, justify="right" if head in ("1", "2") else "left")
    for pair in found.pairs:
        cells = [pair.part] if has_parts else []
        cells.append(f"{pair.first} v {pair.second}")
        for number in (0, 1):
            estimate = pair.estimates[number]
            cells.append("" if estimate is None else f"{estimate:.2f} (n = {pair.n[number]:,})")
            cells.append(pair.better[number] or "–")
        table.add_row(*map(Text, [*cells, pair.accord]))
    return table
