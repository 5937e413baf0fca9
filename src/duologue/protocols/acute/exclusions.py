"""From all judgments to those that count: what each rule set aside, and whether it changes a verdict."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from duologue.judgments import Votes
from duologue.protocols.acute.matchups import compare_matchups, tally_matchups
from duologue.protocols.acute.results import ExclusionEffect, Exclusions, MatchupResult, RuleCount


def exclusions_of(votes: Votes, matchups: Sequence[MatchupResult], *, alpha: float) -> Exclusions:
    """What was set aside from all judgments of a section, and each verdict with and without it.

    Onboarding comparisons never count, by design; they are not exclusions.
    """
    excluded = ~votes.is_onboarding & (votes.excluded.codes >= 0)
    effects = _effects(votes, matchups, alpha=alpha) if excluded.any() else ()
    return Exclusions(
        collected=len(votes),
        onboarding=int(votes.is_onboarding.sum()),
        rules=_rules(votes.select(excluded)),
        counted=int(votes.counts.sum()),
        effects=effects,
        sentence=_sentence(int(excluded.sum()), effects),
    )


def _rules(votes: Votes) -> tuple[RuleCount, ...]:
    found = [
        RuleCount(
            rule=votes.excluded.names[code],
            judgments=int((votes.excluded.codes == code).sum()),
            annotators=len(np.unique(votes.annotator.codes[votes.excluded.codes == code])),
        )
        for code in np.unique(votes.excluded.codes).tolist()
    ]
    return tuple(sorted(found, key=lambda rule: (-rule.judgments, rule.rule)))


def _effects(votes: Votes, matchups: Sequence[MatchupResult], *, alpha: float) -> tuple[ExclusionEffect, ...]:
    verdicts = {(matchup.first, matchup.second): matchup for matchup in matchups}
    tallies = tally_matchups(votes.select(~votes.is_onboarding))
    effects = []
    for compared in compare_matchups(tallies, level=1 - alpha):
        matchup = verdicts.get((compared.first, compared.second))
        better = matchup.verdict.better if matchup else None
        counted = matchup.n + matchup.ties if matchup else 0
        without = compared.better(alpha)
        effects.append(
            ExclusionEffect(
                first=compared.first,
                second=compared.second,
                excluded=compared.n + compared.ties - counted,
                wins_first=compared.wins_first,
                wins_second=compared.wins_second,
                p_adjusted=compared.p_adjusted,
                better=better,
                better_without_exclusions=without,
                is_changed=better != without,
            )
        )
    return tuple(effects)


def _sentence(excluded: int, effects: Sequence[ExclusionEffect]) -> str:
    if not excluded:
        return "No judgments were excluded."
    changed = [effect for effect in effects if effect.is_changed]
    if not changed:
        return f"{excluded:,} judgments were excluded; every verdict is the same without any exclusion."
    said = "; ".join(
        f"{effect.first} and {effect.second}: {_claim(effect.better)} with the exclusions, "
        f"{_claim(effect.better_without_exclusions)} without"
        for effect in changed
    )
    changes = f"{len(changed)} of {len(effects)} verdicts"
    return f"{excluded:,} judgments were excluded, and this changes {changes}: {said}."


def _claim(better: str | None) -> str:
    return f"{better} better" if better else "no difference detected"
