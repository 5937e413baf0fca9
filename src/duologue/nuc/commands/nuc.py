"""``duologue nuc``: next utterance classification."""

from __future__ import annotations

import typer

from duologue.nuc.commands.build import build

app = typer.Typer(help="Next utterance classification: make the task.", no_args_is_help=True)


@app.callback()
def nuc() -> None:
    """Next utterance classification: make the task."""


app.command()(build)
