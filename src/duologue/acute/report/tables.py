"""Comparisons as CSV tables: in our columns, and in those of ParlAI's ACUTE-Eval analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duologue.acute import (
    AcuteResults,
    MatchupResult,
    QuestionRanking,
    Section,
    SeparatingQuestion,
    full_rows,
    grid_rows,
    pairing_agreement,
    ratings_per_worker_rows,
    significance_rows,
)
from duologue.reports import file_endings

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from duologue.judgments import Row, Votes


def parlai_tables(
    results: AcuteResults, votes: Votes, rows: Iterable[Row]
) -> Iterator[tuple[str, Iterable[Row]]]:
    """Our tables of matchups and bots, and the CSV files that ParlAI's ACUTE-Eval analysis writes, by name.

    Args:
        results: What was found.
        votes: The judgments it was found in.
        rows: The same judgments, for ``full.csv``.
    """
    yield "matchups.csv", matchup_rows(results)
    if results.questions is not None:
        yield "questions.csv", question_rows(results.questions)
    if any(section.pooled for section in results.sections):
        yield "leaderboard.csv", leaderboard_rows(results)
    if any(section.graded for section in results.sections):
        yield "graded.csv", graded_rows(results)
    if any(section.drift for section in results.sections):
        yield "drift.csv", drift_rows(results)
    agreement = pairing_agreement(votes.select(votes.counts))
    for section, ending in zip(results.sections, file_endings(results.sections), strict=True):
        yield f"significance{ending}.csv", significance_rows(section, agreement)
        yield f"grid{ending}.csv", grid_rows(section)
        yield f"grid.winners_as_rows{ending}.csv", grid_rows(section, winners_as_rows=True)
    yield "ratings_per_worker.csv", ratings_per_worker_rows(votes)
    yield "full.csv", full_rows(rows)


def matchup_rows(results: AcuteResults) -> Iterator[Row]:
    """``matchups.csv``: every matchup of every section with all its numbers and its verdict.

    Where strengths were pooled, the verdict that does not decide follows; then sequential decisions.
    """
    every = [one for section in results.sections for one in section.matchups]
    is_sequential, is_grown = any(one.sequential for one in every), any(one.addendum for one in every)
    blank = dict.fromkeys(_OTHER_COLUMNS) if any(one.other for one in every) else {}
    for section in results.sections:
        for matchup in section.matchups:
            row = _matchup_row(section, matchup) | blank | _other_cells(matchup)
            row |= {"addendum": matchup.addendum} if is_grown else {}
            yield row | _sequential_cells(matchup) if is_sequential else row


_OTHER_COLUMNS = (
    *("other", "other_rate_first", "other_low", "other_high", "other_p", "other_p_adjusted"),
    *("better_direct", "better_pooled"),
)


def leaderboard_rows(results: AcuteResults) -> Iterator[Row]:
    """``leaderboard.csv``: every bot with the ranks it may have, its strength, and its record."""
    for section in results.sections:
        for place, one in enumerate(section.pooled.leaderboard if section.pooled else (), start=1):
            yield {
                "arm": section.arm,
                "question": section.question,
                "revision": section.revision,
                "annotators": section.annotators,
                "place": place,
                "bot": one.bot,
                "best_rank": one.best_rank,
                "worst_rank": one.worst_rank,
                "strength": one.strength,
                "low": one.low,
                "high": one.high,
                "level": section.pooled.level if section.pooled else None,
                "wins": one.wins,
                "losses": one.losses,
                "ties": one.ties,
                "n": one.n,
            }


def question_rows(found: QuestionRanking) -> Iterator[Row]:
    """``questions.csv``: every question with how far it separates the bots, the best first."""
    for one in found.questions:
        yield {
            "arm": one.arm,
            "question": one.question,
            "revision": one.revision,
            "annotators": one.annotators,
            "matchups": found.matchups,
            "n": one.n,
            **separation_cells(one),
        }


def separation_cells(one: SeparatingQuestion | None) -> Row:
    """How far a question separates the bots, in cells that two tables share; empty where not known."""
    return {
        "noncentrality": one and one.noncentrality,
        "separation": one and one.separation,
        "separation_low": one and one.interval.low,
        "separation_high": one and one.interval.high,
        "times_as_many": one and one.times,
        "times_low": one and one.times_low,
        "times_high": one and one.times_high,
    }


def drift_rows(results: AcuteResults) -> Iterator[Row]:
    """``drift.csv``: every matchup that was asked again, before and again."""
    for section in results.sections:
        for check in section.drift:
            for one in check.matchups:
                yield {
                    "arm": section.arm,
                    "question": section.question,
                    "revision": section.revision,
                    "annotators": section.annotators,
                    "addendum": check.addendum,
                    "at": check.at,
                    "first": one.first,
                    "second": one.second,
                    "rate_first": one.then,
                    "n": one.then_n,
                    "rate_first_again": one.again,
                    "n_again": one.again_n,
                    "difference": one.difference,
                    "low": one.interval.low if one.interval else None,
                    "high": one.interval.high if one.interval else None,
                    "p": one.p_value,
                    "p_adjusted": one.p_adjusted,
                    "has_drifted": one.has_drifted,
                }


def graded_rows(results: AcuteResults) -> Iterator[Row]:
    """``graded.csv``: how often each answer was given, and every matchup read as a forced choice."""
    for section in results.sections:
        for one in section.graded.matchups if section.graded else ():
            yield {
                "arm": section.arm,
                "question": section.question,
                "revision": section.revision,
                "annotators": section.annotators,
                "first": one.first,
                "second": one.second,
                "clearly_first": one.clearly_first,
                "slightly_first": one.slightly_first,
                "ties": one.ties,
                "slightly_second": one.slightly_second,
                "clearly_second": one.clearly_second,
                "preference_first": one.preference,
                "p_graded": one.p_graded,
                "better": one.better,
                "win_rate_first": one.win_rate,
                "low": one.interval.low if one.interval else None,
                "high": one.interval.high if one.interval else None,
                "p_forced": one.p_adjusted,
                "better_forced": one.better_forced,
            }


def _other_cells(matchup: MatchupResult) -> dict[str, object]:
    """Direct and pooled verdicts side by side; the one that decides stands in the other columns too."""
    other = matchup.other
    if other is None:
        return {}
    deciding = "pooled" if other.kind == "direct" else "direct"
    return {
        "other": other.kind,
        "other_rate_first": other.rate,
        "other_low": other.interval.low if other.interval else None,
        "other_high": other.interval.high if other.interval else None,
        "other_p": other.p_value,
        "other_p_adjusted": other.p_adjusted,
        f"better_{deciding}": matchup.verdict.better,
        f"better_{other.kind}": other.better,
    }


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
        "decided_by": matchup.decided_by,
        "rate_first": matchup.estimate,
        "p": matchup.p_value,
        "p_adjusted": matchup.p_adjusted,
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
