"""``duologue forms``: what annotators answered about themselves, as counts or as a table of its own."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.cli.judgments import Out, TableFormat, write_rows
from duologue.grammar import Folder, Overwrite

if TYPE_CHECKING:
    from duologue.protocols import QuestionCounts

app = typer.Typer(help="Show and export what annotators answered on forms.", no_args_is_help=True)


@app.command()
def show(
    folder: Folder, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """Count the answers to every question, all annotators together."""
    from duologue.store import form_counts, open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        counts = form_counts(study, store)
    if as_json:
        typer.echo(json.dumps([asdict(one) for one in counts], ensure_ascii=False))
        return
    if not counts:
        typer.echo("The study has no forms.")
    for one in counts:
        typer.echo(f"{one.form}.{one.question}: {one.label}")
        for line in _lines(one):
            typer.echo(f"  {line}")


def _lines(one: QuestionCounts) -> list[str]:
    lines = [f"{one.answered:,} answered, {one.unanswered:,} left it out"]
    if one.numbers is not None:
        found = one.numbers
        lines.append(f"from {found.least:g} to {found.most:g}, median {found.median:g}")
    return [*lines, *(f"{count:6,}  {choice}" for choice, count in one.choices.items())]


@app.command("export")
def export_forms(
    folder: Folder,
    out: Out = None,
    table: TableFormat = None,
    overwrite: Overwrite = False,
) -> None:
    """Write every filled-in form as a table, with annotators' ids: apart from judgments, and no look."""
    from duologue.store import form_rows, open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        write_rows(form_rows(study, store), out, table, noun="forms", overwrite=overwrite)
