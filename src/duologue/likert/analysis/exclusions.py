"""From all ratings to those that count: what each rule excluded, and whether it changes a verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import UNKNOWN, Ratings
from duologue.likert.analysis.results import QuestionResult, RatingEffect, RatingExclusions, RatingPair
from duologue.likert.analysis.verdicts import RatingComparison
from duologue.protocols import RuleCount, say_count, say_exclusions
from duologue.screening import is_never_counted


def never_counted(ratings: Ratings) -> NDArray[np.bool_]:
    """Judgments that count in no case: onboarding, attention checks, and what was asked a second time."""
    rules = [code for code, rule in enumerate(ratings.excluded.names) if is_never_counted(rule)]
    found: NDArray[np.bool_] = ratings.is_onboarding | np.isin(ratings.excluded.codes, rules)
    return found


def has_exclusions(ratings: Ratings) -> bool:
    """Whether some rating was excluded, those apart that never count."""
    return bool((_excluded(ratings) & ratings.is_rated).any())


def _excluded(ratings: Ratings) -> NDArray[np.bool_]:
    aside: NDArray[np.bool_] = ~never_counted(ratings) & (ratings.excluded.codes != UNKNOWN)
    return aside


def exclusions_of(
    ratings: Ratings,
    questions: Sequence[QuestionResult],
    everything: Sequence[Sequence[RatingComparison]],
) -> RatingExclusions:
    """What was excluded from all judgments of a section, and each verdict with and without it.

    Onboarding, attention checks and second answers never count, by design; they are no exclusions here.

    Args:
        ratings: All judgments of the section.
        questions: What the judgments that count say.
        everything: The same questions, as if nothing had been excluded.
    """
    excluded, is_marked = _excluded(ratings), ratings.excluded.codes != UNKNOWN
    effects = (
        tuple(
            effect
            for question, compared in zip(questions, everything, strict=True)
            for effect in _effects(question, compared)
        )
        if has_exclusions(ratings)
        else ()
    )
    unrated = int((~ratings.is_rated & ~ratings.is_onboarding).sum())
    return RatingExclusions(
        collected=len(ratings),
        onboarding=int(ratings.is_onboarding.sum()),
        unrated=unrated,
        rules=_rules(ratings.select(~ratings.is_onboarding & is_marked)),
        counted=int(ratings.counts.sum()),
        effects=effects,
        sentence=_sentence(
            int((excluded & ratings.is_rated).sum()),
            unrated,
            effects,
            others=int((is_marked & never_counted(ratings)).sum()),
        ),
    )


def _rules(ratings: Ratings) -> tuple[RuleCount, ...]:
    found = [
        RuleCount(
            rule=ratings.excluded.names[code],
            judgments=int((ratings.excluded.codes == code).sum()),
            annotators=len(np.unique(ratings.annotator.codes[ratings.excluded.codes == code])),
        )
        for code in np.unique(ratings.excluded.codes).tolist()
    ]
    return tuple(sorted(found, key=lambda rule: (-rule.judgments, rule.rule)))


def _effects(question: QuestionResult, everything: Sequence[RatingComparison]) -> Iterator[RatingEffect]:
    found: Mapping[frozenset[str], RatingPair] = {
        frozenset((pair.first, pair.second)): pair for pair in question.pairs
    }
    for compared in everything:
        own, without = compared.pair, compared.better
        pair = found.get(frozenset((own.first, own.second)))
        better = pair.verdict.better if pair else None
        has_verdict, has_other = pair is not None and not pair.verdict.why_none, compared.decision is not None
        yield RatingEffect(
            question=question.name,
            first=own.first,
            second=own.second,
            excluded=sum(own.n) - (sum(pair.n) if pair else 0),
            difference=compared.difference,
            p_adjusted=compared.decision.p_adjusted if compared.decision else None,
            better=better,
            better_without_exclusions=without,
            is_changed=has_verdict and has_other and better != without,
            has_verdict=has_verdict,
            has_verdict_without_exclusions=has_other,
        )


def _sentence(excluded: int, unrated: int, effects: Sequence[RatingEffect], *, others: int) -> str:
    broken = f" {say_unrated(unrated)}" if unrated else ""
    if not excluded:
        none = (
            "Only judgments that were never meant to count were excluded."
            if others
            else "No ratings were excluded."
        )
        return f"{none}{broken}"
    changes = [_both(effect) for effect in effects if effect.is_changed]
    open_ones = [_both(effect) for effect in effects if not effect.is_comparable]
    verdicts = sum(effect.has_verdict or effect.has_verdict_without_exclusions for effect in effects)
    return f"{say_exclusions(excluded, verdicts, changes, open_ones)}{broken}"


def _both(effect: RatingEffect) -> str:
    return (
        f"{effect.first} and {effect.second} ({effect.question}): {effect.said} with the exclusions, "
        f"{effect.said_without_exclusions} without"
    )


def say_unrated(unrated: int) -> str:
    """How many judgments have no rating: chats that were broken off, or empty cells of a table."""
    return f"{say_count(unrated, 'judgment')} {'has' if unrated == 1 else 'have'} no rating."
