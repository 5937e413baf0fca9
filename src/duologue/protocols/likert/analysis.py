"""From ratings to verdicts: what `duologue analyse` computes for a likert study.

Arms, revisions and sources are never pooled, and volunteers in the wild (open link, Telegram) are kept apart
from invited annotators: each combination is a `RatingSection` of the results, each question of it a Holm
family of its own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duologue.judgments import Coded, Ratings, Row, ratings_from_rows
from duologue.protocols.likert.comparing import (
    calibrate,
    check_ordinal,
    compare_pairs,
    rate_bots,
    say_calibration,
    scores_of,
)
from duologue.protocols.likert.exclusions import exclusions_of
from duologue.protocols.likert.quality import (
    against_first_party,
    agreement_of,
    busiest_annotators,
    correlate_metrics,
    detect_personas,
    progress_over_time,
    time_spent,
)
from duologue.protocols.likert.results import (
    LikertResults,
    PersonaDetection,
    QuestionResult,
    RatingSection,
    TableRow,
)
from duologue.protocols.likert.settings import QuestionSettings
from duologue.protocols.saying import say_list, say_percent

DEFAULT_ALPHA = 0.05

WILD = ("open", "telegram")
"""The kinds of annotators whom nobody invited."""

BUSY_SHARE = 0.05
"""One annotator should not make up more of the ratings than this."""


@dataclass(frozen=True, slots=True)
class _Part:
    """The judgments of one section, onboarding and excluded ones included."""

    arm: str
    revision: int
    source: str
    annotators: str
    ratings: Ratings


BOT_FAILED = "bot-failed"
"""The rule that sets a live chat aside in which the bot did not answer."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question as the analysis knows it."""

    name: str
    text: str
    low: int
    high: int
    labels: tuple[str, ...] = ()
    told: tuple[int, int] | None = None
    """The scale that it should have been, where the ratings do not keep to it."""
    is_guessed: bool = False
    """Whether the scale is the one that the ratings span, as no other is known or fits."""


def analyse_ratings(
    rows: Ratings | Iterable[Row],
    *,
    questions: Sequence[QuestionSettings] = (),
    alpha: float = DEFAULT_ALPHA,
    level: float | None = None,
    seed: int = 0,
    first_party: Ratings | Iterable[Row] | None = None,
    metrics: Mapping[str, Mapping[str, float]] | None = None,
) -> LikertResults:
    """Analyse ratings: means, plain and calibrated, pairs with Welch's test and Holm, personas, verdicts.

    A verdict rests on Welch's test of the ratings that count, Holm-adjusted over the pairs of its question.
    The difference clustered by annotator and the calibrated one stand beside it.

    Args:
        rows: All judgments, excluded and onboarding ones too; only those that count enter the tests.
        questions: What was asked, with the scales; what the rows say when not given.
        alpha: The error rate that the pairs of a question share.
        level: Of the intervals; ``1 - alpha`` when not given.
        seed: For resampling dialogues in the interval of the agreement.
        first_party: Ratings of the same dialogues by those who had them, to compare with.
        metrics: Automatic metrics by name and bot, to correlate with.

    Raises:
        FormatError: A row is not a rating.
        BadNumber: ``alpha`` or ``level`` is not a share.

    Example:
        >>> rows = [{"bot": "A", "rating": point, "annotator": n} for n, point in enumerate([4, 4, 3, 4, 3])]
        >>> rows += [{"bot": "B", "rating": point, "annotator": n} for n, point in enumerate([2, 1, 2, 1, 2])]
        >>> analyse_ratings(rows).sections[0].questions[0].pairs[0].verdict.sentence
        'A is rated higher than B (3.60 against 1.60, difference 2.00 [1.20, 2.80], p < 0.001, n = 5 each).'
    """
    ratings = rows if isinstance(rows, Ratings) else ratings_from_rows(rows)
    first = (
        first_party
        if first_party is None or isinstance(first_party, Ratings)
        else ratings_from_rows(first_party)
    )
    level = 1 - alpha if level is None else level
    asked = tuple(_asked(ratings, questions))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0,)))
    return LikertResults(
        sections=tuple(
            _section(part, asked, alpha=alpha, level=level, rng=rng, first=first, metrics=metrics or {})
            for part in _parts(ratings)
        ),
        alpha=alpha,
        level=level,
        seed=seed,
        warnings=tuple(_scale_warnings(asked)),
    )


