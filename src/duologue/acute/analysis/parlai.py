"""Results in the tables that ParlAI's ACUTE-Eval analysis writes, for people who have scripts for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from duologue.acute.analysis.matchups import Pair, tally_matchups
from duologue.acute.analysis.results import MatchupResult, Section
from duologue.judgments import Row, Votes

_LEVELS = ((0.001, "***", "p<.001"), (0.01, "**", "p<.01"), (0.05, "*", "p<.05"))


def significance_rows(section: Section, agreement: Mapping[Pair, float]) -> Iterator[Row]:
    """``significance.csv``: one row a matchup, in ParlAI's columns and ours.

    ``raw_p``, ``raw_sigf`` and ``raw_stars`` are what ParlAI calls ``p``, ``sigf`` and ``stars``: the exact
    binomial test of every matchup by itself, as if all judgments were independent. Our verdict follows with
    what it rests on. Ties and A/A matchups are left out.
    """
    for matchup in section.matchups:
        if matchup.win_rate is None or matchup.p_exact is None:
            continue
        stars, level = _stars(matchup.p_exact)
        interval = matchup.interval
        yield {
            "question": section.question,
            "matchup": matchup.name,
            "model1": matchup.first,
            "numwins1": matchup.wins_first,
            "winrate1": matchup.win_rate,
            "model2": matchup.second,
            "numwins2": matchup.wins_second,
            "winrate2": 1 - matchup.win_rate,
            "numratings": matchup.n,
            "raw_sigf": level,
            "raw_stars": stars,
            "raw_p": matchup.p_exact,
            "agree": agreement.get((matchup.first, matchup.second)),
            "p": matchup.p_value,
            "decided_by": matchup.decided_by,
            "p_adjusted": matchup.p_adjusted,
            "low1": interval.low if interval else None,
            "high1": interval.high if interval else None,
            "level": interval.level if interval else None,
            "better": matchup.verdict.better,
            "verdict": matchup.verdict.sentence,
        }


def _stars(p_value: float) -> tuple[str, str]:
    return next(((stars, level) for below, stars, level in _LEVELS if p_value < below), ("", "p>.05"))


def pairing_agreement(votes: Votes) -> dict[Pair, float]:
    """ParlAI's agreement of each matchup: the mean share of the majority over pairings judged twice or more.

    By its convention a pairing judged twice with one judgment each counts as no agreement at all.
    """
    found: dict[Pair, float] = {}
    for tally in tally_matchups(votes):
        pairings = votes.pairing[tally.rows]
        codes, items = np.unique(pairings[pairings >= 0], return_inverse=True)
        first = np.bincount(items, weights=tally.first_won[pairings >= 0], minlength=len(codes))
        total = np.bincount(items, minlength=len(codes))
        several = total > 1
        if several.any():
            share = np.maximum(first, total - first)[several] / total[several]
            share[(total[several] == 2) & (share == 0.5)] = 0.0
            found[tally.pair] = float(share.mean())
    return found


def grid_rows(section: Section, *, winners_as_rows: bool = False) -> Iterator[Row]:
    """``grid.csv``: losers down, winners across, the share of judgments the winner won; weakest bot first."""
    rates = _win_rates(section.matchups)
    bots = sorted(section.bots, key=lambda bot: (_mean_win_rate(rates, bot), bot))
    corner = "winner" if winners_as_rows else "loser"
    for down in bots:
        pairs = ((down, across) if winners_as_rows else (across, down) for across in bots)
        yield {corner: down, **{bot: rates.get(pair) for bot, pair in zip(bots, pairs, strict=True)}}


def _win_rates(matchups: Iterable[MatchupResult]) -> dict[Pair, float]:
    rates: dict[Pair, float] = {}
    for matchup in matchups:
        if matchup.win_rate is not None:
            rates[matchup.first, matchup.second] = matchup.win_rate
            rates[matchup.second, matchup.first] = 1 - matchup.win_rate
    return rates


def _mean_win_rate(rates: Mapping[Pair, float], bot: str) -> float:
    own = [rate for (winner, _), rate in rates.items() if winner == bot]
    return sum(own) / len(own) if own else 0.0


def ratings_per_worker_rows(votes: Votes) -> Iterator[Row]:
    """``ratings_per_worker.csv``: how many judgments that count each annotator gave, most first."""
    codes = votes.annotator.codes[votes.counts & (votes.annotator.codes >= 0)]
    counts = np.bincount(codes, minlength=len(votes.annotator.names))
    for code in np.argsort(-counts, kind="stable").tolist():
        if counts[code]:
            yield {"worker": votes.annotator.names[code], "count": int(counts[code])}


def full_rows(rows: Iterable[Row]) -> Iterator[Row]:
    """``full.csv``: every judgment that counts, under ParlAI's column names and with more columns after them.

    On a tie nobody wins: ``winner`` and ``loser`` are empty there.

    Args:
        rows: Judgments as `AcuteProtocol.as_row` or a table of judgments has them.
    """
    for row in rows:
        if row.get("excluded") or str(row.get("is_onboarding", "")).lower() in ("true", "1"):
            continue
        is_tie = row.get("outcome") == "tie"
        names = sorted((str(row["winner"]), str(row["loser"])))
        yield {
            "worker": row.get("annotator"),
            "time_taken": row.get("seconds"),
            "question": row.get("question"),
            "correct": -1,
            "winner": None if is_tie else row["winner"],
            "loser": None if is_tie else row["loser"],
            "eval_choice_0": names[0],
            "eval_choice_1": names[1],
            "reason": row.get("reason"),
            "is_onboarding": "False",
            "matchup": "__vs__".join(names),
            "pairing_id": row.get("pairing"),
            "winner_dialogue": None if is_tie else row.get("winner_dialogue"),
            "loser_dialogue": None if is_tie else row.get("loser_dialogue"),
            "outcome": row.get("outcome") or "win",
            "winner_side": None if is_tie else row.get("winner_side"),
            "seconds": row.get("seconds"),
            "arm": row.get("arm"),
            "revision": row.get("revision"),
            "at": row.get("at"),
        }
