"""From all judgments to those that count: what each rule excluded, and whether it changes a verdict."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from duologue.acute.analysis.matchups import MatchupTally
from duologue.acute.analysis.parts import never_counted
from duologue.acute.analysis.results import (
    ExclusionEffect,
    Exclusions,
    MatchupResult,
)
from duologue.acute.analysis.verdicts import Comparison
from duologue.judgments import Votes
from duologue.protocols import RuleCount, say_exclusions


class DecidedMatchup(Protocol):
    """A matchup with the bot that is better, if any."""

    @property
    def better(self) -> str | None:
        """The better bot."""


Decide = Callable[[Votes, tuple[MatchupTally, ...]], Sequence[DecidedMatchup]]
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
    betters = [compared.better for compared in everything]
    if decide is not None:
        tallies = tuple(compared.weighed.tally for compared in everything)
        betters = [found.better for found in decide(votes.select(~never_counted(votes)), tallies)]
    effects = []
    for compared, without in zip(everything, betters, strict=True):
        matchup = verdicts.get((compared.first, compared.second))
        better = matchup.verdict.better if matchup else None
        counted = matchup.n + matchup.ties if matchup else 0
        effects.append(
            ExclusionEffect(
                first=compared.first,
                second=compared.second,
                excluded=compared.n + compared.ties - counted,
                wins_first=compared.weighed.tally.wins_first,
                wins_second=compared.weighed.tally.wins_second,
                p_adjusted=compared.decision.p_adjusted if compared.decision else None,
                better=better,
                better_without_exclusions=without,
                is_changed=better != without,
            )
        )
    return tuple(effects)


def _sentence(excluded: int, effects: Sequence[ExclusionEffect], *, others: int) -> str:
    if not excluded:
        return (
            "Nothing else was excluded than what was never meant to count."
            if others
            else "No judgments were excluded."
        )
    changes = [
        f"{effect.first} and {effect.second}: {_claim(effect.better)} with the exclusions, "
        f"{_claim(effect.better_without_exclusions)} without"
        for effect in effects
        if effect.is_changed
    ]
    return say_exclusions(excluded, len(effects), changes)


def _claim(better: str | None) -> str:
    return f"{better} better" if better else "no difference detected"
