"""``duologue serve``: annotators' and researcher's pages of a study."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from duologue.grammar import Folder

if TYPE_CHECKING:
    from duologue.server import ServedStudy
    from duologue.studies import Study

T = TypeVar("T")

LINKS_SHOWN = 5


def serve(
    folder: Folder,
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="The port; 8000, or the next free one, when not given."),
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the work.")] = 1,
    base_url: Annotated[
        str | None, typer.Option(help="Where annotators find the server, e.g. https://study.example.org.")
    ] = None,
    telegram: Annotated[
        bool,
        typer.Option("--telegram", help="Also hold the chats in Telegram; token in DUOLOGUE_TELEGRAM_TOKEN."),
    ] = False,
    new_database: Annotated[
        bool,
        typer.Option(
            "--new-database",
            help="Start empty in the database that study.toml names, although the study has another.",
        ),
    ] = False,
    log: Annotated[
        str | None, typer.Option(help="File for the log, - for stderr; logs/server.jsonl when not given.")
    ] = None,
) -> None:
    """Serve a study: annotators' pages, researcher's pages and API, until Ctrl+C."""
    from duologue.studies import load_study

    study = load_study(folder)
    _refuse_false_texts(study)
    from duologue.server import serve_study
    from duologue.telegram import check_telegram, telegram_from

    account = telegram_from(os.environ) if telegram else None
    contact = check_telegram(study, account) if account else None
    serve_study(
        study,
        host=host,
        port=port,
        workers=workers,
        base_url=_checked_base_url(base_url),
        log=_log_file(folder, log),
        announce=lambda serving: _announce(study.name, serving, contact),
        watch=_progress_bar,
        side_tasks=[account] if account else [],
        new_database=new_database,
    )
    typer.echo("Stopped. Everything that was acknowledged is saved.")


def _refuse_false_texts(study: Study) -> None:
    """Show nobody texts that the settings make false; once somebody has judged, say only that they are."""
    from duologue.studies import PLAN_FILE, contradictions

    for problem in contradictions(study):
        if not (study.folder / PLAN_FILE).exists():
            raise problem
        typer.echo(f"warning: annotators read what is not true. {problem}", err=True)


def _log_file(folder: Path, log: str | None) -> Path | None:
    """Where the log is written: only the study's own folder for it is made."""
    from duologue.files import make_folder

    if log is None:
        return make_folder(folder / "logs") / "server.jsonl"
    if log == "-":
        return None
    if not Path(log).parent.is_dir():
        raise typer.BadParameter(f"there is no folder {Path(log).parent}; make it first", param_hint="--log")
    return Path(log)


def _checked_base_url(base_url: str | None) -> str | None:
    from urllib.parse import urlsplit

    if base_url is None:
        return None
    parts = urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise typer.BadParameter(
            "give scheme and host, without a path: https://study.example.org", param_hint="--base-url"
        )
    return base_url.rstrip("/")


def _announce(name: str, serving: ServedStudy, contact: str | None) -> None:
    """Print the links, where the data are, and how to stop."""
    if serving.other_server is not None:
        typer.echo(_beside(serving), err=True)
    links = list(serving.annotator_links.items())
    prepared = serving.prepared
    about = f"{prepared.items:,} items, {prepared.dialogues:,} dialogues, revision {prepared.revision}"
    lines = [f"Serving {name}: {about}", ""]
    lines += [f"  annotator    {_of_cohort(link, cohort)}" for link, cohort in links[:LINKS_SHOWN]]
    if len(links) > LINKS_SHOWN:
        lines.append(f"               and {len(links) - LINKS_SHOWN} more: duologue annotators list")
    lines += [f"  open link    {_of_cohort(link, cohort)}" for cohort, link in serving.open_links.items()]
    if contact:
        lines.append(f"  Telegram     {contact}")
    lines += [
        f"  researcher   {serving.researcher_link}",
        f"  API          {serving.base_url}/api/docs (key: {serving.researcher_key})",
        "",
        f"  data         {serving.database}",
        f"  log          {serving.log or 'standard error'}",
        "  to stop      Ctrl+C; nothing that was acknowledged is lost",
    ]
    typer.echo("\n".join(lines))
    sys.stdout.flush()


def _beside(serving: ServedStudy) -> str:
    """What the researcher is told who serves a study that is being served."""
    several = (
        "Several hosts may serve a study on PostgreSQL: see docs/several-hosts.md."
        if "://" in serving.database
        else "For several processes, stop one of them and start the other with --workers."
    )
    return (
        f"warning: another server serves this study too, last at {serving.other_server}. Both store in the "
        f"same database; links that are shown here, or by commands from now on, lead to this one. {several}"
    )


def _of_cohort(link: str, cohort: str) -> str:
    return f"{link} ({cohort})" if cohort else link


def _progress_bar(things: Iterable[T], what: str, /) -> Iterable[T]:
    """Count things as they go by, on a terminal only."""
    if not sys.stderr.isatty():
        return things
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from duologue.cli.terminal.console import VisibleConsole

    progress = Progress(
        SpinnerColumn(),
        TextColumn("loading {task.description}: {task.completed:,.0f}"),
        TimeElapsedColumn(),
        console=VisibleConsole(stderr=True),
        transient=True,
    )

    def counted() -> Iterable[T]:
        with progress:
            task = progress.add_task(what, total=None)
            for thing in things:
                yield thing
                progress.advance(task)

    return counted()
