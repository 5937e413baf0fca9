"""``duologue nuc``: next utterance classification."""

from __future__ import annotations

import typer

from duologue.nuc.commands.build import build
from duologue.nuc.commands.recall import recall
from duologue.nuc.commands.score import score
from duologue.nuc.commands.train import train

app = typer.Typer(
    help="Next utterance classification: make the task, and see what people and models recall.",
    no_args_is_help=True,
)


@app.callback()
def nuc() -> None:
    """Next utterance classification: make the task, and see what people and models recall."""


app.command()(build)
app.command()(recall)
app.command()(score)
app.command()(train)
