"""Results as files that other programs read: results.json, and CSV tables in our and in ParlAI's columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from duologue.judgments import Row, write_table
from duologue.protocols.acute import (
    AcuteResults,
    MatchupResult,
    Section,
    full_rows,
    grid_rows,
    pairing_agreement,
    ratings_per_worker_rows,
    significance_rows,
)
from duologue.reports.names import file_endings
from duologue.reports.study import Analysed

RESULTS_FILE = "results.json"
TABLES_FOLDER = "tables"


def write_results(analysed: Analysed, rows: Iterable[Row], folder: Path) -> tuple[Path, ...]:
    """Write results.json and, in ``tables``, the CSV files that ParlAI's ACUTE-Eval analysis writes.

    Args:
        analysed: The results with their votes.
        rows: The judgments, for ``full.csv``.
        folder: Where to; made when it is not there.

    Returns:
        The files written.
    """
    tables = folder / TABLES_FOLDER
    tables.mkdir(parents=True, exist_ok=True)
    results = folder / RESULTS_FILE
    results.write_text(analysed.results.to_json(), encoding="utf-8")
    votes = analysed.votes.select(analysed.votes.counts)
    agreement = pairing_agreement(votes)
    written = [results]

    def write(name: str, content: Iterable[Row]) -> None:
        write_table(content, tables / name)
        written.append(tables / name)

    for section, ending in zip(
        analysed.results.sections, file_endings(analysed.results.sections), strict=True
    ):
        write(f"significance{ending}.csv", significance_rows(section, agreement))
        write(f"grid{ending}.csv", grid_rows(section))
        write(f"grid.winners_as_rows{ending}.csv", grid_rows(section, winners_as_rows=True))
    write("ratings_per_worker.csv", ratings_per_worker_rows(analysed.votes))
    write("full.csv", full_rows(rows))
    return tuple(written)


def matchup_rows(results: AcuteResults) -> Iterator[Row]:
    """``matchups.csv``: every matchup of every section with all its numbers and its verdict."""
    for section in results.sections:
        for matchup in section.matchups:
            yield _matchup_row(section, matchup)


def _matchup_row(section: Section, matchup: MatchupResult) -> Row:
    clustered = matchup.clustered
    return {
        "arm": section.arm,
        "question": section.question,
        "revision": section.revision,
        "annotators": section.annotators,
        "first": matchup.first,
        "second": matchup.second,
        "n": matchup.n,
        "wins_first": matchup.wins_first,
        "wins_second": matchup.wins_second,
        "ties": matchup.ties,
        "win_rate_first": matchup.win_rate,
        "wilson_low": matchup.interval.low if matchup.interval else None,
        "wilson_high": matchup.interval.high if matchup.interval else None,
        "p": matchup.p_value,
        "p_holm": matchup.p_adjusted,
        "clustered_low": clustered.interval.low if clustered else None,
        "clustered_high": clustered.interval.high if clustered else None,
        "clustered_p": clustered.p_value if clustered else None,
        "clustered_p_holm": clustered.p_adjusted if clustered else None,
        "verdict": matchup.verdict.sentence,
    }
