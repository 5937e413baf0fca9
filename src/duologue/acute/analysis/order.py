"""The order of the bots, as far as verdicts separate them, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.results import MatchupResult, OrderOfBots
from duologue.protocols import say_list
from duologue.stats import majority_order

CYCLES_NAMED = 5
"""How many cycles are named in a sentence; the results hold them all."""

Flags = NDArray[np.bool_]


def order_of_bots(matchups: Sequence[MatchupResult], bots: Iterable[str]) -> OrderOfBots:
    """Groups of bots from best to worst: only what verdicts separate is ordered.

    Two neighbouring groups are separated when every bot of the one is better than every bot of the other: by
    its own verdict, or, where the two never met, by a chain of verdicts. A bot without judgments is in no
    group.

    Args:
        matchups: The matchups with their verdicts.
        bots: All bots, those without judgments too.
    """
    judged = sorted({bot for matchup in matchups if matchup.n + matchup.ties for bot in _pair(matchup)})
    place = {bot: number for number, bot in enumerate(judged)}
    beats = np.zeros((len(judged), len(judged)), dtype=np.bool_)
    met = np.zeros_like(beats)
    for matchup in matchups:
        if matchup.n + matchup.ties == 0:
            continue
        i, j = (place[bot] for bot in _pair(matchup))
        met[i, j] = met[j, i] = True
        if matchup.verdict.better is not None:
            beats[(i, j) if matchup.verdict.better == matchup.first else (j, i)] = True
    cycles = majority_order(beats.astype(np.float64), judged).cycles
    groups = tuple(tuple(judged[bot] for bot in group) for group in _groups(beats, met))
    unjudged = tuple(sorted(set(bots) - set(judged)))
    return OrderOfBots(groups, cycles, unjudged, _say(groups, cycles, unjudged, matchups))


def _pair(matchup: MatchupResult) -> tuple[str, str]:
    return matchup.first, matchup.second


def _groups(beats: Flags, met: Flags) -> list[list[int]]:
    """Bots from best to worst, cut wherever all above are better than all below."""
    better = beats | (_reachable(beats) & ~met)
    if (better & better.T).any():  # a chain of verdicts that contradicts itself orders nothing
        better = beats
    score = better.sum(axis=1) - better.sum(axis=0)
    ranked = sorted(range(len(better)), key=lambda bot: (-int(score[bot]), bot))
    groups: list[list[int]] = []
    for count, bot in enumerate(ranked):
        if count == 0 or better[np.ix_(ranked[:count], ranked[count:])].all():
            groups.append([])
        groups[-1].append(bot)
    return [sorted(group) for group in groups]


def _reachable(beats: Flags) -> Flags:
    """Which bots stand above which by a chain of verdicts."""
    found = beats.copy()
    for bot in range(len(beats)):
        found |= np.outer(found[:, bot], found[bot])
    return found


def _say(
    groups: Sequence[Sequence[str]],
    cycles: Sequence[Sequence[str]],
    unjudged: Sequence[str],
    matchups: Sequence[MatchupResult],
) -> str:
    said = [_say_groups(groups, matchups, has_cycles=bool(cycles))]
    if cycles:
        named = "; ".join(_say_cycle(cycle) for cycle in cycles[:CYCLES_NAMED])
        more = len(cycles) - CYCLES_NAMED
        said.append(f"The verdicts contain cycles: {named}{f'; and {more:,} more' if more > 0 else ''}.")
    if unjudged and groups:
        said.append(f"Never judged against another bot, and so not in the order: {say_list(unjudged)}.")
    return " ".join(said)


def _say_groups(
    groups: Sequence[Sequence[str]], matchups: Sequence[MatchupResult], *, has_cycles: bool
) -> str:
    if not groups:
        return "No two bots were compared."
    if len(groups) == 1:
        if any(matchup.verdict.better for matchup in matchups):
            why = "" if has_cycles else ": some are not separated from each other"
            return f"Not all bots can be ranked{why}."
        return "No order: no two bots are separated."
    line = " > ".join(group[0] if len(group) == 1 else "{" + ", ".join(group) + "}" for group in groups)
    several = [group for group in groups if len(group) > 1]
    if not several:
        return f"{line}: every bot is separated from the next."
    met = {frozenset(_pair(matchup)) for matchup in matchups if matchup.n + matchup.ties}
    never = all(frozenset((a, b)) not in met for group in several for a in group for b in group if a < b)
    inside = "were never compared with each other" if never else "are not all separated from each other"
    return f"{line}. Bots in braces {inside}."


def _say_cycle(cycle: Sequence[str]) -> str:
    return " > ".join((*cycle, cycle[0]))
