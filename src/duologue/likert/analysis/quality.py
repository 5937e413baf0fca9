"""Beside the means: persona detection, agreement, first against third party, metrics, time, who rated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from duologue.errors import NotEnoughJudgments
from duologue.judgments import Ratings
from duologue.likert.analysis.comparing import Codes, Scores
from duologue.likert.analysis.results import (
    BotRating,
    FirstParty,
    FirstPartyBot,
    MetricCorrelation,
    PersonaDetection,
    RatedBotAgreement,
    RatingAgreement,
)
from duologue.protocols import (
    AnnotatorCount,
    Moment,
    TimeSpent,
    say_p,
    say_rating,
    say_rating_span,
    time_spent_on,
)
from duologue.stats import clustered_rate, krippendorff_alpha, paired_test, sign_test, wilson_interval

Floats = NDArray[np.float64]

PROGRESS_POINTS = 200
"""A curve of progress needs no more points than these."""

HARDLY_ANY = 0.1
"""Krippendorff's alpha below which a crowd may be unreliable."""

FEWEST_AGREED = 20
"""Things rated several times, before a low alpha says anything."""

BOTS_NAMED = 12
"""So many alphas are named in a sentence; the results and tables have all."""

FEWEST_BOTS = 3
"""A correlation over fewer bots is always perfect."""


def detect_personas(ratings: Ratings, *, level: float) -> tuple[PersonaDetection, ...]:
    """How often each bot's persona was told from another one, by name; empty when nobody was asked."""
    asked = ratings.select(~np.isnan(ratings.persona_right))
    codes = sorted(np.unique(asked.bot.codes).tolist(), key=lambda code: asked.bot.names[code])
    return tuple(_detection(asked, code, level=level) for code in codes)


def _detection(asked: Ratings, code: int, *, level: float) -> PersonaDetection:
    mine = asked.select(asked.bot.codes == code)
    n, right = len(mine), int(mine.persona_right.sum())
    clustered = None
    annotators = mine.annotator.own_codes
    if mine.annotator.is_named and len(np.unique(annotators)) > 1:
        clustered = clustered_rate(mine.persona_right, [annotators], level=level).interval
    return PersonaDetection(
        bot=asked.bot.names[code],
        n=n,
        right=right,
        rate=right / n,
        interval=wilson_interval(right, n, level=level),
        clustered_interval=clustered,
        p_value=sign_test(right, n - right).p_value,
    )


def agreement_of(scores: Scores, *, level: float, rng: np.random.Generator) -> RatingAgreement | None:
    """Krippendorff's alpha over what was rated several times (items within dialogues); None without any."""
    if scores.unit is None:
        return None
    units, points = _one_of_each(scores, np.ones(len(scores.score), dtype=np.bool_))
    if not _is_repeated(units):
        return None
    found = krippendorff_alpha(points, items=units, metric="ordinal", level=level, rng=rng)
    interval = found.interval if found.interval and found.interval.low < found.interval.high else None
    whole = scores.dialogue is not None and len(np.unique(scores.unit)) == len(np.unique(scores.dialogue))
    what = "dialogue" if whole else "item"
    span = f" {say_rating_span(interval.low, interval.high)}" if interval else ""
    by_bot = tuple(_by_bot(scores))
    is_hardly_any = found.items >= FEWEST_AGREED and found.value < HARDLY_ANY
    hardly = (
        " They hardly agree beyond chance: the bots are hard to tell apart by this question, or the "
        "annotators are unreliable, and others may come to other verdicts."
    )
    return RatingAgreement(
        dialogues=found.items,
        ratings=found.judgments,
        alpha=found.value,
        interval=interval,
        by_bot=by_bot,
        is_hardly_any=is_hardly_any,
        sentence=(
            f"Annotators of the same {what} agreed with a Krippendorff's alpha (ordinal) of "
            f"{say_rating(found.value)}{span}, over {found.items:,} {what}s with several ratings"
            f"{_say_by_bot(by_bot)}.{hardly if is_hardly_any else ''}"
        ),
    )


def _one_of_each(scores: Scores, rows: NDArray[np.bool_]) -> tuple[Codes, Floats]:
    """What was rated, once for each annotator who did: the mean of theirs. One annotator twice is not two."""
    assert scores.unit is not None  # noqa: S101  the caller saw it
    units, points = scores.unit[rows], scores.score[rows]
    if scores.annotator is None:
        return units, points
    both = np.stack([units, scores.annotator[rows]], axis=1)
    found, place, counts = np.unique(both, axis=0, return_inverse=True, return_counts=True)
    return found[:, 0], np.bincount(place.ravel(), weights=points) / counts


def _is_repeated(units: Codes) -> bool:
    return len(np.unique(units)) < len(units)


def _by_bot(scores: Scores) -> Iterator[RatedBotAgreement]:
    for bot, name in enumerate(scores.names):
        units, points = _one_of_each(scores, scores.of(bot))
        if _is_repeated(units):
            found = krippendorff_alpha(points, items=units, metric="ordinal")
            yield RatedBotAgreement(name, found.items, found.judgments, found.value)


def _say_by_bot(found: Sequence[RatedBotAgreement]) -> str:
    """Of each bot, where there are several and not too many for a sentence."""
    if not 2 <= len(found) <= BOTS_NAMED:
        return ""
    return f" ({', '.join(f'{one.bot} {say_rating(one.alpha)}' for one in found)})"


