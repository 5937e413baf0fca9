"""``duologue study plan`` and ``peeking``: size and price a study, and see what looking early does."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import Overwrite, check_free

if TYPE_CHECKING:
    from duologue.studies import Plan

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Figure = Annotated[Path | None, typer.Option(help="Also draw it to this file (.svg, .pdf or .png).")]


def plan(
    study: Annotated[
        Path | None, typer.Argument(help="A study's folder; flags override its settings.")
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="acute, per-turn, likert or nuc.")] = None,
    mechanism: Annotated[str | None, typer.Option(help="Per-turn: pairwise, multi or single.")] = None,
    setting: Annotated[
        str | None, typer.Option(help="Per-turn: soba (select one best) or sata (all that apply).")
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
    verdicts: Annotated[
        str | None, typer.Option(help="Acute: which decide, direct or pooled over all matchups.")
    ] = None,
    answer: Annotated[
        str | None,
        typer.Option(help="Acute: choice (of two), graded (four points) or ranking (of three)."),
    ] = None,
    collect: Annotated[
        str | None,
        typer.Option(
            help="Acute: dialogues (finished), parallel (two live chats at once) or phrasings (of questions)."
        ),
    ] = None,
    test: Annotated[str | None, typer.Option(help="exact or mid-p.")] = None,
    null: Annotated[
        float | None, typer.Option(help="The standard that one bot or group is compared with.")
    ] = None,
    base: Annotated[
        float | None,
        typer.Option(help="Nuc: recall of one of two groups. Phrasings: agreement by the clearer one."),
    ] = None,
    sd: Annotated[float | None, typer.Option(help="Likert: standard deviation of one rating.")] = None,
    discordance: Annotated[
        float | None, typer.Option(help="Sata: share of turns on which exactly one of two bots is selected.")
    ] = None,
    pilot: Annotated[
        str | None,
        typer.Option(
            help="Counts of a pilot: how often each bot was chosen (soba: 56,38,54,52), or turns on "
            "which 0, 1, 2 … bots were selected (sata: 5,85,10)."
        ),
    ] = None,
    pilot_w: Annotated[
        float | None, typer.Option(help="Effect w of a pilot, for --paper with multi soba.")
    ] = None,
    paper: Annotated[bool, typer.Option("--paper", help="Size it as the per-turn paper does.")] = False,
    icc: Annotated[
        float | None,
        typer.Option(
            help="How alike judgments of one cluster are, 0 to 1; of likert, ratings by one annotator (0.1)."
        ),
    ] = None,
    cluster_size: Annotated[
        float | None, typer.Option(help="Judgments in a cluster; of likert, ratings of one dialogue.")
    ] = None,
    judgments: Annotated[int | None, typer.Option(help="What gap can so many judgments show?")] = None,
    budget: Annotated[float | None, typer.Option(help="What gap can so much money show?")] = None,
    pay: Annotated[float | None, typer.Option(help="Money for a judgment.")] = None,
    currency: Annotated[str | None, typer.Option(help="The money's name.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds a judgment takes.")] = None,
    per_annotator: Annotated[int | None, typer.Option(help="Judgments by one annotator.")] = None,
    turns_per_dialogue: Annotated[
        int | None, typer.Option(help="Per-turn: turns judged in a dialogue.")
    ] = None,
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
        "protocol": protocol,
        "mechanism": mechanism,
        "setting": setting,
        "gap": gap,
        "power": power,
        "alpha": alpha,
        "bots": bots,
        "matchups": matchups,
        "correction": correction,
        "verdicts": verdicts,
        "answer": answer,
        "collect": collect,
        "test": test,
        "null": null,
        "base": base,
        "sd": sd,
        "discordance": discordance,
        "pilot": pilot,
        "pilot_w": pilot_w,
        "is_paper": paper or None,
        "icc": icc,
        "cluster_size": cluster_size,
        "judgments": judgments,
        "budget": budget,
        "pay": pay,
        "currency": currency,
        "seconds": seconds,
        "per_annotator": per_annotator,
        "turns_per_dialogue": turns_per_dialogue,
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
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("Made-up studies", total=total)
        yield lambda: bar.advance(task)
