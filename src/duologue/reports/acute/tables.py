"""Comparisons as CSV tables: in our columns, and in those of ParlAI's ACUTE-Eval analysis."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from duologue.judgments import Row, Votes
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


def parlai_tables(
    results: AcuteResults, votes: Votes, rows: Iterable[Row]
) -> Iterator[tuple[str, Iterable[Row]]]:
    """The CSV files that ParlAI's ACUTE-Eval analysis writes, by name.

    Args:
        results: What was found.
        votes: The judgments it was found in.
        rows: The same judgments, for ``full.csv``.
    """
    agreement = pairing_agreement(votes.select(votes.counts))
    for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
        yield f"significance{ending}.csv", significance_rows(section, agreement)
        yield f"grid{ending}.csv", grid_rows(section)
        yield f"grid.winners_as_rows{ending}.csv", grid_rows(section, winners_as_rows=True)
    yield "ratings_per_worker.csv", ratings_per_worker_rows(votes)
    yield "full.csv", full_rows(rows)


def matchup_rows(results: AcuteResults) -> Iterator[Row]:
    """``matchups.csv``: every matchup of every section with all its numbers and its verdict.

    Where there are sequential decisions, their columns follow.
    """
    is_sequential = any(one.sequential for section in results.sections for one in section.matchups)
    for section in results.sections:
        for matchup in section.matchups:
            row = _matchup_row(section, matchup)
            yield row | _sequential_cells(matchup) if is_sequential else row


def _sequential_cells(matchup: MatchupResult) -> dict[str, object]:
    """What stands beside a matchup where sequential stopping was declared or asked for."""
    found = matchup.sequential
    return {
        "sequential_decision": found.decision if found else None,
        "sequential_better": found.better if found else None,
        "sequential_n": found.n if found else None,
        "sequential_decided_at": found.decided_at if found else None,
        "e_value": found.e_value if found else None,
        "e_value_needed": found.needed if found else None,
        "anytime_low": found.interval.low if found else None,
        "anytime_high": found.interval.high if found else None,
    }


def _matchup_row(section: Section, matchup: MatchupResult) -> dict[str, object]:
    clustered, alone = matchup.clustered, matchup.interval_unadjusted
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
        "win_rate_first_of_all": matchup.win_rate_of_all,
        "preference_first": matchup.preference,
        "p": matchup.p_value,
        "decided_by": matchup.decided_by,
        "p_holm": matchup.p_adjusted,
        "family": matchup.family,
        "low": matchup.interval.low if matchup.interval else None,
        "high": matchup.interval.high if matchup.interval else None,
        "level": matchup.interval.level if matchup.interval else None,
        "unadjusted_low": alone.low if alone else None,
        "unadjusted_high": alone.high if alone else None,
        "unadjusted_level": alone.level if alone else None,
        "exact_p": matchup.p_exact,
        "clustered_low": clustered.interval.low if clustered else None,
        "clustered_high": clustered.interval.high if clustered else None,
        "clustered_p": clustered.p_value if clustered else None,
        "first_on_side_1": matchup.sides.first_on_1 if matchup.sides else None,
        "sides_known": matchup.sides.known if matchup.sides else None,
        "better": matchup.verdict.better,
        "equivalence_p_holm": matchup.verdict.equivalence_p,
        "verdict": matchup.verdict.sentence,
    }
