"""``duologue study move``: a study's links and judgments in another database."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import Folder

if TYPE_CHECKING:
    from collections.abc import Callable

INTERRUPTED = 130


def move(
    folder: Folder,
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="postgresql://host/database?study=NAME, or an SQLite file in the folder; "
            "what study.toml says if not given.",
            show_default=False,
        ),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--from", help="Where the study is, if it cannot be found out.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Move a study's links, judgments and keys to another database: all of them, or nothing.

    Every row is compared. All links go on working, study.toml names the new database, and the old one is kept
    under another name and takes nothing any more. Stop the server first.
    """
    from duologue.store import move_study
    from duologue.studies import load_study

    study = load_study(folder)
    try:
        with _progress_bar() as on_rows:
            moved = move_study(study, to, source=source, on_rows=on_rows)
    except KeyboardInterrupt:
        typer.echo("Interrupted. Run the same command again to move the study.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if as_json:
        typer.echo(json.dumps(asdict(moved), ensure_ascii=False))
    else:
        rows = sum(table.rows for table in moved.tables)
        typer.echo(
            f"Moved the study to {moved.target} (judgments: {moved.judgments:,}, links: {moved.annotators:,})"
            + (f": {rows:,} rows in {len(moved.tables)} tables, each compared." if rows else ".")
        )
        typer.echo(f"The old database is kept as {moved.kept_as}; nothing can be added to it.")
    if moved.is_named:
        if not as_json:
            typer.echo(f"{folder / 'study.toml'} names the new one. All links work as before.")
        return
    named = to if to is not None else study.file.study.database
    typer.echo(
        f"{folder / 'study.toml'} could not be changed: write database = {json.dumps(named)} under [study].",
        err=True,
    )


@contextmanager
def _progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    """Show a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from duologue.cli.terminal.console import VisibleConsole

    columns = (
        TextColumn("Copying and comparing rows"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=VisibleConsole(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
