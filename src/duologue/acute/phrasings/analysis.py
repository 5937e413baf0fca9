"""From judgments of the same pairs by several phrasings to which phrasing annotators agree by most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duologue.acute.analysis.checks.exclusions import rules_of
from duologue.acute.analysis.checks.quality import position_effect, time_spent
from duologue.acute.analysis.parts import VotePart, parts_of
from duologue.acute.phrasings.results import AxisResult, PairCount, PhrasingResult, PhrasingStudyResults
from duologue.acute.phrasings.sentences import notes_on, say_best, say_family, say_scope
from duologue.acute.questions import Question, mirror
from duologue.acute.settings import AcuteSettings
from duologue.judgments import AskedPhrasing, Votes
from duologue.seeds import seed_sequence
from duologue.stats import (
    Interval,
    clustered_difference,
    clustered_rate,
    holm,
    krippendorff_alpha,
    modal_agreement_on_items,
    rate_difference,
)

FEWEST = 2
"""Annotators of a phrasing before their judgments can be clustered."""


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A phrasing that was asked: its arm, the axis that it is a phrasing of, and its words."""

    arm: str
    axis: str
    question: Question


def phrasings_of_study(settings: AcuteSettings) -> list[Phrasing]:
    """Every phrasing that a study asks."""
    return [Phrasing(arm.name, arm.phrases, arm.resolved()) for arm in settings.questions]


def phrasings_of_table(asked: Sequence[AskedPhrasing]) -> list[Phrasing]:
    """Every phrasing that a table of judgments names."""
    return [
        Phrasing(
            one.arm, one.axis, Question(one.arm, "custom", one.question, (one.choice, mirror(one.choice)))
        )
        for one in asked
    ]


def analyse_phrasings(
    votes: Votes,
    phrasings: Sequence[Phrasing],
    *,
    alpha: float = 0.05,
    seed: int = 0,
    annotators_planned: int | None = None,
) -> PhrasingStudyResults:
    """Rank the phrasings of each axis by how far annotators agree, and say whether the first is the clearest.

    Agreement is the share of judgments that give the most chosen answer of their pair (Li et al. 2019,
    Table 1), with an exact test against coin flips, Holm over all phrasings. Phrasings are ranked by the
    lower end of the interval. The first is compared with the second by the two-proportion z-test, Holm over
    the axes; other annotators answer other phrasings of an axis. Having looked for the first and the second
    needs no further adjustment: what beats the second beats all others by at least as much.

    Args:
        votes: All judgments, excluded and onboarding ones too.
        phrasings: What was asked in each arm.
        alpha: The error rate of each of the two families.
        seed: For the bootstrap of Krippendorff's alpha.
        annotators_planned: For each phrasing and pair.

    Raises:
        BadNumber: ``alpha`` is not a share.
    """
    known = {one.arm: one for one in phrasings}
    axes = tuple(dict.fromkeys(one.axis for one in phrasings))
    found = []
    for axis in axes:
        own = [one for one in phrasings if one.axis == axis]
        parts = [part for part in parts_of(votes) if part.arm in known and known[part.arm].axis == axis]
        keys = sorted({(part.revision, part.annotators) for part in parts}) or [(1, "all")]
        each = annotators_planned if len(keys) == 1 else None
        for key in keys:
            here = {part.arm: part for part in parts if (part.revision, part.annotators) == key}
            results = [_phrasing(here.get(one.arm), one, alpha, seed, each) for one in own]
            found.append(_RankedPhrasings(axis, *key, _clearest_first(results)))
    counted = votes.select(votes.counts)
    position, pairs = position_effect(counted, alpha=alpha), len(_pairs(counted))
    excluded = ~votes.is_onboarding & (votes.excluded.codes >= 0)
    return PhrasingStudyResults(
        axes=_decided(_starred(found, alpha), alpha),
        pairs=pairs,
        scope=say_scope(pairs),
        family=say_family(sum(len(axis.phrasings) for axis in found), len(found), alpha),
        position="" if position is None else position.sentence,
        time=time_spent(votes),
        collected=len(votes),
        onboarding=int(votes.is_onboarding.sum()),
        rules=rules_of(votes.select(excluded)),
        counted=len(counted),
    )


