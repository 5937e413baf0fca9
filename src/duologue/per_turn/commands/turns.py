"""``duologue turns``: have collected chats read by others."""

from __future__ import annotations

import json
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from duologue.grammar import AsJson

app = typer.Typer(help="Have collected chats read by others, turn by turn.", no_args_is_help=True)


@app.callback()
def turns() -> None:
    """Keep ``turns`` a noun with a verb of its own, also with a single verb."""


@app.command()
def reread(
    folder: Annotated[Path, typer.Argument(metavar="STUDY", help="The folder of the new study.")],
    source: Annotated[
        Path, typer.Argument(metavar="SOURCE", help="A file of turns, or the folder of a per-turn study.")
    ],
    chats: Annotated[
        int | None, typer.Option("-n", "--chats", min=1, help="Chats of every arm; all when not given.")
    ] = None,
    readers: Annotated[int, typer.Option(min=1, help="Annotators of each.")] = 1,
    written: Annotated[
        bool, typer.Option("--written", help="Compare replies that annotators wrote with those of bots.")
    ] = False,
    seed: Annotated[int | None, typer.Option(min=0, help="Drawn and written down when not given.")] = None,
    as_json: AsJson = False,
) -> None:
    """Make a study in which others select among the replies of collected chats, turn by turn.

    With --written they are shown only turns whose reply was written, each with the written reply as one more
    candidate among those of the bots.
    """
    from duologue.per_turn.finished.study import reread_study
    from duologue.protocols import say_arm, say_count

    made = reread_study(folder, source, chats=chats, readers=readers, is_written=written, seed=seed)
    if as_json:
        typer.echo(json.dumps({"study": str(folder), "items": sum(made.values()), "arms": made}))
        return
    for arm, count in made.items():
        where = f"{say_arm(arm)}: " if say_arm(arm) else ""
        typer.echo(f"{where}{f'{count:,} written replies' if written else say_count(count, 'chat')}")
    named = quote(str(folder))
    typer.echo(f"Next: duologue study show {named}; duologue serve {named}")
