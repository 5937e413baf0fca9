"""Training from the command line: settings as ``NAME=VALUE``, a bar on a terminal, the figures at the end."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.errors import DesignError

if TYPE_CHECKING:
    from duologue.models.neural.examples import TrainingExample
    from duologue.models.neural.training import OnStep, TrainingState

INTERRUPTED = 130
OutFolder = Annotated[Path, typer.Option("--out", help="The folder of the model; run again, it goes on.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=VALUE", help="A setting of the model; may be repeated."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The same weights again from the same seed.")]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu, or cuda for a graphics card.")]


def run_training(
    kind: str,
    examples: Sequence[TrainingExample],
    valid: Sequence[TrainingExample],
    out: Path,
    *,
    given: Mapping[str, str | int],
    as_json: bool,
) -> None:
    """Train a model, show how it goes, and say what came of it.

    Raises:
        DesignError: A setting is not possible.
        MissingExtra: torch is not installed.
    """
    from duologue.models.neural.kinds import TRAINED_KINDS, train_model, training_settings

    settings = training_settings(kind, given)
    try:
        with _bar(kind, settings.epochs) as on_step:
            state = train_model(kind, settings, examples, valid, out, on_step=on_step)
    except KeyboardInterrupt:
        typer.echo("Interrupted. The checkpoint is kept; run the same command to go on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    measure = TRAINED_KINDS[kind].measure
    if as_json:
        typer.echo(json.dumps({"kind": kind, "measure": measure, **asdict(state)}))
        return
    for one in state.history:
        typer.echo(f"epoch {one.epoch}: loss {one.loss:.4f}, {measure} {one.score:.4f}")
    typer.echo(f"Best: {measure} {state.best:.4f} after epoch {state.best_epoch}. Wrote {out}.")


def given_settings(texts: Sequence[str], **more: str | int) -> dict[str, str | int]:
    """Settings written ``NAME=VALUE``, and others.

    Raises:
        DesignError: One is not written so.

    Example:
        >>> given_settings(["hidden=20"], seed=1)
        {'seed': 1, 'hidden': '20'}
    """
    found = dict(more)
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise DesignError(f"--set {text}: it should be NAME=VALUE.")
        found[name] = value
    return found


@contextmanager
def _bar(kind: str, epochs: int) -> Iterator[OnStep | None]:
    """Show a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(kind, total=None)

        def show(state: TrainingState, steps: int) -> None:
            last = f", last {state.history[-1].score:.3f}" if state.history else ""
            loss = state.loss_sum / max(state.step, 1)
            text = f"{kind}: epoch {state.epoch + 1} of {epochs}, loss {loss:.3f}{last}"
            progress.update(task, description=text, completed=state.step, total=steps)

        yield show
