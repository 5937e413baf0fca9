"""``duologue study plan`` and ``peeking``: size and price a study, and see what looking early does."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.cli.protocol_options import given_options
from duologue.grammar import Overwrite, check_free

if TYPE_CHECKING:
    from duologue.studies import Plan

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Figure = Annotated[Path | None, typer.Option(help="Also draw it to this file (.svg, .pdf or .png).")]


def plan(
    context: typer.Context,
    study: Annotated[
        Path | None, typer.Argument(help="A study's folder; flags override its settings.")
    ] = None,
    gap: Annotated[
        float | None,
        typer.Option(help="Difference between two bots that must not be missed (0.2: 60 % to 40 %)."),
    ] = None,
    power: Annotated[float | None, typer.Option(help="Chance of seeing that gap.  [default: 0.8]")] = None,
    alpha: Annotated[float | None, typer.Option(help="Chance of a false verdict.  [default: 0.05]")] = None,
    bots: Annotated[int | None, typer.Option(help="How many bots.")] = None,
    matchups: Annotated[
        int | None, typer.Option(help="How many pairs of bots are compared; all by default.")
    ] = None,
    correction: Annotated[str | None, typer.Option(help="Several matchups: holm or none.")] = None,
    test: Annotated[str | None, typer.Option(help="exact or mid-p.")] = None,
    paper: Annotated[
        bool, typer.Option("--paper", help="Size it as the protocol's paper does, where that says how.")
    ] = False,
    icc: Annotated[
        float | None,
        typer.Option(
            help="How alike judgments of one cluster are, 0 to 1; of ratings, those by one annotator (0.1)."
        ),
    ] = None,
    cluster_size: Annotated[
        float | None, typer.Option(help="Judgments in a cluster; of ratings, those of one dialogue.")
    ] = None,
    judgments: Annotated[int | None, typer.Option(help="What gap can so many judgments show?")] = None,
    budget: Annotated[float | None, typer.Option(help="What gap can so much money show?")] = None,
    pay: Annotated[float | None, typer.Option(help="Money for a judgment.")] = None,
    currency: Annotated[str | None, typer.Option(help="The money's name.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds a judgment takes.")] = None,
    per_annotator: Annotated[int | None, typer.Option(help="Judgments by one annotator.")] = None,
    compare: Annotated[
        bool,
        typer.Option("--compare", help="Print all designs that answer the same question, at the same power."),
    ] = False,
    simulate: Annotated[
        int | None, typer.Option(min=1, help="Check the number on so many simulated studies.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where the randomness of --simulate comes from.")] = 0,
    figure: Figure = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Say how many judgments a study needs, what they can show, and what they cost."""
    from duologue.studies import compare_plans, make_plan, request_from_flags

    check_free(figure, overwrite=overwrite)
    flags = {
        "gap": gap,
        "power": power,
        "alpha": alpha,
        "bots": bots,
        "matchups": matchups,
        "correction": correction,
        "test": test,
        "is_paper": paper or None,
        "icc": icc,
        "cluster_size": cluster_size,
        "judgments": judgments,
        "budget": budget,
        "pay": pay,
        "currency": currency,
        "seconds": seconds,
        "per_annotator": per_annotator,
        **given_options(context),
    }
    request = request_from_flags(flags, study=study)
    if compare:
        _print_comparison(compare_plans(request), as_json=as_json)
        return
    planned = make_plan(request)
    if simulate is not None:
        planned = _simulated(planned, simulate, seed)
    _print_plan(planned, figure, as_json=as_json)


def peeking(
    judgments: Annotated[
        int, typer.Option("--judgments", "-n", help="The most that would be collected.")
    ] = 1000,
    first_look: Annotated[int, typer.Option(help="Judgments before the first look.")] = 10,
    every: Annotated[int, typer.Option(help="Judgments between two looks.")] = 1,
    alpha: Annotated[float, typer.Option(help="Stop as soon as p is at most this.")] = 0.05,
    gap: Annotated[float, typer.Option(help="True gap between the bots; 0 means equal.")] = 0.0,
    figure: Figure = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Show what looking until p < .05 does to the chance of a false verdict (exact)."""
    from duologue.stats import peeking as look
    from duologue.studies import describe_peeking, peeking_record

    check_free(figure, overwrite=overwrite)
    result = look(judgments, first_look=first_look, every=every, alpha=alpha, gap=gap)
    if figure is not None:
        from duologue.reports import draw_peeking

        draw_peeking(result, figure)
    if as_json:
        typer.echo(json.dumps(peeking_record(result), ensure_ascii=False, indent=2))
        return
    typer.echo(describe_peeking(result))
    if figure is not None:
        typer.echo(f"\nDrawn in {figure}.")


def _print_comparison(plans: Sequence[Plan], *, as_json: bool) -> None:
    from duologue.studies import comparison_record, describe_comparison

    record = json.dumps(comparison_record(plans), ensure_ascii=False, indent=2)
    typer.echo(record if as_json else describe_comparison(plans))


def _print_plan(planned: Plan, figure: Path | None, *, as_json: bool) -> None:
    from duologue.studies import describe_plan, plan_record

    if figure is not None:
        from duologue.reports import draw_plan

        draw_plan(planned, figure)
    if as_json:
        typer.echo(json.dumps(plan_record(planned), ensure_ascii=False, indent=2))
        return
    typer.echo(describe_plan(planned))
    if figure is not None:
        typer.echo(f"\nDrawn in {figure}.")


def _simulated(planned: Plan, studies: int, seed: int) -> Plan:
    from duologue.studies import simulate_plan

    with _progress(2 * studies) as step:
        return simulate_plan(planned, studies=studies, seed=seed, on_study=step)


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A progress bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import Progress

    from duologue.cli.terminal.console import VisibleConsole

    with Progress(console=VisibleConsole(stderr=True), transient=True) as bar:
        task = bar.add_task("Made-up studies", total=total)
        yield lambda: bar.advance(task)
