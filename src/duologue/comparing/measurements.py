"""What one study or table says about every two bots, whatever its protocol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.errors import AnalysisError, FormatError
from duologue.protocols import Outcome

if TYPE_CHECKING:
    from duologue.dialogues import Dialogue
    from duologue.judgments import Row
    from duologue.metrics import Degeneration
    from duologue.reports import Results

NO_DIFFERENCE = "none"
"""What stands in the column ``better`` of a table of differences where none was detected."""
_EVEN = {"difference": 0.0, "win_rate": 0.5}
"""What the estimate of two equal bots is, by the column that it stands in."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What one study or table says about every two bots."""

    name: str
    estimate: str
    """What the estimates are, in words."""
    even: float
    """The estimate of two equal bots."""
    outcomes: tuple[Outcome, ...]
    is_rehearsal: bool = False
    repetition: Mapping[str, Degeneration] = field(default_factory=dict)
    """How much each bot repeats itself in the dialogues of a study, where it has some."""


def read_measurement(source: Path, *, part: str | None = None, alpha: float | None = None) -> Measurement:
    """Analyse a study or a table of judgments, or read a table of differences that others published.

    A table of differences has the columns ``first``, ``second``, and ``difference`` or ``win_rate`` of the
    first bot; ``n``, ``part`` and ``better`` (a bot, or ``none``) where they are known.

    Args:
        source: A study's folder, or a table.
        part: Which question or section of it; may be left out where there is only one.
        alpha: The error rate that the pairs share; what the study says, or 0.05, when not given.

    Raises:
        InputError: The file cannot be used; says which line and why.
        AnalysisError: It has several parts and none was named, or not the named one.
    """
    if source.is_dir():
        return _of_study(source, part, alpha)
    from duologue.judgments import table_rows

    head = next(iter(table_rows(source)), {})
    column = next((name for name in _EVEN if {"first", "second", name} <= set(head)), None)
    if column is not None:
        outcomes = tuple(_differences(source, table_rows(source), column))
        return Measurement(
            source.stem, column.replace("_", " "), _EVEN[column], _part(source, outcomes, part)
        )
    from duologue.reports import analyse_file

    results = analyse_file(source, alpha=0.05 if alpha is None else alpha).results
    return _measured(source, source.stem, results, part)


def _of_study(folder: Path, part: str | None, alpha: float | None) -> Measurement:
    from duologue.dialogues import study_dialogues
    from duologue.metrics import degeneration
    from duologue.reports import analyse_study
    from duologue.store import fetch_chat_dialogues, open_study
    from duologue.studies import load_study

    def dialogues() -> Iterator[Dialogue]:
        yield from study_dialogues(folder)
        yield from store.stream(fetch_chat_dialogues())

    study = load_study(folder)
    with open_study(study) as store:
        results = analyse_study(study, store, alpha=alpha).results
        return _measured(folder, study.name, results, part, degeneration(dialogues()))


def _measured(
    source: Path,
    name: str,
    results: Results,
    part: str | None,
    repetition: Mapping[str, Degeneration] | None = None,
) -> Measurement:
    from duologue.reports import report_of

    report = report_of(results.protocol)
    return Measurement(
        name,
        report.estimate,
        report.even,
        _part(source, tuple(report.outcomes(results)), part),
        is_rehearsal=results.provenance is not None and results.provenance.is_rehearsal,
        repetition=repetition or {},
    )


def _part(source: Path, outcomes: Sequence[Outcome], wanted: str | None) -> tuple[Outcome, ...]:
    """The outcomes of one part."""
    parts = list(dict.fromkeys(one.part for one in outcomes))
    if wanted is None and len(parts) > 1:
        raise AnalysisError(f"{source}: has several parts. Name one of them: {_listed(parts)}.")
    if wanted is not None and wanted not in parts:
        raise AnalysisError(f"{source}: has no part {wanted!r}. It has: {_listed(parts) or 'none'}.")
    return tuple(one for one in outcomes if wanted in (None, one.part))


def _listed(parts: Sequence[str]) -> str:
    return "; ".join(repr(part) for part in parts)


def _differences(path: Path, rows: Iterator[Row], column: str) -> Iterator[Outcome]:
    from duologue.reports import number_in

    seen = set()
    for number, row in enumerate(rows, 1):
        first, second, part = (str(row.get(name, "")) for name in ("first", "second", "part"))
        if not first or not second or first == second:
            raise FormatError(path, field=f"row {number}", expected="two bots in first and second")
        better = str(row.get("better", ""))
        if better not in ("", NO_DIFFERENCE, first, second):
            raise FormatError(
                path,
                field=f"row {number}, better",
                expected=f"{first}, {second} or {NO_DIFFERENCE}",
                got=repr(better),
            )
        estimate = number_in(path, number, column, str(row[column]))
        if first > second:
            first, second, estimate = second, first, 2 * _EVEN[column] - estimate
        if (part, first, second) in seen:
            raise FormatError(path, field=f"row {number}", expected="every two bots once")
        seen.add((part, first, second))
        count = str(row.get("n", ""))
        yield Outcome(
            part=part,
            first=first,
            second=second,
            n=int(number_in(path, number, "n", count)) if count else 0,
            estimate=estimate,
            interval=None,
            better=None if better in ("", NO_DIFFERENCE) else better,
            has_verdict=better != "",
        )
