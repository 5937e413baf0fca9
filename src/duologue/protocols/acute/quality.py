"""How good the judgments are: position effect, A/A matchups, agreement, time, and who gave them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.judgments import Votes
from duologue.protocols.acute.results import (
    AgreementFound,
    PositionEffect,
    SameBotResult,
)
from duologue.protocols.findings import AnnotatorCount, Moment, TimeSpent, time_spent_on
from duologue.protocols.saying import say_p, say_percent, say_span
from duologue.stats import agreement_rate, clustered_rate, krippendorff_alpha, sign_test, wilson_interval

PROGRESS_POINTS = 200
"""A curve of progress needs no more points than these."""


def position_effect(votes: Votes, *, alpha: float) -> PositionEffect | None:
    """How often side 1 won, over all matchups, with its test; None when sides are not known."""
    rows = np.flatnonzero((votes.winner_side > 0) & ~votes.is_tie)
    if len(rows) == 0:
        return None
    on_1 = votes.winner_side[rows] == 1
    n, wins, level = len(rows), int(on_1.sum()), 1 - alpha
    test = sign_test(wins, n - wins)
    interval = wilson_interval(wins, n, level=level)
    clustered = None
    annotators = votes.annotator.codes[rows]
    if annotators.min() >= 0 and (annotators != annotators[0]).any():
        clustered = clustered_rate(on_1.astype(np.float64), [annotators], level=level)
    seen = "Side 1 won more often than side 2" if wins * 2 > n else "Side 1 won less often than side 2"
    claim = seen if test.p_value <= alpha else "No effect of the side was detected"
    return PositionEffect(
        n=n,
        side_1=wins,
        share=wins / n,
        interval=interval,
        p_value=test.p_value,
        clustered_interval=clustered.interval if clustered else None,
        clustered_p=clustered.p_value if clustered else None,
        sentence=(
            f"{claim}: side 1 won {wins:,} of {n:,} judgments, {say_percent(wins / n)} "
            f"{say_span(interval.low, interval.high)}, {say_p(test.p_value)}."
        ),
    )


def same_bot_results(votes: Votes, *, level: float) -> tuple[SameBotResult, ...]:
    """Every bot that was compared with itself: the sides should come out even."""
    same = votes.winner == votes.loser
    return tuple(
        _same_bot(votes, votes.bots[code], np.flatnonzero(same & (votes.winner == code)), level=level)
        for code in sorted(np.unique(votes.winner[same]).tolist(), key=lambda code: votes.bots[code])
    )


def _same_bot(votes: Votes, bot: str, rows: NDArray[np.intp], *, level: float) -> SameBotResult:
    decided = rows[~votes.is_tie[rows]]
    n, ties = len(decided), len(rows) - len(decided)
    if n == 0 or (votes.winner_side[decided] == 0).any():
        why = "all judgments are ties" if n == 0 else "the sides are not known"
        return SameBotResult(bot, n, ties, None, None, None, f"{bot} against itself: {why}.")
    wins = int((votes.winner_side[decided] == 1).sum())
    test, interval = sign_test(wins, n - wins), wilson_interval(wins, n, level=level)
    is_even = test.p_value > 1 - level
    return SameBotResult(
        bot=bot,
        n=n,
        ties=ties,
        side_1=wins,
        interval=interval,
        p_value=test.p_value,
        sentence=(
            f"{bot} against itself: side 1 won {wins:,} of {n:,}, {say_percent(wins / n)} "
            f"{say_span(interval.low, interval.high)}, {say_p(test.p_value)}: "
            + ("no difference detected, as it should be." if is_even else "there should be no difference.")
        ),
    )


def agreement_of(votes: Votes) -> AgreementFound | None:
    """Agreement on pairings with several judgments; None when there are none.

    An answer is which of the two bots won (by the order of their names; the dialogue, for a bot against
    itself), or a tie.
    """
    known = votes.pairing.codes >= 0
    if not known.any():
        return None
    rank = np.argsort(np.argsort(np.array(votes.bots, dtype=object)))
    winner, loser = rank[votes.winner], rank[votes.loser]
    same = winner == loser
    first_won = np.where(same, votes.winner_dialogue < votes.loser_dialogue, winner < loser)
    answers = np.where(votes.is_tie, 2, np.where(first_won, 0, 1))[known]
    items = votes.pairing.codes[known]
    try:
        rate, alpha = agreement_rate(answers, items=items), krippendorff_alpha(answers, items=items)
    except NotEnoughJudgments:
        return None
    return AgreementFound(
        pairings=rate.items,
        judgments=rate.judgments,
        rate=rate.value,
        alpha=alpha.value,
        sentence=(
            f"Two annotators of the same pairing agreed {say_percent(rate.value)} of the time "
            f"(Krippendorff's alpha {alpha.value:.2f}; {rate.items:,} pairings with several judgments)."
        ),
    )


def time_spent(votes: Votes) -> TimeSpent | None:
    """Median seconds of a judgment that counts, and the hours of all; None when no times are known."""
    return time_spent_on(votes.seconds, votes.counts)


def busiest_annotators(votes: Votes, *, more_than: float) -> tuple[AnnotatorCount, ...]:
    """Annotators who gave more than this share of the judgments, the busiest first."""
    codes = votes.annotator.codes[votes.annotator.codes >= 0]
    counts = np.bincount(codes, minlength=1)
    busy = np.flatnonzero(counts > more_than * max(1, len(votes)))
    return tuple(
        AnnotatorCount(votes.annotator.names[code], int(counts[code]), float(counts[code] / len(votes)))
        for code in busy[np.argsort(-counts[busy], kind="stable")].tolist()
    )


def progress_over_time(votes: Votes) -> tuple[Moment, ...]:
    """How many judgments counted by when; empty when times are not known."""
    times = np.sort(votes.at[~np.isnat(votes.at)])
    if len(times) == 0:
        return ()
    steps = np.unique(np.linspace(1, len(times), min(PROGRESS_POINTS, len(times))).round().astype(np.int64))
    return tuple(Moment(f"{times[step - 1]}+00:00", int(step)) for step in steps.tolist())
