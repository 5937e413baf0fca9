"""The report: one HTML page that needs nothing else, figures, and tables for a paper."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from duologue.judgments import write_table
from duologue.protocols.acute import AcuteResults, Provenance, Section
from duologue.reports.examples import Example
from duologue.reports.figures import write_figures
from duologue.reports.latex import matchups_table, win_matrix_table
from duologue.reports.methods import CITATION, methods_paragraph, software_citation
from duologue.reports.names import file_endings
from duologue.reports.tables import RESULTS_FILE, matchup_rows
from duologue.reports.view import (
    BOTS_SHOWN,
    MATCHUPS_SHOWN,
    Curve,
    ExclusionStep,
    ForestRow,
    MatrixCell,
    exclusion_steps,
    forest_rows,
    matrix_cells,
    progress_curve,
)
from duologue.studies import Study

REPORT_FILE = "report.html"


@dataclass(frozen=True, slots=True)
class SectionView:
    """A section with all that the page draws of it."""

    section: Section
    cells: tuple[tuple[MatrixCell, ...], ...]
    forest: tuple[ForestRow, ...]
    steps: tuple[ExclusionStep, ...]
    curve: Curve | None


def write_report(
    results: AcuteResults,
    folder: Path,
    *,
    study: Study | None = None,
    examples: tuple[Example, ...] = (),
) -> tuple[Path, ...]:
    """Write the report of an analysis.

    Args:
        results: What was found.
        folder: Where to: ``report.html``, ``results.json``, ``figures/``, ``tables/``; made when not there.
        study: The study, when the judgments come from one: what was asked and how it was screened.
        examples: Judgments to show with their dialogues.

    Returns:
        The files written, the page first.
    """
    tables = folder / "tables"
    tables.mkdir(parents=True, exist_ok=True)
    page = folder / REPORT_FILE
    page.write_text(report_page(results, study=study, examples=examples), encoding="utf-8")
    (folder / RESULTS_FILE).write_text(results.to_json(), encoding="utf-8")
    (folder / "methods.txt").write_text(methods_paragraph(results, study) + "\n", encoding="utf-8")
    write_table(matchup_rows(results), tables / "matchups.csv")
    written = [page, folder / RESULTS_FILE, folder / "methods.txt", tables / "matchups.csv"]
    for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
        label = ending.removeprefix(".") or "main"
        for name, draw in (("matchups", matchups_table), ("win-matrix", win_matrix_table)):
            path = tables / f"{name}{ending}.tex"
            path.write_text(draw(section, results, label=f"tab:{name}-{label}"), encoding="utf-8")
            written.append(path)
        written += write_figures(section, folder / "figures", ending=ending)
    return tuple(written)


def report_page(
    results: AcuteResults, *, study: Study | None = None, examples: tuple[Example, ...] = ()
) -> str:
    """The page as text: no script, and no address of another host."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("duologue.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made = results.provenance
    return environment.get_template("report.html").render(
        results=results,
        provenance=made,
        title=_title(made),
        views=tuple(_view(section) for section in results.sections),
        examples=examples,
        methods=methods_paragraph(results, study),
        citations=(CITATION, software_citation(results)),
        left_out=_left_out(results, examples),
        matchups_shown=MATCHUPS_SHOWN,
        bots_shown=BOTS_SHOWN,
    )


def _title(made: Provenance | None) -> str:
    if made is None:
        return "Judgments"
    return made.study or ", ".join(made.data)


def _view(section: Section) -> SectionView:
    cells, width = tuple(matrix_cells(section)), len(section.bots)
    return SectionView(
        section=section,
        cells=tuple(cells[start : start + width] for start in range(0, len(cells), width)) if width else (),
        forest=tuple(forest_rows(section)[:MATCHUPS_SHOWN]),
        steps=exclusion_steps(section),
        curve=progress_curve(section),
    )


def _left_out(results: AcuteResults, examples: tuple[Example, ...]) -> tuple[str, ...]:
    """What the report does not show, and why."""
    missing: list[str] = []
    if not examples:
        missing.append("Example dialogues: the judgments came without dialogues, or without reasons.")
    for section in results.sections:
        of = f" ({section.title})" if section.title else ""
        if section.position is None:
            missing.append(f"Position effect{of}: it is not known on which side the winner was shown.")
        if section.agreement is None:
            missing.append(f"Agreement{of}: no pairing was judged more than once, or pairings are not known.")
        if section.time is None:
            missing.append(f"Time{of}: it is not known how long judgments took.")
        if progress_curve(section) is None:
            missing.append(f"Progress{of}: it is not known when judgments were given.")
        if section.strengths is None and section.why_no_strengths:
            missing.append(f"Bradley–Terry strengths{of}: {section.why_no_strengths}")
        if not section.same_bot:
            missing.append(f"A/A result{of}: no bot was compared with itself.")
    return tuple(missing)
