"""``duologue compare`` and ``duologue effort``: studies of the same bots side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from duologue.grammar import AsJson

Source = Annotated[
    Path,
    typer.Argument(help="A study's folder, a table of judgments or ratings, or a table of differences."),
]


def compare(
    first: Source,
    second: Source,
    part: Annotated[
        list[str] | None,
        typer.Option(help="The question or section of both; given twice, of the first and of the second."),
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(min=0.0001, max=0.5, help="Error rate the pairs of each share.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of the intervals of correlations.")] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", help="A folder for page, figure, JSON, CSV and LaTeX.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say whether two studies of the same bots agree: ACUTE and ratings, self-chats and live chats."""
    from duologue.comparing import (
        compare_measurements,
        comparison_in_words,
        comparison_json,
        read_measurement,
        write_comparison,
    )

    parts = list[str | None](part) if part else [None]
    if len(parts) > 2:
        raise typer.BadParameter("give it once or twice", param_hint="--part")
    found = compare_measurements(
        read_measurement(first, part=parts[0], alpha=alpha),
        read_measurement(second, part=parts[-1], alpha=alpha),
        seed=seed,
    )
    written = write_comparison(found, out) if out is not None else ()
    if as_json:
        typer.echo(comparison_json(found).strip())
        return
    from duologue.cli.terminal.console import VisibleConsole

    console = VisibleConsole(highlight=False, width=None if sys.stdout.isatty() else 200)
    for said in comparison_in_words(found):
        console.print(said, markup=False)
    if written:
        typer.echo(f"Written: {written[0]} and {len(written) - 1} more files beside it.")


def effort(
    sources: Annotated[
        list[Path], typer.Argument(metavar="SOURCES…", help="Studies' folders, or tables of judgments.")
    ],
    bots: Annotated[tuple[str, str], typer.Option(help="The two bots.")],
    part: Annotated[str | None, typer.Option(help="The question or section of all.")] = None,
    collecting: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=SECONDS",
            help="Seconds a person spent on having one dialogue, where a source's times leave it out.",
        ),
    ] = None,
    seconds: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=SECONDS", help="Seconds of one answer of a source without times."),
    ] = None,
    alpha: Annotated[float, typer.Option(min=0.0001, max=0.5, help="Error rate of the test.")] = 0.05,
    draws: Annotated[int, typer.Option(min=50, max=100_000, help="Studies drawn for every size.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="Where the draws come from.")] = 0,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for figure, JSON and CSV.")] = None,
    as_json: AsJson = False,
) -> None:
    """Say what a verdict on two bots costs: the chance of one against person-hours, by kind of study."""
    from duologue.comparing import effort_json, effort_of, say_effort, write_effort

    names = [source.name if source.is_dir() else source.stem for source in sources]
    spent = _by_name(collecting, names, "--collecting")
    given = _by_name(seconds, names, "--seconds")
    curves = [
        effort_of(
            source,
            *bots,
            part=part,
            collecting=spent.get(name, 0.0),
            seconds=given.get(name),
            alpha=alpha,
            draws=draws,
            seed=seed,
        )
        for source, name in zip(sources, names, strict=True)
    ]
    written = write_effort(curves, out) if out is not None else ()
    if as_json:
        typer.echo(effort_json(curves).strip())
        return
    for sentence in say_effort(curves):
        typer.echo(sentence)
    if written:
        typer.echo(f"Written: {written[0]} and {len(written) - 1} more files beside it.")


def _by_name(given: list[str] | None, names: list[str], option: str) -> dict[str, float]:
    found = {}
    for one in given or ():
        name, _, number = one.rpartition("=")
        if name not in names:
            raise typer.BadParameter(
                f"{one!r} should be NAME=SECONDS, where NAME is one of {', '.join(names)}",
                param_hint=option,
            )
        try:
            found[name] = float(number)
        except ValueError:
            found[name] = -1.0
        if not 0 <= found[name] < 1e6:
            raise typer.BadParameter(f"{number!r} is no number of seconds", param_hint=option)
    return found
