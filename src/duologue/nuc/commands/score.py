"""``duologue nuc score``: what a model, or a bot of a study, makes of the candidates."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.nuc.scoring.ranks import ModelRanks
    from duologue.nuc.scoring.scoring import ScoredItem


def score(
    model: Annotated[
        str,
        typer.Argument(
            metavar="MODEL|STUDY",
            help="random, tf-idf, bm25, embedding, the folder of a trained model, or a study with --bot.",
        ),
    ],
    items: Annotated[Path, typer.Argument(help="The items, as nuc build writes them.", show_default=False)],
    bot: Annotated[str | None, typer.Option("--bot", help="Ask this bot of the study's [[bots]].")] = None,
    name: Annotated[str | None, typer.Option("--name", help="What the model is called.")] = None,
    fit: Annotated[
        list[Path] | None,
        typer.Option(help="Items whose words say how common words are (train.jsonl); may be repeated."),
    ] = None,
    vectors: Annotated[Path | None, typer.Option(help="Word vectors, for embedding.")] = None,
    k: Annotated[list[int] | None, typer.Option("-k", min=1, help="Of R@k; may be repeated.")] = None,
    among: Annotated[
        list[int] | None,
        typer.Option(min=2, help="Recall among fewer candidates too, drawn at random; may be repeated."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Where randomness comes from.")] = 0,
    ranks: Annotated[Path | None, typer.Option(help="Write the rank of every true reply (CSV).")] = None,
    out: Annotated[Path | None, typer.Option("--out", help="Write the scores here, for nuc recall.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Score the candidates of items: R@k, ranks, and a file of scores for nuc recall.

    Interrupted and run again, a bot is asked only what is missing.
    """
    from dataclasses import asdict

    from duologue.judgments import write_table
    from duologue.nuc.scoring.ranks import rank_rows, summarise_ranks
    from duologue.nuc.scoring.scoring import keep_scores

    check_free(ranks, out, overwrite=overwrite)
    if bot is not None:
        called, scored = name or bot, iter(_by_bot(Path(model), bot, items, seed))
    else:
        called, scored = _by_model(model, items, fit or [items], vectors, seed)
        called = name or called
    found = keep_scores(called, scored, out)
    results = summarise_ranks(called, found, cutoffs=k or (1, 2, 5), among=among or ())
    if ranks is not None:
        write_table(rank_rows(called, found), ranks)
    if as_json:
        typer.echo(json.dumps(asdict(results), ensure_ascii=False))
        return
    for line in _lines(results):
        typer.echo(line)
    if out is not None:
        typer.echo(f"Wrote {out}.")


def _by_bot(study: Path, bot: str, items: Path, seed: int) -> list[ScoredItem]:
    from duologue.bots import answering_bots, open_bot
    from duologue.nuc.scoring.scoring import score_with_bot
    from duologue.studies import load_study

    loaded = load_study(study)
    (settings,) = answering_bots(loaded.file.bots, [bot])
    place, path = loaded.folder.absolute(), items.absolute()
    with chdir(Path.cwd()):  # a bot's own code may take the process to another folder
        return list(score_with_bot(open_bot(settings, folder=place), place, path, seed=seed))


def _by_model(
    model: str, items: Path, fit: list[Path], vectors: Path | None, seed: int
) -> tuple[str, Iterator[ScoredItem]]:
    from duologue.models import open_model
    from duologue.nuc.scoring.scoring import score_items, texts_of

    texts = (text for path in fit for text in texts_of(path))
    opened = open_model(Path(model), texts, vectors=vectors, seed=seed)
    return opened.name, score_items(opened, items)


def _lines(results: ModelRanks) -> Iterator[str]:
    for one in results.recalls:
        limits = ""
        if one.interval is not None:
            limits = f" ({100 * one.interval.low:.1f} to {100 * one.interval.high:.1f})"
        yield (
            f"{one.model}, {one.corpus}, R@{one.k} of {one.among}: {100 * one.recall:.1f} %{limits}; "
            f"{one.items:,} items, chance {100 * one.chance:.1f} %"
        )
    for ranks in results.ranks:
        yield (
            f"{ranks.model}, {ranks.corpus}: mean rank {ranks.mean_rank:.2f}, "
            f"mean reciprocal rank {ranks.reciprocal:.3f}"
        )
