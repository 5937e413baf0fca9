"""The command ``duologue``: every noun and verb, and the one place that turns errors into a line."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from copy import copy
from typing import Annotated

import typer
from typer.models import CommandInfo

from duologue.cli import annotators, bots, dialogues, forms, judgments, leaderboard, metrics, models, study
from duologue.cli.added import ROOT, GroupWithAdded
from duologue.cli.analyse import analyse, report
from duologue.cli.compare import compare, effort
from duologue.cli.demo import demo
from duologue.cli.protocol_options import AnalysisCommand
from duologue.cli.rehearse import RehearseCommand, rehearse
from duologue.cli.serve import serve
from duologue.cli.terminal import guard_terminal
from duologue.errors import DuologueError

app = typer.Typer(
    name=ROOT,
    cls=GroupWithAdded,
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
        typer.Option("--version", callback=_say_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Tells you, credibly and with the fewest human hours, which of your chatbots is better."""


app.command()(demo)
app.add_typer(study.app, name="study", cls=GroupWithAdded)
app.add_typer(bots.app, name="bots", cls=GroupWithAdded)
app.add_typer(dialogues.app, name="dialogues", cls=GroupWithAdded)
app.command()(serve)
app.add_typer(annotators.app, name="annotators", cls=GroupWithAdded)
app.add_typer(annotators.leases_app, name="leases", cls=GroupWithAdded)
app.add_typer(forms.app, name="forms", cls=GroupWithAdded)
app.command(cls=RehearseCommand)(rehearse)
app.add_typer(judgments.app, name="judgments", cls=GroupWithAdded)
app.add_typer(metrics.app, name="metrics", cls=GroupWithAdded)
app.add_typer(models.app, name="models", cls=GroupWithAdded)
app.add_typer(leaderboard.app, name="leaderboard", cls=GroupWithAdded)
app.command(cls=AnalysisCommand)(analyse)
app.command(cls=AnalysisCommand)(report)
app.command()(compare)
app.command()(effort)


def command_line(arguments: Sequence[str]) -> typer.Typer:
    """What is needed of the command line: one noun or verb where one is named, or else all.

    Typer builds every command it is given before it reads an argument, and that takes longer than a small
    analysis.
    """
    asked = arguments[0] if arguments else ""
    verbs = [verb for verb in app.registered_commands if _name_of(verb) == asked]
    nouns = [noun for noun in app.registered_groups if noun.name == asked]
    if not (verbs or nouns):
        return app
    needed = copy(app)
    needed.registered_commands, needed.registered_groups = verbs, nouns
    return needed


def _name_of(verb: CommandInfo) -> str | None:
    return verb.name or (verb.callback.__name__ if verb.callback else None)


def run() -> None:
    """Run the command line: a user's mistake is one line on stderr and exit code 1, never a traceback."""
    # Our matrices are small: threads that share one mostly wait, and on a busy machine for long.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    guard_terminal()
    gc.set_threshold(50_000)  # loading modules makes no garbage; looking for it takes a tenth of the time
    try:
        command_line(sys.argv[1:])()
    except DuologueError as error:
        for line in (str(error), *getattr(error, "__notes__", ())):
            typer.echo(f"duologue: {line}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        sys.exit(1)
    except OSError as error:  # a disk or a permission that nobody foresaw: the machine's trouble, not a bug
        where = f"{error.filename}: " if error.filename else ""
        typer.echo(f"duologue: {where}{error.strerror or error}.", err=True)
        sys.exit(1)
    finally:
        gc.freeze()  # the process ends; looking for garbage among all modules takes a fifth of the time