@dataclass(frozen=True, slots=True)
class _Answers:
    """The judgments of one phrasing: of each the pair, and whether it credits the first bot by name."""

    pair: NDArray[np.intp]
    is_first: NDArray[np.bool_]
    annotator: NDArray[np.int32]
    counts: tuple[PairCount, ...]

    @property
    def is_modal(self) -> NDArray[np.bool_]:
        """Whether each judgment gives the most chosen answer of its pair."""
        leads = np.array([one.credits_first >= one.credits_second for one in self.counts], dtype=np.bool_)
        found: NDArray[np.bool_] = leads[self.pair] == self.is_first
        return found

    @property
    def has_repeats(self) -> bool:
        """Whether an annotator judged several pairs."""
        return len(np.unique(self.annotator)) < len(self.annotator)


def _pairs(votes: Votes) -> dict[tuple[int, int], int]:
    """A number for each pair of dialogues, whichever of them won."""
    one, other = votes.winner_dialogue, votes.loser_dialogue
    both = zip(np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), strict=True)
    return {pair: number for number, pair in enumerate(dict.fromkeys(both))}


def _answers(votes: Votes) -> _Answers:
    numbers = _pairs(votes)
    one, other = votes.winner_dialogue, votes.loser_dialogue
    keys = zip(np.minimum(one, other).tolist(), np.maximum(one, other).tolist(), strict=True)
    pair = np.array([numbers[key] for key in keys], dtype=np.intp)
    # The same bot twice is told apart by its dialogue.
    rank = np.argsort(np.argsort(np.array(votes.bots, dtype=object)))
    winner, loser = rank[votes.winner], rank[votes.loser]
    is_first = np.where(winner == loser, one < other, winner < loser)
    counts = []
    for number in range(len(numbers)):
        rows = np.flatnonzero(pair == number)
        first, second = sorted((votes.bots[votes.winner[rows[0]]], votes.bots[votes.loser[rows[0]]]))
        credited = int(is_first[rows].sum())
        counts.append(PairCount(first, second, credited, len(rows) - credited))
    return _Answers(pair, is_first, votes.annotator.own_codes, tuple(counts))


_NO_ANSWERS = _Answers(
    np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.bool_), np.zeros(0, dtype=np.int32), ()
)


def _phrasing(
    part: VotePart | None, asked: Phrasing, alpha: float, seed: int, planned: int | None
) -> tuple[PhrasingResult, _Answers]:
    answers = _NO_ANSWERS if part is None else _answers(part.counted)
    everything = _NO_ANSWERS if part is None else _answers(part.without_onboarding)
    nothing = PhrasingResult(
        arm=asked.arm,
        question=asked.question.text if part is None else part.question or asked.question.text,
        choice=asked.question.choices[0],
        n=0,
        planned=planned,
        modal=0,
        agreement=None,
        interval=None,
        chance=None,
        p_value=None,
        p_adjusted=None,
        is_significant=False,
        pairs=(),
        annotators=0,
        n_without_exclusions=len(everything.pair),
        agreement_without_exclusions=float(everything.is_modal.mean()) if len(everything.pair) else None,
    )
    if part is None or not len(answers.pair):
        return nothing, answers
    found = modal_agreement_on_items(
        [(one.credits_first, one.credits_second) for one in answers.counts], level=1 - alpha
    )
    beyond = None
    if len(answers.counts) > 1 and len(answers.pair) > len(answers.counts):  # some pair has two judgments
        rng = np.random.default_rng(seed_sequence(seed, "agreement", asked.arm))
        beyond = krippendorff_alpha(
            answers.is_first.astype(np.float64), items=answers.pair, level=1 - alpha, rng=rng
        )
    result = replace(
        nothing,
        n=found.n,
        planned=None if planned is None else planned * len(answers.counts),
        modal=found.modal,
        agreement=found.rate,
        interval=_interval(answers, Interval(found.lower_bound, found.upper_bound, found.level, "wilson")),
        chance=found.chance_rate,
        p_value=found.p_value,
        pairs=answers.counts,
        annotators=len(np.unique(answers.annotator)) if part.counted.annotator.is_known else None,
        alpha=None if beyond is None else beyond.value,
        alpha_interval=None if beyond is None else beyond.interval,
    )
    return result, answers


def _interval(answers: _Answers, wilson: Interval) -> Interval:
    """Wilson's interval; where annotators judged several pairs, joined with the clustered one."""
    if not answers.has_repeats or len(np.unique(answers.annotator)) < FEWEST:
        return wilson
    clustered = clustered_rate(
        answers.is_modal.astype(np.float64), [answers.annotator], level=wilson.level
    ).interval
    return Interval(
        min(wilson.low, max(0.0, clustered.low)),
        max(wilson.high, min(1.0, clustered.high)),
        wilson.level,
        "wilson, joined with clustered by annotator",
    )


