"""On which side each bot was shown, and what to do where a bot was always on the same one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from duologue.errors import Disconnected, NotConverged, NotEnoughJudgments
from duologue.judgments import Votes
from duologue.protocols.acute.matchups import Tally, Weighed
from duologue.protocols.acute.results import MatchupResult, Sides
from duologue.protocols.saying import say_list, say_percent
from duologue.stats import ExactRate, LogOdds, bradley_terry_with_position

MATCHUPS_NAMED = 5
"""How many matchups with unbalanced sides a sentence names."""

CHANCE = 0.05
"""Sides are called unbalanced when an even split would do this less often than so."""


def sides_of(votes: Votes, tally: Tally) -> Sides | None:
    """On which side the first bot of a matchup was shown; None where no side is known."""
    shown = votes.winner_side[tally.rows]
    known = shown > 0
    count = int(known.sum())
    if count == 0:
        return None
    on_1 = int(((shown == 1) == tally.first_won)[known].sum())
    return Sides(
        known=count,
        first_on_1=on_1,
        is_balanced=ExactRate(on_1, count - on_1).p_value >= CHANCE,
        is_confounded=1 < count == len(tally.rows) and on_1 in (0, count),
    )


def model_with_order(
    votes: Votes, weighed: Sequence[Weighed], sides: Sequence[Sides | None]
) -> tuple[LogOdds | None, ...]:
    """Evidence on matchups in which a bot was always on the same side, from a model with a term for the side.

    Bradley–Terry strengths with an order term over all matchups. It needs another matchup in which both
    orders occur: that tells the term apart from the bots. Standard errors are multiplied by the square root
    of the matchup's design effect, where judgments are clustered.

    Returns:
        For each matchup the difference of strengths, or None where the matchup does not need it or the order
        term cannot be told.
    """
    nothing = (None,) * len(weighed)
    if not any(found is not None and found.is_confounded for found in sides):
        return nothing
    if not any(found is not None and 0 < found.first_on_1 < found.known for found in sides):
        return nothing
    names = sorted({bot for one in weighed if len(one.tally.rows) for bot in one.tally.pair})
    place = {bot: number for number, bot in enumerate(names)}
    as_first, as_second = np.zeros((len(names), len(names))), np.zeros((len(names), len(names)))
    for one in weighed:
        i, j = (place.get(bot, -1) for bot in one.tally.pair)
        shown, won = votes.winner_side[one.tally.rows], one.tally.first_won
        for side, counts in ((1, as_first), (2, as_second)):
            counts[i, j] += int((won & (shown == side)).sum())
            counts[j, i] += int((~won & (shown == side)).sum())
    try:
        fit = bradley_terry_with_position(as_first, as_second, names)
    except (Disconnected, NotConverged, NotEnoughJudgments):
        return nothing
    return tuple(
        _contrast(one, fit.strengths, fit.covariance, place)
        if found is not None and found.is_confounded
        else None
        for one, found in zip(weighed, sides, strict=True)
    )


def _contrast(
    weighed: Weighed,
    strengths: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    covariance: np.ndarray[tuple[int, ...], np.dtype[np.float64]],
    place: dict[str, int],
) -> LogOdds:
    i, j = (place[bot] for bot in weighed.tally.pair)
    variance = covariance[i, i] + covariance[j, j] - 2 * covariance[i, j]
    clustered = weighed.clustered
    inflation = len(weighed.tally.rows) / clustered.effective_n if clustered is not None else 1.0
    return LogOdds(float(strengths[i] - strengths[j]), float(np.sqrt(variance * max(1.0, inflation))))


def say_sides(matchups: Iterable[MatchupResult]) -> str:
    """Whether the sides were balanced within each matchup, after looking.

    Returns:
        A sentence; empty where no side is known.
    """
    judged = [matchup for matchup in matchups if matchup.n]
    known = [(matchup, matchup.sides) for matchup in judged if matchup.sides is not None]
    if not known:
        return ""
    lopsided = [(matchup, sides) for matchup, sides in known if not sides.is_balanced or sides.is_confounded]
    if lopsided:
        named = say_list(
            f"{matchup.first} was on side 1 in {say_percent(sides.first_on_1 / sides.known)} of its "
            f"judgments against {matchup.second}"
            for matchup, sides in lopsided[:MATCHUPS_NAMED]
        )
        more = len(lopsided) - MATCHUPS_NAMED
        rest = f"; and {more:,} more" if more > 0 else ""
        return (
            f"Sides are not balanced in {len(lopsided):,} of {len(known):,} matchups, so that an effect of "
            f"the side can favour a bot there: {named}{rest}."
        )
    unknown = sum(matchup.n - sides.known for matchup, sides in known)
    unknown += sum(matchup.n for matchup in judged if matchup.sides is None)
    if unknown:
        return f"The sides are not known for {unknown:,} judgments; in the others they are balanced."
    return "The sides are balanced within each matchup, so that an effect of the side favours no bot."
