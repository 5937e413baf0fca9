"""From all judgments to those that count: what each rule excluded, and whether it changes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from duologue.acute.analysis.parts import never_counted
from duologue.acute.analysis.results import (
    ExclusionEffect,
    Exclusions,
    MatchupResult,
)
from duologue.acute.analysis.verdicts import Claim, Comparison, claim_of
from duologue.judgments import Votes
from duologue.protocols import RuleCount, say_exclusions

Decide = Callable[[Votes, Sequence[Comparison]], Sequence[Claim]]
"""Decides each matchup by the sequential test, or by pooled strengths."""


def exclusions_of(
    votes: Votes,
    matchups: Sequence[MatchupResult],
    everything: Sequence[Comparison],
    *,
    decide: Decide | None = None,
) -> Exclusions:
    """What was excluded from all judgments of a section, and each verdict with and without it.

    Onboarding, attention checks and second answers never count, by design; they are no exclusions here.

    Args:
        votes: All judgments of the section.
        matchups: What the judgments that count say.
        everything: The matchups by the same rule when nothing is excluded.
        decide: How verdicts are reached, where the direct ones do not decide.
    """
    excluded = ~never_counted(votes) & (votes.excluded.codes >= 0)
    effects = _effects(votes, matchups, everything, decide) if excluded.any() else ()
    return Exclusions(
        collected=len(votes),
        onboarding=int(votes.is_onboarding.sum()),
        rules=rules_of(votes.select(~votes.is_onboarding & (votes.excluded.codes >= 0))),
        counted=int(votes.counts.sum()),
        effects=effects,
        sentence=_sentence(int(excluded.sum()), effects, others=int((votes.excluded.codes >= 0).sum())),
    )


def rules_of(votes: Votes) -> tuple[RuleCount, ...]:
    """How many judgments of how many annotators each rule excluded, among judgments that one did."""
    found = [
        RuleCount(
            rule=votes.excluded.names[code],
            judgments=int((votes.excluded.codes == code).sum()),
            annotators=len(np.unique(votes.annotator.codes[votes.excluded.codes == code])),
        )
        for code in np.unique(votes.excluded.codes).tolist()
    ]
    return tuple(sorted(found, key=lambda rule: (-rule.judgments, rule.rule)))


def _effects(
    votes: Votes,
    matchups: Sequence[MatchupResult],
    everything: Sequence[Comparison],
    decide: Decide | None,
) -> tuple[ExclusionEffect, ...]:
    verdicts = {(matchup.first, matchup.second): matchup for matchup in matchups}
    claims: Sequence[Claim] = [claim_of(compared) for compared in everything]
    if decide is not None:
        claims = decide(votes.select(~never_counted(votes)), everything)
    effects = []
    for compared, without in zip(everything, claims, strict=True):
        matchup = verdicts.get((compared.first, compared.second))
        own = _claim_of_result(matchup, compared)
        counted = matchup.n + matchup.ties if matchup else 0
        effects.append(
            ExclusionEffect(
                first=compared.first,
                second=compared.second,
                excluded=compared.n + compared.ties - counted,
                wins_first=compared.weighed.tally.wins_first,
                wins_second=compared.weighed.tally.wins_second,
                p_adjusted=compared.decision.p_adjusted if compared.decision else None,
                better=own.better,
                better_without_exclusions=without.better,
                is_changed=own.differs_from(without),
                why_none=own.why_none,
                why_none_without_exclusions=without.why_none,
                is_sequential=without.is_sequential,
            )
        )
    return tuple(effects)


def _claim_of_result(matchup: MatchupResult | None, compared: Comparison) -> Claim:
    if matchup is None:
        return Claim(None, f"No judgments of {compared.first} and {compared.second} count.")
    return Claim(matchup.verdict.better, matchup.verdict.why_none, matchup.verdict.is_sequential)


def _sentence(excluded: int, effects: Sequence[ExclusionEffect], *, others: int) -> str:
    if not excluded:
        return (
            "Only judgments that were never meant to count were excluded."
            if others
            else "No judgments were excluded."
        )
    changes = [_both(effect) for effect in effects if effect.is_changed]
    open_ones = [f"{_both(effect)}. {_why(effect)}" for effect in effects if not effect.is_comparable]
    verdicts = sum(not (one.why_none and one.why_none_without_exclusions) for one in effects)
    return say_exclusions(excluded, verdicts, changes, [one.removesuffix(".") for one in open_ones])


def _both(effect: ExclusionEffect) -> str:
    return (
        f"{effect.first} and {effect.second}: {effect.said} with the exclusions, "
        f"{effect.said_without_exclusions} without"
    )


def _why(effect: ExclusionEffect) -> str:
    if effect.why_none or not effect.is_sequential:
        return effect.why_none or effect.why_none_without_exclusions
    return f"{effect.why_none_without_exclusions} {JUDGED_AGAIN}"


JUDGED_AGAIN = (
    "A pairing that is judged again in place of an excluded judgment counts twice without exclusions."
)
"""Why a sequential test seldom has a verdict on all judgments together."""
