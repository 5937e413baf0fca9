"""``duologue dialogues self-chat``: dialogues of bots with themselves, or with a partner."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.grammar import AsJson, Folder

if TYPE_CHECKING:
    from duologue.bots import AnsweringSettings, CollectedBot, SelfChats
    from duologue.engine import Executor
    from duologue.studies import Study

INTERRUPTED = 130


def self_chat(
    folder: Folder,
    bot: Annotated[
        list[str] | None,
        typer.Option("--bot", help="A bot of [[bots]]; may be repeated; all that answer if none."),
    ] = None,
    partner: Annotated[
        str | None, typer.Option("--partner", help="The bot they talk to; each talks to itself by default.")
    ] = None,
    n: Annotated[int, typer.Option("-n", "--number", min=1, help="Self-chats of each bot.")] = 100,
    exchanges: Annotated[int, typer.Option("--exchanges", min=1, help="Turns of each speaker.")] = 6,
    first: Annotated[
        str, typer.Option("--first", help="Who has the first turn: other, judged or balanced.")
    ] = "other",
    briefings: Annotated[
        Path | None,
        typer.Option("--briefings", help="Personas, topics and openers: JSON lines, or a PersonaChat file."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The study's seed by default.")] = None,
    concurrency: Annotated[
        int | None, typer.Option("--concurrency", min=1, help="Self-chats of each bot at a time.")
    ] = None,
    engine: Annotated[
        str, typer.Option("--engine", help="local (this process), processes, or ray.")
    ] = "local",
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many, for processes and ray.")] = 2,
    partial: Annotated[
        bool, typer.Option("--partial", help="Add a bot's self-chats although some are missing.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Let bots talk to themselves; every bot gets the same openers and personas.

    Interrupted and run again, it does only what is missing and leaves the same files. The exit code is 1 when
    self-chats are missing.
    """
    from duologue.bots import answering_bots, collect_self_chats
    from duologue.errors import StudyError
    from duologue.studies import load_study

    loaded = load_study(folder)
    bots = _limited(answering_bots(loaded.file.bots, bot or ()), concurrency)
    if not bots:
        raise StudyError(f"{folder / 'study.toml'}: no bot of [[bots]] answers; see docs/bots.md.")
    wanted = _wanted(loaded, n, exchanges, first, briefings, seed, partner, concurrency)
    try:
        with progress_bar("Self-chats") as on_progress:
            collected = collect_self_chats(
                loaded.folder,
                bots,
                wanted,
                executor=_executor(engine, workers),
                is_partial_welcome=partial,
                on_progress=on_progress,
            )
    except KeyboardInterrupt:
        typer.echo("Interrupted. What is finished is kept; run the same command to go on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    _say(collected, as_json, is_partial=partial)
    if not all(one.is_complete for one in collected):
        raise typer.Exit(1)


def _wanted(
    study: Study,
    n: int,
    exchanges: int,
    first: str,
    briefings: Path | None,
    seed: int | None,
    partner: str | None,
    concurrency: int | None,
) -> SelfChats:
    from duologue.bots import SelfChats, answering_bots, read_briefings

    if first not in ("other", "judged", "balanced"):
        raise typer.BadParameter(f"{first!r} is none of other, judged, balanced", param_hint="--first")
    limit = study.file.study.max_turn_chars
    met = _limited(answering_bots(study.file.bots, [partner]), concurrency) if partner else [None]
    return SelfChats(
        n,
        exchanges,
        study.seed if seed is None else seed,
        read_briefings(briefings, max_turn_chars=limit) if briefings is not None else (),
        first,  # type: ignore[arg-type]
        met[0],
    )


def _limited(bots: Sequence[AnsweringSettings], concurrency: int | None) -> list[AnsweringSettings]:
    if concurrency is None:
        return list(bots)
    return [bot.model_copy(update={"max_concurrent": concurrency}) for bot in bots]


def _executor(engine: str, workers: int) -> Executor | None:
    from duologue.engine import ENGINES, open_executor

    if engine == "local":
        return None
    if engine not in ENGINES:
        raise typer.BadParameter(f"{engine!r} is none of local, {', '.join(ENGINES)}", param_hint="--engine")
    return open_executor(engine, workers=workers, say=lambda said: typer.echo(said, err=True))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[int, int, int], None] | None]:
    """Show a bar with rate and failures on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from duologue.cli.terminal.console import VisibleConsole

    columns = (
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]} {task.fields[failures]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=VisibleConsole(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, rate="", failures="")

        def show(finished: int, failed: int, total: int) -> None:
            speed = progress.tasks[task].speed
            rate = f"{speed:.1f}/s" if speed else ""
            failures = f"[red]{failed} failed[/red]" if failed else ""
            progress.update(task, completed=finished, total=total, rate=rate, failures=failures)

        yield show


def _say(collected: Sequence[CollectedBot], as_json: bool, *, is_partial: bool) -> None:
    if as_json:
        facts = [asdict(one) | {"is_complete": one.is_complete} for one in collected]
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for one in collected:
        kept = f", {one.kept:,} there already" if one.kept else ""
        typer.echo(f"{one.bot}: {one.made:,} self-chat{'' if one.made == 1 else 's'} held{kept}")
        if one.other:
            typer.echo(f"  also {one.other:,} self-chats made with other settings; they stay")
        if one.cut:
            typer.echo(
                f"  {one.cut:,} of {one.replies:,} replies were cut at the bot's limit of tokens (max_tokens)"
            )
        if not one.is_complete:
            _say_missing(one, is_partial=is_partial)


def _say_missing(one: CollectedBot, *, is_partial: bool) -> None:
    causes: dict[str, int] = {}
    for failed in one.failed:
        causes[f"{failed.failed}: {failed.why}"] = causes.get(f"{failed.failed}: {failed.why}", 0) + 1
    for cause, count in sorted(causes.items(), key=lambda entry: -entry[1])[:5]:
        typer.echo(f"  {count:,} failed: {cause}", err=True)
    if one.left:
        typer.echo(f"  {one.left:,} not tried: the bot failed too often in a row", err=True)
    if one.made or one.kept:
        fate = (
            "were added" if is_partial else "wait in self-chats/ until all are there; --partial adds them now"
        )
        typer.echo(f"  The finished ones {fate}.", err=True)
    advice = (
        "Run the same command to try the missing ones again; self-chats/failures.jsonl has every failure."
    )
    typer.echo(f"  {advice}", err=True)


def failed_self_chats(study: Path | None) -> int:
    """How many self-chats of a study failed and have not been held since."""
    path = (study or Path()) / "self-chats" / "failures.jsonl"
    return len(path.read_text(encoding="utf-8").splitlines()) if study is not None and path.is_file() else 0
