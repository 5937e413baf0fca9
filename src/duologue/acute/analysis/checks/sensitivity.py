"""Verdicts again with one rule of exclusion not applied, and with one annotator left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.checks.robust import (
    AlternativeVerdict,
    AnnotatorInfluence,
    Robustness,
    RuleEffect,
)
from duologue.acute.analysis.matchups import Pair, tally_matchups, weigh_matchups
from duologue.acute.analysis.parts import VotePart, rules_applied
from duologue.acute.analysis.sides import sides_of
from duologue.acute.analysis.verdicts import Claim, Comparison, claim_of
from duologue.judgments import Votes
from duologue.protocols import say_list

Compared = tuple[tuple[Comparison, ...], ...]
"""The comparisons of every section."""

Claims = Mapping[Pair, Claim]
"""What is said of each matchup of a section."""

ClaimAtLook = Callable[[Votes, Comparison], Claim]
"""Decides one matchup from its own judgments."""

NO_JUDGMENTS = Claim(None, "No judgments of this matchup count.")

MOST_JUDGMENTS = 10_000
"""In a matchup of more than these no single annotator is looked for."""

MOST_MATCHUPS = 100
"""Nor where there are more matchups than these."""

NAMED = 3
"""How many annotators or rules a sentence names."""


def robustness_of(
    parts: Sequence[VotePart],
    compared: Compared,
    claims: Sequence[Claims],
    again: Callable[[Sequence[Votes]], Sequence[Claims]],
    at_look: Sequence[ClaimAtLook] | None = None,
) -> tuple[Robustness | None, ...]:
    """What every section's verdicts depend on; None where no rule excluded and no annotator is known.

    Args:
        parts: The judgments of each section.
        compared: What those that count say.
        claims: The same, by the test that decides.
        again: Decides all sections from other judgments by the same rule.
        at_look: Decides a matchup of each section by the sequential test, where that is the rule.
    """
    effects: list[list[RuleEffect]] = [[] for _ in parts]
    for name in sorted({name for part in parts for name in rules_applied(part.votes)}):
        others = again([part.counting_also(name) for part in parts])
        for own, part, now, then in zip(effects, parts, claims, others, strict=True):
            if name in rules_applied(part.votes):
                own.append(_rule_effect(name, rules_applied(part.votes)[name], now, then))
    looks: Sequence[ClaimAtLook | None] = [None] * len(parts) if at_look is None else at_look
    return tuple(
        _robustness(
            tuple(rules),
            tuple(_influences(part.counted, own, now, look)),
            has_verdict=any(not one.why_none for one in now.values()),
        )
        for rules, part, own, now, look in zip(effects, parts, compared, claims, looks, strict=True)
    )


def _rule_effect(name: str, judgments: int, now: Claims, then: Claims) -> RuleEffect:
    changed, others = [], []
    for pair, other in then.items():
        own = now.get(pair, NO_JUDGMENTS)
        found = AlternativeVerdict(
            *pair, own.better, other.better, own.said, other.said, own.why_none or other.why_none
        )
        if own.differs_from(other):
            changed.append(found)
        elif not own.can_be_compared_with(other):
            others.append(found)
    return RuleEffect(name, judgments, tuple(changed), tuple(others))


def _influences(
    votes: Votes, compared: Sequence[Comparison], claims: Claims, at_look: ClaimAtLook | None
) -> list[AnnotatorInfluence]:
    if len(compared) > MOST_MATCHUPS or not votes.annotator.is_named:
        return []
    found = [
        one
        for own in compared
        if (one := _influence(votes, own, claims[own.first, own.second], at_look)) is not None
    ]
    return sorted(
        found,
        key=lambda one: (not one.is_changed, -abs(one.estimate - one.estimate_without)),
    )


def _influence(
    votes: Votes, compared: Comparison, claim: Claim, at_look: ClaimAtLook | None
) -> AnnotatorInfluence | None:
    """Of the two annotators who pull the estimate most to either side: who changes the verdict, or more."""
    tally, decision = compared.weighed.tally, compared.decision
    rows = np.concatenate([tally.rows, tally.tied])
    if decision is None or compared.decided_by == "without order" or not 2 < len(rows) <= MOST_JUDGMENTS:
        return None
    own = replace(votes.select(rows), on_a_scale=votes.is_graded)
    won = np.concatenate([tally.first_won, tally.first_on_1])
    y = 0.5 + np.where(won, 0.5, -0.5) * own.lead
    counted = np.ones(len(y), dtype=np.bool_) if own.is_graded else ~own.is_tie
    codes = own.annotator.codes
    sums = np.bincount(codes[(codes >= 0) & counted], weights=y[(codes >= 0) & counted])
    sizes = np.bincount(codes[(codes >= 0) & counted], minlength=len(sums))
    left = int(counted.sum()) - sizes
    here = np.flatnonzero((sizes > 0) & (left > 1))
    if len(here) == 0:
        return None
    without = (y[counted].sum() - sums[here]) / left[here]
    estimate = float(y[counted].mean())
    alone = at_look or partial(_fixed_claim, alpha=1 - decision.interval.level)
    extremes = {int(here[without.argmin()]), int(here[without.argmax()])}
    candidates = [
        _left_out(own, claim, alone, code, int(sizes[code]), estimate, compared) for code in sorted(extremes)
    ]
    return min(candidates, key=lambda one: (not one.is_changed, -abs(one.estimate_without - estimate)))


def _left_out(
    own: Votes,
    claim: Claim,
    alone: ClaimAtLook,
    code: int,
    judgments: int,
    estimate: float,
    compared: Comparison,
) -> AnnotatorInfluence:
    kept: NDArray[np.bool_] = own.annotator.codes != code
    rest = own.select(kept)
    (weighed,) = weigh_matchups(rest, tally_matchups(rest), level=0.95)
    without = replace(compared, weighed=weighed, decision=None, sides=sides_of(rest, weighed.tally))
    found, other = _estimate(without), alone(rest, without)
    return AnnotatorInfluence(
        first=compared.first,
        second=compared.second,
        annotator=own.annotator.names[code],
        judgments=judgments,
        estimate=estimate,
        estimate_without=found,
        better=claim.better,
        better_without=other.better,
        said=claim.said,
        said_without=other.said,
        is_changed=claim.differs_from(other),
    )


def _estimate(compared: Comparison) -> float:
    preference = compared.weighed.preference
    return float(compared.win_rate if preference is None else preference)


def _fixed_claim(votes: Votes, compared: Comparison, *, alpha: float) -> Claim:
    """By the test for a fixed number, at a level of its own."""
    evidence = compared.weighed.evidence
    if not evidence:
        return claim_of(compared)
    if max(test.p_value for test in evidence) > alpha:
        return Claim(None)
    return Claim(compared.first if _estimate(compared) > 0.5 else compared.second)


def _robustness(
    rules: tuple[RuleEffect, ...], annotators: tuple[AnnotatorInfluence, ...], *, has_verdict: bool
) -> Robustness | None:
    of_rules = _say_rules(rules, has_verdict=has_verdict) if rules else ""
    said = " ".join(filter(None, [of_rules, _say_annotators(annotators) if annotators else ""]))
    return Robustness(rules, annotators, said) if said else None


def _say_rules(rules: Sequence[RuleEffect], *, has_verdict: bool) -> str:
    """What single rules change; nothing where there is no verdict that could be another."""
    changing = [one for one in rules if one.changed]
    said = "No verdict depends on a single rule of exclusion."
    others = [(one.rule, other) for one in rules for other in one.not_comparable]
    if not (has_verdict or changing or others):
        return ""
    if changing:
        named = say_list(f"{one.rule} ({_some(len(one.changed))})" for one in changing[:NAMED])
        said = f"Verdicts would change without a single rule of exclusion: {named}."
    elif others:
        said = "No verdict that can be compared depends on a single rule of exclusion."
    if others:
        rule, other = others[0]
        pairs = len({(one.first, one.second) for _rule, one in others})
        some = f"{pairs:,} matchups, such as " if pairs > 1 else ""
        said += (
            f" This cannot be told of {some}{other.first} and {other.second}: {other.said} with the rule "
            f"{rule}, {other.said_otherwise} without it. {other.why_none}"
        )
    return said


def _say_annotators(annotators: Sequence[AnnotatorInfluence]) -> str:
    decisive = [one for one in annotators if one.is_changed]
    if not decisive:
        return "No verdict depends on a single annotator."
    named = say_list(
        f"{one.annotator} in {one.first} against {one.second} ({one.said} with, {one.said_without} without)"
        for one in decisive[:NAMED]
    )
    return f"{_some(len(decisive)).capitalize()} would change without one annotator: {named}."


def _some(verdicts: int) -> str:
    return "one verdict" if verdicts == 1 else f"{verdicts:,} verdicts"
