"""``duologue rehearse``: simulated annotators try a study before anybody is paid."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from inspect import Parameter, Signature
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from duologue.grammar import Folder

Annotators = Annotated[int, typer.Option(min=1, max=100_000, help="How many simulated annotators come.")]
Seed = Annotated[int, typer.Option(min=0, help="Where everything random in the rehearsal comes from.")]

STATED = "duologue.stated"
"""Where the command keeps what was given to the options of protocols."""


class RehearseCommand(TyperCommand):
    """``rehearse`` with the options by which the protocols that are installed are told what is true."""

    def get_params(self, ctx: Any) -> list[Any]:  # Typer has no public name for their classes
        """The options of the command, those of the protocols among them."""
        own = super().get_params(ctx)
        return [*own[:3], *_options_of_protocols(), *own[3:]]


@cache
def _options_of_protocols() -> tuple[Any, ...]:
    """The options as Typer makes them of the parameters of a function."""
    from duologue.protocols import truth_options

    def stating() -> None:
        """Take what is true."""

    parameters = [
        Parameter(
            option.name,
            Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[
                list[str] | None if option.is_repeated else str | None,
                typer.Option(
                    f"--{option.name}",
                    help=option.help,
                    callback=_keep_stated,
                    expose_value=False,
                    show_default=False,
                ),
            ],
        )
        for option in truth_options()
    ]
    stating.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what `inspect` looks for
    stating.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    app = typer.Typer(add_completion=False)
    app.command()(stating)
    return tuple(param for param in typer.main.get_command(app).params if param.name != "help")


def _keep_stated(
    context: typer.Context, option: typer.CallbackParam, value: str | Sequence[str] | None
) -> None:
    if value:
        texts = (value,) if isinstance(value, str) else tuple(value)
        context.meta.setdefault(STATED, {})[str(option.name)] = texts


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
            stated=context.meta.get(STATED, {}),
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
