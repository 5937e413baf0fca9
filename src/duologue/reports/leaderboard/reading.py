"""Everything that a leaderboard is made of, read from files and studies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duologue.errors import AnalysisError, FormatError
from duologue.protocols import BotScore
from duologue.reports.bot_numbers import left_out
from duologue.reports.leaderboard.entries import DECLARED, Entry, entries_of_table, entry_of_results
from duologue.reports.leaderboard.rules import DeclaredEntry, Rules, read_rules
from duologue.reports.scores import human_scores, scores_of_studies


@dataclass(frozen=True, slots=True)
class LeaderboardMaterial:
    """Entries, human scores, the rules, and what was left out."""

    entries: tuple[Entry, ...]
    scores: tuple[BotScore, ...]
    rules: Rules
    notes: tuple[str, ...] = ()


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
    notes: list[str] = []
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
            notes += left_out(path, known=DECLARED)
    scores = [*scores_of_studies(studies), *(score for path in human for score in human_scores(path))]
    notes += [said for path in human if not path.is_dir() for said in left_out(path)]
    return LeaderboardMaterial(tuple(entries), tuple(scores), rules or Rules(), tuple(notes))


def _declared(path: Path, one: DeclaredEntry) -> Entry:
    file = path.parent / one.results
    if not file.is_file():
        raise FormatError(path, field=f"entries, {one.team}", expected=f"a file {one.results}", got="none")
    entry = entry_of_results(file, team=one.team)
    return replace(entry, submitted=one.submitted, sources=tuple(one.sources), ensemble=one.ensemble)
