"""The report: one HTML page that needs nothing else, figures, and tables for a paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from duologue.files import make_folder, replacing
from duologue.judgments import Row, write_table
from duologue.protocols import JUDGE, Provenance, Replication, say_count, say_of_judges, told_of_judges
from duologue.reports.conduct import conduct_tables, write_flow
from duologue.reports.conduct.reasons import reason_tables
from duologue.reports.drawing.letters import collecting_missing, say_missing
from duologue.reports.methods import software_citation
from duologue.reports.numbering import published_rows
from duologue.reports.over_arms import summarise_parts
from duologue.reports.protocols import report_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence, Set

    from duologue.reports.base import Analysis, Results
    from duologue.studies import Study

REPORT_FILE = "report.html"
RESULTS_FILE = "results.json"
REPLICATION_FILE = "replication.json"
TABLES_FOLDER = "tables"


def write_results(analysed: Analysis, rows: Iterable[Row], folder: Path | str) -> tuple[Path, ...]:
    """Write results.json and, in ``tables``, the CSV files of the protocol's analysis.

    For ACUTE these are the files that ParlAI's ACUTE-Eval analysis writes.

    Args:
        analysed: The results with what they come from.
        rows: The judgments, for the tables that list them: with numbers for the ids of annotators.
        folder: Where to; made when it is not there.

    Returns:
        The files written.

    Raises:
        ExportError: They cannot be written there.
    """
    folder = Path(folder)
    tables = make_folder(folder / TABLES_FOLDER)
    report = report_of(analysed.results.protocol)
    results = folder / RESULTS_FILE
    _write(results, analysed.results.to_json())
    written = [results]
    published = published_rows(rows, analysed.results.provenance)
    for name, content in report.tables(analysed.results, published, judged=analysed.judged):
        write_table(content, tables / name)
        written.append(tables / name)
    return tuple(written)


def write_report(
    results: Results,
    folder: Path | str,
    *,
    study: Study | None = None,
    examples: Sequence[object] = (),
    replication: Replication | None = None,
) -> tuple[Path, ...]:
    """Write the report of an analysis.

    Args:
        results: What was found.
        folder: Where to: ``report.html``, ``results.json``, ``figures/``, ``tables/``; made when not there.
        study: The study, when the judgments come from one: what was asked and how it was screened.
        examples: Judgments to show with their dialogues, as `choose_examples` gives them.
        replication: These verdicts compared with those of another study or table, as `replicate_results`
            gives it.

    Returns:
        The files written, the page first.

    Raises:
        ExportError: They cannot be written there.
    """
    folder, report = Path(folder), report_of(results.protocol)
    tables = make_folder(folder / TABLES_FOLDER)
    page = folder / REPORT_FILE
    with collecting_missing() as missing:
        figures = [*report.figures(results, folder / "figures")]
        if results.conduct is not None:
            figures = [*write_flow(results.conduct, folder / "figures"), *figures]
    _write(
        page,
        report_page(results, study=study, examples=examples, replication=replication, missing=missing),
    )
    _write(folder / RESULTS_FILE, results.to_json())
    _write(folder / "methods.txt", _said_of(results)(report.methods(results, study)) + "\n")
    written = [page, folder / RESULTS_FILE, folder / "methods.txt"]
    if replication is not None:
        written.append(folder / REPLICATION_FILE)
        _write(written[-1], replication.to_json())
    for name, content in report.report_tables(results):
        write_table(content, tables / name)
        written.append(tables / name)
    if results.conduct is not None:
        for name, content in (*conduct_tables(results.conduct), *reason_tables(results.conduct.reasons)):
            write_table(content, tables / name)
            written.append(tables / name)
    for table in report.paper_tables(results):
        _write(tables / table.file, _said_of(results)(table.text))
        written.append(tables / table.file)
    return (*written, *figures)


def _write(path: Path, text: str) -> None:
    with replacing(path) as file:
        file.write(text.encode("utf-8"))


def report_page(
    results: Results,
    *,
    study: Study | None = None,
    examples: Sequence[object] = (),
    replication: Replication | None = None,
    missing: Set[str] = frozenset(),
) -> str:
    """The page as text: no script, no address of another host. Its figures lack the letters ``missing``."""
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined

    from duologue.reports.judges_words import ENVIRONMENT_OF_JUDGES

    report = report_of(results.protocol)
    environment = Environment(
        loader=ChoiceLoader([PackageLoader("duologue.reports"), FileSystemLoader(report.templates())]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        **(ENVIRONMENT_OF_JUDGES if _is_by_judges(results) else {}),
    )
    environment.filters["say_count"] = say_count
    made = results.provenance
    said = _said_of(results)
    page = environment.get_template(report.template).render(
        results=results,
        provenance=made,
        conduct=results.conduct,
        replication=replication,
        title=_title(made),
        over_arms=summarise_parts(report.outcomes(results)),
        examples=examples,
        methods=said(report.methods(results, study)),
        citations=(*report.citations(), software_citation(results)),
        left_out=tuple(map(said, (*report.left_out(results, examples), *say_missing(missing)))),
        **_shown_of(results, report.shown(results, study=study, examples=examples)),
    )
    return _BEFORE_PERCENT.sub("\u00a0", page)


_BEFORE_PERCENT = re.compile(r"(?<=\d) (?=%)")
"""No line ends between a number and its sign."""


def _is_by_judges(results: Results) -> bool:
    return results.provenance is not None and results.provenance.judged_by == JUDGE


def _said_of(results: Results) -> Callable[[str], str]:
    """How a sentence about annotators reads where models judged."""
    return say_of_judges if _is_by_judges(results) else str


def _shown_of(results: Results, shown: Mapping[str, object]) -> Mapping[str, object]:
    return told_of_judges(shown) if _is_by_judges(results) else shown


def told_in_words(results: Results, said: object) -> object:
    """What is printed of results, a sentence or a table: models are never called people or annotators."""
    if not _is_by_judges(results):
        return said
    if isinstance(said, str):
        return say_of_judges(said)
    for column in getattr(said, "columns", ()):
        column.header = say_of_judges(str(column.header))
    return said


def _title(made: Provenance | None) -> str:
    if made is None:
        return "Judgments"
    return made.study or next(iter(made.data), "Judgments")
