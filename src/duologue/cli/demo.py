"""``duologue demo``: a complete small study with real bots, served at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from duologue.cli.rehearse import Annotators, Seed, progress_bar

FOLDER = Path("duologue-demo")


def demo(
    folder: Annotated[Path, typer.Option(help="Where the study is, or will be.")] = FOLDER,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Let simulated annotators judge, and show the report.")
    ] = False,
    no_serve: Annotated[bool, typer.Option("--no-serve", help="Stop when everything is written.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8000, or the next free one.")
    ] = None,
    annotators: Annotators = 60,
    seed: Seed = 7,
) -> None:
    """Make a complete small study with three built-in bots, and serve it."""
    from duologue.cli.serve import serve
    from duologue.demo import make_demo

    made = make_demo(folder)
    verb = "Made" if made.is_new else "Found"
    typer.echo(f"{verb} the demo's study in {folder}: three built-in bots, their self-chats, and pairings.")
    if rehearse:
        _rehearse(folder, annotators=annotators, seed=seed)
    if not no_serve:
        serve(folder, port=port)


def _rehearse(folder: Path, *, annotators: int, seed: int) -> None:
    from duologue.demo import PREFERENCES
    from duologue.rehearsal import describe_rehearsal
    from duologue.rehearsal import rehearse as rehearse_study

    with progress_bar() as on_progress:
        done = rehearse_study(
            folder, annotators=annotators, seed=seed, preferences=PREFERENCES, on_progress=on_progress
        )
    typer.echo(f"\n{describe_rehearsal(done)}\n")
    if done.report is not None:
        _open_on_a_desktop(done.report)


def _open_on_a_desktop(report: Path) -> None:
    """Open the report in a browser where there is a desktop and somebody who looks at it."""
    has_display = sys.platform in ("darwin", "win32") or any(
        os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")
    )
    if sys.stdout.isatty() and has_display:
        import webbrowser

        webbrowser.open(report.resolve().as_uri())
