"""``duologue phrasings``: compare phrasings of a question, and use the best one."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from duologue.grammar import AsJson, Folder

app = typer.Typer(help="Compare phrasings of a question, and use the best one.", no_args_is_help=True)


@app.command()
def new(
    folder: Annotated[Path, typer.Argument(help="Where the study will live; made when it is not there.")],
    axis: Annotated[
        list[str] | None,
        typer.Option(
            help="An axis whose published phrasings are compared: engagingness, interestingness, humanness "
            "or knowledgeable; may be repeated.  [default: engagingness]"
        ),
    ] = None,
    annotators: Annotated[int, typer.Option(min=1, help="For each phrasing and pair.")] = 20,
    name: Annotated[str | None, typer.Option(help="What it is called; the folder's name by default.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Where random choices come from.")] = None,
) -> None:
    """Make a study that compares the published phrasings of some axes; add your own to its file."""
    from duologue.acute.phrasings.design.template import phrasings_template
    from duologue.studies import new_study, next_steps

    template = phrasings_template(axis or ["engagingness"], annotators=annotators)
    study = new_study(folder, protocol="acute", name=name, seed=seed, template=template)
    typer.echo(f"Made {study.folder / 'study.toml'}. Next:")
    for step in next_steps(study):
        typer.echo(f"  {step}")


@app.command()
def pair(
    folder: Folder,
    first: Annotated[str, typer.Argument(help="A dialogue of the study, by its id.")],
    second: Annotated[str, typer.Argument(help="The dialogue to show beside it.")],
    axis: Annotated[
        list[str] | None, typer.Option(help="Ask about it on this axis only; may be repeated.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Pick two dialogues by hand that the phrasings are asked about."""
    from duologue.acute.phrasings.design.pairs import pick_pair
    from duologue.studies import load_study

    picked = pick_pair(load_study(folder), first, second, axes=axis or ())
    if as_json:
        typer.echo(json.dumps(asdict(picked) | {"path": str(picked.path)}, ensure_ascii=False))
        return
    where = f"on {', '.join(picked.axes)}" if picked.axes else "on every axis asked for, already"
    shown = " and ".join(f"{one} ({bot})" for one, bot in zip(picked.dialogues, picked.bots, strict=True))
    typer.echo(f"{picked.path}: {shown}, {where}.")


@app.command()
def choose(
    folder: Folder,
    into: Annotated[
        Path | None, typer.Option(help="The study that is to ask the best phrasing; this one when not given.")
    ] = None,
    axis: Annotated[str | None, typer.Option(help="Of which axis, where there are several.")] = None,
    arm: Annotated[str | None, typer.Option(help="Another phrasing than the best one.")] = None,
    new_revision: Annotated[
        bool,
        typer.Option("--new-revision", help="Also where the study has judgments by another question."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the phrasing that annotators agree most by into a study file, as the question to ask.

    Only the question changes, and comments stay. In the study of phrasings itself the phrasings become
    comments, and bots are compared from then on.
    """
    from duologue.acute.phrasings.found import found_phrasings
    from duologue.acute.phrasings.writing import write_phrasing
    from duologue.studies import load_study

    study = load_study(folder)
    target = study if into is None else load_study(into)
    found = found_phrasings(study)
    written = write_phrasing(study, found, target, axis=axis, arm=arm, new_revision=new_revision)
    if as_json:
        typer.echo(json.dumps(asdict(written) | {"path": str(written.path)}, ensure_ascii=False))
        return
    typer.echo(written.sentence)
    does = "asks" if written.is_changed else "asked already"
    typer.echo(f"{written.path} {does}: {written.text} ({written.arm}).")
    if into is None:
        typer.echo(
            "Its pairs were for phrasings; make others: "
            f"`duologue pairings make {quote(str(folder))} --replace`."
        )
