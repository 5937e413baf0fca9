"""How good the judgments are: position effect, agreement, time, and who gave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, ndtr, ndtri

from duologue import stats  # agreement is loaded where several annotators judged the same
from duologue.acute.analysis.results import (
    BotAgreement,
    PairingAgreement,
    PositionResult,
)
from duologue.errors import NotEnoughJudgments
from duologue.judgments import Votes
from duologue.protocols import (
    AnnotatorCount,
    Moment,
    TimeSpent,
    say_count,
    say_list,
    say_p,
    say_percent,
    say_span,
    time_spent_on,
)
from duologue.stats import (
    Interval,
    OrderEffect,
    clustered_rate,
    sign_test,
    wilson_interval,
)

if TYPE_CHECKING:
    from duologue.stats import AnnotatorAgreement

PROGRESS_POINTS = 200
"""A curve of progress needs no more points than these."""


def position_effect(
    votes: Votes, *, alpha: float, is_even: bool = True, effect: OrderEffect | None = None
) -> PositionResult | None:
    """How often side 1 won, over all matchups, with its test; None when sides are not known.

    Where sides are not balanced, how often side 1 won may be due to the bots on it: then it is how often it
    would win between equal bots, from within the matchups; None where no matchup tells. Pairs of rankings are
    left out: these have positions of their own.

    Args:
        votes: The judgments that count.
        alpha: Of the test, and the interval.
        is_even: Whether sides are balanced within the matchups.
        effect: The effect of the side, where they are not.
    """
    is_shown = (votes.winner_side > 0) & ~votes.is_tie
    rows = np.flatnonzero(is_shown if votes.ranked is None else is_shown & ~votes.ranked.is_ranked)
    if len(rows) == 0:
        return None
    on_1 = votes.winner_side[rows] == 1
    n, wins, level = len(rows), int(on_1.sum()), 1 - alpha
    if not is_even:
        return None if effect is None else _within_matchups(effect, n, wins, level)
    test = sign_test(wins, n - wins)
    interval = wilson_interval(wins, n, level=level)
    clustered = None
    annotators = votes.annotator.codes[rows]
    if annotators.min() >= 0 and (annotators != annotators[0]).any():
        clustered = clustered_rate(on_1.astype(np.float64), [annotators], level=level)
    seen = "Side 1 won more often than side 2" if wins * 2 > n else "Side 1 won less often than side 2"
    claim = seen if test.p_value <= alpha else "No effect of the side was detected"
    return PositionResult(
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


def _within_matchups(effect: OrderEffect, n: int, wins: int, level: float) -> PositionResult:
    """The effect of the side where a bot was more often on one than on the other."""
    reach = float(ndtri((1 + level) / 2)) * effect.standard_error
    share, low, high = (float(expit(effect.estimate + moved)) for moved in (0.0, -reach, reach))
    p_value = float(2 * ndtr(-abs(effect.estimate) / effect.standard_error))
    seen = "more" if share > 0.5 else "less"
    claim = (
        f"Side 1 wins {seen} often than side 2"
        if p_value <= 1 - level
        else "No effect of the side was detected"
    )
    return PositionResult(
        n=n,
        side_1=wins,
        share=share,
        interval=Interval(low, high, level, "within matchups"),
        p_value=p_value,
        clustered_interval=None,
        clustered_p=None,
        sentence=(
            f"{claim}: compared within matchups, side 1 would win {say_percent(share)} {say_span(low, high)} "
            f"between equal bots, {say_p(p_value)}."
        ),
    )


def agreement_of(votes: Votes) -> PairingAgreement | None:
    """Agreement on pairings that several annotators judged; None when there are none.

    An answer is which of the two bots won (by the order of their names; the dialogue, for a bot against
    itself), or a tie. Of an annotator who judged a pairing again the first answer counts.
    """
    pairings = votes.pairing_clusters
    known = _first_answers(pairings, votes.annotator.own_codes)
    if not len(known):
        return None
    rank = np.argsort(np.argsort(np.array(votes.bots, dtype=object)))
    winner, loser = rank[votes.winner], rank[votes.loser]
    same = winner == loser
    first_won = np.where(same, votes.winner_dialogue < votes.loser_dialogue, winner < loser)
    answers = np.where(votes.is_tie, 2, np.where(first_won, 0, 1))[known]
    items = pairings[known]
    try:
        rate, alpha = (
            stats.agreement_rate(answers, items=items),
            stats.krippendorff_alpha(answers, items=items),
        )
    except NotEnoughJudgments:
        return None
    annotators = votes.annotator.codes[known]
    strangers = _strangers(annotators, items, answers, rate.value)
    two = "Two judgments" if (annotators < 0).any() else "Two annotators"
    sentence = (
        f"{two} of the same pairing agreed {say_percent(rate.value)} of the time "
        f"(Krippendorff's alpha {alpha.value:.2f}; {say_count(rate.items, 'pairing')} with several "
        "judgments)."
    )
    if strangers:
        named = say_list(
            f"{votes.annotator.names[one.annotator]} ({say_percent(one.rate or 0.0)} of {one.judgments:,})"
            for one in strangers[:STRANGERS_NAMED]
        )
        more = len(strangers) - STRANGERS_NAMED
        sentence += (
            f" {len(strangers):,} annotator{'s agree' if len(strangers) > 1 else ' agrees'} with the others "
            f"no more often than chance: {named}{f', and {more:,} more' if more > 0 else ''}."
        )
    return PairingAgreement(
        pairings=rate.items,
        judgments=rate.judgments,
        rate=rate.value,
        alpha=alpha.value,
        sentence=sentence,
        bots=_agreement_on_bots(votes, known, items, answers),
        strangers=tuple(votes.annotator.names[one.annotator] for one in strangers),
    )


def _first_answers(pairings: NDArray[np.int32], annotators: NDArray[np.int32]) -> NDArray[np.intp]:
    """The rows of pairings that are known, the first of each annotator on each."""
    rows = np.flatnonzero(pairings >= 0)
    key = pairings[rows].astype(np.int64) * (int(annotators.max(initial=0)) + 1) + annotators[rows]
    first: NDArray[np.intp] = rows[np.sort(np.unique(key, return_index=True)[1])]
    return first


STRANGERS_NAMED = 3
"""So many of them are named in a sentence; the results have all."""

HARDLY_ANY = 0.1
"""Krippendorff's alpha below which a crowd may be unreliable."""

