"""``duologue study``: make, check, show, size and price a study."""

from __future__ import annotations

import enum
import json
from pathlib import Path
from typing import Annotated

import typer

from duologue.cli.moving import move
from duologue.cli.plan import peeking, plan
from duologue.cli.protocol_options import PlanCommand
from duologue.grammar import Folder

app = typer.Typer(help="Make, check, describe, size and price a study.", no_args_is_help=True)


class Secret(enum.StrEnum):
    """What can be changed."""

    RESEARCHER = "researcher"
    OPEN_LINK = "open-link"


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Where the study will live; made when it is not there.")],
    protocol: Annotated[str, typer.Option(help="How judgments are asked for.")] = "acute",
    collect: Annotated[
        str | None,
        typer.Option(
            help="Another way of collecting dialogues than the protocol's usual one, such as parallel (two "
            "live chats at once); one that it has not is answered with all that it has."
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What it is called; the folder's name by default.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Where random choices come from.")] = None,
) -> None:
    """Make a study: a folder with a study.toml that works as it is."""
    from duologue.studies import new_study, next_steps

    study = new_study(folder, protocol=protocol, collect=collect, name=name, seed=seed)
    typer.echo(f"Made {study.folder / 'study.toml'}. Next:")
    for step in next_steps(study):
        typer.echo(f"  {step}")


@app.command()
def check(folder: Folder, as_json: AsJson = False) -> None:
    """Look a study over, and try on a copy what `serve` does; exit code 1 when it would be refused."""
    from duologue.server import check_serving

    found = check_serving(folder)
    if as_json:
        typer.echo(json.dumps({"problems": found.problems, "warnings": found.warnings}, ensure_ascii=False))
    else:
        for problem in found.problems:
            typer.echo(f"problem: {problem}", err=True)
        for warning in found.warnings:
            typer.echo(f"warning: {warning}")
        if found.is_sound:
            typer.echo(
                f"{folder}: the study can be served"
                + (", with the warnings above." * bool(found.warnings) or ".")
            )
    if not found.is_sound:
        raise typer.Exit(1)


@app.command()
def show(folder: Folder) -> None:
    """Say in plain words what will happen, what was planned, and how the study has kept to it."""
    from duologue.store import look_at
    from duologue.studies import describe_study, load_study

    study = load_study(folder)
    typer.echo(describe_study(study))
    if look_at(study.database).judgments:
        from duologue.reports import describe_conduct

        for line in describe_conduct(study):
            typer.echo(line)


@app.command()
def keys(
    folder: Folder,
    new: Annotated[
        Secret | None, typer.Option("--new", help="Make a new one; the old one stops working.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(help="Where the study is served; where it last was, when not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the researcher's key and the open link, or change one; a running server applies it at once."""
    from duologue.server import change_key, study_keys
    from duologue.store import open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        if new is not None:
            change_key(store, new.value)
        found = study_keys(study, store, base_url=base_url)
    if as_json:
        typer.echo(json.dumps(found, ensure_ascii=False))
        return
    if new is not None:
        typer.echo(_CHANGED[new])
    for name, value in found.items():
        typer.echo(f"{name.replace('_', ' '):16}  {value or 'none: open_link = false in study.toml'}")


_CHANGED = {
    Secret.RESEARCHER: "The old researcher key no longer works, and every sign-in has ended.",
    Secret.OPEN_LINK: "The old open link admits nobody new; annotators who used it before can go on.",
}


app.command()(move)
app.command(cls=PlanCommand)(plan)
app.command()(peeking)
