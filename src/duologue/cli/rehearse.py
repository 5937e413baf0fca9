"""``duologue rehearse``: simulated annotators try a study before anybody is paid."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from duologue.cli.grammar import Folder

Annotators = Annotated[int, typer.Option(min=1, max=100_000, help="How many simulated annotators come.")]
Seed = Annotated[int, typer.Option(min=0, help="Where everything random in the rehearsal comes from.")]


def rehearse(
    folder: Folder,
    annotators: Annotators = 60,
    seed: Seed = 7,
    prefer: Annotated[
        list[str] | None,
        typer.Option(help="A true preference as A:B=0.7 (A is preferred 70 % of the time); may be repeated."),
    ] = None,
    order: Annotated[
        str, typer.Option(help='All or some bots from truly best to worst: "A > B > C".', show_default=False)
    ] = "",
    mean: Annotated[
        list[str] | None,
        typer.Option(help="Where bots are rated: a true mean rating as A=3.2; may be repeated."),
    ] = None,
    concurrency: Annotated[
        int, typer.Option(min=1, max=1_000, help="Annotators at a time; 1 makes all of it reproducible.")
    ] = 8,
    base_url: Annotated[
        str | None, typer.Option(help="Where the copy of an earlier rehearsal is being served.")
    ] = None,
    report: Annotated[bool, typer.Option(help="Write the report of the rehearsal.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let simulated annotators walk the real pages of a copy of the study, and say what came of it.

    Nothing of it is in the study itself. Exit code 1 when a rule was broken.
    """
    from duologue.rehearsal import (
        describe_rehearsal,
        parse_means,
        parse_order,
        parse_preferences,
        rehearsal_record,
    )
    from duologue.rehearsal import rehearse as rehearse_study

    with progress_bar() as on_progress:
        done = rehearse_study(
            folder,
            annotators=annotators,
            seed=seed,
            preferences=parse_preferences(prefer or []),
            order=parse_order(order) if order else (),
            means=parse_means(mean or []),
            concurrency=concurrency,
            base_url=base_url,
            with_report=report,
            on_progress=on_progress,
        )
    typer.echo(
        json.dumps(rehearsal_record(done), ensure_ascii=False) if as_json else describe_rehearsal(done)
    )
    if not done.rules_have_held:
        raise typer.Exit(1)


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None]]:
    """Shows how many annotators have finished, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("Rehearsing", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