FEWEST_PAIRINGS = 20
"""Pairings with several judgments, before a low alpha says anything."""


def say_unreliable(found: PairingAgreement | None) -> str:
    """A warning where annotators hardly agree beyond chance; empty where they do, or too little is known."""
    if found is None or found.pairings < FEWEST_PAIRINGS or found.alpha >= HARDLY_ANY:
        return ""
    return (
        f"Annotators hardly agree beyond chance (Krippendorff's alpha {found.alpha:.2f} over "
        f"{found.pairings:,} pairings): the bots are hard to tell apart by this question, or the annotators "
        "are unreliable."
    )


def _strangers(
    annotators: NDArray[np.int32], items: NDArray[np.int32], answers: NDArray[np.integer], crowd: float
) -> tuple[AnnotatorAgreement, ...]:
    """Annotators whose answers nobody shares, the strangest first."""
    who = annotators >= 0
    dealt = np.bincount(answers) / max(1, len(answers))
    return stats.agree_with_nobody(
        stats.agreement_with_others(annotators[who], items[who], answers[who]),
        crowd=crowd,
        chance=float((dealt * dealt).sum()),
    )


def _agreement_on_bots(
    votes: Votes, rows: NDArray[np.intp], items: NDArray[np.int32], answers: NDArray[np.integer]
) -> tuple[BotAgreement, ...]:
    """How often two annotators agree on pairings of each bot, the least agreed on first."""
    size, bots = int(items.max()) + 1, len(votes.bots)
    counts = np.bincount(items.astype(np.intp) * 3 + answers, minlength=3 * size).reshape(size, 3)
    judged = counts.sum(axis=1)
    several = np.flatnonzero(judged > 1)
    equal = (counts * (counts - 1)).sum(axis=1)[several]
    shares = equal / (judged * (judged - 1))[several]
    of_item = np.zeros((2, size), dtype=np.intp)
    of_item[0, items], of_item[1, items] = votes.winner[rows], votes.loser[rows]
    first, second = of_item[:, several]
    other = first != second
    total = np.bincount(first, weights=shares, minlength=bots)
    total += np.bincount(second[other], weights=shares[other], minlength=bots)
    count = np.bincount(first, minlength=bots) + np.bincount(second[other], minlength=bots)
    found = [
        BotAgreement(votes.bots[bot], float(total[bot] / count[bot]), int(count[bot]))
        for bot in np.flatnonzero(count).tolist()
    ]
    return tuple(sorted(found, key=lambda one: (one.rate, one.bot)))


def time_spent(votes: Votes) -> TimeSpent | None:
    """Median seconds of a judgment that counts, and the hours of all; None when no times are known."""
    own = votes.once_each
    return time_spent_on(own.seconds, own.counts)


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
