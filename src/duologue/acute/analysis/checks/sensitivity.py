"""Verdicts again with one rule of exclusion not applied, and with one annotator left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.checks.robust import (
    AlternativeVerdict,
    AnnotatorInfluence,
    Robustness,
    RuleEffect,
)
from duologue.acute.analysis.matchups import tally_matchups, weigh_matchups
from duologue.acute.analysis.parts import VotePart, rules_applied
from duologue.acute.analysis.verdicts import Comparison
from duologue.judgments import Votes
from duologue.protocols import say_list

Compared = tuple[tuple[Comparison, ...], ...]
"""The comparisons of every section."""

MOST_JUDGMENTS = 10_000
"""In a matchup of more than these no single annotator is looked for."""

MOST_MATCHUPS = 100
"""Nor where there are more matchups than these."""

NAMED = 3
"""How many annotators or rules a sentence names."""


def robustness_of(
    parts: Sequence[VotePart], compared: Compared, again: Callable[[Sequence[Votes]], Compared]
) -> tuple[Robustness | None, ...]:
    """What every section's verdicts depend on; None where no rule excluded and no annotator is known.

    Args:
        parts: The judgments of each section.
        compared: What those that count say.
        again: Decides all sections from other judgments by the same rule.
    """
    effects: list[list[RuleEffect]] = [[] for _ in parts]
    for name in sorted({name for part in parts for name in rules_applied(part.votes)}):
        others = again([part.counting_also(name) for part in parts])
        for own, part, now, then in zip(effects, parts, compared, others, strict=True):
            if name in rules_applied(part.votes):
                own.append(RuleEffect(name, rules_applied(part.votes)[name], tuple(_changed(now, then))))
    return tuple(
        _robustness(tuple(rules), tuple(_influences(part.counted, own)))
        for rules, part, own in zip(effects, parts, compared, strict=True)
    )


def _changed(now: Sequence[Comparison], then: Sequence[Comparison]) -> Iterator[AlternativeVerdict]:
    before = {(one.first, one.second): one.better for one in now}
    for one in then:
        better = before.get((one.first, one.second))
        if better != one.better:
            yield AlternativeVerdict(one.first, one.second, better, one.better)


def _influences(votes: Votes, compared: Sequence[Comparison]) -> list[AnnotatorInfluence]:
    if len(compared) > MOST_MATCHUPS or not votes.annotator.is_named:
        return []
    found = [one for own in compared if (one := _influence(votes, own)) is not None]
    return sorted(
        found,
        key=lambda one: (one.better == one.better_without, -abs(one.estimate - one.estimate_without)),
    )


def _influence(votes: Votes, compared: Comparison) -> AnnotatorInfluence | None:
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
    alpha = 1 - decision.interval.level
    extremes = {int(here[without.argmin()]), int(here[without.argmax()])}
    candidates = [
        _left_out(own, compared, code, int(sizes[code]), estimate, alpha) for code in sorted(extremes)
    ]
    return min(
        candidates,
        key=lambda one: (one.better == one.better_without, -abs(one.estimate_without - estimate)),
    )


def _left_out(
    own: Votes, compared: Comparison, code: int, judgments: int, estimate: float, alpha: float
) -> AnnotatorInfluence:
    kept: NDArray[np.bool_] = own.annotator.codes != code
    rest = own.select(kept)
    (weighed,) = weigh_matchups(rest, tally_matchups(rest), level=1 - alpha)
    tally = weighed.tally
    decided = tally.wins_first + tally.wins_second
    found = weighed.preference
    if found is None:
        found = tally.wins_first / decided
    better = None
    if weighed.evidence and max(test.p_value for test in weighed.evidence) <= alpha:
        better = compared.first if found > 0.5 else compared.second
    return AnnotatorInfluence(
        first=compared.first,
        second=compared.second,
        annotator=own.annotator.names[code],
        judgments=judgments,
        estimate=estimate,
        estimate_without=float(found),
        better=compared.better,
        better_without=better,
    )


def _robustness(
    rules: tuple[RuleEffect, ...], annotators: tuple[AnnotatorInfluence, ...]
) -> Robustness | None:
    said = [*([_say_rules(rules)] if rules else []), *([_say_annotators(annotators)] if annotators else [])]
    return Robustness(rules, annotators, " ".join(said)) if said else None


def _say_rules(rules: Sequence[RuleEffect]) -> str:
    changing = [one for one in rules if one.changed]
    if not changing:
        return "No verdict depends on a single rule of exclusion."
    named = say_list(f"{one.rule} ({_some(len(one.changed))})" for one in changing[:NAMED])
    return f"Verdicts would be others without a single rule of exclusion: {named}."


def _say_annotators(annotators: Sequence[AnnotatorInfluence]) -> str:
    decisive = [one for one in annotators if one.better != one.better_without]
    if not decisive:
        return "No verdict depends on a single annotator."
    named = say_list(
        f"{one.annotator} in {one.first} against {one.second} ({_claim(one.better)} with, "
        f"{_claim(one.better_without)} without)"
        for one in decisive[:NAMED]
    )
    return f"{_some(len(decisive)).capitalize()} would be another without one annotator: {named}."


def _some(verdicts: int) -> str:
    return "one verdict" if verdicts == 1 else f"{verdicts:,} verdicts"


def _claim(better: str | None) -> str:
    return f"{better} better" if better else "no difference detected"
