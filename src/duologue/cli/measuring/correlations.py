"""``duologue metrics correlate``: how far automatic metrics agree with people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.metrics import ScoreCorrelation, ScoreCorrelations


def correlate(
    scores: Annotated[
        list[Path],
        typer.Argument(
            metavar="SCORES…",
            help="Tables, a row for each item: of `metrics run --per-example`, or your own (CSV or JSON).",
        ),
    ],
    human: Annotated[list[str], typer.Option("--human", help="A column that people gave. May be repeated.")],
    ratings: Annotated[
        Path | None,
        typer.Option("--ratings", help="The table that has it, joined by its columns bot, dialogue and id."),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option("--metric", help="A metric to correlate; all by default. May be repeated."),
    ] = None,
    lower: Annotated[
        list[str] | None,
        typer.Option("--lower", help="A metric of which less is better, as of perplexity. May be repeated."),
    ] = None,
    level: Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="Confidence.")] = 0.95,
    draws: Annotated[int, typer.Option("--draws", min=100, help="Bootstrap samples.")] = 1000,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Where randomness comes from.")] = 0,
    csv: Annotated[Path | None, typer.Option("--csv", help="Write the table here.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Correlate metrics with human scores over items, dialogues and bots: Pearson, Spearman and Kendall.

    Intervals are clustered by dialogue, and by bot where bots are compared.
    """
    from duologue.judgments import write_table
    from duologue.metrics import correlate_metrics, read_scored_rows

    check_free(csv, overwrite=overwrite)
    found = correlate_metrics(
        read_scored_rows(scores, ratings=ratings),
        human,
        metrics=metric or (),
        lower=lower or (),
        level=level,
        draws=draws,
        seed=seed,
    )
    if csv is not None:
        write_table(found.rows(), csv)
    typer.echo(json.dumps(found.record(), ensure_ascii=False) if as_json else describe_correlations(found))


def describe_correlations(found: ScoreCorrelations) -> str:
    """The results for a person: a table for each human score and unit."""
    from duologue.protocols import say_correlation

    counted = [f"{found.items:,} items"]
    counted += [
        f"{number:,} {what}"
        for number, what in ((found.dialogues, "dialogues"), (found.bots, "bots"))
        if number
    ]
    lines = [", ".join(counted)]
    tables: dict[tuple[str, str], list[ScoreCorrelation]] = {}
    for one in found.found:
        tables.setdefault((one.human, one.unit), []).append(one)
    width = max(len(one.metric) for one in found.found)
    for (human, unit), some in tables.items():
        clusters = f"{some[0].found.clusters:,} {some[0].clusters}"
        how = f"intervals at {100 * found.level:.0f} % by {clusters}"
        if some[0].found.has_few_clusters:
            exact = "exact p-values" if some[0].found.pearson.p_value is not None else "no p-values"
            how = f"{exact} and no intervals: only {clusters}"
        lines += ["", f"{human}, over {unit}s ({how})"]
        lines.append(f"  {'':<{width}}  {'n':>7}  {'Pearson':<22}{'Spearman':<22}Kendall")
        for one in some:
            cells = (one.found.pearson, one.found.spearman, one.found.kendall)
            shown = "".join(f"{say_correlation(cell, form='+.2f'):<22}" for cell in cells)
            lines.append(f"  {one.metric:<{width}}  {one.found.n:>7,}  {shown}".rstrip())
    return "\n".join([*lines, *(f"\nwarning: {text}" for text in found.warnings)])