def against_first_party(third: Ratings, first: Ratings, question: str, *, level: float) -> FirstParty | None:
    """Ratings by readers beside those by the annotators who had the chats; None without a shared dialogue."""
    ours, theirs = _by_dialogue(first, question), _by_dialogue(third, question)
    shared = sorted(ours.keys() & theirs.keys())
    if not shared:
        return None
    a = np.array([ours[name][1] for name in shared])
    b = np.array([theirs[name][1] for name in shared])
    try:
        test = paired_test(a, b, level=level)
    except NotEnoughJudgments:
        test = None
    by_bot: dict[str, list[int]] = {}
    for place, name in enumerate(shared):
        by_bot.setdefault(theirs[name][0], []).append(place)
    pearson = correlation(a, b)
    return FirstParty(
        dialogues=len(shared),
        pearson=pearson,
        spearman=correlation(_ranks(a), _ranks(b)),
        difference=float((a - b).mean()),
        interval=test.interval if test else None,
        p_value=test.p_value if test else None,
        by_bot=tuple(
            FirstPartyBot(bot, len(places), float(a[places].mean()), float(b[places].mean()))
            for bot, places in sorted(by_bot.items())
        ),
        sentence=_say_first_party(
            len(shared), pearson, float((a - b).mean()), test.p_value if test else None
        ),
    )


def _by_dialogue(ratings: Ratings, question: str) -> dict[str, tuple[str, float]]:
    """The bot and the mean rating of each dialogue."""
    if question not in ratings.points:
        return {}
    counted = ratings.select(ratings.counts & ~np.isnan(ratings.points[question]))
    given: dict[str, list[float]] = {}
    bots: dict[str, str] = {}
    for dialogue, bot, point in zip(
        counted.dialogue.codes.tolist(), counted.bot.codes.tolist(), counted.points[question], strict=True
    ):
        if dialogue >= 0:
            name = counted.dialogue.names[dialogue]
            given.setdefault(name, []).append(float(point))
            bots[name] = counted.bot.names[bot]
    return {name: (bots[name], float(np.mean(points))) for name, points in given.items()}


def _say_first_party(n: int, pearson: float | None, difference: float, p_value: float | None) -> str:
    who = "Those who had the chats"
    rated = "rated higher" if difference > 0 else "rated lower" if difference < 0 else "rated the same"
    by = f" by {say_rating(abs(difference))} points" if difference else ""
    tested = f" ({say_p(p_value)})" if p_value is not None else ""
    together = f"; the two are correlated with r = {pearson:.2f}" if pearson is not None else ""
    return f"{who} {rated}{by} than those who read them{tested}{together}, over {n:,} dialogues."


def correlate_metrics(
    bots: Sequence[BotRating], metrics: Mapping[str, Mapping[str, float]]
) -> tuple[MetricCorrelation, ...]:
    """How each automatic metric is correlated with the mean ratings, over the bots that have both."""
    means = {one.bot: one.mean if one.calibrated is None else one.calibrated for one in bots}
    found = []
    for metric, values in metrics.items():
        shared = [bot for bot in means if bot in values]
        if len(shared) >= FEWEST_BOTS:
            found.append(_correlated(metric, [means[bot] for bot in shared], [values[bot] for bot in shared]))
    return tuple(found)


def _correlated(metric: str, means: Sequence[float], values: Sequence[float]) -> MetricCorrelation:
    a, b = np.array(means, dtype=np.float64), np.array(values, dtype=np.float64)
    pearson, spearman = correlation(a, b), correlation(_ranks(a), _ranks(b))
    said = (
        f"{metric} is correlated with the ratings of {len(a)} bots: r = {pearson:.2f} "
        f"(by rank {spearman:.2f})."
        if pearson is not None and spearman is not None
        else f"{metric} or the ratings are the same for all {len(a)} bots."
    )
    return MetricCorrelation(metric, len(a), pearson, spearman, said)


def correlation(a: Floats, b: Floats) -> float | None:
    """Pearson's correlation, from -1 to 1; None where one of the two never varies.

    Sums are exact and then rounded once: the figure is the same on every processor.

    Example:
        >>> correlation(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
        1.0
    """
    a, b = a - fsum(a) / len(a), b - fsum(b) / len(b)
    scale = sqrt(fsum(a * a) * fsum(b * b))
    return None if scale <= 1e-12 else max(-1.0, min(1.0, fsum(a * b) / scale))


def _ranks(values: Floats) -> Floats:
    """Ranks from 1, equal values sharing the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[place], dtype=np.float64)


def time_spent(ratings: Ratings) -> TimeSpent | None:
    """Median seconds of a judgment that counts, and the hours of all; None when no times are known."""
    return time_spent_on(ratings.seconds, ratings.counts)


def busiest_annotators(ratings: Ratings, *, more_than: float) -> tuple[AnnotatorCount, ...]:
    """Annotators who gave more than this share of the judgments, the busiest first."""
    codes = ratings.annotator.codes[ratings.annotator.codes >= 0]
    counts = np.bincount(codes, minlength=1)
    busy = np.flatnonzero(counts > more_than * max(1, len(ratings)))
    return tuple(
        AnnotatorCount(ratings.annotator.names[code], int(counts[code]), float(counts[code] / len(ratings)))
        for code in busy[np.argsort(-counts[busy], kind="stable")].tolist()
    )


def progress_over_time(ratings: Ratings) -> tuple[Moment, ...]:
    """How many judgments counted by when; empty when times are not known."""
    times = np.sort(ratings.at[~np.isnat(ratings.at)])
    if len(times) == 0:
        return ()
    steps = np.unique(np.linspace(1, len(times), min(PROGRESS_POINTS, len(times))).round().astype(np.int64))
    return tuple(Moment(f"{times[step - 1]}+00:00", int(step)) for step in steps.tolist())
