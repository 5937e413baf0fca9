"""``duologue nuc recall``: what people and models recalled."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson

if TYPE_CHECKING:
    from duologue.nuc.analysis.recall import RecallResults

TABLES = ("recall.csv", "cohort_pairs.csv", "against.csv", "items.csv")


def recall(
    items: Annotated[Path, typer.Argument(help="The items, as nuc build writes them.", show_default=False)],
    answers: Annotated[
        Path | None,
        typer.Option(help="A table of what people chose: item, annotator, best, second, cohort, seconds."),
    ] = None,
    scores: Annotated[list[Path] | None, typer.Option(help="Scores of models; may be repeated.")] = None,
    pool: Annotated[
        list[str] | None,
        typer.Option(help="CORPUS=A+B: cohorts that are counted as one there; may be repeated."),
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", help="A folder for the tables.")] = None,
    as_json: AsJson = False,
) -> None:
    """Recall@1 and Recall@2 of people and models on the same items."""
    from dataclasses import asdict

    from duologue.dialogues import read_scores
    from duologue.nuc.analysis.answers import items_by_id, read_chosen
    from duologue.nuc.analysis.recall import analyse_recall
    from duologue.nuc.analysis.tables import in_words

    if answers is None and not scores:
        raise typer.BadParameter("give --answers, --scores or both")
    known = items_by_id(items)
    results = analyse_recall(
        known,
        list(read_chosen(answers, known)) if answers else [],
        (one for path in scores or () for one in read_scores(path)),
        pooled=dict(map(_pooled, pool or ())),
    )
    if out is not None:
        _write(results, out)
    if as_json:
        typer.echo(json.dumps(asdict(results), ensure_ascii=False))
        return
    for line in in_words(results):
        typer.echo(line)
    if out is not None:
        typer.echo(f"Wrote {', '.join(TABLES)} and table_2.tex to {out}.")


def _pooled(text: str) -> tuple[str, tuple[str, ...]]:
    corpus, sign, cohorts = text.partition("=")
    if not (corpus and sign and "+" in cohorts):
        raise typer.BadParameter(f"{text!r} should be CORPUS=A+B", param_hint="--pool")
    return corpus, tuple(cohorts.split("+"))


def _write(results: RecallResults, out: Path) -> None:
    from duologue.files import make_folder, replacing
    from duologue.judgments import write_table
    from duologue.nuc.analysis.tables import against_rows, item_rows, pair_rows, recall_rows, table_2

    make_folder(out)
    for name, rows in zip(TABLES, (recall_rows, pair_rows, against_rows, item_rows), strict=True):
        write_table(rows(results), out / name)
    with replacing(out / "table_2.tex") as file:
        file.write(table_2(results).encode())
