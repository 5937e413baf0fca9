"""One grammar for all commands: the study's folder first, files after it, ``--out`` for what is written."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from duologue.errors import ExportError

Folder = Annotated[Path, typer.Argument(metavar="STUDY", help="The study's folder.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that is there.")]


def check_free(*files: Path | None, overwrite: bool) -> None:
    """Refuse to replace files that are there, before any work is done; None is a file that nobody asked for.

    A folder that is named for results is another matter: what is in it is written anew.

    Raises:
        ExportError: A file is there, and nobody said ``--overwrite``.
    """
    for file in files:
        if file is not None and file.is_file() and not overwrite:
            raise ExportError(file, "the file is there already; say --overwrite to replace it.")


def stated(reason: str) -> str:
    """A reason without the blanks around it; blanks alone are none."""
    if not reason.strip():
        raise typer.BadParameter("say why in a few words")
    return reason.strip()
