"""``duologue analyse`` and ``duologue report``: verdicts, and the page that carries them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.cli.protocol_options import given_options

if TYPE_CHECKING:
    from duologue.cli.terminal.console import VisibleConsole
    from duologue.judgments import Row
    from duologue.protocols import AnalysisOptions, Half, Replication
    from duologue.reports import Analysis, Results
    from duologue.studies import Study


Source = Annotated[
    Path,
    typer.Argument(help="A study's folder, or a table of judgments or ratings (CSV, JSON, Parquet, xlsx)."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format",
        help="Of a file: judgments (winner, loser), arena (model_a, model_b, winner), ratings (bot, rating), "
        "turns, or what another protocol reads.",
    ),
]
AUTO = "auto"
"""The columns of a file say which table it is."""
Alpha = Annotated[
    float | None, typer.Option(min=0.0001, max=0.5, help="Error rate the matchups share; 0.05 by default.")
]
Gap = Annotated[
    float | None,
    typer.Option(
        min=0.01,
        help="Gap between two bots worth finding: 0.2 by default, 60 % v 40 %; of ratings, in points.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Of a file: where random choices come from.")]
Sequentially = Annotated[
    bool, typer.Option("--sequential", help="Say for each matchup whether to stop, and why.")
]

ColumnNames = Annotated[
    str | None,
    typer.Option(
        "--columns", help="Of a file: our=theirs for columns with other names, as in bot=model,rating=score."
    ),
]
Primary = Annotated[
    str | None,
    typer.Option(
        help="Of a file: the arm, or question of ratings, that decides by itself; otherwise all share alpha."
    ),
]

Against = Annotated[
    Path | None,
    typer.Option(help="Another study, or table, of the same bots: say whether its verdicts agree."),
]
Split = Annotated[
    bool,
    typer.Option("--split", help="Split by annotators (--seed) and say whether the verdicts of both agree."),
]


def analyse(
    context: typer.Context,
    source: Source,
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
    layout: Format = AUTO,
    alpha: Alpha = None,
    gap: Gap = None,
    seed: Seed = 0,
    sequential: Sequentially = False,
    columns: ColumnNames = None,
    primary: Primary = None,
    against: Against = None,
    split: Split = False,
    out: Annotated[
        Path | None, typer.Option(help="Where results.json and tables go; a study's own folder by default.")
    ] = None,
) -> None:
    """Say which bot is better, how sure that is, and what the judgments are worth."""
    if split and against is not None:
        raise typer.BadParameter("give one of them", param_hint="--against, --split")

    asked = _AnalyseOptions(
        layout,
        alpha=alpha,
        gap=gap,
        seed=seed,
        sequential=sequential,
        columns=column_map(columns),
        primary=primary,
        options=given_options(context),
    )
    if split or against is not None:
        _print_replication(source, against, asked, as_json=as_json)
        return
    with _analysed(source, asked) as found:
        place = out or (source if found.study else None)
        written = _written(found, place) if place else ()
    if as_json:
        typer.echo(found.analysed.results.to_json(), nl=False)
        return
    _print_results(found.analysed)
    if written:
        tables = f"{len(written) - 1} table{'s' if len(written) > 2 else ''}"
        typer.echo(f"Written: {written[0]} and {tables} in {written[1].parent}.")


def _written(found: _SourcedAnalysis, place: Path) -> tuple[Path, ...]:
    from duologue.reports import write_results

    return write_results(found.analysed, found.rows, place)


def report(
    context: typer.Context,
    source: Source,
    out: Annotated[
        Path | None, typer.Option(help="Where to; the folder report of a study, or beside a file.")
    ] = None,
    layout: Format = AUTO,
    alpha: Alpha = None,
    gap: Gap = None,
    seed: Seed = 0,
    sequential: Sequentially = False,
    columns: ColumnNames = None,
    primary: Primary = None,
    against: Against = None,
    open_it: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
) -> None:
    """Write the report: one HTML page, figures as SVG and PDF, tables as CSV and LaTeX."""
    from duologue.reports import write_report

    asked = _AnalyseOptions(
        layout,
        alpha=alpha,
        gap=gap,
        seed=seed,
        sequential=sequential,
        columns=column_map(columns),
        primary=primary,
        options=given_options(context),
    )
    with _analysed(source, asked, with_examples=True) as found:
        folder = out or (source / "report" if found.study else source.with_name(f"{source.stem}-report"))
        results = found.analysed.results
        written = write_report(
            results,
            folder,
            study=found.study,
            examples=found.examples,
            replication=_replication(source, results, against, asked),
        )
    typer.echo(f"{written[0]}")
    typer.echo(f"Beside it: {len(written) - 1} files (results, methods, tables, figures).")
    if open_it:
        typer.launch(str(written[0].resolve()))


def _replication(
    source: Path, results: Results, against: Path | None, asked: _AnalyseOptions
) -> Replication | None:
    """These results compared with those of another study or table."""
    from duologue.reports import replicate_results

    if against is None:
        return None
    with _analysed(against, asked) as other:
        return replicate_results(results, other.analysed.results, of=(str(source), str(against)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _AnalyseOptions:
    """What an analysis is asked for."""

    layout: str = field(kw_only=False)
    alpha: float | None
    gap: float | None
    seed: int
    sequential: bool
    columns: dict[str, str]
    primary: str | None
    options: Mapping[str, object]
    """Of the protocol, by the names of its fields."""
    half: Half | None = None


def column_map(text: str | None) -> dict[str, str]:
    """What a table calls columns of ours, from ``bot=model,rating=score``; ``question=`` leaves one out."""
    found: dict[str, str] = {}
    for part in (text or "").split(",") if text else ():
        ours, sign, theirs = (piece.strip() for piece in part.partition("="))
        if not ours or not sign or ours in found:
            raise typer.BadParameter(f"{part!r} should be OUR=THEIRS, each once", param_hint="--columns")
        found[ours] = theirs
    return found


def _print_replication(source: Path, against: Path | None, asked: _AnalyseOptions, *, as_json: bool) -> None:
    """Hold two sources, or the two halves of one, against each other; nothing is written."""
    from duologue.protocols import Half
    from duologue.reports import replicate_results, replication_in_words

    if against is None:
        halves = Half(0, asked.seed), Half(1, asked.seed)
        parts = [(source, replace(asked, half=half)) for half in halves]
        labels = [f"{source.name}, one half of the annotators (seed {asked.seed})", "the other half"]
    else:
        parts, labels = [(source, asked), (against, asked)], [str(source), str(against)]
    found = []
    for place, wanted in parts:
        with _analysed(place, wanted) as one:
            found.append(one.analysed.results)
    result = replicate_results(found[0], found[1], of=(labels[0], labels[1]))
    if as_json:
        typer.echo(result.to_json(), nl=False)
        return
    console = _console()
    for said in replication_in_words(result):
        console.print(said, markup=False)


class _SourcedAnalysis:
    """An analysis, with what it was made from."""

    def __init__(
        self,
        analysed: Analysis,
        rows: Iterator[Row],
        study: Study | None = None,
        examples: tuple[object, ...] = (),
    ) -> None:
        self.analysed, self.rows, self.study, self.examples = analysed, rows, study, examples


@contextmanager
def _analysed(
    source: Path, asked: _AnalyseOptions, *, with_examples: bool = False
) -> Iterator[_SourcedAnalysis]:
    if not source.is_dir():
        yield _file_analysed(source, asked)
        return
    if asked.columns:
        raise typer.BadParameter("this is for a table, not for a study", param_hint="--columns")
    if asked.primary is not None:
        raise typer.BadParameter("a study says it in its file, before it begins", param_hint="--primary")
    from duologue.reports import analyse_study, choose_examples
    from duologue.store import judgment_rows, open_study
    from duologue.studies import load_study

    study = load_study(source)
    with open_study(study) as store:
        with _waiting(f"Analysing {study.name}"):
            analysed = analyse_study(
                study,
                store,
                alpha=asked.alpha,
                gap=asked.gap,
                with_sequential=asked.sequential,
                options=_options(asked, study.protocol.name, of_table=False),
                half=asked.half,
                how="report" if with_examples else "analyse",
            )
            examples = choose_examples(study, store) if with_examples else ()
        yield _SourcedAnalysis(analysed, judgment_rows(study, store), study, examples)


def _file_analysed(source: Path, asked: _AnalyseOptions) -> _SourcedAnalysis:
    from duologue.reports import analyse_file, file_rows, protocol_of_table

    options = _options(asked, protocol_of_table(source, asked.layout, asked.columns), of_table=True)
    with _waiting(f"Reading {source.name}"):
        analysed = analyse_file(
            source,
            layout=asked.layout,
            alpha=0.05 if asked.alpha is None else asked.alpha,
            gap=asked.gap,
            seed=asked.seed,
            with_sequential=asked.sequential,
            columns=asked.columns,
            primary=asked.primary,
            half=asked.half,
            options=options,
        )
    rows = file_rows(source, layout=asked.layout, columns=asked.columns, judged_by=options.judged_by)
    return _SourcedAnalysis(analysed, rows)


def _options(asked: _AnalyseOptions, protocol: str, *, of_table: bool) -> AnalysisOptions:
    from duologue.errors import DesignError
    from duologue.protocols import protocol_named, read_options

    kind = protocol_named(protocol).analysis_options
    try:
        return read_options(kind, asked.options, protocol=protocol, of_table=of_table)
    except DesignError as error:
        raise typer.BadParameter(str(error)) from error


@contextmanager
def _waiting(what: str) -> Iterator[None]:
    """Show that work goes on, on a terminal only."""
    if not sys.stderr.isatty():
        yield
        return
    from duologue.cli.terminal.console import VisibleConsole

    with VisibleConsole(stderr=True).status(what):
        yield


def _console() -> VisibleConsole:
    from duologue.cli.terminal.console import VisibleConsole

    is_terminal = sys.stdout.isatty()
    return VisibleConsole(highlight=False, soft_wrap=not is_terminal, width=None if is_terminal else 200)


def _print_results(analysed: Analysis) -> None:
    from duologue.reports import conduct_lines, report_of, told_in_words

    results = analysed.results
    made = results.provenance
    if made is not None and made.is_rehearsal:
        typer.echo(
            "REHEARSAL: the annotators were simulated. The judgments say nothing about what "
            "people would answer; seconds, hours and pay say nothing about people.\n"
        )
    for warning in results.warnings:
        typer.echo(f"warning: {warning}")
    console = _console()
    for said in report_of(results.protocol).in_words(results):
        console.print(told_in_words(results, said), markup=False)
    if results.conduct is not None:
        for line in conduct_lines(results.conduct):
            console.print(line, markup=False)
