"""Verdicts in words: every claim with its p-value, interval and n, and never a bare star."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from duologue.protocols.acute.results import ClusteredWinRate, Sequential, Verdict
from duologue.protocols.saying import say_p, say_percent, say_span
from duologue.stats import Interval, MajorityOrder, judgments_for_forced_choice

SMALLEST_GAP = 0.01
"""No study is planned for a smaller gap: it would take some 80,000 judgments."""

CYCLES_NAMED = 5
"""How many rock-paper-scissors circles are named in a sentence; the results hold them all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """How a verdict is reached: decided before the judgments are looked at."""

    alpha: float
    gap: float
    """The gap between two bots that the study is planned to show (0.20 is 60 % against 40 %)."""
    power: float
    family: int
    """How many matchups share the error rate alpha (Holm)."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A matchup with its test, before it is put in words."""

    first: str
    second: str
    wins_first: int
    wins_second: int
    ties: int
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    clustered: ClusteredWinRate | None

    @property
    def n(self) -> int:
        """Judgments for one or the other."""
        return self.wins_first + self.wins_second

    def better(self, alpha: float) -> str | None:
        """The better bot by the exact test, Holm-adjusted; None when no difference is detected."""
        if self.p_adjusted is None or self.p_adjusted > alpha:
            return None
        return self.first if self.wins_first > self.wins_second else self.second


def verdict_on(compared: Comparison, rule: Rule) -> Verdict:
    """What a matchup says.

    It rests on the exact binomial test, Holm-adjusted over the matchups of the arm. When the clustered test
    comes out differently, the same sentence says so.
    """
    if compared.n == 0:
        return Verdict(_without_judgments(compared), None)
    better = compared.better(rule.alpha)
    agrees = _clustered_agrees(compared, rule)
    if better is not None:
        caveat = "" if agrees is not False else "; " + _clustered_caveat(compared, "this does not hold up")
        return Verdict(_better(compared, better, rule) + caveat + ".", better, clustered_agrees=agrees)
    more_for_gap = judgments_missing(compared, rule.gap, rule)
    observed = abs(compared.wins_first - compared.wins_second) / compared.n
    more_for_observed = judgments_missing(compared, observed, rule) if observed >= SMALLEST_GAP else None
    caveat = "" if agrees is not False else "; " + _clustered_caveat(compared, "there is a difference")
    return Verdict(
        f"No difference detected between {compared.first} and {compared.second} at n = {compared.n:,} "
        f"({_evidence(compared, compared.first, rule, named=True)}); "
        f"{_what_more(compared, rule, more_for_gap, more_for_observed, observed)}{caveat}.",
        None,
        more_for_gap=more_for_gap,
        more_for_observed=more_for_observed,
        clustered_agrees=agrees,
    )


def sequential_verdict_on(compared: Comparison, found: Sequential, rule: Rule) -> Verdict:
    """What a matchup says when sequential stopping was declared: it holds at this look and at any other.

    The p-value of the fixed-number test is told as what it is, and decides nothing.
    """
    if compared.n == 0:
        return Verdict(_without_judgments(compared), None, is_sequential=True)
    who = f"{compared.first} and {compared.second}"
    if found.better is not None:
        other = compared.second if found.better == compared.first else compared.first
        claim = f"{found.better} is better than {other}, at any look"
        won = compared.wins_first if found.better == compared.first else compared.wins_second
        if 2 * won <= compared.n:
            claim += f", though {other} has caught up since, so that something may have changed"
    elif not found.is_over:
        claim = f"No verdict on {who} yet: go on"
    elif found.decision == "stop: no difference worth finding":
        claim = f"No difference worth finding between {who}: stop"
    else:
        claim = f"No verdict on {who} at the planned number: stop"
    # A test for a fixed number finds more, so only a verdict can be called in doubt by it.
    agrees = None if found.better is None else _clustered_confirms(compared, rule)
    caveat = "" if agrees is not False else "; " + _clustered_caveat(compared, "this does not hold up")
    evidence = _anytime_evidence(compared, found.better or compared.first, found)
    return Verdict(
        f"{claim} ({evidence}){caveat}.", found.better, clustered_agrees=agrees, is_sequential=True
    )


def _clustered_confirms(compared: Comparison, rule: Rule) -> bool | None:
    return None if compared.clustered is None else compared.clustered.p_adjusted <= rule.alpha


def _anytime_evidence(compared: Comparison, bot: str, found: Sequential) -> str:
    assert compared.p_value is not None  # noqa: S101  n > 0
    is_first = bot == compared.first
    rate = (compared.wins_first if is_first else compared.wins_second) / compared.n
    low, high = found.interval.low, found.interval.high
    span = say_span(low, high) if is_first else say_span(1 - high, 1 - low)
    ties = f", {compared.ties:,} ties left out" if compared.ties else ""
    return (
        f"win rate of {bot} {say_percent(rate)}, anytime-valid interval {span}, n = {compared.n:,}{ties}; "
        f"the test for a fixed number, not valid at interim looks: {say_p(compared.p_value)}"
    )


def judgments_missing(compared: Comparison, gap: float, rule: Rule) -> int:
    """Judgments still to collect to show ``gap``, beyond those there are.

    Sized for the strictest step of Holm's procedure (alpha over the number of matchups), and multiplied by
    the design effect seen, so that the number is not too small.
    """
    needed = _needed(round(min(gap, 1.0), 2), rule.alpha / rule.family, rule.power)
    return max(0, math.ceil(needed * design_effect(compared)) - compared.n)


