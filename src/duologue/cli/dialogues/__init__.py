"""``duologue dialogues``: bring logs into a study, take them out, look at them."""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duologue.cli.dialogues.changes import mask, remove, restore
from duologue.cli.self_chat import failed_self_chats, self_chat
from duologue.cli.terminal import visible
from duologue.grammar import AsJson, Folder, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.dialogues import Dialogue, DialoguesReport, Distribution, ImportResult, OnProgress
    from duologue.errors import FormatError

app = typer.Typer(help="Bring logs into a study, take them out, look at them.", no_args_is_help=True)
app.command("self-chat")(self_chat)
app.command()(mask)
app.command()(remove)
app.command()(restore)

Bot = Annotated[str | None, typer.Option("--bot", help="The bot the logs belong to, if they do not say.")]
Kind = Annotated[str | None, typer.Option("--kind", help="live-chat, self-chat or human-human.")]
JudgedSpeaker = Annotated[str | None, typer.Option("--judged", help="The speaker who is judged, by name.")]
SpeakerIndex = Annotated[
    int | None, typer.Option("--speaker-index", min=0, help="The speaker who is judged, by number from 0.")
]
SpeakerMap = Annotated[
    list[str] | None,
    typer.Option(
        "--speaker",
        help="OLD=NEW: who a turn's id in ACUTE pairings means, or which bot a name in a transcript is.",
    ),
]
Format = Annotated[str | None, typer.Option("--format", help="The format; found out from the content.")]
MaxTurnChars = Annotated[
    int | None,
    typer.Option(
        "--max-turn-chars",
        min=1,
        help="Turns of more characters are refused; max_turn_chars in [study] if not given.",
    ),
]


@app.command("import")
def import_(
    folder: Folder,
    files: Annotated[list[Path], typer.Argument(help="Log files in any known format.", show_default=False)],
    bot: Bot = None,
    kind: Kind = None,
    judged: JudgedSpeaker = None,
    speaker_index: SpeakerIndex = None,
    speaker: SpeakerMap = None,
    format: Format = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave bad records out, and list them.")
    ] = False,
    max_turn_chars: MaxTurnChars = None,
    as_json: AsJson = False,
) -> None:
    """Add log files to a study: all of them, or nothing when a record is bad; each dialogue once."""
    from duologue.dialogues import import_dialogues

    with _progress_bar("Importing") as on_progress:
        imported = import_dialogues(
            files,
            folder,
            format=_format(format),
            bot=bot,
            kind=_kind(kind),
            judged=judged,
            speaker_index=speaker_index,
            speaker_map=_speaker_map(speaker),
            max_turn_chars=max_turn_chars,
            skip_bad=skip_bad,
            on_progress=on_progress,
        )
    _say_imported(imported, as_json)


