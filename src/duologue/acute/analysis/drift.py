"""Whether judgments have drifted: earlier pairings asked again, of annotators who had not seen them.

The win rate when asked again is compared with that of the judgments which count. What is asked again counts
in no verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.matchups import MatchupTally, tally_matchups
from duologue.acute.analysis.parts import VotePart, is_named
from duologue.acute.analysis.results import DriftCheck, DriftedMatchup
from duologue.errors import NotEnoughJudgments
from duologue.judgments import Votes
from duologue.protocols import say_count, say_list, say_p, say_percent
from duologue.screening import ASKED_AGAIN
from duologue.stats import Interval, clustered_difference, holm, rate_difference

Clusters = NDArray[np.int64]
"""To which cluster of one kind each judgment belongs."""

FEWEST = 2
"""Judgments asked again of a matchup below which nothing is tested."""


def drift_of(
    parts: Sequence[VotePart], *, alpha: float, dates: Mapping[int, str]
) -> tuple[tuple[DriftCheck, ...], ...]:
    """The drift checks of every section, one for each addendum that asked pairings again.

    A matchup has drifted when its win rate differs: the larger p-value of Fisher's exact test and of a
    difference clustered by annotator and dialogue (CR3). Holm over all matchups that an addendum asks again,
    in all sections.

    Args:
        parts: The judgments of each section.
        alpha: The error rate that the matchups of one addendum share.
        dates: When each addendum was made, where that is known.
    """
    numbers = sorted({number for part in parts for number in _addenda(part.votes)})
    found: list[list[DriftCheck]] = [[] for _ in parts]
    for number in numbers:
        tested = [tuple(_compared(part, number, level=1 - alpha)) for part in parts]
        p_values = [one.p_value for own in tested for one in own if one.p_value is not None]
        adjusted = iter(holm(p_values).tolist() if p_values else [])
        for own, matchups in zip(found, tested, strict=True):
            decided = tuple(
                one if one.p_value is None else _decided(one, next(adjusted), alpha) for one in matchups
            )
            if decided:
                own.append(_check(number, dates.get(number, ""), decided))
    return tuple(map(tuple, found))


def _addenda(votes: Votes) -> Iterator[int]:
    for rule in votes.excluded.names:
        number = rule.removeprefix(ASKED_AGAIN)
        if rule != number and number.isdecimal():
            yield int(number)


def _compared(part: VotePart, number: int, *, level: float) -> Iterator[DriftedMatchup]:
    again = part.votes.select(
        is_named(part.votes.excluded, f"{ASKED_AGAIN}{number}") & ~part.votes.is_onboarding
    )
    before = {tally.pair: tally for tally in tally_matchups(part.counted)}
    for tally in tally_matchups(again):
        if tally.pair in before:
            yield _matchup(part.counted, before[tally.pair], again, tally, level=level)


@dataclass(frozen=True, slots=True)
class _MatchupNumbers:
    """The judgments of a matchup as numbers: from 0, the second bot, to 1, the first."""

    y: NDArray[np.float64]
    clusters: tuple[Clusters, ...]
    """Annotators, dialogues of the first bot, dialogues of the second."""
    won: int
    decided: int
    """Judgments with a winner."""


def _answers(votes: Votes, tally: MatchupTally) -> _MatchupNumbers:
    """Ties count one half where answers are graded, and are left out otherwise."""
    rows = np.concatenate([tally.rows, tally.tied]) if votes.is_graded else tally.rows
    on_first = np.concatenate([tally.first_won, tally.first_on_1]) if votes.is_graded else tally.first_won
    y = 0.5 + np.where(on_first, 0.5, -0.5) * votes.lead[rows]
    winner, loser = votes.winner_dialogue[rows], votes.loser_dialogue[rows]
    clusters = (
        votes.annotator.codes[rows],
        np.where(on_first, winner, loser),
        np.where(on_first, loser, winner),
    )
    return _MatchupNumbers(
        y,
        tuple(np.asarray(codes, dtype=np.int64) for codes in clusters),
        tally.wins_first,
        tally.wins_first + tally.wins_second,
    )


def _matchup(
    votes: Votes, tally: MatchupTally, again: Votes, tally_again: MatchupTally, *, level: float
) -> DriftedMatchup:
    then = _answers(votes, tally)
    now = _answers(replace(again, on_a_scale=votes.is_graded), tally_again)
    found = DriftedMatchup(
        first=tally.first,
        second=tally.second,
        then=float(then.y.mean()) if len(then.y) else None,
        then_n=len(then.y),
        again=float(now.y.mean()) if len(now.y) else None,
        again_n=len(now.y),
        difference=None,
        interval=None,
        p_value=None,
        p_adjusted=None,
        has_drifted=False,
    )
    if min(len(then.y), len(now.y)) < FEWEST or _is_by_one(now) or not then.decided * now.decided:
        return found
    alone = rate_difference(now.won, now.decided, then.won, then.decided, level=level, method="fisher")
    low, high, p_value = alone.interval.low, alone.interval.high, alone.p_value
    try:
        clustered = clustered_difference(now.y, then.y, *_kinds(now, then), level=level)
    except NotEnoughJudgments:
        pass  # all answers are alike in each group: Fisher's test alone can say something
    else:
        low, high = min(low, clustered.interval.low), max(high, clustered.interval.high)
        p_value = max(p_value, clustered.p_value)
    return replace(
        found,
        difference=float(now.y.mean() - then.y.mean()),
        interval=Interval(max(-1.0, low), min(1.0, high), level, "Newcombe's and a clustered one, together"),
        p_value=p_value,
    )


def _is_by_one(answers: _MatchupNumbers) -> bool:
    """Whether all judgments are by one annotator, who may differ from the others for any reason."""
    annotators = answers.clusters[0]
    return bool((annotators == annotators[0]).all() and annotators[0] >= 0)


def _kinds(
    now: _MatchupNumbers, then: _MatchupNumbers
) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """The kinds of clusters that repeat, for both groups; each judgment its own where none does."""
    kinds = []
    for one, other in zip(now.clusters, then.clusters, strict=True):
        codes = np.concatenate([one, other])
        blank = codes < 0
        codes = np.where(blank, codes.max(initial=0) + 1 + np.arange(len(codes)), codes)
        own = np.split(codes, [len(one)])
        if len(np.unique(codes)) < len(codes) and all((part != part[0]).any() for part in own):
            kinds.append(own)
    if not kinds:
        kinds = [np.split(np.arange(len(now.y) + len(then.y)), [len(now.y)])]
    return [kind[0] for kind in kinds], [kind[1] for kind in kinds]


def _decided(one: DriftedMatchup, adjusted: float, alpha: float) -> DriftedMatchup:
    return replace(one, p_adjusted=adjusted, has_drifted=adjusted <= alpha)


def _check(number: int, at: str, matchups: tuple[DriftedMatchup, ...]) -> DriftCheck:
    tested = [one for one in matchups if one.p_adjusted is not None]
    drifted = [one for one in tested if one.has_drifted]
    asked = sum(one.again_n for one in matchups)
    since = f" (addendum {number}, {at[:10]})" if at else f" (addendum {number})"
    were = (
        f"{say_count(asked, 'judgment')} of {say_count(len(matchups), 'earlier matchup')} "
        f"{'was' if asked == 1 else 'were'} asked again{since}, and {'counts' if asked == 1 else 'count'} in "
        "no verdict"
    )
    if not tested:
        return DriftCheck(number, at, matchups, f"{were}: too few so far to test for drift.", False)
    if not drifted:
        smallest = min(one.p_adjusted for one in tested if one.p_adjusted is not None)
        return DriftCheck(
            number,
            at,
            matchups,
            f"{were}: no drift was detected (smallest Holm-adjusted {say_p(smallest)}). That is no proof of "
            f"none: the intervals reach changes of {_most(tested)} points.",
            False,
        )
    said = say_list(_said(one) for one in drifted)
    return DriftCheck(
        number,
        at,
        matchups,
        f"{were}: judgments have drifted in {len(drifted):,} of {say_count(len(tested), 'matchup')}: {said}.",
        True,
    )


def _said(one: DriftedMatchup) -> str:
    assert one.again is not None  # noqa: S101  it was tested
    assert one.then is not None  # noqa: S101  so were these
    assert one.p_adjusted is not None  # noqa: S101
    return (
        f"{one.first} against {one.second} ({one.first} won {say_percent(one.then)} before and "
        f"{say_percent(one.again)} when asked again, Holm-adjusted {say_p(one.p_adjusted)})"
    )


def _most(tested: Sequence[DriftedMatchup]) -> str:
    limits = [abs(limit) for one in tested if one.interval for limit in (one.interval.low, one.interval.high)]
    return f"{100 * max(limits):.0f}"


def drift_warning(checks: Sequence[DriftCheck]) -> Iterator[str]:
    """What stands above the verdicts where judgments have drifted."""
    if any(check.has_drifted for check in checks):
        yield (
            "Judgments have drifted since earlier matchups were judged (see the drift check): verdicts from "
            "before and after compare different annotators or standards, and an order over all bots mixes "
            "them."
        )