def design_effect(compared: Comparison) -> float:
    """How many judgments as they came say as much as one independent judgment; at least 1."""
    return compared.n / compared.clustered.effective_n if compared.clustered else 1.0


@lru_cache(maxsize=4096)
def _needed(gap: float, alpha: float, power: float) -> int:
    return judgments_for_forced_choice(gap, alpha=alpha, power=power).judgments


def _clustered_agrees(compared: Comparison, rule: Rule) -> bool | None:
    if compared.clustered is None:
        return None
    return (compared.clustered.p_adjusted <= rule.alpha) == (compared.better(rule.alpha) is not None)


def _without_judgments(compared: Comparison) -> str:
    who = f"{compared.first} and {compared.second}"
    if compared.ties:
        return f"All {compared.ties:,} judgments of {who} are ties: no difference can be tested."
    return f"No judgments of {who} count yet: nothing can be said."


def _better(compared: Comparison, better: str, rule: Rule) -> str:
    other = compared.second if better == compared.first else compared.first
    return f"{better} is better than {other} ({_evidence(compared, better, rule)}, n = {compared.n:,})"


def _evidence(compared: Comparison, bot: str, rule: Rule, *, named: bool = False) -> str:
    assert compared.p_value is not None  # noqa: S101  n > 0
    assert compared.p_adjusted is not None  # noqa: S101  n > 0
    assert compared.interval is not None  # noqa: S101  n > 0
    is_first = bot == compared.first
    rate = (compared.wins_first if is_first else compared.wins_second) / compared.n
    low, high = compared.interval.low, compared.interval.high
    span = say_span(low, high) if is_first else say_span(1 - high, 1 - low)
    only_raw = compared.p_value <= rule.alpha < compared.p_adjusted
    over = f" over {rule.family} matchups" if only_raw else ""
    adjusted = f", Holm-adjusted{over} {say_p(compared.p_adjusted)}" if rule.family > 1 else ""
    ties = f", {compared.ties:,} ties left out" if compared.ties else ""
    whose = f" of {bot}" if named else ""
    return f"{say_p(compared.p_value)}{adjusted}, win rate{whose} {say_percent(rate)} {span}{ties}"


def _what_more(
    compared: Comparison, rule: Rule, for_gap: int, for_observed: int | None, observed: float
) -> str:
    effect = design_effect(compared)
    clustering = f", design effect {effect:.1f} included" if effect >= 1.1 else ""
    power = f"with {rule.power:.0%} power".replace("%", " %")
    if for_gap:
        planned = (
            f"about {for_gap:,} more judgments would be needed for a gap of {say_points(rule.gap)} "
            f"{power}{clustering}"
        )
    else:
        planned = f"a gap of {say_points(rule.gap)} would have been seen {power}"
    if for_observed is None:
        return f"{planned}; the observed gap is under 1 point"
    return f"{planned}, and about {for_observed:,} more for the observed gap of {say_points(observed)}"


def _clustered_caveat(compared: Comparison, claim: str) -> str:
    assert compared.clustered is not None  # noqa: S101  the caller saw that it disagrees
    kinds = " and ".join(compared.clustered.clusters)
    return (
        f"but {claim} when judgments of the same {kinds} are taken to hang together "
        f"(clustered {say_p(compared.clustered.p_value)}, adjusted {say_p(compared.clustered.p_adjusted)}, "
        f"{say_span(compared.clustered.interval.low, compared.clustered.interval.high)} for {compared.first})"
    )


def say_order(order: MajorityOrder) -> str:
    """The order of bots by pairwise majority, and any circle in it, in words.

    Example:
        >>> say_order(MajorityOrder((("A",), ("B", "C")), (), True))
        'A > B = C by pairwise majority, without any rock-paper-scissors circle.'
    """
    line = " > ".join(" = ".join(tier) for tier in order.tiers)
    if not order.tiers:
        return "No two bots were compared."
    if order.is_transitive:
        return f"{line} by pairwise majority, without any rock-paper-scissors circle."
    named = "; ".join(_circle(cycle) for cycle in order.cycles[:CYCLES_NAMED])
    more = len(order.cycles) - CYCLES_NAMED
    rest = f"; and {more:,} more" if more > 0 else ""
    return f"{line} by pairwise majority, but this is not an order throughout: {named}{rest}."


def _circle(cycle: Sequence[str]) -> str:
    return ", ".join(f"{a} beats {b}" for a, b in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


def say_evidence(e_value: float) -> str:
    """An e-value in words.

    Example:
        >>> say_evidence(0.0312), say_evidence(215.95), say_evidence(24500), say_evidence(1e9)
        ('0.0312', '216', '24,500', 'over a million')
    """
    if e_value >= 1e6:
        return "over a million"
    return f"{e_value:,.0f}" if e_value >= 100 else f"{e_value:.3g}"


def say_points(gap: float) -> str:
    """A gap between two win rates in percentage points.

    Example:
        >>> say_points(0.2), say_points(0.013)
        ('20 points', '1.3 points')
    """
    points = round(100 * gap, 1)
    return f"{points:g} point{'' if points == 1 else 's'}"