def _asked(ratings: Ratings, questions: Sequence[QuestionSettings]) -> Iterator[_Asked]:
    """The questions of the study first, then others that the table holds."""
    known = {question.name: question for question in questions}
    names = [name for name in known if name in ratings.points]
    names += [name for name in ratings.points if name not in known]
    for name in names:
        question = known.get(name)
        scale = (question.low, question.high) if question else ratings.scales.get(name)
        low, high = _scale(ratings.points[name], scale)
        is_guessed = (low, high) != scale
        yield _Asked(
            name=name,
            text=question.text if question else ratings.texts.get(name, ""),
            low=low,
            high=high,
            labels=question.labels if question and not is_guessed else (),
            told=scale,
            is_guessed=is_guessed,
        )


def _scale(points: NDArray[np.float64], told: tuple[int, int] | None) -> tuple[int, int]:
    """The ends of a scale as they were told, or else as the ratings have it."""
    given = points[~np.isnan(points)]
    low, high = (math.floor(given.min()), math.ceil(given.max())) if len(given) else told or (0, 1)
    if told is not None and told[0] <= low and high <= told[1]:
        return told
    return low, max(high, low + 1)


def _scale_warnings(asked: Sequence[_Asked]) -> Iterator[str]:
    """One sentence for all scales that are not known, and one for each that the ratings do not keep to."""
    unknown = [one for one in asked if one.is_guessed and one.told is None]
    if unknown:
        spans = say_list(f"{one.low} to {one.high} for {one.name}" for one in unknown)
        which = "The scale is" if len(unknown) == 1 else "Scales are"
        yield f"{which} not known; by the ratings taken to be {spans}."
    for one in asked:
        if one.is_guessed and one.told is not None:
            yield (
                f"{one.name}: the scale should be {one.told[0]} to {one.told[1]}; by the ratings it is taken "
                f"to be {one.low} to {one.high}."
            )


def _parts(ratings: Ratings) -> Iterator[_Part]:
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
                yield _Part(
                    arm=ratings.arm.name_of(arm),
                    revision=revision,
                    source=ratings.source.name_of(source),
                    annotators="wild" if is_wild else "invited" if both else "all",
                    ratings=ratings.select(chosen),
                )


def _codes(column: Coded, names: Sequence[str]) -> list[int]:
    return [code for code, name in enumerate(column.names) if name in names]


def _section(
    part: _Part,
    asked: Sequence[_Asked],
    *,
    alpha: float,
    level: float,
    rng: np.random.Generator,
    first: Ratings | None,
    metrics: Mapping[str, Mapping[str, float]],
) -> RatingSection:
    counted = part.ratings.select(part.ratings.counts)
    questions = tuple(
        _question(counted, one, alpha=alpha, level=level, rng=rng, first=first, metrics=metrics)
        for one in asked
        if not np.isnan(counted.points[one.name]).all()
    )
    personas = detect_personas(counted, level=level)
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
        exclusions=exclusions_of(part.ratings, questions, alpha=alpha),
        busiest=busiest,
        progress=progress_over_time(counted),
        warnings=tuple(_warnings(counted, people, busiest[0].share if busiest else 0.0)),
    )


def _question(
    counted: Ratings,
    asked: _Asked,
    *,
    alpha: float,
    level: float,
    rng: np.random.Generator,
    first: Ratings | None,
    metrics: Mapping[str, Mapping[str, float]],
) -> QuestionResult:
    scores = scores_of(counted, asked.name, low=asked.low, high=asked.high)
    calibrated, why_not = calibrate(scores, level=level)
    bots = rate_bots(scores, calibrated, level=level)
    pairs = compare_pairs(scores, calibrated, alpha=alpha, level=level)
    ordinal, why_no_ordinal = check_ordinal(scores, pairs, level=level)
    return QuestionResult(
        name=asked.name,
        text=asked.text,
        low=asked.low,
        high=asked.high,
        labels=asked.labels,
        bots=bots,
        pairs=pairs,
        calibration=say_calibration(scores, calibrated, bots) if calibrated else None,
        why_not_calibrated=why_not,
        ordinal=ordinal,
        why_no_ordinal=why_no_ordinal,
        agreement=agreement_of(scores, level=level, rng=rng),
        first_party=against_first_party(counted, first, asked.name, level=level) if first else None,
        metrics=correlate_metrics(bots, metrics),
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