@dataclass(frozen=True, slots=True)
class _RankedPhrasings:
    """The phrasings of an axis, the clearest first, with their answers."""

    axis: str
    revision: int
    annotators: str
    phrasings: tuple[tuple[PhrasingResult, _Answers], ...]


def _clearest_first(
    found: Sequence[tuple[PhrasingResult, _Answers]],
) -> tuple[tuple[PhrasingResult, _Answers], ...]:
    """By the lower end of the interval, then by agreement; equals stay as the study names them."""

    def clearness(one: tuple[PhrasingResult, _Answers]) -> tuple[float, float]:
        result = one[0]
        low = -1.0 if result.interval is None else result.interval.low
        return low, result.agreement or 0.0

    return tuple(sorted(found, key=clearness, reverse=True))


def _starred(found: Sequence[_RankedPhrasings], alpha: float) -> list[_RankedPhrasings]:
    """The phrasings with their tests against coin flips, Holm over all of them, judged yet or not."""
    tested = [one.p_value for axis in found for one, _ in axis.phrasings]
    adjusted = iter(_holm(tested))

    def starred(one: PhrasingResult) -> PhrasingResult:
        p_adjusted = next(adjusted)
        if one.p_value is None:
            return one
        return replace(one, p_adjusted=p_adjusted, is_significant=p_adjusted <= alpha)

    return [
        replace(axis, phrasings=tuple((starred(one), answers) for one, answers in axis.phrasings))
        for axis in found
    ]


def _holm(p_values: Sequence[float | None]) -> list[float]:
    """Adjusted over all tests; those that cannot be made yet count as 1, so that others do not change."""
    adjusted: list[float] = holm([1.0 if one is None else one for one in p_values]).tolist()
    return adjusted


@dataclass(frozen=True, slots=True)
class _Difference:
    estimate: float
    interval: Interval
    p_value: float


def _difference(axis: _RankedPhrasings, alpha: float) -> _Difference | None:
    """The agreement of the first phrasing compared with that of the second; None where there are no two."""
    judged = [(one, answers) for one, answers in axis.phrasings if one.n]
    if len(judged) < 2:
        return None
    (first, ours), (second, theirs) = judged[:2]
    plain = rate_difference(first.modal, first.n, second.modal, second.n, level=1 - alpha)
    difference = _Difference(plain.estimate, plain.interval, plain.p_value)
    if not (ours.has_repeats or theirs.has_repeats):
        return difference
    if min(len(np.unique(one.annotator)) for one in (ours, theirs)) < FEWEST:
        return replace(difference, p_value=1.0)  # one annotator's judgments say nothing about others
    clustered = clustered_difference(
        ours.is_modal.astype(np.float64),
        theirs.is_modal.astype(np.float64),
        [ours.annotator],
        [theirs.annotator],
        level=1 - alpha,
    )
    union = Interval(
        min(plain.interval.low, clustered.interval.low),
        max(plain.interval.high, clustered.interval.high),
        plain.interval.level,
        "newcombe, joined with clustered by annotator",
    )
    return _Difference(plain.estimate, union, max(plain.p_value, clustered.p_value))


def _decided(found: Sequence[_RankedPhrasings], alpha: float) -> tuple[AxisResult, ...]:
    differences = [_difference(axis, alpha) for axis in found]
    adjusted = _holm([None if one is None else one.p_value for one in differences])
    return tuple(
        _axis(axis, one, p_adjusted, alpha)
        for axis, one, p_adjusted in zip(found, differences, adjusted, strict=True)
    )


def _axis(
    axis: _RankedPhrasings, difference: _Difference | None, p_adjusted: float, alpha: float
) -> AxisResult:
    results = tuple(one for one, _ in axis.phrasings)
    best = results[0].arm if results[0].n else None
    is_told = difference is not None and difference.estimate > 0 and p_adjusted <= alpha
    return AxisResult(
        axis=axis.axis,
        revision=axis.revision,
        annotators=axis.annotators,
        phrasings=results,
        best=best,
        difference=None if difference is None else difference.estimate,
        difference_interval=None if difference is None else difference.interval,
        p_value=None if difference is None else difference.p_value,
        p_adjusted=None if difference is None else p_adjusted,
        is_distinguished=is_told,
        sentence=say_best(axis.axis, results, None if difference is None else p_adjusted, is_told=is_told),
        notes=tuple(notes_on(results)),
    )
