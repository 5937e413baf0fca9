"""``duologue metrics logs``: what bots, and the people talking to them, say in dialogues."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from duologue.engine import ENGINES
from duologue.grammar import AsJson, Overwrite, check_free

if TYPE_CHECKING:
    from duologue.metrics import BotLogs, LogFigure, LogFile, LogResults, MakeMeaning
    from duologue.reports import RatedLogs

TABLES = (
    ("Length", ("words", "characters")),
    ("Rare words (%)", ("freq1h", "freq1k")),
    ("Own repeats (%)", ("unigram-own", "bigram-own", "trigram-own", "unique")),
    ("Partner's words repeated (%)", ("unigram-partner", "bigram-partner", "trigram-partner")),
    ("Questions (%)", ("question-word", "question-mark", "asked-again")),
    ("Persona (%)", ("persona-copied",)),
    ("Meaning (%)", ("paraphrased", "self-contradicting")),
)
"""In the form of Tables 6 to 8 and Figure 5 of the ConvAI2 paper."""
HEURISTICS = ("asked-again", "paraphrased", "self-contradicting")


def logs(
    sources: Annotated[
        list[Path], typer.Argument(metavar="STUDY|FILE…", help="A study, or files of dialogues.")
    ],
    reference: Annotated[
        list[Path] | None,
        typer.Option("--reference", help="Dialogues in which rare words are rare. May be repeated."),
    ] = None,
    bot: Annotated[str | None, typer.Option("--bot", help="The bot, where files do not say.")] = None,
    speaker_index: Annotated[
        int | None, typer.Option("--speaker-index", min=0, help="Who is the bot, by number from 0.")
    ] = None,
    human: Annotated[
        list[Path] | None,
        typer.Option(
            "--human",
            help="What people gave the bots: a study, or a table with a column bot. May be repeated.",
        ),
    ] = None,
    embeddings: Annotated[
        str | None,
        typer.Option("--embeddings", help="For paraphrases: a file of word vectors, or module:name."),
    ] = None,
    alike: Annotated[
        float, typer.Option("--alike", min=0, max=1, help="From which cosine on it is a paraphrase.")
    ] = 0.9,
    entailment: Annotated[
        str | None,
        typer.Option("--entailment", help="For contradictions: a folder of weights, or module:name."),
    ] = None,
    contradicts: Annotated[
        float,
        typer.Option("--contradicts", min=0, max=1, help="From which probability on it is a contradiction."),
    ] = 0.5,
    level: Annotated[float, typer.Option("--level", min=0.5, max=0.999, help="Confidence.")] = 0.95,
    engine: Annotated[
        str | None, typer.Option("--engine", help="Spread the work: over processes or ray.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="With --engine: at a time.")] = 2,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write the table here (a row for each bot).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="A folder for JSON, CSV, LaTeX and the figure.")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Count what each bot, and the people talking to it, say: lengths, rare words, repeats, questions.

    One pass; intervals are clustered by dialogue. --engine spreads files, also a large one, with identical
    results.
    """
    from duologue.judgments import write_table
    from duologue.reports import RatedLogs, human_scores, open_meaning, write_logs

    check_free(csv, overwrite=overwrite)
    if engine is not None and engine not in ENGINES:
        raise typer.BadParameter(f"{engine!r} is none of {', '.join(ENGINES)}", param_hint="--engine")
    scores = tuple(score for source in human or () for score in human_scores(source))
    meaning = partial(
        open_meaning, embeddings, entailment, alike=alike, contradicts=contradicts, folder=Path.cwd()
    )
    counting = LogCounting(tuple(sources), bot, speaker_index, tuple(reference or ()), level)
    results = counting.results(meaning if embeddings or entailment else None, engine, workers)
    rated = RatedLogs(results, scores)
    if csv is not None:
        write_table(results.rows(), csv)
    written = write_logs(rated, out) if out is not None else ()
    typer.echo(json.dumps(results.record(), ensure_ascii=False) if as_json else describe_logs(rated))
    for path in () if as_json else written:
        typer.echo(f"wrote {path}")


