"""One grammar for all commands: the study's folder first, files after it, ``--out`` for what is written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Folder = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def _say_new_form(context: typer.Context, folder: Path | None) -> None:
    if folder is not None:
        raise typer.BadParameter(
            f"the study comes first now, files after it, and --out says what is written: "
            f"`{context.command_path} {folder} …`"
        )


OldStudy = Annotated[
    Path | None,
    typer.Option("--study", hidden=True, is_eager=True, expose_value=False, callback=_say_new_form),
]
"""Where the study stood before; whoever still writes it is told the new form."""
