"""What the command line says of phrasings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from duologue.protocols import say_p, say_span
from duologue.reports import excluded_sentence

if TYPE_CHECKING:
    from rich.table import Table

    from duologue.acute.phrasings.results import AxisResult, PhrasingStudyResults


def phrasings_in_words(found: PhrasingStudyResults) -> Iterator[object]:
    """A table in the form of Table 1 for each axis, with a sentence; then what the numbers rest on."""
    from rich.rule import Rule

    for axis in found.axes:
        yield Rule(axis.title, align="left", characters="─")
        yield _table(axis)
        yield f"{'•' if axis.is_distinguished else '·'} {axis.sentence}"
        yield from axis.notes
        yield ""
    yield found.family
    yield found.scope
    if found.position:
        yield found.position
    if found.time is not None:
        yield found.time.sentence
    for rule in found.rules:
        yield excluded_sentence(rule.rule, rule.judgments, rule.annotators)


def _table(axis: AxisResult) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    has_alpha = any(one.alpha is not None for one in axis.phrasings)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("phrasing", overflow="fold")
    for name in ("n", "agreement", "interval", "p (Holm)", *(["alpha"] if has_alpha else [])):
        table.add_column(name, justify="right", no_wrap=True)
    for one in axis.phrasings:
        cells = ["", "", "", ""]
        if one.agreement is not None and one.interval is not None and one.p_adjusted is not None:
            cells = [
                f"{'*' * one.is_significant}{100 * one.agreement:.1f} %",
                say_span(one.interval.low, one.interval.high),
                say_p(one.p_adjusted).removeprefix("p = ").removeprefix("p "),
                "" if one.alpha is None else f"{one.alpha:.2f}",
            ]
        words = Text(f"{one.arm}: {one.question}", style="bold" if one.arm == axis.best else "")
        table.add_row(words, str(one.n), *cells[: 4 if has_alpha else 3])
    return table
