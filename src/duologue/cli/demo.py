"""``duologue demo``: a complete small study with real bots, served at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from duologue.cli.rehearse import Seed, progress_bar

ANNOTATORS, TALK_ANNOTATORS, LLM_ANNOTATORS = 80, 22, 8
"""How many simulated annotators come when it is not said: fewer where a reply takes seconds."""


def demo(
    folder: Annotated[
        Path | None,
        typer.Option(help="Where the study is, or will be; duologue-demo, -talk or -llm when not given."),
    ] = None,
    talk: Annotated[
        bool, typer.Option("--talk", help="Talk to the bots and rate them, instead of comparing self-chats.")
    ] = False,
    llm: Annotated[
        bool, typer.Option("--llm", help="Talk to a small real LLM (SmolLM2) too; runs offline.")
    ] = False,
    rehearse: Annotated[
        bool, typer.Option("--rehearse", help="Let simulated annotators judge, and show the report.")
    ] = False,
    no_serve: Annotated[bool, typer.Option("--no-serve", help="Stop when everything is written.")] = False,
    port: Annotated[
        int | None, typer.Option(min=0, max=65535, help="The port; 8000, or the next free one.")
    ] = None,
    annotators: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help=f"How many simulated annotators come: {ANNOTATORS}, {TALK_ANNOTATORS} with --talk, "
            f"{LLM_ANNOTATORS} with --llm.",
        ),
    ] = None,
    seed: Seed = 7,
) -> None:
    """Make a complete small study with three built-in bots, and serve it."""
    from duologue.cli.serve import serve

    if talk or llm:
        place = folder or Path("duologue-llm" if llm else "duologue-talk")
        _make_talk(place, with_llm=llm)
    else:
        place = folder or Path("duologue-demo")
        _make_comparisons(place)
    if rehearse:
        usual = LLM_ANNOTATORS if llm else TALK_ANNOTATORS if talk else ANNOTATORS
        _rehearse(place, annotators=annotators or usual, seed=seed, is_talk=talk or llm, with_llm=llm)
    if not no_serve:
        if talk or llm:
            typer.echo("Talk to the bots, blind and in random order, at one of the links for annotators:\n")
        else:
            typer.echo("To talk to these bots yourself: duologue demo --talk\n")
        serve(place, port=port)


def _make_comparisons(folder: Path) -> None:
    from duologue.demo import make_demo

    made = make_demo(folder)
    verb = "Made" if made.is_new else "Found"
    typer.echo(f"{verb} the demo's study in {folder}: three built-in bots, their self-chats, and pairings.")


def _make_talk(folder: Path, *, with_llm: bool) -> None:
    from duologue.demo import make_talk

    made = make_talk(folder, with_llm=with_llm)
    verb = "Made" if made.is_new else "Found"
    who = "three built-in bots and a small LLM" if with_llm else "three built-in bots"
    typer.echo(f"{verb} the demo's study in {folder}: live chats with {who}, rated afterwards.")


def _rehearse(folder: Path, *, annotators: int, seed: int, is_talk: bool, with_llm: bool) -> None:
    from duologue.demo import LLM, MEANS, PREFERENCES
    from duologue.rehearsal import describe_rehearsal
    from duologue.rehearsal import rehearse as rehearse_study

    means = [f"{bot}={mean}" for bot, mean in MEANS.items() if with_llm or bot != LLM]
    preferences = [f"{better}:{other}={rate}" for (better, other), rate in PREFERENCES.items()]
    with progress_bar() as on_progress:
        done = rehearse_study(
            folder,
            annotators=annotators,
            seed=seed,
            stated={"mean": means} if is_talk else {"prefer": preferences},
            on_progress=on_progress,
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
