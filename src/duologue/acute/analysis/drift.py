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
        asked = [tuple(_asked_again(part, number)) for part in parts]
        changes = [tuple(_change(one, level=1 - alpha) for one in own) for own in asked]
        p_values = [change.p_value for own in changes for change in own if change is not None]
        adjusted = iter(holm(p_values).tolist() if p_values else [])
        for checks, matchups, own in zip(found, asked, changes, strict=True):
            decided = tuple(
                one if change is None else _DecidedMatchup(one, change, next(adjusted), alpha)
                for one, change in zip(matchups, own, strict=True)
            )
            if decided:
                checks.append(_check(number, dates.get(number, ""), decided))
    return tuple(map(tuple, found))


def _addenda(votes: Votes) -> Iterator[int]:
    for rule in votes.excluded.names:
        number = rule.removeprefix(ASKED_AGAIN)
        if rule != number and number.isdecimal():
            yield int(number)


@dataclass(frozen=True, slots=True)
class _MatchupNumbers:
    """The judgments of a matchup as numbers: from 0, the second bot, to 1, the first."""

    y: NDArray[np.float64]
    clusters: tuple[Clusters, ...]
    """Annotators, dialogues of the first bot, dialogues of the second."""
    won: int
    decided: int
    """Judgments with a winner."""

    @property
    def rate(self) -> float | None:
        """How far the first bot was preferred; None without answers."""
        return float(self.y.mean()) if len(self.y) else None


@dataclass(frozen=True, slots=True)
class _AskedMatchup:
    """A matchup that was asked again: the judgments that count, and those of the second time."""

    first: str
    second: str
    then: _MatchupNumbers
    now: _MatchupNumbers

    @property
    def result(self) -> DriftedMatchup:
        """As the results have it where nothing can be tested."""
        return DriftedMatchup(
            first=self.first,
            second=self.second,
            then=self.then.rate,
            then_n=len(self.then.y),
            again=self.now.rate,
            again_n=len(self.now.y),
            difference=None,
            interval=None,
            p_value=None,
            p_adjusted=None,
            has_drifted=False,
        )


@dataclass(frozen=True, slots=True)
class _Change:
    """How far a win rate has changed, where enough was asked again to test it."""

    then: float
    again: float
    interval: Interval
    p_value: float


@dataclass(frozen=True, slots=True)
class _DecidedMatchup:
    """A matchup whose change was tested together with those of the others."""

    asked: _AskedMatchup
    change: _Change
    p_adjusted: float
    alpha: float

    @property
    def has_drifted(self) -> bool:
        return self.p_adjusted <= self.alpha

    @property
    def result(self) -> DriftedMatchup:
        """As the results have it."""
        return replace(
            self.asked.result,
            difference=self.change.again - self.change.then,
            interval=self.change.interval,
            p_value=self.change.p_value,
            p_adjusted=self.p_adjusted,
            has_drifted=self.has_drifted,
        )

    @property
    def sentence(self) -> str:
        first, second = self.asked.first, self.asked.second
        return (
            f"{first} against {second} ({first} won {say_percent(self.change.then)} before and "
            f"{say_percent(self.change.again)} when asked again, Holm-adjusted {say_p(self.p_adjusted)})"
        )


def _asked_again(part: VotePart, number: int) -> Iterator[_AskedMatchup]:
    again = part.votes.select(
        is_named(part.votes.excluded, f"{ASKED_AGAIN}{number}") & ~part.votes.is_onboarding
    )
    before = {tally.pair: tally for tally in tally_matchups(part.counted)}
    on_one_scale = replace(again, on_a_scale=part.counted.is_graded)
    for tally in tally_matchups(again):
        if tally.pair in before:
            then = _answers(part.counted, before[tally.pair])
            yield _AskedMatchup(tally.first, tally.second, then, _answers(on_one_scale, tally))


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


def _change(one: _AskedMatchup, *, level: float) -> _Change | None:
    """The change of a matchup, tested; None where too little was asked again."""
    then, now = one.then, one.now
    if min(len(then.y), len(now.y)) < FEWEST or _is_by_one(now) or not then.decided * now.decided:
        return None
    alone = rate_difference(now.won, now.decided, then.won, then.decided, level=level, method="fisher")
    low, high, p_value = alone.interval.low, alone.interval.high, alone.p_value
    try:
        clustered = clustered_difference(now.y, then.y, *_kinds(now, then), level=level)
    except NotEnoughJudgments:
        pass  # all answers are alike in each group: Fisher's test alone can say something
    else:
        low, high = min(low, clustered.interval.low), max(high, clustered.interval.high)
        p_value = max(p_value, clustered.p_value)
    interval = Interval(max(-1.0, low), min(1.0, high), level, "Newcombe's and a clustered one, together")
    return _Change(float(then.y.mean()), float(now.y.mean()), interval, p_value)


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


def _check(number: int, at: str, asked: Sequence[_AskedMatchup | _DecidedMatchup]) -> DriftCheck:
    matchups = tuple(one.result for one in asked)
    tested = [one for one in asked if isinstance(one, _DecidedMatchup)]
    drifted = [one for one in tested if one.has_drifted]
    said = f"{_say_asked(number, at, matchups)}: {_say_found(tested, drifted)}."
    return DriftCheck(number, at, matchups, said, bool(drifted))


def _say_asked(number: int, at: str, matchups: Sequence[DriftedMatchup]) -> str:
    asked = sum(one.again_n for one in matchups)
    since = f" (addendum {number}, {at[:10]})" if at else f" (addendum {number})"
    return (
        f"{say_count(asked, 'judgment')} of {say_count(len(matchups), 'earlier matchup')} "
        f"{'was' if asked == 1 else 'were'} asked again{since}, and {'counts' if asked == 1 else 'count'} in "
        "no verdict"
    )


def _say_found(tested: Sequence[_DecidedMatchup], drifted: Sequence[_DecidedMatchup]) -> str:
    if not tested:
        return "too few so far to test for drift"
    if not drifted:
        smallest = min(one.p_adjusted for one in tested)
        widest = max(abs(limit) for one in tested for limit in one.change.interval.limits)
        return (
            f"no drift was detected (smallest Holm-adjusted {say_p(smallest)}). This does not prove that "
            f"there is none: the intervals include changes of {100 * widest:.0f} points"
        )
    each = say_list(one.sentence for one in drifted)
    return f"judgments have drifted in {len(drifted):,} of {say_count(len(tested), 'matchup')}: {each}"


def drift_warning(checks: Sequence[DriftCheck]) -> Iterator[str]:
    """What stands above the verdicts where judgments have drifted."""
    if any(check.has_drifted for check in checks):
        yield (
            "Judgments have drifted since earlier matchups were judged (see the drift check): verdicts from "
            "before and after compare different annotators or standards, and an order over all bots mixes "
            "them."
        )
