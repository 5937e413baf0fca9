"""On which side each bot was shown, and what to do where a bot was always on the same one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from duologue.acute.analysis.matchups import MatchupEvidence, MatchupTally
from duologue.acute.analysis.results import MatchupResult, Sides
from duologue.judgments import Votes
from duologue.protocols import say_list, say_percent
from duologue.stats import ExactRate, OrderAdjustedTest, clustered_rate, order_effect

MATCHUPS_NAMED = 5
"""How many matchups with unbalanced sides a sentence names."""

CHANCE = 0.05
"""Sides are called unbalanced when an even split would do this less often than so."""


def sides_of(votes: Votes, tally: MatchupTally) -> Sides | None:
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
        is_confounded=always_on_one_side(votes, tally, judgments=len(tally.rows)),
    )


def always_on_one_side(votes: Votes, tally: MatchupTally, *, judgments: int) -> bool:
    """Whether a bot was on the same side in all judgments with a winner, which are more than one.

    Args:
        votes: The judgments.
        tally: Those of the matchup.
        judgments: How many there are with a winner, where a row stands for several.
    """
    shown = votes.winner_side[tally.rows]
    on_1 = (shown == 1) == tally.first_won
    return judgments > 1 and bool((shown > 0).all() and (on_1 == on_1[0]).all())


def without_order(
    votes: Votes, weighed: Sequence[MatchupEvidence], sides: Sequence[Sides | None]
) -> tuple[tuple[OrderAdjustedTest, ...], ...]:
    """Evidence on matchups in which a bot was always on the same side, freed of the effect of the side.

    The effect is told by the matchups in which both orders occur, whatever their bots are worth. Its
    standard error allows for annotators who prefer a side: it is multiplied by the square root of the design
    effect of how often side 1 won.

    Returns:
        For each matchup its own tests without the effect; none where the matchup does not need it, where its
        answers are graded, or where no matchup tells the effect.
    """
    nothing = ((),) * len(weighed)
    if not any(found is not None and found.is_confounded for found in sides):
        return nothing
    effect = order_effect([_by_order(votes, one.tally) for one in weighed])
    if effect is None:
        return nothing
    design_effect = _design_effect(votes)
    return tuple(
        tuple(
            OrderAdjustedTest.of(test, effect, is_first=found.first_on_1 > 0, design_effect=design_effect)
            for test in one.evidence
        )
        if found is not None and found.is_confounded and one.preference is None
        else ()
        for one, found in zip(weighed, sides, strict=True)
    )


def _by_order(votes: Votes, tally: MatchupTally) -> list[list[int]]:
    """Wins and losses of the first bot on side 1, and on side 2."""
    shown, won = votes.winner_side[tally.rows], tally.first_won
    on_1 = (shown == 1) == won
    known = shown > 0
    return [[int((won & side & known).sum()), int((~won & side & known).sum())] for side in (on_1, ~on_1)]


def _design_effect(votes: Votes) -> float:
    """How many times fewer judgments would say as much of the side, were they independent."""
    rows = np.flatnonzero((votes.winner_side > 0) & ~votes.is_tie)
    annotators = votes.annotator.codes[rows]
    if annotators.min() < 0 or (annotators == annotators[0]).all():
        return 1.0
    found = clustered_rate((votes.winner_side[rows] == 1).astype(np.float64), [annotators])
    return len(rows) / found.effective_n


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
