"""``duologue nuc build``: the task from dialogues in any format we read."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duologue.grammar import AsJson

if TYPE_CHECKING:
    from duologue.nuc.building.build import BuiltCorpus, BuiltTask, OnStep
    from duologue.nuc.building.options import Corpus


def build(
    corpora: Annotated[
        list[str],
        typer.Argument(metavar="CORPUS…", help="Files of dialogues; NAME=FILE gives a corpus its name."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The folder to write to.")],
    max_context: Annotated[int, typer.Option(min=1, help="At most so many turns are shown.")] = 6,
    context: Annotated[
        str, typer.Option(help="How their number is drawn: ubuntu, ubuntu-1 or longest.")
    ] = "ubuntu",
    false_replies: Annotated[int, typer.Option(min=1, help="False replies beside the true one.")] = 4,
    false: Annotated[str, typer.Option("--false", help="uniform, confusing or all.")] = "uniform",
    vectors: Annotated[
        Path | None, typer.Option(help="Confusing by these word vectors instead of TF-IDF.")
    ] = None,
    pool: Annotated[int, typer.Option(min=2, help="Confusing among so many replies of the corpus.")] = 10_000,
    per_dialogue: Annotated[int, typer.Option(min=1, help="At most so many items of a dialogue.")] = 1,
    items: Annotated[
        int | None, typer.Option(min=1, help="At most so many items of a corpus in each split.")
    ] = None,
    train: Annotated[float, typer.Option(min=0, max=1, help="Share of dialogues for training.")] = 0.8,
    valid: Annotated[float, typer.Option(min=0, max=1, help="Share for validation.")] = 0.1,
    test: Annotated[float, typer.Option(min=0, max=1, help="Share for people and models alike.")] = 0.1,
    offensive: Annotated[
        Path | None, typer.Option(help="Words, one a line; dialogues with one are left out.")
    ] = None,
    names: Annotated[Path | None, typer.Option(help="More names to hide, one a line.")] = None,
    keep: Annotated[
        list[str] | None, typer.Option(help="Do not hide: mentions, links or names; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same items again from the same seed.")] = 0,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad records out, and list them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Make items of next utterance classification: contexts, each with its true reply and false ones."""
    from duologue.nuc.building.build import build_task
    from duologue.nuc.building.cleaning import Cleaning, read_phrases
    from duologue.nuc.building.context import CONTEXT_RULES
    from duologue.nuc.building.options import FALSE_RULES, BuildOptions

    kept = {_one_of(name, ("mentions", "links", "names"), "--keep") for name in keep or ()}
    options = BuildOptions(
        seed=seed,
        max_context=max_context,
        context=_one_of(context, CONTEXT_RULES, "--context"),
        false_replies=false_replies,
        false=_one_of(false, FALSE_RULES, "--false"),
        vectors=vectors,
        pool=pool,
        per_dialogue=per_dialogue,
        items=items,
        shares={"train": train, "valid": valid, "test": test},
        cleaning=Cleaning(
            mentions="mentions" not in kept,
            links="links" not in kept,
            names="names" not in kept,
            known_names=read_phrases(names) if names else frozenset(),
            offensive=read_phrases(offensive) if offensive else frozenset(),
        ),
    )
    with _progress_bar() as on_step:
        built = build_task(_corpora(corpora), out, options=options, skip_bad=skip_bad, on_step=on_step)
    if as_json:
        typer.echo((out / "build.json").read_text(encoding="utf-8").strip())
    else:
        _say(built)


def _one_of(value: str, known: tuple[str, ...], option: str) -> Any:
    if value not in known:
        raise typer.BadParameter(f"{value!r} is none of {', '.join(known)}", param_hint=option)
    return value


def _corpora(texts: list[str]) -> list[Corpus]:
    """Corpora by name: ``NAME=FILE``, or a file whose name it has; several files of one name are one."""
    from duologue.nuc.building.options import Corpus

    found: dict[str, list[Path]] = {}
    for text in texts:
        name, sign, file = text.partition("=")
        path = Path(file) if sign and not Path(text).exists() else Path(text)
        found.setdefault(name if path != Path(text) else path.stem, []).append(path)
    for name in found:
        if not name or "/" in name or ":" in name:
            raise typer.BadParameter(f"{name!r} cannot be the name of a corpus", param_hint="CORPUS")
    return [Corpus(name, tuple(files)) for name, files in found.items()]


@contextmanager
def _progress_bar() -> Iterator[OnStep | None]:
    """Show a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)
        yield lambda step, done, total: progress.update(task, description=step, completed=done, total=total)


def _say(built: BuiltTask) -> None:
    for corpus in built.corpora:
        counts = ", ".join(f"{count:,} {split}" for split, count in corpus.items.items())
        typer.echo(f"{corpus.name}: {corpus.dialogues:,} dialogues, items: {counts or 'none'}")
        for reason, count in corpus.left_out.items():
            typer.echo(f"  left out: {count:,} ({reason})")
        _say_lengths(corpus)
        for error in corpus.bad:
            typer.echo(f"  left out: {error}", err=True)
    for path in built.files.values():
        typer.echo(f"Wrote {path}.")


def _say_lengths(corpus: BuiltCorpus) -> None:
    lengths = corpus.lengths
    if lengths is None:
        return
    for which, words in (("true", lengths.true), ("false", lengths.false)):
        typer.echo(
            f"  words of {which} replies: mean {words.mean:.1f}; median {words.median}, "
            f"half of them from {words.quarter} to {words.three_quarters}"
        )
    typer.echo(
        f"  the longest candidate is the true one in {100 * lengths.longest:.1f} %, the shortest in "
        f"{100 * lengths.shortest:.1f} % of items (a guess: {100 * lengths.chance:.1f} %)"
    )
    if lengths.gives_away:
        typer.echo("  The length of replies gives answers away: do not ask people or models about these.")
