"""On which side each bot was shown, and what to do where sides are not balanced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy import special

from duologue.acute.analysis.matchups import MatchupEvidence, MatchupTally
from duologue.acute.analysis.results import MatchupResult, Section, Sides
from duologue.acute.analysis.verdicts import ALWAYS, MANY_MATCHUPS
from duologue.judgments import Votes
from duologue.protocols import say_list, say_percent
from duologue.stats import (
    Evidence,
    ExactRate,
    OpposedTests,
    OrderAdjustedTest,
    OrderEffect,
    clustered_rate,
    order_effect,
)

MATCHUPS_NAMED = 5
"""How many matchups with unbalanced sides a sentence names."""

CHANCE = 0.05
"""Sides are called unbalanced when an even split would do this less often than so."""


def sides_of(votes: Votes, tally: MatchupTally) -> Sides | None:
    """On which side the first bot of a matchup was shown, ties included; None where no side is known."""
    on_1 = _first_on_1(votes, tally)
    count = len(on_1)
    if count == 0:
        return None
    often = int(on_1.sum())
    return Sides(
        known=count,
        first_on_1=often,
        is_balanced=ExactRate(often, count - often).p_value >= CHANCE,
        is_confounded=always_on_one_side(votes, tally, judgments=len(tally.rows)),
    )


def _first_on_1(votes: Votes, tally: MatchupTally) -> NDArray[np.bool_]:
    """Of the judgments and ties whose sides are known, whether the first bot was on side 1."""
    shown = votes.winner_side[np.concatenate([tally.rows, tally.tied])]
    is_on_1 = (shown == 1) == np.concatenate([tally.first_won, tally.first_on_1])
    return np.asarray(is_on_1[shown > 0], dtype=np.bool_)


def always_on_one_side(votes: Votes, tally: MatchupTally, *, judgments: int) -> bool:
    """Whether a bot was on the same side in all judgments, of which more than one has a winner.

    Where some sides are not known it takes six that are, so that it can be no chance.

    Args:
        votes: The judgments.
        tally: Those of the matchup.
        judgments: How many there are with a winner, where a row stands for several.
    """
    on_1 = _first_on_1(votes, tally)
    are_enough = len(on_1) >= min(FEWEST_TO_TELL, len(tally.rows) + len(tally.tied))
    return judgments > 1 and are_enough and len(on_1) > 0 and bool((on_1 == on_1[0]).all())


def sides_of_matchups(votes: Votes, tallies: Sequence[MatchupTally]) -> tuple[Sides | None, ...]:
    """On which side the first bot of each matchup was shown.

    Sides that are not quite even in each matchup are unbalanced also where only all of them together show
    that: the squared z-values of an even split, added up, are then too large for a chi-square.
    """
    found = tuple(sides_of(votes, tally) for tally in tallies)
    known = [sides for sides in found if sides is not None]
    squares = sum((2 * sides.first_on_1 - sides.known) ** 2 / sides.known for sides in known)
    if not known or float(special.chdtrc(len(known), squares)) >= CHANCE:
        return found
    return tuple(
        replace(sides, is_balanced=sides.is_balanced and 2 * sides.first_on_1 == sides.known)
        if sides is not None
        else None
        for sides in found
    )


def side_effect(
    votes: Votes, tallies: Sequence[MatchupTally], sides: Sequence[Sides | None]
) -> OrderEffect | None:
    """What being on side 1 adds to the log-odds of a bot, where sides are not balanced.

    The effect is told by the matchups in which both orders occur, whatever their bots are worth. Its standard
    error allows for annotators who prefer a side: it is multiplied by the square root of the design effect of
    how often side 1 won.

    Returns:
        None where sides are balanced, or no matchup tells the effect.
    """
    if not any(found is not None and found.is_uneven for found in sides):
        return None
    effect = order_effect([_by_order(votes, tally) for tally in tallies])
    if effect is None:
        return None
    return replace(effect, standard_error=effect.standard_error * _design_effect(votes) ** 0.5)


def without_order(
    votes: Votes,
    weighed: Sequence[MatchupEvidence],
    sides: Sequence[Sides | None],
    effect: OrderEffect | None,
) -> tuple[tuple[Evidence, ...], ...]:
    """Evidence on matchups whose sides are not balanced, freed of the effect of the side.

    Where no matchup tells the effect, a bot that was shown on both sides must be better on each of them.

    Returns:
        For each matchup its own tests without the effect; none where the matchup does not need it, or where
        bot and side cannot be separated.
    """
    return tuple(
        _freed(votes, one, effect, can_be_told=not found.is_confounded)
        if found is not None and found.is_uneven
        else ()
        for one, found in zip(weighed, sides, strict=True)
    )


def _freed(
    votes: Votes, weighed: MatchupEvidence, effect: OrderEffect | None, *, can_be_told: bool
) -> tuple[Evidence, ...]:
    if not weighed.evidence:
        return ()
    on_1, on_2 = _by_order(votes, weighed.tally)
    if effect is not None:
        judged = len(weighed.tally.rows) + (weighed.preference is not None) * weighed.tally.ties
        lean = (sum(on_1) - sum(on_2)) / judged
        return tuple(OrderAdjustedTest.of(test, effect, lean=lean) for test in weighed.evidence)
    if not can_be_told or weighed.preference is not None:
        return ()
    each = tuple(ExactRate(int(won), int(lost)) for won, lost in (on_1, on_2))
    if (on_1[0] - on_1[1]) * (on_2[0] - on_2[1]) <= 0:
        return (OpposedTests(each),)
    return (*each, *(test for test in weighed.evidence if not isinstance(test, ExactRate)))


def _by_order(votes: Votes, tally: MatchupTally) -> list[list[float]]:
    """What the first bot won and lost on side 1, and on side 2; ties of graded answers are half and half."""
    rows, won = tally.rows, tally.first_won
    if votes.is_graded:
        rows, won = np.concatenate([rows, tally.tied]), np.concatenate([won, tally.first_on_1])
    shown = votes.winner_side[rows]
    on_1, known = (shown == 1) == won, shown > 0
    preference = 0.5 + np.where(won, 0.25, -0.25) * votes.half_leads[rows]
    return [
        [float(preference[own].sum()), float((1 - preference[own]).sum())]
        for own in (on_1 & known, ~on_1 & known)
    ]


def _design_effect(votes: Votes) -> float:
    """How many times fewer judgments would say as much of the side, were they independent."""
    rows = np.flatnonzero((votes.winner_side > 0) & ~votes.is_tie)
    annotators = votes.annotator.codes[rows]
    if annotators.min() < 0 or (annotators == annotators[0]).all():
        return 1.0
    found = clustered_rate((votes.winner_side[rows] == 1).astype(np.float64), [annotators])
    return max(1.0, len(rows) / found.effective_n)


def say_sides(matchups: Iterable[MatchupResult], *, is_freed: bool, is_told: bool) -> str:
    """Whether the sides were balanced within each matchup, after looking, and what was done where not.

    Args:
        matchups: With their verdicts.
        is_freed: Whether the verdicts where they are not balanced are freed of the effect of the side.
        is_told: Whether some matchups tell what that effect is.

    Returns:
        A sentence; empty where no side is known.
    """
    judged = [matchup for matchup in matchups if matchup.n]
    known = [(matchup, matchup.sides) for matchup in judged if matchup.sides is not None]
    if not known:
        return ""
    lopsided = [(matchup, sides) for matchup, sides in known if sides.is_uneven]
    if lopsided:
        lopsided.sort(key=lambda one: -abs(one[1].first_on_1 / one[1].known - 0.5))
        named = say_list(
            f"{matchup.first} was on side 1 in {say_percent(sides.first_on_1 / sides.known)} of its "
            f"judgments against {matchup.second}"
            for matchup, sides in lopsided[:MATCHUPS_NAMED]
        )
        more = len(lopsided) - MATCHUPS_NAMED
        rest = f"; and {more:,} more" if more > 0 else ""
        which = f": {named}{rest}" if len(known) <= MANY_MATCHUPS else ""
        return (
            f"Sides are not balanced in {len(lopsided):,} of {len(known):,} matchups{which}. "
            f"{_say_done([matchup for matchup, _ in lopsided], is_freed=is_freed, is_told=is_told)}"
        )
    unknown = sum(max(0, matchup.n + matchup.ties - sides.known) for matchup, sides in known)
    unknown += sum(matchup.n + matchup.ties for matchup in judged if matchup.sides is None)
    if unknown:
        return f"The sides are not known for {unknown:,} judgments; in the others no imbalance is seen."
    if all(2 * sides.first_on_1 == sides.known for _, sides in known):
        return "The sides are balanced within each matchup, so that an effect of the side favours no bot."
    return "No imbalance of the sides beyond chance is seen within the matchups."


def _say_done(lopsided: Sequence[MatchupResult], *, is_freed: bool, is_told: bool) -> str:
    """What an effect of the side means for the verdicts on these matchups."""
    decided = [one for one in lopsided if one.decided_by in ("without order", "pooled")]
    if not is_freed and all(one.verdict.why_none for one in lopsided):
        return "An effect of the side cannot be separated from the bots there."
    if not is_freed or not decided or any(one.verdict.is_sequential for one in lopsided):
        return "An effect of the side can favour a bot there."
    if not is_told:
        return (
            "No matchup tells what the side does: a bot is called better there only if it wins on each side."
        )
    if len(decided) == len(lopsided):
        return "The effect of the side is taken out of these verdicts."
    return "The effect of the side is taken out of these verdicts where it can be told from the bots."


MOSTLY = 0.95
"""A bot that was on one side in so many of the judgments of its matchup was nearly always there."""

FEWEST_TO_TELL = 6
"""Judgments of a matchup before all on one side can be no chance (exact test of an even split)."""


def propose_not_recorded(sections: Iterable[Section]) -> tuple[str, ...]:
    """How to say of a table that its sides are not those of the screen, where they look like it.

    Returns:
        A sentence; none unless a verdict is refused because a bot was always on one side, or one bot of each
        matchup was on one side in nearly all rows of the table.
    """
    matchups = [one for section in sections for one in section.matchups]
    known = [(one, one.sides) for one in matchups if one.n and one.sides is not None]
    refused = sum(1 for one, _ in known if ALWAYS in one.verdict.why_none)
    telling = [sides for _, sides in known if sides.known >= FEWEST_TO_TELL]
    usual = sum(max(sides.first_on_1, sides.known - sides.first_on_1) for sides in telling)
    rows = sum(sides.known for sides in telling)
    if refused:
        seen = f"No verdict in {refused:,} of {len(known):,} matchups: a bot was always on the same side."
    elif rows and usual >= MOSTLY * rows:
        seen = f"In {say_percent(usual / rows)} of the rows one bot of a matchup is on the same side."
    else:
        return ()
    return (
        f"{seen} If the table lists the bots in an order of its own, and does not record on which side of "
        "the screen each was shown, say so: --shown-order not-recorded.",
    )
