"""From ratings to verdicts: what `duologue analyse` computes for a likert study.

Arms, revisions and sources are never pooled, and volunteers in the wild (open link, Telegram) are kept apart
from invited annotators: each combination is a `RatingSection` of the results. Their pairs share one error
rate over all questions, unless the study names a primary one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import is_not

import numpy as np

from duologue.judgments import NameColumn, Ratings, Row, ratings_from_rows
from duologue.likert.analysis.comparing import (
    Scores,
    calibrate,
    rate_bots,
    say_calibration,
    scores_of,
)
from duologue.likert.analysis.exclusions import exclusions_of, has_exclusions, never_counted
from duologue.likert.analysis.ordinal import check_ordinal
from duologue.likert.analysis.pairs import WeighedPair, weigh_pairs
from duologue.likert.analysis.quality import (
    against_first_party,
    agreement_of,
    busiest_annotators,
    correlate_metrics,
    detect_personas,
    progress_over_time,
    time_spent,
)
from duologue.likert.analysis.results import (
    BOT_FAILED,
    LikertResults,
    PersonaDetection,
    QuestionResult,
    RatingSection,
    TableRow,
)
from duologue.likert.analysis.verdicts import RatingComparison, RatingRule, compare_ratings, pair_result
from duologue.likert.asked import AskedQuestion, questions_asked, scale_warnings
from duologue.likert.settings import RatingQuestionSettings
from duologue.protocols import (
    Family,
    FamilyWords,
    families_of,
    say_families,
    say_interim,
    say_list,
    say_percent,
    say_rating,
)
from duologue.stats import CalibratedRatings, correlate_answers

DEFAULT_ALPHA = 0.05
DEFAULT_POWER = 0.80

WILD = ("open", "telegram")
"""The kinds of annotators whom nobody invited."""

BUSY_SHARE = 0.05
"""One annotator should not make up more of the ratings than this."""


@dataclass(frozen=True, slots=True)
class RatingPart:
    """The judgments of one section, onboarding and excluded ones included."""

    arm: str
    revision: int
    source: str
    annotators: str
    ratings: Ratings


@dataclass(frozen=True, slots=True)
class _WeighedQuestion:
    """One question of one section with the evidence on every pair."""

    asked: AskedQuestion
    scores: Scores
    fit: CalibratedRatings | None
    why_not: str
    """Why it could not be calibrated."""
    pairs: tuple[WeighedPair, ...]


@dataclass(frozen=True, slots=True)
class _Beside:
    """How what stands beside the verdicts is worked out."""

    level: float
    """Of intervals."""
    rng: np.random.Generator
    first: Ratings | None
    """Ratings by those who had the dialogues."""
    metrics: Mapping[str, Mapping[str, float]]
    with_ordinal: bool


def analyse_ratings(
    rows: Ratings | Iterable[Row],
    *,
    questions: Sequence[RatingQuestionSettings] = (),
    alpha: float = DEFAULT_ALPHA,
    level: float | None = None,
    gap: float | None = None,
    power: float = DEFAULT_POWER,
    seed: int = 0,
    planned: Mapping[str, int] | None = None,
    primary: str | None = None,
    first_party: Ratings | Iterable[Row] | None = None,
    metrics: Mapping[str, Mapping[str, float]] | None = None,
    with_ordinal: bool = True,
) -> LikertResults:
    """Analyse ratings: means, plain and calibrated, pairs with one verdict and one interval each, personas.

    A verdict rests on the calibrated contrast of the ratings that count, with annotators' leniency removed,
    or on Welch's test where nobody rated twice; where a dialogue was rated several times, or one annotator
    rated a bot several times and the other one too, on the larger of its p-value and the clustered one. Holm
    over all pairs of the family.

    Args:
        rows: All judgments, excluded and onboarding ones too; only those that count enter the tests.
        questions: What was asked, with the scales; what the rows say when not given.
        alpha: The error rate that the pairs share.
        level: Of the intervals of single bots; ``1 - alpha`` when not given.
        gap: The difference between two mean ratings that is worth finding, in points: says how many ratings
            are missing.
        power: With what chance it should be found.
        seed: For resampling dialogues in the interval of the agreement.
        planned: Ratings planned of each bot.
        primary: The question whose verdicts the study rests on; without one, all are one family.
        first_party: Ratings of the same dialogues by those who had them, to compare with.
        metrics: Automatic metrics by name and bot, to correlate with.
        with_ordinal: Whether verdicts are checked by a model that does not treat points as numbers.

    Raises:
        FormatError: A row is not a rating.
        BadNumber: ``alpha`` or ``level`` is not a share.

    Example:
        >>> rows = [{"bot": "A", "rating": point, "annotator": n} for n, point in enumerate([4, 4, 3, 4, 3])]
        >>> rows += [{"bot": "B", "rating": point, "annotator": n} for n, point in enumerate([2, 1, 2, 1, 2])]
        >>> analyse_ratings(rows).sections[0].questions[0].pairs[0].verdict.sentence[:70]
        'A is rated higher than B (p = 0.004, calibrated means 3.60 and 1.60, d'
    """
    ratings = _as_ratings(rows)
    first = None if first_party is None else _as_ratings(first_party)
    rule = RatingRule(alpha=alpha, gap=gap, power=power)
    level = 1 - alpha if level is None else level
    asked = tuple(questions_asked(ratings, questions))
    parts = tuple(parts_of(ratings))
    weighed = [_weigh_part(part.ratings.select(part.ratings.counts), asked, level=level) for part in parts]
    without = [_without_exclusions(part, own, level=level) for part, own in zip(parts, weighed, strict=True)]
    names = [one.asked.name for own in weighed for one in own]
    families = _families(names, questions, planned or {}, primary)
    compared = _by_family(weighed, families, rule, planned or {})
    everything = (
        _by_family(without, families, rule, planned or {}) if any(map(is_not, without, weighed)) else compared
    )
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    beside = _Beside(level, rng, first, metrics or {}, with_ordinal)
    describe = partial(_section, rule=rule, primary=primary, beside=beside)
    return LikertResults(
        sections=tuple(map(describe, parts, weighed, compared, everything)),
        alpha=alpha,
        level=level,
        seed=seed,
        warnings=(*_interim(ratings, planned or {}), *scale_warnings(asked)),
        gap=gap,
        power=power,
        family=_say_family(compared, names, len(parts), rule, primary),
        primary=primary,
    )


def _as_ratings(rows: Ratings | Iterable[Row]) -> Ratings:
    return rows if isinstance(rows, Ratings) else ratings_from_rows(rows)


def _weigh_part(
    counted: Ratings, asked: Iterable[AskedQuestion], *, level: float
) -> tuple[_WeighedQuestion, ...]:
    """The evidence on every pair of every question that somebody answered."""
    return tuple(
        _weigh(counted, one, level=level) for one in asked if not np.isnan(counted.points[one.name]).all()
    )


def _weigh(counted: Ratings, asked: AskedQuestion, *, level: float) -> _WeighedQuestion:
    scores = scores_of(counted, asked.name, low=asked.low, high=asked.high)
    fit, why_not = calibrate(scores, level=level)
    return _WeighedQuestion(asked, scores, fit, why_not, weigh_pairs(scores, fit))


def _without_exclusions(
    part: RatingPart, weighed: tuple[_WeighedQuestion, ...], *, level: float
) -> tuple[_WeighedQuestion, ...]:
    """The same questions as if nothing had been excluded."""
    if not has_exclusions(part.ratings):
        return weighed
    everything = part.ratings.select(~never_counted(part.ratings))
    return _weigh_part(everything, (one.asked for one in weighed), level=level)


def _families(
    names: Sequence[str],
    questions: Sequence[RatingQuestionSettings],
    planned: Mapping[str, int],
    primary: str | None,
) -> tuple[Family, ...]:
    """Which questions of which sections share alpha, by their numbers."""
    asked = [question.name for question in questions]
    return families_of(names, planned_arms=asked, matchups=_pairs_of(len(planned)), primary=primary)


def _pairs_of(bots: int) -> int:
    return bots * (bots - 1) // 2


def _by_family(
    weighed: Sequence[tuple[_WeighedQuestion, ...]],
    families: Sequence[Family],
    rule: RatingRule,
    planned: Mapping[str, int],
) -> list[tuple[tuple[RatingComparison, ...], ...]]:
    """The comparisons of every question of every section, each family by itself."""
    flat = [one for own in weighed for one in own]
    found: dict[int, tuple[RatingComparison, ...]] = {}
    for family in families:
        present: dict[str, int] = {}
        for number in family.sections:
            name = flat[number].asked.name
            present[name] = max(len(flat[number].pairs), present.get(name, 0))
        unrated = sum(max(0, _pairs_of(len(planned)) - pairs) for pairs in present.values())
        own = [flat[number].pairs for number in family.sections]
        compared = compare_ratings(own, rule, unrated=unrated + family.unjudged)
        found |= dict(zip(family.sections, compared, strict=True))
    numbers = iter(range(len(flat)))
    return [tuple(found[next(numbers)] for _ in own) for own in weighed]


def _say_family(
    compared: Sequence[Sequence[Sequence[RatingComparison]]],
    names: Sequence[str],
    sections: int,
    rule: RatingRule,
    primary: str | None,
) -> str:
    questions = [pairs for section in compared for pairs in section if pairs]
    words = FamilyWords("pairs", "questions" if sections == 1 else "questions and sections", "question")
    size = questions[0][0].family if questions else 0
    return say_families(
        [size], names if len(questions) > 1 else names[:1], alpha=rule.alpha, primary=primary, words=words
    )


def _interim(ratings: Ratings, planned: Mapping[str, int]) -> Iterator[str]:
    counted = np.bincount(ratings.bot.codes[ratings.counts], minlength=len(ratings.bot.names))
    done = dict(zip(ratings.bot.names, counted.tolist(), strict=True))
    yield from say_interim([(done.get(bot, 0), wanted) for bot, wanted in planned.items()], "bots")


def parts_of(ratings: Ratings) -> Iterator[RatingPart]:
    """What may be pooled: one arm, revision, source and way of coming in at a time."""
    wild = np.isin(ratings.annotator_kind.codes, _codes(ratings.annotator_kind, WILD))
    arms, sources = ratings.arm.codes, ratings.source.codes
    keys = np.stack([arms, ratings.revision, sources], axis=1) if len(ratings) else np.zeros((0, 3), np.int32)
    for arm, revision, source in np.unique(keys, axis=0).tolist():
        mine = (arms == arm) & (ratings.revision == revision) & (sources == source)
        for is_wild in (False, True):
            chosen = mine & (wild == is_wild)
            if chosen.any():
                both = bool((mine & (wild != is_wild)).any())
                yield RatingPart(
                    arm=ratings.arm.name_of(arm),
                    revision=revision,
                    source=ratings.source.name_of(source),
                    annotators="wild" if is_wild else "invited" if both else "all",
                    ratings=ratings.select(chosen),
                )


def _codes(column: NameColumn, names: Sequence[str]) -> list[int]:
    return [code for code, name in enumerate(column.names) if name in names]


def _section(
    part: RatingPart,
    weighed: Sequence[_WeighedQuestion],
    compared: Sequence[tuple[RatingComparison, ...]],
    everything: Sequence[tuple[RatingComparison, ...]],
    *,
    rule: RatingRule,
    primary: str | None,
    beside: _Beside,
) -> RatingSection:
    counted = part.ratings.select(part.ratings.counts)
    questions = tuple(
        _question(counted, one, pairs, rule=rule, beside=beside)
        for one, pairs in zip(weighed, compared, strict=True)
    )
    personas = detect_personas(counted, level=beside.level)
    order = _order(questions, personas)
    busiest = busiest_annotators(counted, more_than=BUSY_SHARE)
    people = len(np.unique(counted.annotator.own_codes)) if counted.annotator.is_named else None
    return RatingSection(
        arm=part.arm,
        revision=part.revision,
        annotators=part.annotators,
        source=part.source,
        n=len(counted),
        annotator_count=people,
        bots=order,
        questions=questions,
        personas=tuple(sorted(personas, key=lambda one: order.index(one.bot))),
        table=_table(order, questions, personas, _failed_chats(part.ratings)),
        time=time_spent(part.ratings),
        exclusions=exclusions_of(part.ratings, questions, everything),
        busiest=busiest,
        progress=progress_over_time(counted),
        correlations=tuple(
            correlate_answers(
                {one.name: counted.points[one.name] for one in questions},
                counted.bot.codes,
                counted.annotator.own_codes,
                level=beside.level,
            )
        ),
        warnings=(
            *_secondary(questions, primary),
            *_unreliable(questions),
            *_warnings(counted, people, busiest[0].share if busiest else 0.0),
        ),
    )


def _question(
    counted: Ratings,
    weighed: _WeighedQuestion,
    compared: Sequence[RatingComparison],
    *,
    rule: RatingRule,
    beside: _Beside,
) -> QuestionResult:
    asked, scores, fit = weighed.asked, weighed.scores, weighed.fit
    level, first = beside.level, beside.first
    bots = rate_bots(scores, fit, level=level)
    ordinal, why_no_ordinal = (
        check_ordinal(scores, compared, level=level)
        if beside.with_ordinal
        else (None, "It was not asked for.")
    )
    return QuestionResult(
        name=asked.name,
        text=asked.text,
        low=asked.low,
        high=asked.high,
        labels=asked.labels,
        bots=bots,
        pairs=tuple(pair_result(one, rule) for one in compared),
        calibration=say_calibration(scores, fit, bots) if fit else None,
        why_not_calibrated=weighed.why_not,
        ordinal=ordinal,
        why_no_ordinal=why_no_ordinal,
        agreement=agreement_of(scores, level=level, rng=beside.rng),
        first_party=against_first_party(counted, first, asked.name, level=level) if first else None,
        metrics=correlate_metrics(bots, beside.metrics),
    )


def _order(questions: Sequence[QuestionResult], personas: Sequence[PersonaDetection]) -> tuple[str, ...]:
    """Every bot once: as the first question has them, then those that only others have."""
    named = [one.bot for question in questions for one in question.bots]
    return tuple(dict.fromkeys((*named, *(one.bot for one in personas))))


def _table(
    order: Sequence[str],
    questions: Sequence[QuestionResult],
    personas: Sequence[PersonaDetection],
    failed: Mapping[str, int],
) -> tuple[TableRow, ...]:
    """A row for each bot, the best first; those that failed in every chat come last, without ratings."""
    means = [
        {one.bot: one.mean if one.calibrated is None else one.calibrated for one in question.bots}
        for question in questions
    ]
    detected = {one.bot: one.rate for one in personas}
    return tuple(
        TableRow(bot, tuple(of.get(bot) for of in means), detected.get(bot), failed.get(bot, 0))
        for bot in dict.fromkeys((*order, *sorted(failed)))
    )


def _failed_chats(ratings: Ratings) -> dict[str, int]:
    """How many live chats each bot failed in, of those that failed in any."""
    failing = np.isin(ratings.excluded.codes, _codes(ratings.excluded, [BOT_FAILED]))
    codes, counts = np.unique(ratings.bot.codes[failing], return_counts=True)
    return {
        ratings.bot.name_of(code): count for code, count in zip(codes.tolist(), counts.tolist(), strict=True)
    }


def _secondary(questions: Sequence[QuestionResult], primary: str | None) -> Iterator[str]:
    others = [question.name for question in questions if question.name != primary]
    if primary is not None and others:
        are = "Question {} is" if len(others) == 1 else "Questions {} are"
        yield f"{are.format(say_list(others))} secondary: the study does not rest on their verdicts."


def _unreliable(questions: Sequence[QuestionResult]) -> Iterator[str]:
    for question in questions:
        if question.agreement is not None and question.agreement.is_hardly_any:
            of = f" on {question.name}" if len(questions) > 1 else ""
            yield (
                f"Annotators hardly agree beyond chance{of} (Krippendorff's alpha "
                f"{say_rating(question.agreement.alpha)}): others may come to other verdicts."
            )


def _warnings(counted: Ratings, people: int | None, busiest: float) -> Iterator[str]:
    if not len(counted):
        yield "No rating counts yet."
    elif people is None:
        units = counted.dialogue if counted.dialogue.is_named else counted.item
        by_dialogue = units.is_named and len(np.unique(units.own_codes)) < len(counted)
        yield "It is not known who gave the ratings: " + (
            "intervals and tests are clustered by dialogue."
            if by_dialogue
            else "whether they are independent could not be checked."
        )
    elif not counted.annotator.is_known:
        blank = int((counted.annotator.codes < 0).sum())
        yield (
            f"{blank:,} of {len(counted):,} ratings do not say who gave them: each of these is taken for one "
            "of an annotator of its own."
        )
    if people is not None and busiest > max(BUSY_SHARE, 2 / people):
        yield f"One annotator gave {say_percent(busiest)} of the ratings."
