"""``duologue leaderboard``: many bots in one order, by metrics and by people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson

if TYPE_CHECKING:
    from rich.table import Table

    from duologue.reports import Leaderboard

app = typer.Typer(help="Rank many bots by metrics and by people.", no_args_is_help=True)


@app.callback()
def leaderboard() -> None:
    """Rank many bots by metrics and by people."""


@app.command()
def make(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILES…",
            help="Results of `metrics run` (.json), rules with entries (.toml), tables of entries (.csv).",
        ),
    ],
    study: Annotated[
        list[Path] | None,
        typer.Option("--study", help="A study: what people gave the bots. May be repeated."),
    ] = None,
    human: Annotated[
        list[Path] | None,
        typer.Option("--human", help="A table of human scores with a column bot. May be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for page, JSON, CSV and LaTeX.")] = None,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the intervals of correlations.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Make a leaderboard: a team's rank is its best rank over the metrics that it entered."""
    from duologue.reports import leaderboard_json, make_leaderboard, read_material, write_leaderboard

    given = read_material(files, studies=study or (), human=human or ())
    board = make_leaderboard(given.entries, given.scores, rules=given.rules, notes=given.notes, seed=seed)
    written = write_leaderboard(board, out) if out is not None else ()
    if as_json:
        typer.echo(leaderboard_json(board).strip())
        return
    from duologue.cli.terminal.console import VisibleConsole

    console = VisibleConsole(width=None if VisibleConsole().is_terminal else 160)
    console.print(_table(board))
    for line in _lines(board):
        typer.echo(line)
    for path in written:
        typer.echo(f"wrote {path}")


def _table(board: Leaderboard) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=board.title, title_justify="left", box=SIMPLE_HEAD)
    table.add_column("place", justify="right")
    table.add_column("team", overflow="fold")
    for name in (*board.metrics, *board.human):
        table.add_column(name, justify="right", overflow="fold")
    for one in board.standings:
        values = one.entry.values if one.entry else {}
        cells = [f"{values[metric].value:.4g}" if metric in values else "–" for metric in board.metrics]
        cells += [f"{one.human[part].value:.4g}" if part in one.human else "–" for part in board.human]
        table.add_row(str(one.place.place) if one.place else "–", one.team, *cells)
    return table


def _lines(board: Leaderboard) -> list[str]:
    from duologue.protocols import say_correlation

    lines = [board.rule, *board.notes]
    if board.winner_rule:
        won = f"{board.winner} wins." if board.winner else "No winner yet."
        lines.append(f"{won} {board.winner_rule}")
    for one in board.against:
        found = one.found
        lines.append(
            f"{one.metric} and {one.human}: Pearson {say_correlation(found.pearson)}, "
            f"Spearman {say_correlation(found.spearman)}, Kendall {say_correlation(found.kendall)} "
            f"over {one.teams} teams"
        )
    if any(one.found.has_few_clusters for one in board.against):
        lines.append("So few teams say little about whether a metric agrees with people.")
    return [*lines, *(f"warning: {warning}" for warning in board.warnings)]
