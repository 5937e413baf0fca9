"""What people gave each bot: from a study, or from a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote

from duologue.errors import AnalysisError
from duologue.protocols import BotScore
from duologue.reports.bot_numbers import read_metrics


def human_scores(source: Path) -> tuple[BotScore, ...]:
    """What people gave the bots of a study (a folder), or a table with a column ``bot`` says they did.

    Raises:
        InputError: The study or the table cannot be used; says why.
        AnalysisError: Nobody has judged in the study, or it gives no number to each bot by itself.
    """
    return tuple(_of_study(source) if source.is_dir() else _of_table(source))


def scores_of_studies(folders: Sequence[Path]) -> Iterator[BotScore]:
    """The same of several studies; each score then says which study it is from.

    Raises:
        InputError: A study cannot be used.
        AnalysisError: Nobody has judged in a study, or it gives no number to each bot by itself.
    """
    are_distinct = len({folder.name for folder in folders}) == len(folders)
    for folder in folders:
        name = folder.name if are_distinct else str(folder)
        for score in _of_study(folder):
            yield replace(score, part=f"{score.part} ({name})") if len(folders) > 1 else score


def _of_study(folder: Path) -> list[BotScore]:
    from duologue.reports.protocols import report_of
    from duologue.reports.study import analyse_study
    from duologue.store import fetch_progress, open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        results = analyse_study(study, store).results
        is_judged = any(one.done for one in store.run(fetch_progress()))
    found = list(report_of(results.protocol).bot_scores(results))
    if not is_judged:
        raise AnalysisError(f"{folder}: no judgment of it counts, so it has no column on a leaderboard.")
    if not found:
        raise AnalysisError(
            f"{folder}: the analysis gives no number to each bot by itself, so it has no column on a "
            f"leaderboard. `duologue analyse {quote(str(folder))}` says what it gives."
        )
    return found


def _of_table(path: Path) -> Iterator[BotScore]:
    for column, scores in read_metrics(path).items():
        for bot, value in scores.items():
            yield BotScore(column, bot, value, None, 0)
