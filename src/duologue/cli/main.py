"""The command ``duologue``: every noun and verb, and the one place that turns errors into a line."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated

import typer

from duologue.errors import DuologueError

app = typer.Typer(
    name="duologue",
    help="Tells you, credibly and with the fewest human hours, which of your chatbots is better.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _say_version(wanted: bool) -> None:
    if wanted:
        from duologue import __version__

        typer.echo(f"duologue {__version__}")
        raise typer.Exit


@app.callback()
def duologue(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version and stop."),
    ] = False,
) -> None:
    """Tells you, credibly and with the fewest human hours, which of your chatbots is better."""


for _name, _module, _attribute in (
    ("demo", "demo", "demo"),
    ("study", "study", "app"),
    ("dialogues", "dialogues", "app"),
    ("pairings", "pairings", "app"),
    ("annotators", "annotators", "app"),
    ("leases", "annotators", "leases_app"),
    ("serve", "serve", "serve"),
    ("rehearse", "rehearse", "rehearse"),
    ("judgments", "judgments", "app"),
    ("analyse", "analyse", "analyse"),
    ("report", "analyse", "report"),
):
    try:
        _command = getattr(import_module(f"duologue.cli.{_module}"), _attribute)
    except ImportError:
        continue
    if isinstance(_command, typer.Typer):
        app.add_typer(_command, name=_name)
    else:
        app.command(_name)(_command)


def run() -> None:
    """Run the command line: a user's mistake is one line on stderr and exit code 1, never a traceback."""
    try:
        app()
    except DuologueError as error:
        for line in (str(error), *getattr(error, "__notes__", ())):
            typer.echo(f"duologue: {line}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
