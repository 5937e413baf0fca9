"""``duologue rehearse``: simulated annotators try a study before anybody is paid."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from duologue.cli.protocol_options import ProtocolOption, ProtocolOptionsCommand, given_options
from duologue.grammar import Folder

INTERRUPTED = 130
Annotators = Annotated[int, typer.Option(min=1, max=100_000, help="How many simulated annotators come.")]
Seed = Annotated[int, typer.Option(min=0, help="Where everything random in the rehearsal comes from.")]


class RehearseCommand(ProtocolOptionsCommand):
    """``rehearse`` with the options by which the protocols that are installed are told what is true."""

    def protocol_options(self) -> Iterable[ProtocolOption]:
        """The options by which the protocols are told what is true."""
        from duologue.protocols import truth_options

        return (
            ProtocolOption(one.name, one.help, list[str] if one.is_repeated else str)
            for one in truth_options()
        )


def rehearse(
    context: typer.Context,
    folder: Folder,
    annotators: Annotators = 60,
    seed: Seed = 7,
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
    from duologue.rehearsal import describe_rehearsal, rehearsal_record
    from duologue.rehearsal import rehearse as rehearse_study

    with progress_bar() as on_progress:
        done = rehearse_study(
            folder,
            annotators=annotators,
            seed=seed,
            stated={
                name.replace("_", "-"): (value,) if isinstance(value, str) else tuple(value)
                for name, value in given_options(context).items()
            },
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
    """Shows how many annotators have finished, on a terminal only; says when they are interrupted."""
    try:
        with _bar() as on_progress:
            yield on_progress
    except KeyboardInterrupt:
        typer.echo(
            "Interrupted. Nothing of it is in the study itself; run the same command for a new rehearsal.",
            err=True,
        )
        raise typer.Exit(INTERRUPTED) from None


@contextmanager
def _bar() -> Iterator[Callable[[int, int], None]]:
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.progress import Progress

    from duologue.cli.terminal.console import VisibleConsole

    with Progress(console=VisibleConsole(stderr=True), transient=True) as progress:
        task = progress.add_task("Rehearsing", total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