@dataclass(frozen=True, slots=True)
class LogCounting:
    """Which logs are counted, and what about them is said."""

    sources: tuple[Path, ...]
    bot: str | None
    speaker_index: int | None
    reference: tuple[Path, ...]
    level: float

    def results(self, meaning: MakeMeaning | None, engine: str | None, workers: int) -> LogResults:
        """Count them, in this process or spread over workers."""
        from duologue.engine import open_executor
        from duologue.metrics import common_words, log_statistics, log_statistics_of_files

        files = self._files()
        common = common_words(self.reference) if self.reference else None
        with _turn_counter() as on_turns:
            if engine is not None:
                executor = open_executor(
                    engine,  # type: ignore[arg-type]  # checked above
                    workers=workers,
                    say=lambda said: typer.echo(said, err=True),
                )
                return log_statistics_of_files(
                    files, executor, common=common, make_meaning=meaning, level=self.level, on_turns=on_turns
                )
            found = (one for file in files for one in file.dialogues())
            models = meaning() if meaning else None
            return log_statistics(found, common=common, meaning=models, level=self.level, on_turns=on_turns)

    def _files(self) -> list[LogFile]:
        from duologue.dialogues import study_files
        from duologue.errors import AnalysisError
        from duologue.metrics import LogFile

        folder = self.sources[0]
        if not any(source.is_dir() for source in self.sources):
            return [LogFile(path, self.bot, self.speaker_index) for path in self.sources]
        if len(self.sources) > 1 or self.bot is not None or self.speaker_index is not None:
            raise typer.BadParameter(
                "give either one study, which says itself whose dialogues they are, or log files",
                param_hint="STUDY|FILE…",
            )
        files = [LogFile(path) for path in study_files(folder)]
        if not files:
            raise AnalysisError(
                f"{folder}: the study has no dialogues. "
                f"`duologue dialogues collect {quote(str(folder))}` writes the chats that were held to its "
                "folder dialogues/."
            )
        return files


@contextmanager
def _turn_counter() -> Iterator[Callable[[int], None] | None]:
    """Show how many turns were counted, and how fast, on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn

    from duologue.cli.terminal.console import VisibleConsole

    columns = (SpinnerColumn(), TextColumn("{task.completed:,.0f} turns {task.fields[rate]}"))
    with Progress(*columns, console=VisibleConsole(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None, rate="")

        def show(turns: int) -> None:
            speed = progress.tasks[task].speed
            progress.update(task, completed=turns, rate=f"{speed:,.0f}/s" if speed else "")

        yield show


def describe_logs(rated: RatedLogs) -> str:
    """The results for a person: a table for each matter, a line for each bot and side."""
    results = rated.results
    dialogues = sum(bot.dialogues for bot in results.bots)
    lines = [
        f"{dialogues:,} dialogues, {results.turns:,} turns; intervals by dialogue "
        f"({100 * results.level:.0f} %)"
    ]
    if results.reference:
        lines.append(f"Rare in: {results.reference}")
    width = max((len(bot.bot) for bot in results.bots), default=0)
    for part in rated.parts:
        scores = ((bot.bot, rated.score(bot.bot, part)) for bot in rated.bots)
        lines += ["", f"{part}, by people"]
        lines += [f"  {bot:<{width}}  {score.value:.2f}" for bot, score in scores if score is not None]
    for title, names in TABLES:
        rows = [line for bot in rated.bots for line in _log_rows(bot, names, width)]
        if rows:
            head = "".join(f"{name + ' *' * (name in HEURISTICS):<24}" for name in names)
            lines += ["", title, f"  {'':<{width}}         {head}".rstrip(), *rows]
    lines += ["", "* a heuristic; asked-again: the same words asked again after the partner spoke"]
    return "\n".join([*lines, *(f"note: {text}" for text in results.warnings)])


def _log_rows(bot: BotLogs, names: Sequence[str], width: int) -> list[str]:
    from duologue.metrics import SIDES

    lines = []
    for side in SIDES:
        figures = [bot.figure(name, side) for name in names]
        if any(figures):
            cells = "".join(f"{_cell(one):<24}" for one in figures)
            lines.append(f"  {bot.bot:<{width}}  {side:<5}  {cells}".rstrip())
    return lines


def _cell(figure: LogFigure | None) -> str:
    if figure is None:
        return "–"
    limits = "" if figure.low is None else f" [{figure.low:.2f}, {figure.high:.2f}]"
    return f"{figure.value:.2f}{limits}"