@app.command()
def export(
    folder: Folder,
    out: Annotated[Path, typer.Option("--out", help="The file to write.")],
    format: Annotated[
        str, typer.Option("--format", help="duologue, parlai, openai or sharegpt.")
    ] = "duologue",
    bot: Annotated[str | None, typer.Option("--bot", help="Only this bot's dialogues.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only dialogues of this kind.")] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Write a study's dialogues to one file, exactly as they were said."""
    from duologue.dialogues import study_dialogues, write_dialogues

    check_free(out, overwrite=overwrite)
    chosen = _chosen(study_dialogues(folder), bot, _kind(kind))
    count = write_dialogues(chosen, out, format=format)
    facts = {"file": str(out), "format": format, "dialogues": count}
    typer.echo(json.dumps(facts, ensure_ascii=False) if as_json else f"{out}: {count:,} dialogues.")


@app.command()
def collect(
    folder: Annotated[Path, typer.Argument(help="The study that held the live chats.")],
    into: Annotated[
        Path | None, typer.Option("--into", help="The study that gets them; the same by default.")
    ] = None,
    with_all: Annotated[
        bool, typer.Option("--all", help="Also chats that were excluded, or that nobody judged.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Write the live chats of a study to its dialogues/, for other studies to compare or to rate again."""
    from duologue.reports import collect_chats
    from duologue.store import open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        collected = collect_chats(store, into or study.folder, with_all=with_all)
    if as_json:
        facts = {
            "files": {bot: str(path) for bot, path in collected.files.items()},
            "by_bot": dict(collected.by_bot),
            "excluded": collected.excluded,
            "unjudged": collected.unjudged,
            "removed": collected.removed,
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for bot, count in collected.by_bot.items():
        typer.echo(f"{bot}: {_dialogues(count)} in {collected.files[bot]}")
    if not collected.by_bot:
        typer.echo("There are no live chats to collect.")
    for count, why in ((collected.excluded, "excluded"), (collected.unjudged, "not judged")):
        if count:
            typer.echo(f"{_dialogues(count)} left out: {why} (--all takes them too)")
    if collected.removed:
        typer.echo(f"{_dialogues(collected.removed)} left out: taken out before with `dialogues remove`")


@app.command()
def show(
    source: Annotated[
        Path,
        typer.Argument(metavar="STUDY|FILE", help="A study's folder, or a log file.", show_default=False),
    ],
    ids: Annotated[list[str] | None, typer.Argument(help="Ids of dialogues; the first ones if none.")] = None,
    bot: Bot = None,
    kind: Kind = None,
    judged: JudgedSpeaker = None,
    speaker_index: SpeakerIndex = None,
    speaker: SpeakerMap = None,
    format: Format = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many to show when no id is given.")] = 1,
    as_json: AsJson = False,
) -> None:
    """Print dialogues, the judged speaker marked; as JSON lines with --json."""
    from duologue.dialogues import dump_dialogue, read_dialogues, study_dialogues
    from duologue.errors import NotFound

    if source.is_dir():
        found = _chosen(study_dialogues(source), bot, _kind(kind))
    else:
        found = read_dialogues(
            source,
            format=_format(format),
            bot=bot,
            kind=_kind(kind),
            judged=judged,
            speaker_index=speaker_index,
            speaker_map=_speaker_map(speaker),
        )
    wanted = set(ids or ())
    for dialogue in found if wanted else islice(found, limit):
        if wanted and dialogue.id not in wanted:
            continue
        if as_json:
            typer.echo(dump_dialogue(dialogue))
        else:
            _print_dialogue(dialogue)
        wanted.discard(dialogue.id)
        if ids and not wanted:
            return
    if wanted:
        raise NotFound("dialogue", min(wanted))


@app.command()
def check(
    sources: Annotated[
        list[Path],
        typer.Argument(metavar="STUDY|FILES…", help="A study's folder, or log files.", show_default=False),
    ],
    bot: Bot = None,
    kind: Kind = None,
    judged: JudgedSpeaker = None,
    speaker_index: SpeakerIndex = None,
    speaker: SpeakerMap = None,
    format: Format = None,
    max_turn_chars: MaxTurnChars = None,
    training: Annotated[
        list[Path] | None,
        typer.Option(
            "--training", help="A bot's training data, to look its pairs of turns up in; may be repeated."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Report counts, lengths, repetition, duplicates, names that break the blinding, and every bad record.

    With --training also memorisation: pairs of call and response that are training examples word for word.
    The exit code is 1 when a record is bad.
    """
    from duologue.cli.dialogues.metrics import DialogueMetrics
    from duologue.dialogues import (
        MAX_TURN_CHARS,
        check_dialogues,
        read_dialogues,
        removed_dialogues,
        study_dialogues,
        turn_limit,
    )

    study = _only_study(sources)
    limit = max_turn_chars or (turn_limit(study) if study is not None else MAX_TURN_CHARS)
    bad: list[FormatError] = []
    metrics = DialogueMetrics(training or ())

    def found() -> Iterator[Dialogue]:
        if study is not None:
            yield from _chosen(study_dialogues(study), bot, _kind(kind))
            return
        for file in sources:
            yield from read_dialogues(
                file,
                format=_format(format),
                bot=bot,
                kind=_kind(kind),
                judged=judged,
                speaker_index=speaker_index,
                speaker_map=_speaker_map(speaker),
                max_turn_chars=limit,
                on_bad=bad.append,
            )

    report = check_dialogues(metrics.watching(found()), max_turn_chars=limit)
    failed = failed_self_chats(study)
    removed = Counter(one.reason for one in removed_dialogues(study)) if study is not None else Counter[str]()
    if as_json:
        facts = asdict(report) | metrics.facts() | {"failed_self_chats": failed, "removed": removed}
        typer.echo(json.dumps(facts | {"bad": [str(error) for error in bad]}, ensure_ascii=False))
    else:
        _say_report(report, study)
        metrics.say()
        for reason, count in sorted(removed.items()):
            typer.echo(f"{_dialogues(count)} taken out: {reason}")
        if failed:
            typer.echo(f"warning: {failed:,} self-chats failed; self-chats/failures.jsonl says why")
        _say_left_out(bad, "is bad", "are bad")
    if bad:
        raise typer.Exit(1)


def _only_study(sources: Sequence[Path]) -> Path | None:
    """The study among what was given; None when it is log files."""
    if any(source.is_dir() for source in sources) and len(sources) > 1:
        raise typer.BadParameter("give either one study or log files", param_hint="STUDY|FILES…")
    return sources[0] if sources[0].is_dir() else None


def _chosen(dialogues: Iterator[Dialogue], bot: str | None, kind: str | None) -> Iterator[Dialogue]:
    return (one for one in dialogues if bot in (None, one.bot) and kind in (None, one.kind))


def _kind(name: str | None) -> Any:
    from duologue.dialogues import DIALOGUE_KINDS

    if name is not None and name not in DIALOGUE_KINDS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(DIALOGUE_KINDS)}", param_hint="--kind")
    return name


def _format(name: str | None) -> str | None:
    from duologue.dialogues import FORMATS

    if name is not None and name not in FORMATS:
        raise typer.BadParameter(f"{name!r} is none of {', '.join(FORMATS)}", param_hint="--format")
    return name


def _speaker_map(pairs: list[str] | None) -> dict[str, str]:
    mapping = {}
    for text in pairs or ():
        old, sign, new = text.partition("=")
        if not (old and sign and new):
            raise typer.BadParameter(f"{text!r} should be OLD=NEW", param_hint="--speaker")
        mapping[old] = new
    return mapping


@contextmanager
def _progress_bar(title: str) -> Iterator[OnProgress | None]:
    """Show a bar on a terminal, nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    from duologue.cli.terminal.console import VisibleConsole

    columns = (TextColumn(title), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=VisibleConsole(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda read, total: progress.update(task, completed=read, total=total)


def _say_imported(imported: ImportResult, as_json: bool) -> None:
    if as_json:
        facts = {
            "added": imported.added,
            "already_there": imported.already_there,
            "onboarding": imported.onboarding,
            "removed": imported.removed,
            "left_out": [
                {"file": str(error.path), "line": error.line, "field": error.field, "message": str(error)}
                for error in imported.left_out
            ],
            "by_bot": dict(imported.by_bot),
            "repeated": [
                {"bot": bot, "as": other, "dialogues": count}
                for (bot, other), count in imported.repeated.items()
            ],
        }
        typer.echo(json.dumps(facts, ensure_ascii=False))
        return
    for bot, count in sorted(imported.by_bot.items()):
        typer.echo(f"{bot}: {_dialogues(count)} added")
    for (bot, other), count in imported.repeated.items():
        typer.echo(
            f"{count:,} of the {_dialogues(imported.by_bot[bot])} of {bot} are word for word the same as "
            f"dialogues of {other}. "
            "Is it one bot under two names? Then move the file of one of them out of the study's folder "
            "dialogues.",
            err=True,
        )
    if not imported.added:
        typer.echo("Nothing was added.")
    if imported.already_there:
        typer.echo(f"{_dialogues(imported.already_there)} there already")
    if imported.removed:
        typer.echo(
            f"{_dialogues(imported.removed)} left out: taken out of the study before "
            "(`duologue dialogues restore` brings them back)"
        )
    if imported.onboarding:
        typer.echo(
            f"{_dialogues(imported.onboarding)} of onboarding lines passed over: "
            "bring them in with `duologue pairings import`"
        )
    _say_left_out(imported.left_out, "was left out", "were left out")


def _say_left_out(errors: Sequence[FormatError], one: str, many: str) -> None:
    for error, more in _folded(errors):
        typer.echo(f"{error}{more}", err=True)
    if errors:
        typer.echo(f"{len(errors):,} {'record ' + one if len(errors) == 1 else 'records ' + many}.", err=True)


_SHOWN_OF_ONE_FAULT = 3


def _folded(errors: Sequence[FormatError]) -> Iterator[tuple[FormatError, str]]:
    """The first errors of every kind, the last of them with how many more of its kind there are."""
    kinds: dict[tuple[object, ...], list[FormatError]] = {}
    for error in errors:
        field = re.sub(r"\d+", "0", error.field or "")
        kinds.setdefault((error.path, field, error.expected), []).append(error)
    for alike in kinds.values():
        shown = alike[:_SHOWN_OF_ONE_FAULT]
        more = len(alike) - len(shown)
        yield from ((error, "") for error in shown[:-1])
        yield shown[-1], f" And {more:,} more records with this fault." if more else ""


def _dialogues(count: int) -> str:
    return f"{count:,} dialogue{'' if count == 1 else 's'}"


def _say_report(report: DialoguesReport, study: Path | None) -> None:
    typer.echo(_dialogues(report.dialogues))
    for bot, kinds in report.by_bot.items():
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(kinds.items()))
        typer.echo(f"  {bot}: {counts}; judged turns a dialogue: {_spread(report.judged_turns[bot])}")
    if report.turn_chars is not None:
        typer.echo(f"characters a turn: {_spread(report.turn_chars)}")
    for count, what in ((report.empty_turns, "empty"), (report.failed_turns, "failed")):
        if count:
            typer.echo(f"warning: {count:,} {what} turn{'' if count == 1 else 's'}")
    if report.long_turns:
        plural = "" if report.long_turns == 1 else "s"
        typer.echo(
            f"warning: {report.long_turns:,} turn{plural} of more than {report.max_turn_chars:,} characters "
            "(max_turn_chars in [study])"
        )
    for bot, count in report.cut_turns.items():
        turns = f"{count:,} turn{'' if count == 1 else 's'}"
        where = f"in {report.cut_dialogues[bot]:,} of {report.cut_of[bot]:,} dialogues"
        typer.echo(f"warning: {bot}: {turns} {where} cut at the bot's limit of tokens (max_tokens)")
    for group in report.duplicates:
        typer.echo(f"warning: {group.bot}: the same dialogue {len(group.ids)} times: {_some(group.ids)}")
    if report.masked:
        typer.echo(f"names are hidden in {_dialogues(report.masked)}")
    for leak in report.name_leaks:
        typer.echo(f"warning: {leak.advise(study or 'STUDY')}")
    for found in (*report.debris, *report.alike):
        typer.echo(f"warning: {found}")


def _spread(spread: Distribution) -> str:
    return (
        f"{spread.least:,} to {spread.most:,}, median {spread.median:,}, "
        f"half from {spread.quarter:,} to {spread.three_quarters:,}"
    )


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:5]) + (f" and {len(ids) - 5} more" if len(ids) > 5 else "")


def _print_dialogue(dialogue: Dialogue) -> None:
    """Print a dialogue for a person; the terminal's own control characters are shown, not obeyed."""
    from rich.text import Text

    from duologue.cli.terminal.console import VisibleConsole

    console = VisibleConsole(highlight=False)
    head = f"{dialogue.id}  ({dialogue.bot}, {dialogue.kind}, judged: {dialogue.judged})"
    console.print(Text(visible(head), style="bold"), soft_wrap=True)
    for context in dialogue.context:
        console.print(Text(visible(context), style="dim"), soft_wrap=True)
    for turn in dialogue.turns:
        is_judged = turn.speaker == dialogue.judged
        name = Text(
            f"{'▶' if is_judged else ' '} {visible(turn.speaker)}: ", style="cyan" if is_judged else ""
        )
        image = " [image]" if turn.image is not None else ""
        console.print(name + Text(visible(turn.text) + image), soft_wrap=True)
    console.print()
