"""Everything that a leaderboard is made of, read from files and studies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.errors import AnalysisError, FormatError
from duologue.protocols import BotScore
from duologue.reports.comparing import read_metrics
from duologue.reports.leaderboard.entries import Entry, entries_of_table, entry_of_results
from duologue.reports.leaderboard.rules import DeclaredEntry, Rules, read_rules


@dataclass(frozen=True, slots=True)
class LeaderboardMaterial:
    """Entries, human scores, and the rules."""

    entries: tuple[Entry, ...]
    scores: tuple[BotScore, ...]
    rules: Rules


def read_material(
    files: Sequence[Path], *, studies: Sequence[Path] = (), human: Sequence[Path] = ()
) -> LeaderboardMaterial:
    """Read what a leaderboard is made of.

    Args:
        files: Results of ``metrics run`` (``.json``), rules with entries (``.toml``; at most one), and tables
            of entries.
        studies: Folders of studies: what people gave the bots.
        human: Tables of human scores: a column ``bot`` and one of numbers for each score.

    Raises:
        InputError: A file cannot be used; says which and why.
        AnalysisError: There are two files of rules.
    """
    entries: list[Entry] = []
    rules: Rules | None = None
    for path in files:
        if path.suffix == ".toml":
            if rules is not None:
                raise AnalysisError(f"{path}: the rules were given already. Give one file of rules.")
            declared = read_rules(path)
            rules = declared.leaderboard
            entries += [_declared(path, one) for one in declared.entries]
        elif path.suffix == ".json":
            entries.append(entry_of_results(path))
        else:
            entries += entries_of_table(path)
    scores = [score for folder in studies for score in _of_study(folder, several=len(studies) > 1)]
    for path in human:
        scores += _of_table(path)
    return LeaderboardMaterial(tuple(entries), tuple(scores), rules or Rules())


def _declared(path: Path, one: DeclaredEntry) -> Entry:
    file = path.parent / one.results
    if not file.is_file():
        raise FormatError(path, field=f"entries, {one.team}", expected=f"a file {one.results}", got="none")
    entry = entry_of_results(file, team=one.team)
    return replace(entry, submitted=one.submitted, sources=tuple(one.sources), ensemble=one.ensemble)


def _of_study(folder: Path, *, several: bool) -> Iterator[BotScore]:
    from duologue.reports.protocols import report_of
    from duologue.reports.study import analyse_study
    from duologue.store import open_study
    from duologue.studies import load_study

    study = load_study(folder)
    with open_study(study) as store:
        results = analyse_study(study, store).results
    found = list(report_of(results.protocol).bot_scores(results))
    if not found:
        raise AnalysisError(
            f"{folder}: the analysis gives no number to each bot by itself, so it has no column on a "
            f"leaderboard. `duologue analyse {folder}` says what it gives."
        )
    for score in found:
        yield replace(score, part=f"{score.part} ({folder.name})") if several else score


def _of_table(path: Path) -> Iterator[BotScore]:
    for column, scores in read_metrics(path).items():
        for bot, value in scores.items():
            yield BotScore(column, bot, value, None, 0)
