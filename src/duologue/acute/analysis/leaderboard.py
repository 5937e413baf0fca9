"""The leaderboard of a section: rank sets, strengths and records, and what they say in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from duologue.acute.analysis.covariates import say_control
from duologue.acute.analysis.matchups import MatchupTally
from duologue.acute.analysis.pooled import DECLARED, LACK_OF_FIT, PooledSection, Pooling
from duologue.acute.analysis.results import MatchupResult, PlacedBot, PooledResult
from duologue.protocols import say_list, say_p, say_percent

TOP_NAMED = 5
"""So many bots that may be the first are named in a sentence."""

SEEN_OFF = 2.0
"""A matchup is off when it is more standard errors than this from what strengths expect."""

MISFITS_NAMED = 3
"""So many matchups that strengths explain worst are named in a sentence."""


def describe_pooled(
    section: PooledSection, tallies: Sequence[MatchupTally], matchups: Sequence[MatchupResult]
) -> PooledResult | None:
    """The leaderboard, and what the pooled strengths say, in words.

    Args:
        section: The strengths, and whether they decide.
        tallies: The matchups, counted.
        matchups: The same with their verdicts, direct and pooled.
    """
    pooling, decides, why_not = section.pooling, section.decides, section.why_not
    if pooling is None:
        return None
    fit, contrasts = pooling.fit, pooling.contrasts
    of_bot = {bot: number for number, bot in enumerate(fit.names)}
    spans = fit.intervals(1 - contrasts.alpha)
    records = _records(tallies)
    leaderboard = tuple(
        PlacedBot(
            bot=one.name,
            best_rank=one.best,
            worst_rank=one.worst,
            strength=float(fit.strengths[of_bot[one.name]]),
            low=spans[of_bot[one.name]].low,
            high=spans[of_bot[one.name]].high,
            wins=records[one.name][0],
            losses=records[one.name][1],
            ties=records[one.name][2],
        )
        for one in contrasts.ranks
    )
    both = [
        (one.verdict.better, one.other.better)
        for one in matchups
        if one.other is not None
        and (
            one.verdict.better
            or one.other.better
            or (one.other.p_adjusted is not None and not one.verdict.why_none)
        )  # where one is no verdict and the other finds nothing, they neither agree nor differ
    ]
    agree = sum(1 for own, other in both if own == other)
    flipped = pooling.flipped
    return PooledResult(
        leaderboard=leaderboard,
        model=fit.model,
        tie=fit.tie,
        annotators=fit.annotators if pooling.are_annotators_known else None,
        level=1 - contrasts.alpha,
        threshold=contrasts.threshold,
        lack_of_fit_p=fit.lack_of_fit.p_value if fit.lack_of_fit else None,
        votes_to_flip=flipped.votes if flipped else None,
        flipped_to=flipped.other if flipped else None,
        decides=decides,
        why_not=why_not,
        compared=len(both),
        agree=agree,
        sentence=_say(section, pooling, matchups, compared=len(both), agree=agree),
        covariates=pooling.covariates,
        control=fit.control,
    )


def _records(tallies: Sequence[MatchupTally]) -> dict[str, tuple[int, int, int]]:
    found: dict[str, list[int]] = {}
    for tally in tallies:
        for bot, won, lost in (
            (tally.first, tally.wins_first, tally.wins_second),
            (tally.second, tally.wins_second, tally.wins_first),
        ):
            own = found.setdefault(bot, [0, 0, 0])
            own[0], own[1], own[2] = own[0] + won, own[1] + lost, own[2] + tally.ties
    return {bot: (own[0], own[1], own[2]) for bot, own in found.items()}


def _say(
    section: PooledSection,
    pooling: Pooling,
    matchups: Sequence[MatchupResult],
    *,
    compared: int,
    agree: int,
) -> str:
    fit, decides, why_not, is_declared = (
        pooling.fit,
        section.decides,
        section.why_not,
        section.why == DECLARED,
    )
    said = []
    if decides and is_declared:
        said.append("The verdicts rest on strengths pooled over all matchups, as was declared.")
    elif why_not and is_declared:
        said.append(f"Pooled verdicts were declared, but the direct ones decide: {why_not}.")
    said.append(_say_top(pooling, decides=decides))
    if (flipped := pooling.flipped) is not None:
        said.append(
            f"{flipped.top} has the largest strength; changing {flipped.votes:,} of {flipped.n:,} judgments "
            f"would put {flipped.other} first."
        )
    if fit.lack_of_fit is not None:
        holds, misfits, rejected = "fits", "", ""
        if fit.lack_of_fit.p_value < LACK_OF_FIT:
            holds, misfits = "does not fit", _say_misfits(pooling, matchups)
        elif fit.lack_of_fit.p_value < 0.05:
            rejected = f"; it would be rejected below {LACK_OF_FIT:g}"
        said.append(f"The ranking model {holds} ({say_p(fit.lack_of_fit.p_value)}{rejected}){misfits}.")
    if compared:
        which = " with a verdict" if compared < len(matchups) else ""
        said.append(f"Direct and pooled verdicts agree on {agree:,} of {compared:,} matchups{which}.")
    if fit.control is not None:
        said.append(say_control(fit.control, pooling.covariates))
    return " ".join(said)


def _say_misfits(pooling: Pooling, matchups: Sequence[MatchupResult]) -> str:
    """The matchups furthest from what strengths expect, in standard errors."""
    expected = {pair: one.rate for pair, one in pooling.of_pair.items()}
    found = []
    for one in matchups:
        seen, rate = one.own_rate, expected.get((one.first, one.second))
        if seen is not None and rate is not None:
            found.append((abs(seen - rate) * math.sqrt(one.n / (rate * (1 - rate))), one, seen, rate))
    found = [one for one in found if one[0] > SEEN_OFF]
    if not found:
        return ""
    found.sort(key=lambda each: -round(each[0], 6))
    named = say_list(
        f"{one.first} against {one.second} ({say_percent(seen)}, where strengths expect {say_percent(rate)})"
        for _, one, seen, rate in found[:MISFITS_NAMED]
    )
    return f"; furthest off: {named}"


def _say_top(pooling: Pooling, *, decides: bool) -> str:
    """Who may be the first; where it decides nothing, the sentence says so."""
    top, bots = pooling.contrasts.top, len(pooling.fit.names)
    if len(top) == 1:
        first, others = f"{top[0]} is the first", " (simultaneous rank sets)"
    elif len(top) == bots:
        first, others = "every bot may be the first", ""
    elif len(top) <= TOP_NAMED:
        first, others = f"the first is one of {say_list(top)}", ""
    else:
        first = f"the first is one of {len(top)} bots"
        others = f": {', '.join(top[:TOP_NAMED])} and {len(top) - TOP_NAMED} more"
    by = "By pooled strengths" if decides else "By pooled strengths, which do not decide,"
    return f"{by} {first}{others}."
